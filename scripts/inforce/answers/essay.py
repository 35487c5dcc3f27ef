"""The essay task (NitiBench+): how an item becomes messages in each setting, and how the reply is read.

What a model may read (§5.2): parametric, the case and the decision date; gold_current and gold_in_force, besides, the sections that the
court relied on, as they read on the corpus date or on the day whose law the court applied; rag_current and rag_in_force, a search tool.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any, NamedTuple

from inforce.answers.prompts import Prompts
from inforce.answers.reply import parse_answer
from inforce.answers.schema import TOOL_NAME, answer_schema
from inforce.config.protocol import Reply
from inforce.records.answers import SubAnswer
from inforce.records.items import Item
from inforce.records.status import Setting

SEARCH_SETTINGS = ("rag_current", "rag_in_force")


class Provision(NamedTuple):
    """A section version as a model is shown it."""

    version_uri: str
    law_name: str
    label: str
    valid_from: dt.date | None
    valid_to: dt.date | None
    text: str


class MissingVersionError(ValueError):
    """An item cites a version that the table of sections does not hold: the two were not made together."""


class Essay:
    """The task with its prompts and what it may show. `provisions`: all versions by version_uri."""

    def __init__(self, prompts: Prompts, reply: Reply, provisions: Mapping[str, Provision]) -> None:
        self.prompts, self.reply, self._provisions = prompts, reply, provisions

    def messages(self, item: Item, setting: Setting, tools: str, max_searches: int) -> list[dict[str, Any]]:
        """The first messages: what all items share as the system's, then the case. Raises MissingVersionError."""
        return [
            {"role": "system", "content": self._system(setting, tools, max_searches)},
            {"role": "user", "content": self.prompts.render("user", **self._case(item, setting))},
        ]

    def schema(self, item: Item, setting: Setting) -> dict[str, Any]:
        """JSON Schema of the answer."""
        return answer_schema(item.n_sub_questions, setting == "parametric", self.reply)

    def parse(self, text: str, item: Item, setting: Setting) -> list[SubAnswer]:
        """The answers in the reply. Raises UnparsedError."""
        return parse_answer(text, item.n_sub_questions, setting == "parametric")

    def given(self, item: Item, setting: Setting) -> list[Provision] | None:
        """The provisions of a gold setting; null in the others.

        The court's load-bearing citations that the corpus holds, over all sub-questions, in order, each version once. In gold_current a
        section that has no current version is absent.
        """
        if setting not in ("gold_current", "gold_in_force"):
            return None
        citations = [citation for question in item.sub_questions for citation in question.citations if citation.is_scored]
        uris = [citation.current_uri if setting == "gold_current" else citation.version_uri for citation in citations]
        return [self._provision(uri, item) for uri in dict.fromkeys(uris) if uri is not None]

    def _provision(self, uri: str, item: Item) -> Provision:
        if uri not in self._provisions:
            raise MissingVersionError(f"item {item.id} cites {uri}, which the table of sections does not hold; make the items anew")
        return self._provisions[uri]

    def _system(self, setting: Setting, tools: str, max_searches: int) -> str:
        shared = {"setting": setting, "by_name": setting == "parametric", "reply": self.reply}
        if setting in SEARCH_SETTINGS:
            return self.prompts.render("search_system", tools=tools, tool_name=TOOL_NAME, max_searches=max_searches, **shared)
        return self.prompts.render("system", **shared)

    def _case(self, item: Item, setting: Setting) -> dict[str, object]:
        return {
            "setting": setting,
            "decision_date": item.decision_date,
            "date_precision": item.date_precision,
            "fact_pattern": item.fact_pattern.strip(),
            "sub_questions": item.sub_questions,
            "provisions": self.given(item, setting),
        }


def provisions_from(sections: list[dict[str, Any]], laws: list[dict[str, Any]]) -> dict[str, Provision]:
    """All versions by version_uri, with their laws' names; rows as of sections.parquet and laws.parquet."""
    names = {str(row["law_code"]): str(row["name"]) for row in laws}
    return {
        str(row["version_uri"]): Provision(
            str(row["version_uri"]),
            names.get(str(row["law_code"])) or str(row["law_code"]),
            str(row["label"]),
            row["valid_from"],
            row["valid_to"],
            str(row["text"] or "").strip(),
        )
        for row in sections
    }
