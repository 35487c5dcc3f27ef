"""The block of `key: value` lines between two `---` lines at the top of a file."""

from __future__ import annotations

import re
from typing import NamedTuple

_BLOCK = re.compile(r"\A﻿?---[ \t]*\r?\n(?P<keys>.*?)^---[ \t]*(?:\r?\n|\Z)", re.DOTALL | re.MULTILINE)
_LINE = re.compile(r"^(?P<key>[\w.-]+)[ \t]*:[ \t]*(?P<value>.*?)[ \t]*$", re.MULTILINE)


class Document(NamedTuple):
    """A file taken apart: its front matter (empty if it has none) and all the rest."""

    keys: dict[str, str]
    body: str


def split_front_matter(text: str) -> Document:
    """Take a file apart. Values are plain text without quotation marks; lists and nested keys are not read.

    Not a YAML parser on purpose: one badly quoted title in ten thousand commits must not stop the reading, and 2024-01-31 stays text.
    """
    found = _BLOCK.match(text)
    if not found:
        return Document({}, text)
    keys = {line["key"]: line["value"].strip("\"'") for line in _LINE.finditer(found["keys"].replace("\r\n", "\n"))}
    return Document(keys, text[found.end() :])
