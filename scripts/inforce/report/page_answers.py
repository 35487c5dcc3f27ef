"""The answers on the report page: read for the shown items alone, cut where all together are too long, packed item by item.

Only the first sample's answers are shown. At the report's size the answers and grades of a run have some 4 GB: files of other samples
are told by their path and not opened, and a line of an item that is not shown is not parsed.

An item's answers are one block: their JSON, deflated without a header (RFC 1951) at a fixed level and spelt in base64, so that the page
opens without reading them and a browser unpacks one item at a time. Rows are lists whose columns FIELDS names, and searches number the
item's versions: what is not text leaves room for text.
"""

from __future__ import annotations

import base64
import functools
import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
import pyarrow.parquet as pq

from inforce.records.answers import Answer, AnswerCitation
from inforce.records.files import canonical_json
from inforce.records.grades import Grade
from inforce.records.tables import CITATION_SCORES, SCORES
from inforce.report.words import ReportError

Record = TypeVar("Record", Answer, Grade)
Row = dict[str, Any]
Key = tuple[str, str, str]  # model, setting, item

FIRST_SAMPLE = 1
ELLIPSIS = "…"
_LEVEL = 6
_SCORE_COLUMNS = ["score", "lexical_score", "citation_f1", "citation_precision", "citation_recall", "agrees_with_court", "panel_status"]
_CITED_COLUMNS = ["version_class", "is_hit", "invented"]
# columns of the rows in a block; `part` is the section that a row of a list citation is for
FIELDS = {
    "scores": _SCORE_COLUMNS,
    "grades": ["judge", "status", "tier", "score", "justification"],
    "found": [*_CITED_COLUMNS, "part"],
}
_JUSTIFICATION = FIELDS["grades"].index("justification")


class ItemAnswers(NamedTuple):
    """An item's answers: the statuses met, how many there are, and the packed block."""

    statuses: list[str]
    n: int
    packed: str


def of_first_sample(path: Path, in_folder: bool) -> bool:
    """Whether a file may hold answers of the first sample: …/SAMPLE.jsonl, or …/SAMPLE/NAME. A name that is no number tells nothing."""
    name = path.parent.name if in_folder else path.stem
    return not (name.isascii() and name.isdigit()) or int(name) == FIRST_SAMPLE


def pick_lines(path: Path | str, kind: type[Record], ids: Iterable[str]) -> Iterator[Record]:
    """First-sample records of the items asked for; other lines are not parsed. Raises ReportError for a missing file."""
    wanted = {canonical_json(item_id).encode("utf-8") for item_id in ids}
    try:
        with open(path, "rb") as handle:
            for line in handle:
                if _value_of(line, b'"item_id":') in wanted and _value_of(line, b'"sample":') == b"%d" % FIRST_SAMPLE:
                    yield kind.model_validate_json(line)
    except FileNotFoundError as error:
        raise ReportError(f"{path} does not exist; run the step that makes it") from error


def _value_of(line: bytes, key: bytes) -> bytes:
    """The spelling of a text or whole number behind a key. Inside a JSON text every quotation mark is escaped, so no text can pose as a key."""
    at = line.find(key)
    if at < 0:
        return b""
    start = at + len(key)
    end = start + 1
    if line[start:end] == b'"':
        while (end := line.index(b'"', end)) and _escaped(line, end):
            end += 1
        return line[start : end + 1]
    while line[end : end + 1].isdigit():
        end += 1
    return line[start:end]


def _escaped(line: bytes, at: int) -> bool:
    before = line[:at]
    return (len(before) - len(before.rstrip(b"\\"))) % 2 == 1


def show_answer(
    answer: Answer,
    judged: Mapping[str, list[list[Any]]],
    scores: Mapping[str, list[Any]],
    cited: Mapping[tuple[int, int], list[list[Any]]],
    versions: dict[str, int],
) -> Row:
    """One answer as the page reads it: what was said, searched, cited, and what each judge made of it.

    `versions` numbers the versions that searches on the item returned, from 0; new ones are added.
    """
    subs = [
        {
            "n": sub.sub_question,
            "verdict": sub.verdict,
            "reasoning": sub.reasoning,
            "citations": [
                {"text": _cited_text(c), "found": cited.get((sub.sub_question, place), [])}
                for place, c in enumerate(sub.citations, start=1)
            ],
        }
        for sub in answer.sub_answers
    ]
    searches = [
        {"query": search.query, "versions": [versions.setdefault(uri, len(versions)) for uri in search.version_uris]}
        for search in answer.search_trace
    ]
    return {
        **{name: getattr(answer, name) for name in ("model", "setting", "status", "detail", "finish_reason")},
        "subs": subs,
        "raw": "" if answer.status == "ok" else answer.raw_text,
        "searches": searches,
        "tool_call_errors": answer.n_tool_call_errors,
        "usage": answer.usage.model_dump(),
        "scores": dict(scores),
        "grades": dict(judged),
    }


def _cited_text(citation: AnswerCitation) -> str:
    return citation.version or " ".join(part for part in (citation.law, citation.section) if part)


def read_grades(paths: Sequence[Path], ids: set[str]) -> dict[Key, dict[str, list[list[Any]]]]:
    """What each judge made of each sub-question (its number as text) of an answer, judges in the order of the files."""
    out: dict[Key, dict[str, list[list[Any]]]] = {}
    for grade in (grade for path in paths if of_first_sample(path, in_folder=True) for grade in pick_lines(path, Grade, ids)):
        judged = out.setdefault((grade.model, grade.setting, grade.item_id), {})
        for g in grade.sub_grades:
            judged.setdefault(str(g.sub_question), []).append([grade.judge, g.status, g.tier, g.score, g.justification])
    return out


def read_scores(paths: Sequence[Path], ids: set[str]) -> dict[Key, dict[str, list[Any]]]:
    """Panel medians and metrics of each sub-question (its number as text) of an answer."""
    out: dict[Key, dict[str, list[Any]]] = {}
    for row in _rows(paths, SCORES.names, [*_SCORE_COLUMNS, "sub_question"], ids):
        out.setdefault(_key(row), {})[str(row["sub_question"])] = [row[name] for name in _SCORE_COLUMNS]
    return out


def read_citations(paths: Sequence[Path], ids: set[str]) -> dict[Key, dict[tuple[int, int], list[list[Any]]]]:
    """What each citation of an answer is, by sub-question and position: one row, or one a section where a citation is a list of them."""
    out: dict[Key, dict[tuple[int, int], list[list[Any]]]] = {}
    for row in _rows(paths, CITATION_SCORES.names, [*_CITED_COLUMNS, "sub_question", "position", "cited"], ids):
        found = out.setdefault(_key(row), {}).setdefault((row["sub_question"], row["position"]), [])
        found.append([*(row[name] for name in _CITED_COLUMNS), row["cited"]])
    for rows in (rows for places in out.values() for rows in places.values()):
        for row_found in rows:
            cited = row_found.pop()
            if len(rows) > 1:  # the badge must say which section it is for
                row_found.append(str(json.loads(cited).get("section") or ""))
    return out


def _key(row: Row) -> Key:
    return row["model"], row["setting"], row["item_id"]


def _rows(paths: Iterable[Path], names: list[str], columns: list[str], ids: set[str]) -> Iterator[Row]:
    """Rows of score tables on the first sample's answers to the items asked for. Raises ReportError for other columns."""
    for path in (path for path in paths if of_first_sample(path, in_folder=True)):
        if pq.read_schema(path).names != names:
            raise ReportError(f"{path}: columns differ from those of this version of the pipeline; make it again")
        chosen = [("item_id", "in", sorted(ids)), ("sample", "==", FIRST_SAMPLE)]
        yield from pq.read_table(path, columns=["model", "setting", "item_id", *columns], filters=chosen).to_pylist()


def each_long_text(answer: Row, change: Callable[[str], str]) -> Row:
    """The answer with its reply as it came, reasonings, queries and judges' reasons put through `change`."""
    answer["raw"] = change(answer["raw"])
    for sub in answer["subs"]:
        sub["reasoning"] = change(sub["reasoning"])
    for search in answer["searches"]:
        search["query"] = change(search["query"])
    for row in (row for rows in answer["grades"].values() for row in rows):
        row[_JUSTIFICATION] = None if row[_JUSTIFICATION] is None else change(row[_JUSTIFICATION])
    return answer


def each_text(answer: Row, change: Callable[[str], str]) -> Row:
    """The same for these and all shorter texts of an answer: verdicts, citations as they were written, and what was wrong with it."""
    answer["detail"] = None if answer["detail"] is None else change(answer["detail"])
    for sub in answer["subs"]:
        sub["verdict"] = change(sub["verdict"])
        for citation in sub["citations"]:
            citation["text"] = change(citation["text"])
    return each_long_text(answer, change)


def shortened_to(length: int) -> Callable[[str], str]:
    """The first `length` characters and an ellipsis; a text that is no longer stays whole."""
    return lambda text: text if len(text) <= length else text[:length] + ELLIPSIS


class Lengths:
    """JSON bytes of texts by character position: what every cut would leave is known without cutting."""

    def __init__(self) -> None:
        self._bytes = np.zeros(1, dtype=np.int64)  # of the characters at a position, over all texts
        self._ends = np.zeros(1, dtype=np.int64)  # texts of a length

    def add(self, text: str) -> str:
        """Count a text; it is given back as it is."""
        points = np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32)
        if len(points) >= len(self._ends):
            more = 2 * len(points) - len(self._ends) + 1
            self._bytes, self._ends = (np.pad(old, (0, more)) for old in (self._bytes, self._ends))
        self._bytes[: len(points)] += _bytes_of_all()[points]
        self._ends[len(points)] += 1
        return text

    def whole(self) -> int:
        """Bytes of all texts, uncut."""
        return int(self._bytes.sum())

    def longest(self, room: int) -> int:
        """The greatest length to which the texts can be cut so that they fit into `room` bytes; 0 if nothing fits."""
        longer = self._ends.sum() - np.cumsum(self._ends)  # texts cut at a length
        sizes = np.concatenate([[0], np.cumsum(self._bytes)[:-1]]) + len(ELLIPSIS.encode("utf-8")) * longer
        fitting = np.flatnonzero(sizes <= room)
        return int(fitting.max()) if len(fitting) else 0


def json_bytes(points: np.ndarray[tuple[int], np.dtype[np.uint32]]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Bytes of each code point inside a text of canonical JSON in UTF-8."""
    size = 1 + (points >= 0x80).astype(np.int64) + (points >= 0x800) + (points >= 0x10000)
    size[points < 0x20] = 6  # \u001f
    size[np.isin(points, [8, 9, 10, 12, 13, 34, 92])] = 2  # \b \t \n \f \r \" \\
    return size


@functools.cache
def _bytes_of_all() -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return json_bytes(np.arange(0x110000, dtype=np.uint32))


def pack(data: bytes) -> str:
    """Raw deflate in base64: the same characters for the same bytes."""
    squeezed = zlib.compressobj(_LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    return base64.b64encode(squeezed.compress(data) + squeezed.flush()).decode("ascii")


class Blocks:
    """The answers of all items as JSON, before they are cut and packed: bytes, since a run's answers as objects take several times as much.

    masks: what masks the personal details of an item, by its id.
    """

    def __init__(self, masks: Mapping[str, Callable[[str], str]] | None = None) -> None:
        self.masks = masks or {}
        self.items: dict[str, tuple[list[bytes], dict[str, int], set[str]]] = {}  # answers, numbers of versions, statuses
        self.lengths = Lengths()

    def add(
        self, answer: Answer, judged: dict[str, list[list[Any]]], scores: dict[str, list[Any]], cited: dict[Any, list[list[Any]]]
    ) -> None:
        """Take an answer in."""
        spelled, versions, statuses = self.items.setdefault(answer.item_id, ([], {}, set()))
        row = show_answer(answer, judged, scores, cited, versions)
        if mask := self.masks.get(answer.item_id):
            row = each_text(row, mask)
        spelled.append(_spelled(each_long_text(row, self.lengths.add)))
        statuses.add(answer.status)

    def fit_into(self, max_bytes: int) -> int | None:
        """The length to which long texts must be cut so that all blocks together are no larger; null if nothing need be cut."""
        total = sum(len(_block(spelled, versions)) for spelled, versions, _ in self.items.values())
        return None if total <= max_bytes else self.lengths.longest(max_bytes - (total - self.lengths.whole()))

    def packed(self, length: int | None) -> dict[str, ItemAnswers]:
        """Each item's block with its texts cut; the answers are given away as they are packed."""
        out = {}
        for item_id in list(self.items):
            spelled, versions, statuses = self.items.pop(item_id)
            if length is not None:
                spelled = [_spelled(each_long_text(json.loads(answer), shortened_to(length))) for answer in spelled]
            out[item_id] = ItemAnswers(sorted(statuses), len(spelled), pack(_block(spelled, versions)))
        return out


def _block(spelled: Sequence[bytes], versions: dict[str, int]) -> bytes:
    return b'{"answers":[' + b",".join(spelled) + b'],"versions":' + canonical_json(list(versions)).encode("utf-8") + b"}"


def _spelled(answer: Row) -> bytes:
    return canonical_json(answer).encode("utf-8")


def collect_answers(
    ids: set[str],
    answers: Sequence[Path],
    grades: Sequence[Path],
    scores: Sequence[Path],
    citations: Sequence[Path],
    max_bytes: int,
    masks: Mapping[str, Callable[[str], str]] | None = None,
) -> tuple[dict[str, ItemAnswers], int | None]:
    """The first sample's answers to these items, packed, in the order of the files; and the length that long texts were cut to, if they were."""
    judged, scored, cited = read_grades(grades, ids), read_scores(scores, ids), read_citations(citations, ids)
    blocks = Blocks(masks)
    for answer in (answer for path in answers if of_first_sample(path, in_folder=False) for answer in pick_lines(path, Answer, ids)):
        key = (answer.model, answer.setting, answer.item_id)
        blocks.add(answer, judged.pop(key, {}), scored.pop(key, {}), cited.pop(key, {}))
    length = blocks.fit_into(max_bytes)
    return blocks.packed(length), length
