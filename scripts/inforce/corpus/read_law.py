"""Read a jurisdiction's law: the catalogue of laws, and every section with its dated versions.

Writes laws.parquet and sections.parquet, and one row in problems.csv for everything that was wrong in the source.
What the source's rows become:

- Ends that the source counts as the last day in force become the day after (half-open intervals).
- A date that stands for no date (1970-01-01 and its like) is null, the version's date_status `unknown`.
- A start in a year that no law can be of (2543 of the common era, 1990 of the Buddhist one) is null as well (`implausible_year`); a row with such
  an end is rejected.
- An unknown end is taken from the start of the section's next version, where there is one: date_status `derived`.
- Versions of a law that has ended are closed on the day it ended: date_status `derived`.
- A text that was changed and changed back on one day is one version: the row of the change is rejected, as it has no day, and so is that of the
  change back (`unchanged`), whose key then stands for the version before.
- Rejected: unreadable rows and dates, ends not after their start, empty texts, unknown laws, a second row for the same
  section and start or with the same source key, and a version that starts while an earlier version of its section is still
  in force (of two versions that overlap the one that starts later goes, or the one whose start is unknown).
"""

from __future__ import annotations

import argparse
import datetime as dt
import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterable
from itertools import groupby
from pathlib import Path

from inforce.config.jurisdiction import SENTINEL_DATES, Jurisdiction, SectionsTable
from inforce.config.load import ConfigError, read_config
from inforce.config.sources import GitActs, GitArticles, GitDumps, Release
from inforce.corpus.calendars import implausible_year, is_beyond, is_sentinel, to_day
from inforce.corpus.git_acts import read_acts
from inforce.corpus.git_articles import read_articles
from inforce.corpus.git_dumps import read_dumps
from inforce.corpus.release import read_release_law
from inforce.corpus.sources import BadRow, RejectedError, Row, Rows, key_of, source_file, usable
from inforce.corpus.versions import DateStatus, Law, LawRead, Version
from inforce.records.files import sha256_text
from inforce.records.labels import LabelRules, normalise_label, to_ascii_digits
from inforce.records.problems import Problem, write_problems
from inforce.records.tables import LAWS, SECTIONS, write_table
from inforce.records.uris import section_uri, version_uri

_DAY = dt.timedelta(days=1)


class _NoDaysError(RejectedError):
    """A row whose end is not after its start; `place`: law, label and day of one that ends on the day on which it begins."""

    def __init__(self, reason: str, place: tuple[str, str, dt.date] | None) -> None:
        super().__init__("reversed_dates", reason)
        self.place = place


def read_law(root: Path, jurisdiction: Jurisdiction) -> LawRead:
    """Read laws and versions from the jurisdiction's folder. Raises ConfigError for a missing or unusable file."""
    read = _read_law(root, jurisdiction)
    shared = _shared_names(read.laws, jurisdiction.laws_file or jurisdiction.sections.file)
    return read._replace(problems=[*read.problems, *shared])


def _read_law(root: Path, jurisdiction: Jurisdiction) -> LawRead:
    laws, problems = _laws(root, jurisdiction)
    table = jurisdiction.sections
    if not isinstance(table, SectionsTable):
        return _read_other(root, jurisdiction, table, laws, problems)
    path = source_file(root, table.file, jurisdiction)
    versions, found = read_versions(
        Rows(path, {str(ours): theirs for ours, theirs in table.columns.items()}), path.name, table, jurisdiction.labels, laws
    )
    problems += found
    if not versions:
        raise ConfigError(
            f"{path} holds no usable section version; the first problem is: {problems[0].reason if problems else 'it has no rows'}"
        )
    return LawRead(sorted(laws.values()), versions, problems)


def _read_other(
    root: Path,
    jurisdiction: Jurisdiction,
    source: GitArticles | GitActs | GitDumps | Release,
    laws: dict[str, Law],
    problems: list[Problem],
) -> LawRead:
    """Read law that is not a table."""
    if not (root / source.file).is_dir():  # a repository may be a folder
        source_file(root, source.file, jurisdiction)
    if isinstance(source, Release):
        release = read_release_law(root, source, jurisdiction.labels, jurisdiction.corpus_date)
        named = {law.law_code: law for law in release.laws} | laws  # what the configuration says of a law goes before the release
        problems = [*problems, *release.problems]
        return LawRead(sorted(named.values()), _all_closed(release.versions, laws, source.file, problems), problems)
    if isinstance(source, GitArticles):
        versions, found = read_articles(root, source, jurisdiction.labels, laws)
    elif isinstance(source, GitActs):
        versions, found = read_acts(root, source, jurisdiction.labels, laws)
    else:
        versions, found = read_dumps(root, source, jurisdiction.labels, laws)
    problems = [*problems, *found]
    return LawRead(sorted(laws.values()), _all_closed(versions, laws, Path(source.file).name, problems), problems)


def _all_closed(versions: list[Version], laws: dict[str, Law], source: str, problems: list[Problem]) -> list[Version]:
    """`_closed` by the end that the catalogue gives each law."""
    kept: list[Version] = []
    for code, own in groupby(versions, key=lambda version: version.law_code):
        kept += _closed(list(own), laws[code].repealed_on if code in laws else None, source, problems)
    return kept


def read_versions(
    rows: Iterable[Row], source: str, table: SectionsTable, labels: LabelRules, laws: dict[str, Law]
) -> tuple[list[Version], list[Problem]]:
    """Versions sorted by law, label in natural order and start, with what was wrong in the order of the rows, then of the sections."""
    problems: list[Problem] = []
    versions = []
    met: dict[str, int] = {}  # source key -> its first row
    passing: set[tuple[str, str, dt.date]] = set()  # sections that had a text for no day
    for number, row in rows:
        key = key_of(number, row, "source_key")
        try:
            values = usable(row)
            if met.setdefault(key, number) != number:
                raise RejectedError(
                    "duplicate_source_key", f"row {number} has the source key of row {met[key]}, by which decisions cite that one"
                )
            versions.append(_version(values, key, source, table, labels, laws, problems))
        except RejectedError as error:
            problems.append(Problem(source, key, error.kind, str(error), "rejected"))
            passing |= {error.place} if isinstance(error, _NoDaysError) and error.place else set()
    ordered = sorted(versions, key=lambda version: _order(version, labels))
    kept: list[Version] = []
    for _, section in groupby(ordered, key=lambda version: (version.law_code, version.label)):
        kept += _consistent(_without_repeats(list(section), passing, source, problems), laws, source, problems)
    return kept, problems


def natural_key(label: str, labels: LabelRules) -> list[tuple[int, int, str]]:
    """Sort key by which 2 < 10 < 10 bis < 10 ter < 11: numbers by value, suffixes in the order of the configuration."""
    rank = {word.lower(): place for place, word in enumerate(labels.suffix_words)}
    parts = [part.strip() for part in re.split(r"(\d+)", label)]
    return [(0, int(part), "") if part.isdecimal() else (1, rank.get(part, len(rank)), part) for part in parts if part]


def _order(version: Version, labels: LabelRules) -> tuple[str, list[tuple[int, int, str]], str, dt.date, dt.date]:
    """By law, label and start; of the unknown starts those with an end first, by it, and the open ones last."""
    start = version.valid_from or (dt.date.min if version.valid_to else dt.date.max)
    end = dt.date.max if version.valid_from or not version.valid_to else version.valid_to
    return version.law_code, natural_key(version.label, labels), version.label, start, end


def _version(
    row: dict[str, str], key: str, source: str, table: SectionsTable, labels: LabelRules, laws: dict[str, Law], problems: list[Problem]
) -> Version:
    law_code = table.law_codes.get(row["law_code"].strip(), row["law_code"].strip())
    if law_code not in laws:
        raise RejectedError("unknown_law", f"law {law_code!r} is not in the catalogue of laws")
    label = normalise_label(row["label"], labels)
    if not label:
        raise RejectedError("empty_label", "the label is empty")
    text = row["text"].replace("\r\n", "\n").strip()
    if not text:
        raise RejectedError("empty_text", "the text is empty")
    start, start_problem = _date(row["valid_from"], table)
    end, end_problem = _date(row["valid_to"], table) if "valid_to" in row else (None, None)
    if end_problem and end_problem[0] == "implausible_year":  # without an end it would be in force to this day
        raise RejectedError(*end_problem)
    if end == dt.date.max and table.end_inclusive:
        raise RejectedError(
            "bad_date", f"no day follows the end {row['valid_to']}; name it in null_dates (still in force) or sentinel_dates"
        )
    if end and table.end_inclusive:
        end += _DAY
    if start and end and end <= start:
        reason = f"the end {row['valid_to']} is not after the start {row['valid_from']}"
        raise _NoDaysError(reason, (law_code, label, start) if start == end else None)
    if start_problem is None and start is None:
        start_problem = ("unknown_start", "the start is not given")
    for problem in filter(None, (start_problem, end_problem)):
        problems.append(Problem(source, key, problem[0], f"{problem[1]}; read as unknown", "repaired"))
    status: DateStatus = "unknown" if start_problem or end_problem else "exact"
    if "valid_to" not in row and status == "exact":
        status = "derived"
    component = row.get("component_type", "").strip() or "section"
    begun_by = end - _DAY if end and start is None else None  # it was in force on its last day, whenever it began
    return Version(law_code, label, component, start, end, status, text, f"{source}#{key}", key, begun_by)


def _date(text: str, table: SectionsTable) -> tuple[dt.date | None, tuple[str, str] | None]:
    """A date of the table, null where none is given, and what was wrong. Raises RejectedError for text that is no date."""
    if text.strip() in table.null_dates:
        return None, None
    if is_sentinel(text, table.calendar, table.sentinel_dates):
        return None, ("sentinel_date", f"{text} stands for no date")
    try:
        day = to_day(text, table.calendar)
    except ValueError as error:
        raise RejectedError("bad_date", str(error)) from error
    if day == dt.date.max:  # left out of sentinel_dates on purpose
        return day, None
    if is_beyond(day.year, table.calendar):
        return None, ("sentinel_date", f"{text} is no date of law in any calendar and stands for none")
    if reason := implausible_year(day.year, table.calendar):
        return None, ("implausible_year", f"{text}: {reason}")
    return day, None


def _consistent(section: list[Version], laws: dict[str, Law], source: str, problems: list[Problem]) -> list[Version]:
    """One section's versions, by start, without duplicates and overlaps; open ends closed where another date says so."""
    kept: list[Version] = []
    for version in section:
        while version.valid_from and kept and kept[-1].begun_by and kept[-1].begun_by >= version.valid_from:
            reason = f"of unknown start and in force on {kept[-1].begun_by}, while {version.key} is"
            problems.append(Problem(source, kept.pop().key, "overlap", reason, "rejected"))
        last = kept[-1] if kept else None
        if last and version.valid_from == last.valid_from and _is_same(version, last):
            reason = f"{last.key} is the same section with the same {'start' if version.valid_from else 'end or text, and no start'}"
            problems.append(Problem(source, version.key, "duplicate_key", reason, "rejected"))
        elif last and last.valid_from and version.valid_from and _has_unknown_end(last):
            kept[-1] = last._replace(valid_to=version.valid_from, date_status="derived")
            kept.append(version)
        elif last and last.valid_from and version.valid_from and (last.valid_to is None or version.valid_from < last.valid_to):
            until = f"to {last.valid_to}" if last.valid_to else "with no end"
            reason = f"starts on {version.valid_from} while {last.key} is in force ({last.valid_from} {until})"
            problems.append(Problem(source, version.key, "overlap", reason, "rejected"))
        else:
            kept.append(version)
    return _closed(kept, laws[section[0].law_code].repealed_on, source, problems)


def _without_repeats(section: list[Version], passing: set[tuple[str, str, dt.date]], source: str, problems: list[Problem]) -> list[Version]:
    """One version where a text goes over into another and back on one day: the other had no day, so that nothing was amended."""
    kept: list[Version] = []
    for version in section:
        last = kept[-1] if kept else None
        day = version.valid_from
        if last is None or day is None or (version.law_code, version.label, day) not in passing or not _is_continued(last, version):
            kept.append(version)
            continue
        reason = f"begins on {day}, when the same text ({last.key}) ends, and what came between had no day: no amendment; one version"
        problems.append(Problem(source, version.key, "unchanged", reason, "rejected"))
        status = version.date_status if last.date_status == "exact" else last.date_status
        kept[-1] = last._replace(valid_to=version.valid_to, date_status=status, also=(*last.also, version.key))
    return kept


def _is_continued(last: Version, version: Version) -> bool:
    """Whether a version holds the text of the one before it from the day on which that ends."""
    is_next = last.valid_to == version.valid_from or _has_unknown_end(last)
    return is_next and last.component_type == version.component_type and last.text.split() == version.text.split()


def _is_same(version: Version, last: Version) -> bool:
    """Whether two versions of equal or equally unknown start cannot both be held."""
    if version.valid_from:
        return True
    return version.text == last.text if version.valid_to is None else version.valid_to == last.valid_to


def _has_unknown_end(version: Version) -> bool:
    return version.valid_to is None and version.date_status != "exact"


def _closed(section: list[Version], repealed_on: dt.date | None, source: str, problems: list[Problem]) -> list[Version]:
    """No version outlives its law."""
    if repealed_on is None:
        return section
    kept = []
    for version in section:
        if version.valid_from and version.valid_from >= repealed_on:
            reason = f"starts on {version.valid_from}, but {version.law_code} ended on {repealed_on}"
            problems.append(Problem(source, version.key, "starts_after_repeal", reason, "rejected"))
        elif version.valid_to is None or version.valid_to > repealed_on:
            reason = f"{'had no end' if version.valid_to is None else f'ended on {version.valid_to}'}; closed on {repealed_on}, when {version.law_code} ended"
            problems.append(Problem(source, version.key, "outlives_law", reason, "repaired"))
            begun_by = version.begun_by and min(version.begun_by, repealed_on - _DAY)
            status: DateStatus = "derived" if version.valid_from else "unknown"
            kept.append(version._replace(valid_to=repealed_on, date_status=status, begun_by=begun_by))
        else:
            kept.append(version)
    return kept


def _laws(root: Path, jurisdiction: Jurisdiction) -> tuple[dict[str, Law], list[Problem]]:
    """The catalogue: the laws of the configuration, then those of the file."""
    laws: dict[str, Law] = {}
    problems: list[Problem] = []
    for entry in jurisdiction.laws:
        laws[entry.law_code] = Law(entry.law_code, entry.name, list(entry.aliases), entry.kind, entry.enacted, entry.repealed_on)
    if jurisdiction.laws_file is None:
        return laws, problems
    path = source_file(root, jurisdiction.laws_file, jurisdiction)
    sentinels = jurisdiction.sections.sentinel_dates if isinstance(jurisdiction.sections, SectionsTable) else SENTINEL_DATES
    columns = ("law_code", "name", "aliases", "kind", "enacted", "repealed_on")
    for number, row in Rows(path, dict(zip(columns, columns, strict=True))):
        key = key_of(number, row, "law_code")
        try:
            law = _law(row, key, path.name, list(sentinels), problems)
            if law.law_code in laws:
                raise RejectedError("duplicate_key", f"law {law.law_code} is already in the catalogue")
            laws[law.law_code] = law
        except RejectedError as error:
            problems.append(Problem(path.name, key, error.kind, str(error), "rejected"))
    return laws, problems


def _law(given: dict[str, str] | BadRow, key: str, source: str, sentinels: list[str], problems: list[Problem]) -> Law:
    row = usable(given)
    code, name = row["law_code"].strip(), row["name"].strip()
    if not name or not re.fullmatch(r"[^/\s]+", code):
        raise RejectedError("bad_law", "a law needs a name, and a code without white space and slashes")
    aliases = [alias.strip() for alias in row["aliases"].split(";") if alias.strip()]
    dates = {column: _law_date(row[column], column, key, source, sentinels, problems) for column in ("enacted", "repealed_on")}
    enacted, repealed_on = dates["enacted"], dates["repealed_on"]
    if enacted and repealed_on and repealed_on <= enacted:
        raise RejectedError("reversed_dates", f"repealed_on {repealed_on} is not after enacted {enacted}")
    return Law(code, name, aliases, row["kind"].strip() or "act", enacted, repealed_on)


def _law_date(text: str, column: str, key: str, source: str, sentinels: list[str], problems: list[Problem]) -> dt.date | None:
    if not text.strip():
        return None
    if is_sentinel(text, "gregorian", sentinels):
        problems.append(Problem(source, key, "sentinel_date", f"{column}: {text} stands for no date; read as unknown", "repaired"))
        return None
    try:
        day = to_day(text, "gregorian")
    except ValueError as error:
        raise RejectedError("bad_date", f"{column}: {error}") from error
    if reason := implausible_year(day.year, "gregorian"):
        raise RejectedError("implausible_year", f"{column}: {text}: {reason}")
    return day


def _shared_names(laws: list[Law], source: str) -> list[Problem]:
    """A row for each name that more than one law has, as its name, alias or code."""
    holders: dict[str, dict[str, str]] = {}  # name -> law -> the name as written there
    for law in laws:
        for name in (law.name, *law.aliases, law.law_code):
            holders.setdefault(_one_spelling(name), {}).setdefault(law.law_code, name)
    shared = {name: codes for name, codes in holders.items() if len(codes) > 1}
    reason = "is a name of {codes}: a citation that gives nothing else has no law; give each law a name that no other has"
    return [
        Problem(Path(source).name, next(iter(codes.values())), "shared_name", reason.format(codes=" and ".join(sorted(codes))), "noted")
        for _, codes in sorted(shared.items())
    ]


def _one_spelling(name: str) -> str:
    """Names are compared without case, stops and spare space."""
    text = unicodedata.normalize("NFC", to_ascii_digits(name)).casefold().replace("’", "'")
    return " ".join(re.sub(r"[.,;:\"“”‘«»ฯ]", " ", text).split())


def law_rows(laws: list[Law], corpus_date: dt.date) -> list[dict[str, object]]:
    """Rows of laws.parquet."""
    return [{**law._asdict(), "is_active": law.is_active(corpus_date)} for law in laws]


def section_rows(versions: list[Version], jurisdiction: str) -> list[dict[str, object]]:
    """Rows of sections.parquet."""
    rows: list[dict[str, object]] = []
    unknown: Counter[tuple[str, str]] = Counter()
    for version in versions:
        row: dict[str, object] = version._asdict()
        del row["key"], row["also"]
        section = (version.law_code, version.label)
        unknown[section] += version.valid_from is None
        row["version_uri"] = version_uri(jurisdiction, version.law_code, version.label, version.valid_from, max(1, unknown[section]))
        row["section_uri"] = section_uri(jurisdiction, version.law_code, version.label)
        row["text_sha256"] = sha256_text(version.text)
        rows.append(row)
    return rows


def _parquet(name: str) -> Path:
    if not name.endswith(".parquet"):
        raise argparse.ArgumentTypeError(f"{name} is written as Parquet, so its name must end in .parquet")
    return Path(name)


def main(argv: list[str] | None = None) -> None:
    """Command line."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example:\n  python -m inforce.corpus.read_law --jurisdiction demo --jurisdiction-config config/jurisdictions/demo.yaml \\\n"
        "    --root config/jurisdictions/demo --laws laws.parquet --sections sections.parquet --problems problems.csv",
    )
    parser.add_argument("--jurisdiction", required=True, help="name of the jurisdiction, the first part of every identifier")
    parser.add_argument("--jurisdiction-config", required=True, type=Path, help="config/jurisdictions/NAME.yaml")
    parser.add_argument(
        "--root",
        required=True,
        type=Path,
        help="folder that the jurisdiction's files are relative to; variables and `root:` are not read here",
    )
    parser.add_argument("--laws", required=True, type=_parquet, help="output, Parquet: laws.parquet")
    parser.add_argument(
        "--sections", required=True, type=_parquet, help="output, Parquet: sections.parquet; show_section shows what is in it"
    )
    parser.add_argument("--problems", required=True, type=Path, help="output: problems.csv")
    args = parser.parse_args(argv)
    try:
        config = read_config(args.jurisdiction_config, Jurisdiction)
        law = read_law(args.root, config)
    except ConfigError as error:
        raise SystemExit(str(error)) from None
    write_table(args.laws, law_rows(law.laws, config.corpus_date), LAWS)
    write_table(args.sections, section_rows(law.versions, args.jurisdiction), SECTIONS)
    write_problems(args.problems, law.problems)
    for problem in law.problems:
        if problem.kind in ("never_matched", "unknown_month"):
            print(f"{args.jurisdiction_config}: {problem.reason}", file=sys.stderr)
    print(f"{args.jurisdiction}: {len(law.laws)} laws, {len(law.versions)} section versions, {len(law.problems)} problems")


if __name__ == "__main__":
    main()
