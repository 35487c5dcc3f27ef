"""An endpoint's address and key as the environment holds them, and the key struck out of whatever comes back.

Servers echo keys, most of all in words about a wrong one, and not always as they got them: JSON escapes (`\\/`, `\\u002b`), percent-encoding,
HTML's entities, base64 of a header. `Key` knows all of these, alone and mixed, at any depth of a JSON value.

A dummy key is no secret: local servers take `none`, `test` or `EMPTY`, words that a good answer may hold. A key counts as a secret if it
has at least 16 characters, or at least 12 with both letters and digits, or both upper and lower case. Any other is struck out of errors
alone, as a whole word, and never out of an answer.
"""

from __future__ import annotations

import html
import os
import re
from base64 import b64encode
from collections.abc import Callable
from functools import cached_property
from typing import Any
from urllib.parse import urlsplit

from inforce.config.secret import USER_INFO

STRUCK = "[key]"
LONG, MIXED = 16, 12  # characters of a secret; of one with characters of more than one kind
SENDABLE = re.compile(r"[!-~]+")  # what a key may consist of: it goes into a header
ESCAPED = re.compile(r"\\+(?:u00|x)([2-7][0-9a-fA-F])")
PERCENT = re.compile(r"%([2-7][0-9a-fA-F])")
PERCENT_DEPTH = 3  # %252F is a slash encoded twice


class AccessError(ValueError):
    """An address or a key that cannot be used. The message names its variable, never its value."""


class Key:
    """A key that is sent to an endpoint and is to be found nowhere else."""

    def __init__(self, text: str) -> None:
        self.text, self.is_secret = text, is_secret(text)
        verbatim = [text, *_in_base64(text)] if self.is_secret else []
        self._forms = tuple(dict.fromkeys(verbatim))
        self._plain_forms = tuple(dict.fromkeys(_plain(form) for form in verbatim))

    def __repr__(self) -> str:
        return f"Key({STRUCK})"  # what a debugger or a log would show

    def held_by(self, text: str) -> bool:
        """True if a text, which may be JSON, holds the key in any spelling. Always false of a dummy key."""
        if not self.is_secret:
            return False
        if self.text in text:
            return True
        escaped = "\\" in text or "%" in text or "&" in text
        where, forms = (_plain(text), self._plain_forms) if escaped else (text, self._forms)
        return any(form in where for form in forms)

    def struck(self, value: Any) -> Any:
        """A JSON value, or a text, without the key: every string and number at any depth, names of an object's members included.

        Two members whose names are both the key become one.
        """
        return _mapped(value, self._clean, names=True) if self.is_secret else value

    def struck_of_error(self, value: Any) -> Any:
        """`struck` for what is no answer: a dummy key goes as well where it stands as a whole word. Names of members keep it."""
        return self.struck(value) if self.is_secret else _mapped(value, self._clean_of_word, names=False)

    def _clean(self, text: str) -> str:
        if not self.held_by(text):
            return text
        cleaned = self._spellings.sub(STRUCK, text)
        return STRUCK if self.held_by(cleaned) else cleaned  # in a spelling that no pattern finds: all of it goes

    def _clean_of_word(self, text: str) -> str:
        return self._word.sub(STRUCK, text)

    @cached_property
    def _spellings(self) -> re.Pattern[str]:
        near = "[A-Za-z0-9+/=_-]{0,4}"  # base64's letters at both ends hold bits of the key and of its neighbours
        whole, *coded = ("".join(map(_any_spelling, form)) for form in self._forms)
        return re.compile("|".join([whole, *(f"{near}{form}{near}" for form in coded)]))

    @cached_property
    def _word(self) -> re.Pattern[str]:
        return re.compile(rf"(?<!\w){re.escape(self.text)}(?!\w)")


def is_secret(text: str) -> bool:
    """True if a key is long enough, or mixed enough, to be a real one; false of the dummy keys of local servers."""
    letters_and_digits = re.search(r"[A-Za-z]", text) and re.search(r"[0-9]", text)
    both_cases = re.search(r"[a-z]", text) and re.search(r"[A-Z]", text)
    return len(text) >= LONG or (len(text) >= MIXED and bool(letters_and_digits or both_cases))


def read_key(variable: str | None) -> Key | None:
    """The key in an environment variable; null if none is named. Raises AccessError if it is not set or cannot be sent."""
    if variable is None:
        return None
    text = os.environ.get(variable, "").strip()
    if not text:
        raise AccessError(f"the environment variable {variable} is not set; it should hold the endpoint's key")
    if not SENDABLE.fullmatch(text):
        raise AccessError(
            f"the environment variable {variable} cannot be sent as a key: inside it is a blank, a line break or another character "
            "that no key has; it should hold the key alone"
        )
    return Key(text)


def read_address(address: str | None, variable: str | None) -> str:
    """An endpoint's address, given or from an environment variable, without a slash at its end. Raises AccessError."""
    example = "it should hold the endpoint's address, e.g. http://localhost:8000/v1"
    found = address or (os.environ.get(variable, "").strip() if variable else "")
    if not found:
        raise AccessError(f"the environment variable {variable} is not set; {example}" if variable else f"no base_url is given; {example}")
    where = "base_url" if address else f"the environment variable {variable}"
    try:
        parts = urlsplit(found)
        usable = bool(parts.scheme in ("http", "https") and parts.hostname and parts.port != 0)
    except ValueError:  # brackets or a port that are none
        usable = False
    if not usable:
        raise AccessError(f"the endpoint's address in {where} should begin with http:// or https:// and name a host; {example}")
    if "@" in parts.netloc:
        raise AccessError(
            f"the endpoint's address in {where} holds a user or a password; take them out, and name the key's variable as api_key_env"
        )
    return found.rstrip("/")


def without_user_info(text: str) -> str:
    """A program's words without users and passwords in the addresses that they name: a mirror's, a proxy's."""
    return USER_INFO.sub(lambda match: match[0].partition("://")[0] + "://", text)


def public_address(url: str) -> str:
    """An address as it may be printed: without user, password, query and fragment."""
    parts = urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="").geturl()


def _mapped(value: Any, clean: Callable[[str], str], *, names: bool) -> Any:
    """A JSON value with every string cleaned; of objects the members' names as well if `names`, and then numbers too."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return {clean(name) if names else name: _mapped(part, clean, names=names) for name, part in value.items()}
    if isinstance(value, list):
        return [_mapped(part, clean, names=names) for part in value]
    if names and isinstance(value, (int, float)):
        return value if clean(str(value)) == str(value) else STRUCK
    return value


def _plain(text: str) -> str:
    """A text with its escapes undone, well enough to find in it what has no escapes."""
    if "\\u00" in text or "\\x" in text:
        text = ESCAPED.sub(_character, text)
    text = text.replace("\\", "")
    if "&" in text:
        text = html.unescape(text)
    for _ in range(PERCENT_DEPTH if "%" in text else 0):
        text = PERCENT.sub(_character, text)
    return text.replace("\\", "")  # those that came out of another escape


def _character(match: re.Match[str]) -> str:
    return chr(int(match[1], 16))


def _any_spelling(letter: str) -> str:
    """A pattern for one ASCII character: itself or escaped."""
    code = ord(letter)
    entities = {html.escape(letter)} - {letter}
    ways = [rf"\\*{re.escape(letter)}", rf"\\+(?:u00|x){code:02x}", rf"%(?:25)*{code:02x}", f"&#0*{code};", f"&#x0*{code:x};", *entities]
    return f"(?:{ways[0]}|(?i:{'|'.join(ways[1:])}))"


def _in_base64(text: str) -> list[str]:
    """What base64 of any text that holds `text` must hold: for its three alignments, in both alphabets."""
    found = []
    for before in range(3):
        letters = b64encode(b"\0" * before + text.encode()).decode().rstrip("=")
        whole = letters[(0, 2, 3)[before] : (before + len(text)) * 8 // 6]
        found += [whole, whole.replace("+", "-").replace("/", "_")]
    return found
