"""config/protocols/*.yaml: models × settings × items × samples × judges."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, PositiveInt, model_validator

from inforce.config.load import Name, Strict
from inforce.records.status import SETTINGS, Setting


class Search(Strict):
    """The search tool (§5.2), the same for every model of a run."""

    embedding: Name = Field(description="config/embeddings/NAME.yaml")
    top_k: int = Field(10, ge=1, description="results a search returns")
    result_chars: int | None = Field(
        None, ge=40, description="longest text of one result, in characters; null = whole texts. For models with a small window"
    )
    max_searches: int = Field(30, ge=0, description="searches after which the model must answer")


class Reply(Strict):
    """How long an answer may be: the bounds of its JSON Schema, the same for every model of a run.

    All together, times the sub-questions of an item, they should fit the smallest `max_output_tokens` of the run's models.
    """

    verdict_chars: int = Field(300, ge=10, description="longest verdict of one sub-question, in characters")
    reasoning_chars: int = Field(4000, ge=20, description="longest reasoning of one sub-question")
    max_citations: int = Field(20, ge=1, description="citations of one sub-question")
    section_chars: int = Field(60, ge=4, description="longest section label cited from memory, sub-paragraphs included")
    query_chars: int = Field(200, ge=10, description="longest query of the action protocol")
    citation_chars: int = Field(200, ge=20, description="longest version identifier or law name; the corpus's longest must fit")


class Protocol(Strict):
    """What is asked of whom, and who grades it."""

    models: list[Name] = Field(min_length=1, description="config/models/NAME.yaml each")
    settings: list[Setting] = Field(default=list(SETTINGS), min_length=1)  # type: ignore[arg-type]
    samples: int = Field(1, ge=1, description="samples an item (avg@k)")
    samples_of: dict[Name, PositiveInt] = Field(default={}, description="model -> its samples an item, where they are not `samples`")
    split: Literal["all", "test", "validation"] = Field(
        "all", description="the items asked: all of the jurisdiction's, or those of one split (its splits block)"
    )
    panel: list[Name] = Field(description="config/judges/NAME.yaml, one a seat; three seats in the paper (§5.1)", min_length=1)
    max_items: int | None = Field(
        None, ge=1, description="only so many items, spread evenly over domains and bands in a fixed order; null = all"
    )
    max_fact_chars: int | None = Field(
        None, ge=100, description="items with longer facts are left out, for models with a small window; null = none is left out"
    )
    search: Search
    reply: Reply = Reply()
    resamples: int = Field(10_000, ge=100, description="bootstrap resamples of item clusters")
    note: str = Field("", description="a warning printed above the results, e.g. that a panel is no panel of strong judges")
    max_endpoint_errors: int = Field(
        0,
        ge=0,
        description="items of one model × setting × sample that may end as endpoint_error; beyond that the job fails and a second run resumes it",
    )

    @model_validator(mode="after")
    def _each_once(self) -> Protocol:
        named: dict[str, list[str]] = {"models": [*self.models], "settings": [*self.settings]}
        for key, names in named.items():
            if twice := sorted({name for name in names if names.count(name) > 1}):
                raise ValueError(f"{key} names {', '.join(twice)} more than once: every score of it would count as often")
        return self

    @model_validator(mode="after")
    def _samples_of_models(self) -> Protocol:
        if unknown := sorted(self.samples_of.keys() - set(self.models)):
            raise ValueError(f"samples_of names {', '.join(unknown)}, not among the models; name it there too, or take it out")
        return self

    def n_samples(self, model: str) -> int:
        """Samples an item of one model."""
        return self.samples_of.get(model, self.samples)

    @model_validator(mode="after")
    def _odd_panel(self) -> Protocol:
        if len(self.panel) % 2 == 0:
            raise ValueError("a panel needs an odd number of seats: the median of an even one depends on a tie rule")
        return self
