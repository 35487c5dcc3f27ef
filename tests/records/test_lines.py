import pytest

from inforce.records.answers import AnswerCitation
from inforce.records.lines import read_lines, write_lines


def test_what_is_written_reads_back_in_order(tmp_path):
    records = [AnswerCitation(law="กฎหมาย", section="1"), AnswerCitation(version="demo/law/A/section-1/v/2000-01-01")]
    write_lines(tmp_path / "a.jsonl", records)
    assert read_lines(tmp_path / "a.jsonl", AnswerCitation) == records


@pytest.mark.parametrize("line", ["{not json", '{"law": 1}', '{"unknown": "x"}'])
def test_a_bad_line_is_named(tmp_path, line):
    (tmp_path / "a.jsonl").write_text('{"law":"x"}\n' + line + "\n", encoding="utf-8")
    with pytest.raises(ValueError, match="line 2"):
        read_lines(tmp_path / "a.jsonl", AnswerCitation)
