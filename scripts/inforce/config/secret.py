"""No secret in a configuration file: files are hashed, packed and passed on, and what they hold is stored with every request.

A key is named by its environment variable. What looks like the key itself, or like a place for one, is refused; the message names the place
and never prints the value.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Annotated, Any
from urllib.parse import parse_qsl, urlsplit

from pydantic import AfterValidator, Field

VARIABLE = "^[A-Za-z_][A-Za-z0-9_]*$"
# a key that happens to have a variable's letters: a long stretch without _ that has digits or both cases
STRETCH = re.compile(r"(?=[A-Za-z]*[0-9]|[A-Z0-9]*[a-z][a-z0-9]*[A-Z])[A-Za-z0-9]{16,}")
USER_INFO = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^/?#\s\"'<>]*@")
# how the keys of well-known services begin
KNOWN_KEY = re.compile(
    r"(?:Bearer\s+\S+|(?:sk-|hf_|gsk_|gh[a-z]_|github_pat_|glpat-|xox[a-z]-|xai-|nvapi-|pplx-|r8_|tgp_|AIza|AKIA|eyJ)(?=.*[A-Z0-9])[\w.-]{6,})"
)
SECRET_WORDS = {
    "secret",
    "secrets",
    "password",
    "passwords",
    "passwd",
    "passphrase",
    "credential",
    "credentials",
    "authorization",
    "bearer",
}
LAST_WORDS = {"token", "auth", "pwd", "cookie"}
# before "token": pieces of text, which are no secret
OF_TEXT = re.compile(
    "bos|eos|pad|unk|sep|cls|mask|stop|start|end|begin|first|last|next|per|each|one|new|max|min|default|prompt|input|output|cached|special"
    "|image|audio|video|tool|think|thinking|reasoning"
)
JOINED = re.compile(
    "api_?key|(^|_)(access|secret|private|subscription|account|master|signing|auth)_?keys?$"
    "|(^|_)(access|auth|api|hf|hub|bearer|session|refresh|id)_?tokens?$"
)
QUERY_KEYS = {"key", "sig", "signature"}
SECRET_ARGUMENTS = ("--api-key", "--hf-token")  # an engine also takes their beginnings
ARGUMENT = re.compile(r"(?P<name>-{0,2}[A-Za-z][\w.-]*)\s*(?P<mark>[=:\s]|$)")


def _variable(name: str) -> str:
    if not re.fullmatch(VARIABLE, name):
        raise ValueError(
            "this is no environment variable's name (letters, digits and _, best in upper case, such as MY_MODEL_KEY); the key or address "
            "itself stands in the variable, never in a file"
        )
    if KNOWN_KEY.fullmatch(name) or any(STRETCH.fullmatch(part) for part in name.split("_")):
        raise ValueError(
            "this looks like a key and not like the name of the environment variable that holds it; name the variable, such as "
            "MY_MODEL_KEY, with _ between its words"
        )
    return name


def _address(address: str) -> str:
    try:
        parts = urlsplit(address)
    except ValueError:
        parts = urlsplit("")
    if parts.scheme not in ("http", "https"):
        raise ValueError("an address should begin with http:// or https:// and name a host")
    if "@" in parts.netloc:
        raise ValueError("an address may hold no user and no password; name the variable of the endpoint's key as api_key_env")
    if hidden := [name for name, _ in parse_qsl(parts.query, keep_blank_values=True) if name.lower() in QUERY_KEYS or names_a_secret(name)]:
        raise ValueError(f"an address may not hold {', '.join(hidden)}; name the variable of the endpoint's key as api_key_env")
    return address


Variable = Annotated[str, AfterValidator(_variable), Field(json_schema_extra={"pattern": VARIABLE})]  # an environment variable's name
Address = Annotated[str, AfterValidator(_address)]  # of an endpoint, without a secret in it


def names_a_secret(name: str) -> bool:
    """True if a key of this name, in whatever spelling, would hold a secret: apiKey, X-Api-Key, hf_token, client_secret; not max_tokens."""
    words = re.findall("[a-z]+", re.sub("(?<=[a-z0-9])(?=[A-Z])", "_", name).lower())
    if not words:
        return False
    if SECRET_WORDS.intersection(words) or JOINED.search("_".join(words)):
        return True
    return words[-1] in LAST_WORDS and not (words[-1] == "token" and len(words) > 1 and OF_TEXT.fullmatch(words[-2]) is not None)


def looks_like_a_key(text: str) -> bool:
    """True if a value begins as the keys of well-known services do."""
    return KNOWN_KEY.fullmatch(text.strip()) is not None


def refuse_user_info(values: Any) -> None:
    """Raises ValueError, naming the places, if any text in a configuration is an address with a user or a password."""
    if wrong := [place for place, _, value in _walk(values, "") if isinstance(value, str) and USER_INFO.search(value)]:
        raise ValueError(f"{', '.join(wrong)}: an address may hold no user and no password; secrets stand in environment variables")


def refuse_in_fields(values: dict[str, Any]) -> dict[str, Any]:
    """Free fields as they are. Raises ValueError, naming the places, if one is called like a secret or holds what looks like a key."""
    if wrong := _secret_places(values):
        raise ValueError(
            f"secrets may not stand in a file, and {', '.join(wrong)} looks like one; the key's environment variable is named as api_key_env"
        )
    return values


def refuse_in_arguments(arguments: list[str]) -> list[str]:
    """Serving arguments as they are. Raises ValueError, naming them without their values, if one carries a secret."""
    if wrong := [shown for argument in arguments for shown in _secrets_of(argument)]:
        raise ValueError(
            f"secrets may not stand in a file, and {', '.join(dict.fromkeys(wrong))} looks like one; set it in the environment in which the "
            "server is started"
        )
    return arguments


def argument_name(argument: str) -> str:
    """The name of an argument as an engine reads it, without what follows = or a blank; empty for a value."""
    match = ARGUMENT.match(argument)
    return match["name"].replace("_", "-").lower() if match and argument.startswith("-") else ""


def is_or_begins(name: str, known: Iterable[str]) -> list[str]:
    """The long arguments that an engine may take `name` for: itself, or those that it is the beginning of."""
    return [full for full in known if name == full or (len(name) > 2 and name.startswith("--") and full.startswith(name))]


def _secrets_of(argument: str) -> list[str]:
    """What in one argument carries a secret, as it may be printed."""
    match = ARGUMENT.match(argument)
    named = match["name"] if match and (argument.startswith("-") or match["mark"] in ("=", ":")) and match["mark"] != "" else ""
    name = argument_name(argument) or named
    if name and (names_a_secret(name) or is_or_begins(name, SECRET_ARGUMENTS)):
        return [name]
    value = argument.partition("=")[2] if name else argument
    if looks_like_a_key(value):
        return [f"the value of {name}" if name else "one of the values"]
    try:
        held = json.loads(value) if value.lstrip().startswith(("{", "[")) else None
    except ValueError:
        return []
    return _secret_places(held)


def _secret_places(values: Any) -> list[str]:
    """Places in free fields that are called like a secret and are set, or that hold what looks like a key."""
    return [
        place
        for place, name, value in _walk(values, "")
        if (names_a_secret(name) and value is not None and not isinstance(value, bool))
        or (isinstance(value, str) and looks_like_a_key(value))
    ]


def _walk(value: Any, place: str, name: str = "") -> Iterator[tuple[str, str, Any]]:
    """Every value in a configuration, the whole of it last: its place, the name it stands under, itself."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from _walk(part, f"{place}.{key}" if place else str(key), str(key))
    elif isinstance(value, (list, tuple)):
        for number, part in enumerate(value):
            yield from _walk(part, f"{place}.{number}" if place else str(number))
    yield place, name, value
