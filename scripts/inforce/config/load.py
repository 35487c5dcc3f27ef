"""Reading configuration files: an unknown key is refused with the key, the file and the nearest right one."""

from __future__ import annotations

import difflib
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

import yaml
from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError, model_validator
from pydantic_core import ErrorDetails

from inforce.config.secret import looks_like_a_key, names_a_secret, refuse_user_info

Model = TypeVar("Model", bound=BaseModel)


_SHAPES = {dict: "keys and values", list: "a list"}
# where someone may have put a secret by mistake: a message names these keys and shows no value
_NOT_SHOWN = {"base_url", "base_url_env", "api_key_env", "extra_body", "args", "engine_args"}


class _Loader(yaml.SafeLoader):
    """YAML as always, except that a key given twice is refused: the first value would be lost in silence."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        keys = [self.construct_object(key, deep=True) for key, _ in node.value if key.tag != "tag:yaml.org,2002:merge"]
        if twice := [str(key) for place, key in enumerate(keys) if key in keys[:place]]:
            raise yaml.constructor.ConstructorError(None, None, f"key given twice: {', '.join(twice)}", node.start_mark)
        return super().construct_mapping(node, deep)


class ConfigError(ValueError):
    """A configuration that cannot be used. The message names the file, the key and the remedy."""


Name = Annotated[
    str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")
]  # a file's or a folder's name: no slash, no space, nothing a shell reads


class Strict(BaseModel):
    """The base of all configuration: unknown keys refused, values fixed once read, no address with a password, no value in error texts."""

    model_config = ConfigDict(extra="forbid", frozen=True, protected_namespaces=(), hide_input_in_errors=True)

    @model_validator(mode="before")
    @classmethod
    def _no_user_info(cls, values: Any) -> Any:
        refuse_user_info(values)
        return values


def read_config(path: Path | str, kind: type[Model]) -> Model:
    """Read one YAML file as `kind`. Raises ConfigError that lists everything wrong in it."""
    path = Path(path)
    try:
        values = yaml.load(path.read_text(encoding="utf-8"), _Loader)  # noqa: S506: a SafeLoader
    except FileNotFoundError as error:
        near = nearest(path.stem, [file.stem for file in path.parent.glob("*.yaml")])
        raise ConfigError(f"{path} does not exist{f'; did you mean {path.parent / near}.yaml?' if near else ''}") from error
    except (yaml.YAMLError, ValueError) as error:  # ValueError: a bare 0000-00-00 looks like a date and is none
        raise ConfigError(f"{path} is not YAML: {_said(error)}; quote values that look like dates and are none") from None
    return check_config(values, kind, path)


def check_config(values: Any, kind: type[Model], path: Path | str) -> Model:
    """Check values already read. `path` is only named in messages. Raises ConfigError."""
    if not isinstance(values, dict):
        raise ConfigError(f"{path}: expected keys and values, found {type(values).__name__}")
    try:
        return kind.model_validate(values)
    except ValidationError as error:
        lines = [_explain(details, kind) for details in error.errors()]
        raise ConfigError("\n".join(f"{path}: {line}" for line in lines)) from error


def nearest(name: str, known: list[str]) -> str | None:
    """The known name most like `name`, or null if none is."""
    found = difflib.get_close_matches(name, known, n=1, cutoff=0.6)
    return found[0] if found else None


def _said(error: Exception) -> str:
    """What a YAML error says and where, without the line itself, which may hold what is not to be printed."""
    if not isinstance(error, yaml.MarkedYAMLError) or error.problem_mark is None:
        return str(error)
    mark = error.problem_mark
    words = " ".join(filter(None, (error.context, error.problem)))
    return f"{words}, line {mark.line + 1}, column {mark.column + 1}"


def _explain(details: ErrorDetails, kind: type[BaseModel]) -> str:
    where = ".".join(_written(kind, details["loc"]))
    if not where:  # a rule over several keys: its own words say what is wrong
        return details["msg"].removeprefix("Value error, ")
    if details["type"] == "union_tag_invalid":
        tag, tags = str(details["ctx"]["tag"]), str(details["ctx"]["expected_tags"])
        near = nearest(tag, [known.strip("' ") for known in tags.split(",")])
        return f"{where}: there is no kind {tag!r}; " + (f"did you mean {near}?" if near else f"the kinds are {tags}")
    if details["type"] != "extra_forbidden":
        return f"{where}: {details['msg'].removeprefix('Value error, ')}{_found(details)}"
    key = str(details["loc"][-1])
    known = sorted(_keys_at(kind, details["loc"][:-1]))
    near = nearest(key, known)
    return f"unknown key {where}; " + (f"did you mean {near}?" if near else f"known here: {', '.join(known)}")


def _found(details: ErrorDetails) -> str:
    """The value at fault, where it is one: of a missing key, and of a rule over several, pydantic gives all that stands around it.

    Nothing where the value may be a secret.
    """
    value = details["input"]
    if any(part in _NOT_SHOWN or names_a_secret(str(part)) for part in details["loc"]) or looks_like_a_key(str(value)):
        return ""
    if isinstance(value, (dict, list)):
        return "" if details["type"] in ("missing", "value_error", "union_tag_not_found") else f" (found {_SHAPES[type(value)]})"
    return f" (found {value!r})"


def _written(kind: type[BaseModel], location: tuple[int | str, ...]) -> list[str]:
    """The place as the file writes it: without the names that pydantic puts in for the chosen type of a union."""
    return [
        str(part) for place, part in enumerate(location) if not (place + 1 < len(location) and part in _tags_at(kind, location[:place]))
    ]


def _tags_at(kind: Any, location: tuple[int | str, ...]) -> set[Any]:
    fields = [field for model in _models_at(kind, location) for field in model.model_fields.values()]
    return {tag for field in fields if get_origin(field.annotation) is Literal for tag in get_args(field.annotation)}


def _keys_at(kind: Any, location: tuple[int | str, ...]) -> set[str]:
    """Names of the fields that any model at this place of the configuration has."""
    return {field.alias or name for model in _models_at(kind, location) for name, field in model.model_fields.items()}


def _models_at(kind: Any, location: tuple[int | str, ...]) -> list[type[BaseModel]]:
    kinds = _models(kind)
    for part in location:
        fields = [model.model_fields[part].annotation for model in kinds if isinstance(part, str) and part in model.model_fields]
        if fields:
            kinds = [found for annotation in fields for found in _models(annotation)]
    return kinds


def _models(annotation: Any) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    if get_origin(annotation) in (Union, UnionType, Annotated, list, dict, tuple):
        return [found for part in get_args(annotation) for found in _models(part)]
    return []
