import datetime as dt

import pytest

from inforce.config.sources import Dates
from inforce.corpus.commit_dates import CommitDates
from inforce.corpus.git_history import Commit

CLAMPED = {"clamped_before": "1970-01-01T02:00:00+01:00", "dates": ["0001-01-01"]}
MESSAGE = {"from": "message", "clause": "(?:Made|Changed) by", "forms": ["in force {day} {month} {year}", "{year}-{month}-{day}"]}
AUTHOR = {"from": "author_date"}


def find(order, message="", at="2001-05-03T12:00:00+00:00", keys=None, **more):
    moment = dt.datetime.fromisoformat(at)
    rules = Dates.model_validate({"order": order, "months": {"March": 3}, **more})
    return CommitDates(rules).find(Commit("0" * 40, int(moment.timestamp()), moment.tzinfo, message, []), keys or {})


def test_the_order_decides():
    trailer = {"from": "trailer", "key": "Source-Date"}
    keys = {"from": "front_matter", "key": "effective_from"}
    message = "words\n\nSource-Date: 2000-01-01\n"
    assert find([trailer, keys, AUTHOR], message, keys={"effective_from": "2000-02-02"}).day == dt.date(2000, 1, 1)
    assert find([keys, trailer, AUTHOR], message, keys={"effective_from": "2000-02-02"}).day == dt.date(2000, 2, 2)
    assert find([keys, trailer, AUTHOR], "words").day == dt.date(2001, 5, 3)


def test_the_last_clause_and_the_first_form():
    message = "Made by law 1804-03-07 Changed by law 1965-07-13 in force 1 March 1966"
    assert find([MESSAGE], message).day == dt.date(1966, 3, 1)
    assert find([MESSAGE], "Made by law 1804-03-07 Changed by law 1965-07-13").day == dt.date(1965, 7, 13)


@pytest.mark.parametrize(("zone", "day"), [(None, dt.date(1990, 9, 22)), ("Europe/Berlin", dt.date(1990, 9, 23))])
def test_the_author_day_is_read_in_a_zone(zone, day):
    """23:00 in a fixed +01:00 is midnight of the next day in a country on summer time."""
    assert find([{"from": "author_date", "time_zone": zone}], at="1990-09-22T23:00:00+01:00").day == day


@pytest.mark.parametrize("at", ["1970-01-01T01:00:01+01:00", "1970-01-01T01:00:00+01:00", "1970-01-01T01:01:50+01:00"])
def test_a_clamped_author_date_is_no_date(at):
    assert find([AUTHOR], at=at, no_date=CLAMPED).day is None
    assert find([AUTHOR, MESSAGE], "Made by law 1804-03-07", at, no_date=CLAMPED).day == dt.date(1804, 3, 7)


def test_a_genuine_first_of_january_1970_is_told_by_its_hour():
    assert find([AUTHOR], at="1970-01-01T08:00:00+01:00", no_date=CLAMPED).day == dt.date(1970, 1, 1)


@pytest.mark.parametrize("at", ["1970-01-01T12:00:00+00:00", "1970-01-02T00:00:07+00:00"])
def test_sentinels_with_and_without_seconds(at):
    found = find([AUTHOR], at=at)
    assert found.day is None
    assert [kind for kind, _ in found.notes] == ["sentinel_date"]


def test_a_date_after_the_clamp_cannot_be_true():
    found = find([AUTHOR, MESSAGE], "Made by law 2001-12-03", "1970-01-01T01:00:25+01:00", no_date=CLAMPED)
    assert found.day is None
    assert [kind for kind, _ in found.notes] == ["newer_than_commit"]


def test_a_message_that_names_a_later_law_is_noted():
    found = find([AUTHOR, MESSAGE], "Changed by law 2009-05-12", "2006-07-25T08:00:00+02:00")
    assert found.day == dt.date(2006, 7, 25)
    assert [kind for kind, _ in found.notes] == ["newer_than_date"]


def test_a_trailer_given_twice_is_noted():
    found = find([{"from": "trailer", "key": "Effective-since"}], "x\n\nEffective-since: 1957-04-01\nEffective-since: 1958-04-01")
    assert found.day == dt.date(1957, 4, 1)
    assert [kind for kind, _ in found.notes] == ["several_dates"]
