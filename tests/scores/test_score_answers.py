import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scores.cases import LOOKUP, RULES, answer, by_name, by_uri, gold, item, question, sub, unheld

from inforce.records.answers import Search, Usage
from inforce.records.grades import AGREEING_TIERS, TIER_RANGES, Grade, SubGrade
from inforce.records.lines import write_lines
from inforce.records.status import STATUSES
from inforce.records.tables import CITATION_SCORES, ITEM_SCORES, SCORES, read_rows, write_table
from inforce.scores.dated_sections import gold_key
from inforce.scores.resolve_citations import citation_rows
from inforce.scores.score_answers import check_citations, citation_columns, gold_sections, item_rows, main, panel_scores, sub_grades

ROOT = Path(__file__).parents[2]
V = "qm/law/CODE/section-10/v/"


def seat(tier, score, status="ok"):
    return SubGrade(sub_question=1, status=status, tier=tier, score=score, justification=None if tier is None else "…")


LOST = seat(None, None, "judge_unparsed")


def test_the_panel_s_median_and_majority():
    found = panel_scores("ok", [seat("T3", 4), seat("T7", 8), seat("T5", 3)])
    assert found == {
        "panel_status": "ok",
        "score": 4.0,  # 3, 4, 8
        "seat_scores": [4, 8, 3],  # in panel order
        "seat_tiers": ["T3", "T7", "T5"],
        "agrees_with_court": True,  # T7 and T5 of three
    }
    assert panel_scores("ok", [seat("T3", 4), seat("T7", 8), seat("T2", 1)])["agrees_with_court"] is False
    assert panel_scores("ok", [seat("T6", 5.5)])["score"] == 5.5


def test_a_panel_that_lost_a_seat_gives_no_score():
    assert panel_scores("ok", [seat("T8", 9), LOST, seat("T8", 10)]) == {
        "panel_status": "panel_incomplete",
        "score": None,
        "seat_scores": [9, None, 10],
        "seat_tiers": ["T8", None, "T8"],
        "agrees_with_court": None,
    }


def test_an_answer_that_was_not_shown_keeps_its_own_status():
    found = panel_scores("unparsed", [seat(None, None, "unparsed")] * 3)
    assert (found["panel_status"], found["score"], found["agrees_with_court"]) == ("unparsed", None, None)


SEATS = st.lists(
    st.sampled_from(sorted(TIER_RANGES)).flatmap(lambda tier: st.builds(seat, st.just(tier), st.sampled_from(TIER_RANGES[tier]))),
    min_size=3,
    max_size=3,
)


@given(SEATS, st.permutations(range(3)))
def test_the_order_of_seats_changes_no_score(seats, order):
    one, two = panel_scores("ok", seats), panel_scores("ok", [seats[n] for n in order])
    assert (one["score"], one["agrees_with_court"]) == (two["score"], two["agrees_with_court"])
    assert min(s.score for s in seats) <= one["score"] <= max(s.score for s in seats)
    assert one["agrees_with_court"] == (sum(s.tier in AGREEING_TIERS for s in seats) >= 2)


TWO_GOLD = question(gold("CODE", "10", "2000-01-01"), gold("CODE", "11", "1950-01-01"), gold("CODE", "1", "1950-01-01", loadbearing=False))


def columns(*citations, q=TWO_GOLD, status="ok"):
    rows = citation_rows("r", item(q), answer(sub(1, citations)), LOOKUP) if status == "ok" else []
    return citation_columns(status, gold_sections(q, RULES), rows)


def test_precision_is_of_what_is_cited_and_recall_of_what_the_court_cites():
    # cited: 10 (twice, in two versions), 335, an invented section, and 1, which is background: 3 sections, 1 of them gold; gold: 10, 11
    found = columns(
        *by_uri(f"{V}2000-01-01", f"{V}1950-01-01", "qm/law/CODE/section-335", "qm/law/CODE/section-999", "qm/law/CODE/section-1")
    )
    assert found == {
        "citation_precision": pytest.approx(1 / 3),
        "citation_recall": pytest.approx(1 / 2),
        "citation_f1": pytest.approx(2 / 5),  # 2 x 1/3 x 1/2 / (5/6)
        "n_gold": 2,
        "n_cited": 3,
        "n_checked": 5,
        "n_invented_law": 0,
        "n_invented_section": 1,
        "n_exact": 1,
        "n_stale": 1,
        "n_future": 0,
        "n_wrong_section": 1,
        "n_nonexistent": 1,
    }


def test_swapped_precision_and_recall_are_noticed():
    cited_too_much = columns(*by_uri(*(f"qm/law/CODE/section-{label}" for label in ("10", "11", "335", "14_bis"))))
    assert (cited_too_much["citation_precision"], cited_too_much["citation_recall"]) == (0.5, 1.0)
    cited_too_little = columns(*by_uri("qm/law/CODE/section-10"))
    assert (cited_too_little["citation_precision"], cited_too_little["citation_recall"]) == (1.0, 0.5)
    assert cited_too_much["citation_f1"] == cited_too_little["citation_f1"] == pytest.approx(2 / 3)  # F1 alone would not show it


def test_nothing_cited_is_zero():
    found = columns()
    assert [found[f"citation_{name}"] for name in ("precision", "recall", "f1")] == [0, 0, 0]
    assert found["n_cited"] == found["n_checked"] == 0


@pytest.mark.parametrize("status", ["unparsed", "empty_at_limit", "context_overflow", "refused", "tool_call_error"])
def test_an_answer_that_cannot_be_read_is_zero_on_citations(status):
    found = columns(status=status)
    assert [found[f"citation_{name}"] for name in ("precision", "recall", "f1")] == [0, 0, 0]
    assert (found["n_gold"], found["n_cited"], found["n_nonexistent"]) == (2, 0, 0)


def test_an_endpoint_error_is_not_scored():
    found = columns(status="endpoint_error")
    assert found.pop("n_gold") == 2
    assert set(found.values()) == {None}


def test_every_status_of_an_answer_has_a_rule():
    assert {s for s in STATUSES if columns(status=s)["citation_f1"] is None} == {"endpoint_error", "judge_unparsed", "panel_incomplete"}


def test_without_resolvable_gold_only_the_rubric_scores():
    found = columns(by_name("Penal Code", "10"), by_name("Fisheries Ordinance", "1"), q=question(unheld("Notice 12")))
    assert [found[f"citation_{name}"] for name in ("precision", "recall", "f1")] == [None, None, None]
    assert (found["n_gold"], found["n_cited"], found["n_checked"], found["n_invented_law"]) == (0, 2, 2, 1)
    assert found["n_exact"] is found["n_nonexistent"] is None
    unread = columns(q=question(unheld("Notice 12")), status="unparsed")
    assert unread["citation_f1"] is None


def test_gold_is_counted_in_sections():
    q = question(
        gold("CODE", "10", "2000-01-01"),
        gold("CODE", "10", "1950-01-01"),
        gold("CODE", "335(1)", "1950-01-01"),
        gold("CODE", "335(7)", "1950-01-01"),
    )
    assert gold_sections(q, RULES) == {"CODE/10", "CODE/335"}
    assert gold_sections(q, RULES) == {gold_key(citation, RULES) for citation in q.citations}


def test_a_corpus_that_splits_a_section_by_paragraph_is_hit_and_counted_alike():
    """The Thai corpus has `59 วรรคสอง` as a section of its own: cited and gold label are both read by the jurisdiction's rules."""
    q = question(gold("CODE", "59 วรรคสอง", "1950-01-01"), gold("CODE", "59 วรรคสี่", "1950-01-01"))
    assert gold_sections(q, RULES) == {"CODE/59"}
    found = citation_columns("ok", gold_sections(q, RULES), [])
    assert found["n_gold"] == 1


def test_a_hit_outside_the_gold_is_refused():
    rows = citation_rows("r", item(TWO_GOLD), answer(sub(1, by_uri(f"{V}2000-01-01"))), LOOKUP)
    with pytest.raises(ValueError, match=r"hit \['CODE/10'\], which are not gold"):
        citation_columns("ok", {"CODE/11"}, rows)


# files


def grade(item_id, *subs, judge="j", status="ok"):
    return Grade(
        item_id=item_id, model="m", setting="parametric", sample=1, judge=judge, status=status, request_sha256=[], sub_grades=list(subs)
    )


def numbered(number, tier, score, status="ok"):
    return SubGrade(sub_question=number, status=status, tier=tier, score=score, justification=None)


ITEMS = [item(TWO_GOLD, question(unheld("Notice 12")), item_id="b"), item(TWO_GOLD, item_id="a")]
ANSWERS = [
    answer(status="unparsed", item_id="a"),
    answer(
        sub(1, by_uri(f"{V}2000-01-01")),
        sub(2),
        item_id="b",
        usage=Usage(input_tokens=1000, cached_tokens=400, output_tokens=200, reasoning_tokens=150),
        search_trace=[Search(query="q", version_uris=[])] * 2,
        n_tool_call_errors=1,
    ),
]


def write_inputs(folder, price="price: p", grades=None):
    folder.mkdir(parents=True, exist_ok=True)
    write_lines(folder / "items.jsonl", ITEMS)
    write_lines(folder / "answers.jsonl", ANSWERS)
    by_id = {a.item_id: a for a in ANSWERS}
    write_table(folder / "citations.parquet", [row for i in ITEMS for row in citation_rows("r", i, by_id[i.id], LOOKUP)], CITATION_SCORES)
    seats = grades or [
        [grade("b", numbered(1, "T7", 8), numbered(2, "T2", 1)), grade("a", numbered(1, None, None, "unparsed"), status="unparsed")],
        [grade("b", numbered(1, "T5", 3), numbered(2, "T2", 2)), grade("a", numbered(1, None, None, "unparsed"), status="unparsed")],
    ]
    for n, lines in enumerate(seats):
        write_lines(folder / f"j{n}.jsonl", lines)
    write_lines(
        folder / "lexical.jsonl",
        [grade("b", numbered(1, None, 2.5), numbered(2, None, 0.0)), grade("a", numbered(1, None, None, "unparsed"), status="unparsed")],
    )
    (folder / "prices.csv").write_text(
        "key,valid_from,input_usd_per_million,cached_usd_per_million,output_usd_per_million,source\np,2026-10-26,2,0.5,8,list\n"
    )
    (folder / "m.yaml").write_text(
        f"name: M\ncheckpoint: c\nrevision: r\nvia: {{kind: endpoint, base_url: http://localhost:1/v1}}\ncontext_window: 1000\nmax_output_tokens: 100\n{price}\n"
    )
    return [
        *(
            "--run",
            "r",
            "--items",
            folder / "items.jsonl",
            "--answers",
            folder / "answers.jsonl",
            "--citations",
            folder / "citations.parquet",
        ),
        *("--grades", folder / "j0.jsonl", folder / "j1.jsonl", folder / "j0.jsonl", "--lexical", folder / "lexical.jsonl"),
        *(
            "--jurisdiction-config",
            ROOT / "config/jurisdictions/demo.yaml",
            "--model-config",
            folder / "m.yaml",
            "--prices",
            folder / "prices.csv",
        ),
        *("--scores", folder / "scores.parquet", "--item-scores", folder / "items.parquet"),
    ]


def run(arguments):
    main([str(part) for part in arguments])


def test_the_command_joins_everything_in_item_order(tmp_path):
    command = [sys.executable, "-m", "inforce.scores.score_answers", *map(str, write_inputs(tmp_path))]
    subprocess.run(command, check=True, env={"PYTHONPATH": str(ROOT / "scripts")})
    rows = read_rows(tmp_path / "scores.parquet", SCORES)
    keys = ("item_id", "sub_question", "answer_status", "panel_status", "score", "agrees_with_court", "lexical_score", "citation_recall")
    assert [tuple(row[key] for key in keys) for row in rows] == [
        ("b", 1, "ok", "ok", 8.0, True, 2.5, 0.5),  # the first judge holds two of the three seats: 8, 3, 8
        ("b", 2, "ok", "ok", 1.0, False, 0.0, None),
        ("a", 1, "unparsed", "unparsed", None, None, None, 0.0),
    ]
    assert rows[0]["seat_scores"] == [8, 3, 8]
    items = read_rows(tmp_path / "items.parquet", ITEM_SCORES)
    keys = (
        "item_id",
        "status",
        "n_searches",
        "n_tool_call_errors",
        "input_tokens",
        "cached_tokens",
        "output_tokens",
        "reasoning_tokens",
        "cost_usd",
    )
    assert [tuple(row[key] for key in keys) for row in items] == [
        ("b", "ok", 2, 1, 1000, 400, 200, 150, pytest.approx(0.003)),
        ("a", "unparsed", 0, 0, None, None, None, None, None),
    ]
    assert {(row["domain"], row["drift_band"], row["cluster"]) for row in rows if row["item_id"] == "b"} == {("sales", "no_drift", "b")}


def test_an_answer_lost_to_its_endpoint_has_no_counts():
    lost = answer(status="endpoint_error", item_id="a", n_tool_call_errors=1)
    (row,) = item_rows("r", [(ITEMS[1], lost)], None)
    assert (row["status"], row["n_searches"], row["n_tool_call_errors"]) == ("endpoint_error", None, None)


def test_the_same_inputs_are_the_same_bytes(tmp_path):
    for name in ("one", "two"):
        run(write_inputs(tmp_path / name))
    for table in ("scores.parquet", "items.parquet"):
        assert (tmp_path / "one" / table).read_bytes() == (tmp_path / "two" / table).read_bytes()


def test_no_price_is_no_cost(tmp_path):
    run(write_inputs(tmp_path, price="price: null"))
    assert [row["cost_usd"] for row in read_rows(tmp_path / "items.parquet", ITEM_SCORES)] == [None, None]


def test_an_unknown_price_and_grades_of_other_answers_are_one_sentence(tmp_path):
    with pytest.raises(SystemExit, match=r"prices\.csv has no price 'pp'"):
        run(write_inputs(tmp_path, price="price: pp"))
    other = [[grade("b", numbered(1, "T7", 8), numbered(2, "T2", 1))]] * 2
    with pytest.raises(SystemExit, match=r"j0\.jsonl does not grade each of these answers once; first difference: \[\('a', 'm'"):
        run(write_inputs(tmp_path, grades=other))
    assert not (tmp_path / "scores.parquet").exists()


def test_grades_of_too_few_sub_questions_are_refused():
    answers = [answer(item_id="b")]
    with pytest.raises(ValueError, match=r"j\.jsonl: item b has grades for sub-questions \[1\], expected 1 to 2"):
        sub_grades([grade("b", numbered(1, "T7", 8))], answers, {"b": 2}, "j.jsonl")
    with pytest.raises(ValueError, match="repeated"):
        sub_grades([grade("b", numbered(1, "T7", 8))] * 2, answers, {"b": 1}, "j.jsonl")


def test_citations_of_other_answers_are_refused():
    pairs = [(ITEMS[0], ANSWERS[1])]
    rows = citation_rows("r", *pairs[0], LOOKUP)
    check_citations(rows, "r", pairs, "c.parquet")
    for wrong, run_name in ((rows, "other"), ([], "r"), ([{**rows[0], "position": 2}], "r")):
        with pytest.raises(ValueError, match=r"c\.parquet is not made from these answers"):
            check_citations(wrong, run_name, pairs, "c.parquet")
