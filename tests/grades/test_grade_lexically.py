import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scores.cases import RULES, answer, by_name, by_uri, gold, item, question, sub, unheld

from inforce.grades.grade_lexically import cited_section, grade_lexically, lexical_score, main, overlap_f1, tokens
from inforce.records.answers import AnswerCitation
from inforce.records.grades import Grade
from inforce.records.lines import read_lines, write_lines

ROOT = Path(__file__).parents[2]
CODES = {"penal code": "CODE", "code": "CODE"}
GOLD = question(gold("CODE", "10", "2000-01-01"), gold("CODE", "11", "1950-01-01"), gold("CODE", "1", "1950-01-01", loadbearing=False))


def test_words_and_trigrams():
    assert tokens("The claim, the CLAIM is §10.") == Counter({"the": 2, "claim": 2, "is": 1, "10": 1})
    assert tokens("ยกฟ้อง") == Counter(["ยกฟ", "กฟ้", "ฟ้อ", "้อง"])  # marks above a letter are part of the word
    assert tokens("ใช้ ๑๐") == Counter(["ใช้", "10"])
    assert tokens("判決") == Counter(["判決"])
    assert tokens("—") == Counter()


def test_overlap_by_hand():
    # given 2 words, gold 4, both in common: 2 x 2 / (2 + 4) = 2/3
    assert overlap_f1(tokens("claim barred"), tokens("the claim is barred")) == pytest.approx(2 / 3)
    assert overlap_f1(tokens("no no no"), tokens("no")) == pytest.approx(2 / 4)  # repeating a word does not help
    assert overlap_f1(tokens(""), tokens("x")) == overlap_f1(tokens("x"), tokens("")) == 0


def score(answered, q=GOLD):
    return lexical_score(q, answered, CODES, RULES)


def test_the_score_by_hand():
    # verdict: `The claim is barred.` word for word, V = 1; cites 10 of gold 10 and 11, C = 2 x 1 / 3; 10 x (1 + 2/3) / 2 = 8.3333
    assert score(sub(1, [by_name("Penal Code", "section 10 (2)")])) == 8.3333
    # V = 2/3 (2 of 4 words), both sections and two others, C = 2 x 2 / 6: 10 x (2/3 + 2/3) / 2
    cited = by_uri("qm/law/CODE/section-10/v/2010-01-01", "/qm/law/CODE/section-11", "qm/law/CODE/section-335", "x/law/Y/section-1")
    assert score(sub(1, cited, verdict="Claim barred")) == 6.6667
    assert score(sub(1)) == 5.0
    assert score(sub(1, verdict="")) == score(None) == 0.0


def test_without_gold_sections_the_verdict_alone_counts():
    assert score(sub(1, [by_name("Penal Code", "10")]), question(unheld("Notice 12"))) == 10.0
    assert score(sub(1, verdict="Claim barred"), question()) == 6.6667


@pytest.mark.parametrize(
    ("citation", "section"),
    [
        (AnswerCitation(law=" Penal  CODE", section="มาตรา ๑๐ วรรคสอง"), "CODE/10"),
        (AnswerCitation(law="code", section="14BIS"), "CODE/14 bis"),
        (AnswerCitation(law="Civil Code", section="10"), "civil code/10"),
        (AnswerCitation(version="qm/law/CODE/section-๑๐/v/๒๐๐๐-๐๑-๐๑"), "CODE/10"),
        (AnswerCitation(version="qm/law/OTHER/section-10"), "other/10"),
        (AnswerCitation(version="Penal Code"), "CODE/"),
    ],
)
def test_citations(citation, section):
    assert cited_section(citation, CODES, RULES) == section


@given(st.text(max_size=60), st.lists(st.sampled_from(["1", "10", "11", "335"]), max_size=6))
def test_scores_lie_between_0_and_10_and_the_gold_itself_gets_10(verdict, labels):
    found = score(sub(1, [by_name("Penal Code", label) for label in labels], verdict=verdict))
    assert 0 <= found <= 10
    assert found == round(found, 4)
    assert score(sub(1, [by_name("Penal Code", "10"), by_name("Penal Code", "11")])) == 10


def test_a_grade_has_no_tier_and_carries_the_answer_s_status():
    case = item(GOLD, question())
    grade = grade_lexically(case, answer(sub(1, [by_name("Penal Code", "10")]), sub(2)), RULES)
    assert (grade.judge, grade.status, grade.request_sha256) == ("lexical", "ok", [])
    assert [(s.sub_question, s.tier, s.score) for s in grade.sub_grades] == [(1, None, 8.3333), (2, None, 10.0)]
    lost = grade_lexically(case, answer(status="refused"), RULES)
    assert [(s.status, s.score) for s in lost.sub_grades] == [("refused", None)] * 2


def config(folder):
    (folder / "qm.yaml").write_text(
        "title: Q\nlanguage: en\ncorpus_date: 2026-09-01\nroot: .\nlaws_file: laws.csv\n"
        "sections: {file: s.csv, columns: {law_code: a, label: b, valid_from: c, valid_to: d, text: e}}\n"
        "decisions: {file: d.jsonl}\nlabels: {unit_words: [section], suffix_words: [bis], sub_paragraph_words: [paragraph]}\n"
    )
    return folder / "qm.yaml"


def test_the_command(tmp_path):
    write_lines(tmp_path / "items.jsonl", [item(GOLD, item_id="b"), item(GOLD, item_id="a")])
    write_lines(tmp_path / "answers.jsonl", [answer(sub(1), item_id="a"), answer(status="unparsed", item_id="b")])
    arguments = [
        *("--items", str(tmp_path / "items.jsonl"), "--answers", str(tmp_path / "answers.jsonl")),
        *("--jurisdiction-config", str(config(tmp_path)), "--out", str(tmp_path / "lexical.jsonl")),
    ]
    command = [sys.executable, "-m", "inforce.grades.grade_lexically", *arguments]
    subprocess.run(command, check=True, env={**os.environ, "PYTHONPATH": str(ROOT / "scripts")})
    grades = read_lines(tmp_path / "lexical.jsonl", Grade)
    assert [(g.item_id, g.status, g.sub_grades[0].score) for g in grades] == [("b", "unparsed", None), ("a", "ok", 5.0)]
    (tmp_path / "answers.jsonl").write_text("{}\n")
    with pytest.raises(SystemExit, match=r"answers\.jsonl, line 1: not a Answer"):
        main(arguments)
