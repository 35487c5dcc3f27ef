"""The judge `lexical`: 0-10 from the words and citations that an answer shares with the gold. It needs no model.

score = 10 x (V + C) / 2, or 10 x V where the gold names no section; rounded to 4 decimals
  V  F1 of the words of verdict against the gold's verdict, as multisets. Words are runs of letters, marks and digits without regard to
     case; a run in a script that is written without spaces (Thai, Lao, Khmer, Burmese, Chinese, Japanese) counts as its character
     trigrams, or as itself if it is shorter.
  C  F1 of the sections cited (law and base label) against the sections that the court relies on, as sets.

It is a floor and a check, no measure of quality: it cannot tell a negated verdict from the gold's, and gives no tier. A panel worth its
price must order answers better than this; one that does not correlate with it at all is broken.
"""

from __future__ import annotations

import argparse
import re
import unicodedata
from collections import Counter
from pathlib import Path

from inforce.config.jurisdiction import Jurisdiction
from inforce.config.load import ConfigError, read_config
from inforce.records.answers import Answer, AnswerCitation, SubAnswer
from inforce.records.grades import Grade, SubGrade
from inforce.records.items import Item, SubQuestion
from inforce.records.labels import LabelRules, base_label, to_ascii_digits
from inforce.records.lines import read_lines, write_lines
from inforce.records.pairing import pair_answers
from inforce.records.uris import parse_uri

JUDGE = "lexical"
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")


def tokens(text: str) -> Counter[str]:
    """Words, or character trigrams of what is written without spaces, with their counts.

    `Claim barred.` -> claim, barred; `ยกฟ้อง` -> ยกฟ, กฟ้, ฟ้อ, ้อง.
    """
    text = unicodedata.normalize("NFC", to_ascii_digits(text)).casefold()
    words = "".join(letter if unicodedata.category(letter)[0] in "LMN" else " " for letter in text).split()
    return Counter(token for word in words for token in (_trigrams(word) if _UNSPACED.search(word) else [word]))


def _trigrams(word: str) -> list[str]:
    return [word[start : start + 3] for start in range(max(1, len(word) - 2))]


def overlap_f1(given: Counter[str], wanted: Counter[str]) -> float:
    """F1 of two multisets, 0 to 1; 0 if either is empty."""
    total = given.total() + wanted.total()
    return 2 * (given & wanted).total() / total if given and wanted else 0.0


def gold_sections(question: SubQuestion, rules: LabelRules) -> set[str]:
    """`law/base label` of each section that the court relies on, instruments not held left out."""
    return {
        f"{citation.law_code}/{base_label(citation.label, rules)}"
        for citation in question.citations
        if citation.is_loadbearing and citation.law_code and citation.label
    }


def cited_section(citation: AnswerCitation, codes: dict[str, str], rules: LabelRules) -> str:
    """The section that a citation names, in the spelling of `gold_sections`; of a law that is not in the gold, under its own name.

    codes: normalised name or code of the item's gold laws -> law code.
    """
    parsed = parse_uri(to_ascii_digits(citation.version or "").partition("/v/")[0])
    law, label = (parsed.law_code, parsed.label) if parsed else (citation.law or citation.version or "", citation.section or "")
    return f"{codes.get(_name(law), _name(law))}/{base_label(label, rules)}"


def _name(law: str) -> str:
    return " ".join(unicodedata.normalize("NFC", to_ascii_digits(law)).casefold().split())


def lexical_score(question: SubQuestion, answer: SubAnswer | None, codes: dict[str, str], rules: LabelRules) -> float:
    """The score of one sub-question, 0 to 10; the formula is in the module's text."""
    verdict = overlap_f1(tokens(answer.verdict if answer else ""), tokens(question.verdict))
    gold = gold_sections(question, rules)
    if not gold:
        return round(10 * verdict, 4)
    cited = {cited_section(citation, codes, rules) for citation in (answer.citations if answer else [])}
    return round(10 * (verdict + overlap_f1(Counter(cited), Counter(gold))) / 2, 4)


def grade_lexically(item: Item, answer: Answer, rules: LabelRules) -> Grade:
    """The grade of one answer. An answer whose status is not ok has no score; its status is carried over."""
    given = {sub.sub_question: sub for sub in answer.sub_answers}
    codes = {}
    for citation in (citation for question in item.sub_questions for citation in question.citations if citation.law_code):
        codes.update({_name(name): citation.law_code or "" for name in (citation.law_code, citation.law_name_th) if name})
    return Grade(
        item_id=item.id,
        model=answer.model,
        setting=answer.setting,
        sample=answer.sample,
        judge=JUDGE,
        status=answer.status,
        request_sha256=[],
        sub_grades=[
            SubGrade(
                sub_question=number,
                status=answer.status,
                tier=None,
                score=lexical_score(question, given.get(number), codes, rules) if answer.status == "ok" else None,
                justification=None,
            )
            for number, question in enumerate(item.sub_questions, start=1)
        ],
    )


def main(argv: list[str] | None = None) -> None:
    """The command; see the module's text. Exit status 1 with one sentence for input that cannot be used."""
    parser = argparse.ArgumentParser(
        prog="python -m inforce.grades.grade_lexically",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m inforce.grades.grade_lexically --items results/runs/demo/items.jsonl "
        "--answers results/answers/demo/M/parametric/1.jsonl --jurisdiction-config config/jurisdictions/demo.yaml "
        "--out results/grades/demo/M/parametric/1/lexical.jsonl",
    )
    parser.add_argument("--items", required=True, type=Path, help="items.jsonl of the run")
    parser.add_argument("--answers", required=True, type=Path, help="answers of one model, setting and sample")
    parser.add_argument("--jurisdiction-config", required=True, type=Path, help="label rules")
    parser.add_argument("--out", required=True, type=Path, help="written: one line an item")
    args = parser.parse_args(argv)
    try:
        rules = read_config(args.jurisdiction_config, Jurisdiction).labels
        pairs = pair_answers(read_lines(args.items, Item), read_lines(args.answers, Answer), args.items, args.answers)
        write_lines(args.out, [grade_lexically(item, answer, rules) for item, answer in pairs])
    except ConfigError as error:
        raise SystemExit(str(error)) from error
    except (OSError, ValueError) as error:
        raise SystemExit(f"grade_lexically: {error}") from error


if __name__ == "__main__":
    main()
