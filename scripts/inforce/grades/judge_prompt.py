"""What a judge is shown: the rubric, the case, the gold answer and the fenced answer; never who answered, in which setting (NitiBench+ B.2)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jinja2

from inforce.grades.neutralise import Fence, quote
from inforce.records.answers import AnswerCitation, SubAnswer
from inforce.records.files import canonical_json
from inforce.records.items import Citation, Item
from inforce.records.uris import parse_uri

NAMES = (
    "judge_system",  # the rubric and the form of the reply; the same bytes in every request of a judge, so that a prefix cache holds them
    "judge_user",  # the case, the gold, and the answer last
    "judge_again",  # said when a reply is not valid
)


class PromptError(ValueError):
    """A prompt folder that cannot be used. The message names the file and what is wrong in it."""


class JudgePrompts:
    """The judge's templates of one folder, rendered with jinja2; an unknown name in one is an error. Raises PromptError."""

    def __init__(self, folder: Path | str) -> None:
        self._folder = Path(folder)
        environment = jinja2.Environment(
            loader=jinja2.FileSystemLoader(self._folder),
            undefined=jinja2.StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            autoescape=False,
        )
        self._templates = {}
        for name in NAMES:
            try:
                self._templates[name] = environment.get_template(f"{name}.txt")
            except jinja2.TemplateNotFound as error:
                needed = ", ".join(f"{known}.txt" for known in NAMES)
                raise PromptError(f"{self._folder} has no {error.name}; grading needs {needed} there") from error
            except jinja2.TemplateSyntaxError as error:
                raise PromptError(f"{self._folder / name}.txt, line {error.lineno}: {error.message}") from error

    def messages(self, item: Item, sub_answers: list[SubAnswer], justification_chars: int) -> list[dict[str, Any]]:
        """The request's messages. The same answer to the same item is the same bytes, whoever gave it."""
        return [
            {"role": "system", "content": self._render("judge_system", justification_chars=justification_chars)},
            {"role": "user", "content": self._render("judge_user", **judge_values(item, sub_answers))},
        ]

    def again(self, reason: str) -> str:
        """The words of the one re-ask."""
        return self._render("judge_again", reason=reason)

    def _render(self, name: str, **values: object) -> str:
        try:
            return self._templates[name].render(**values).strip()
        except jinja2.TemplateError as error:
            raise PromptError(f"{self._folder / name}.txt: {error}") from error


def judge_values(item: Item, sub_answers: list[SubAnswer]) -> dict[str, Any]:
    """All that the user template may use: facts, decision_date, date_precision, code (the fence's) and sub_questions.

    Each of sub_questions: number, question, verdict, reasoning, citations (of the gold: {"law", "label"} each, only those the court
    relies on), and answer: opens, verdict, reasoning, citations, closes; quoted texts between two fences.
    """
    given = {sub.sub_question: sub for sub in sub_answers}
    fence = Fence.of(canonical_json([sub.model_dump() for sub in sub_answers]))
    names = {c.law_code: c.law_name_th for question in item.sub_questions for c in question.citations if c.law_code and c.law_name_th}
    return {
        "fact_pattern": item.fact_pattern,
        "decision_date": item.decision_date,
        "date_precision": item.date_precision,
        "code": fence.code,
        "sub_questions": [
            {
                "number": number,
                "question": question.question,
                "verdict": question.verdict,
                "reasoning": question.reasoning,
                "citations": [gold_words(citation) for citation in question.citations if citation.is_loadbearing],
                "answer": _fenced(fence, number, given.get(number), names),
            }
            for number, question in enumerate(item.sub_questions, start=1)
        ],
    }


def gold_words(citation: Citation) -> dict[str, str | None]:
    """A gold citation by the law's name and the section's label; an instrument that the corpus does not hold by its name."""
    return {"law": citation.law_name_th or citation.law or citation.law_code, "label": citation.label}


def cited_words(citation: AnswerCitation, names: dict[str, str]) -> str:
    """A model's citation as law and section, however it was given.

    An identifier is taken apart and its day left out: the form of a citation would tell the judge the setting. names: law code -> name.
    """
    parsed = parse_uri((citation.version or "").partition("/v/")[0])
    if parsed:
        return f"{names.get(parsed.law_code, parsed.law_code)}, {parsed.label}"
    words = [part for part in (citation.law, citation.section) if part and part.strip()]
    return ", ".join(words) or citation.version or ""


def _fenced(fence: Fence, number: int, answer: SubAnswer | None, names: dict[str, str]) -> dict[str, str]:
    cited = [cited_words(citation, names) for citation in answer.citations] if answer else []
    return {
        "opens": fence.opens(number),
        "verdict": quote(answer.verdict if answer else ""),
        "reasoning": quote(answer.reasoning if answer else ""),
        "citations": quote("\n".join(" ".join(words.split()) for words in cited)),
        "closes": fence.closes(number),
    }
