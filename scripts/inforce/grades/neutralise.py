"""A model's answer as data: whatever in it poses as a fence, a role, a grade or an order is kept readable and made harmless (DESIGN §4).

Letters and digits are never lost; only marks around them change. Three things do the work, in this order of strength:

1. `Fence`: the answer stands between lines whose code is a hash of the answer, so the answer cannot hold it.
2. Every line of the answer begins with `| `, and no angle bracket or brace is left in it, so no line of it can be a fence, a chat
   template's token, a code block or a JSON object.
3. Words that look like a role, a grade or an order to the judge are set in ‹ ›, which the system prompt explains.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from inforce.records.files import sha256_text

# control characters except line feed and tab, and what Unicode calls default ignorable: zero width, bidi, fillers, variation selectors, tags
_INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff\ud800-\udfff\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_LINE_ENDS = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
_BRACKETS = str.maketrans(
    {"<": "‹", "＜": "‹", "﹤": "‹", ">": "›", "＞": "›", "﹥": "›"} | dict.fromkeys("{｛﹛", "(") | dict.fromkeys("}｝﹜", ")")
)

# Patterns are looked for in a copy of the same length in which wide forms, curly quotes and Thai digits are plain.
_PLAIN = str.maketrans(
    {chr(0xFF01 + n): chr(0x21 + n) for n in range(94)}
    | {chr(0x0E50 + n): str(n) for n in range(10)}
    | dict.fromkeys("“”„‟«»", '"')
    | {"’": "'", "‘": "'", "∶": ":", "꞉": ":", "﹕": ":", "˸": ":"}
)
_SPECIAL = re.compile(r"\[/?g?[A-Z][A-Z_]{2,}\]")  # [INST], [/INST], [SYSTEM_PROMPT], [gMASK]
_ROLE = re.compile(
    r"(?:^|(?<=[)\]›.!?]))[^\w\n‹]*(?:system|assistant|user|human|developer|tool|judge|grader|examiner|instructions?"
    r"|ระบบ|ผู้ใช้|ผู้ช่วย|ผู้ตรวจ|กรรมการ|คำสั่ง)[^\w\n‹]*:",
    re.IGNORECASE | re.MULTILINE,
)
_CLAIM = re.compile(
    r"(?<![\w‹])[\"'*_]*(?:sub_question|justification|grades?|scores?|tiers?|marks?|points?|คะแนน|ระดับ)[\"'*_ \t]*"
    r"(?:[:=][:=\"'*_ \t\[]*|(?:of|is|=)\s+)(?:T[1-8]|\d+(?:\.\d+)?(?:\s*/\s*\d+)?)?",
    re.IGNORECASE,
)
_TIER = re.compile(r"(?<![\w‹])T[1-8](?!\w)")
_ORDER = re.compile(
    r"(?<![\w‹])(?:(?:ignore|disregard|forget|override)\b[^.\n‹]{0,60}?\b(?:rubric|instructions?|prompt|criteria|guidelines|above|gold)\b"
    r"|(?:ไม่ต้องสนใจ|ละเว้น|เพิกเฉย|ลืม)[^\n‹]{0,60}?(?:เกณฑ์|คำสั่ง|คำแนะนำ|เฉลย))",
    re.IGNORECASE,
)


def neutralise(text: str) -> str:
    """The text with every letter and digit kept, and nothing left that a reader could take for more than words of the answer."""
    text = _INVISIBLE.sub("", _LINE_ENDS.sub("\n", text)).translate(_BRACKETS)
    text = _mark(text, _SPECIAL, lambda found: f"({found[1:-1]})")
    for pattern in (_ROLE, _CLAIM, _TIER, _ORDER):
        text = _mark(text, pattern, lambda found: f"‹{_without_colons(found)}›")
    return text


def _mark(text: str, pattern: re.Pattern[str], change: Callable[[str], str]) -> str:
    parts, end = [], 0
    for found in pattern.finditer(text.translate(_PLAIN)):
        parts += [text[end : found.start()], change(text[found.start() : found.end()])]
        end = found.end()
    return "".join([*parts, text[end:]])


def _without_colons(text: str) -> str:
    return " ".join(re.sub("[:：=＝∶꞉﹕˸]", " ", text).split())


def quote(text: str) -> str:
    """Neutralised, each line behind `| `; an empty text is one line with a dash."""
    return "\n".join(f"| {line.rstrip()}" for line in (neutralise(text).strip() or "-").split("\n"))


class Fence(NamedTuple):
    """The lines around an answer. `code` is 16 hex digits of the sha256 of what stands between them."""

    code: str

    @classmethod
    def of(cls, content: str) -> Fence:
        """The same content has the same fence; content that holds its own code would be a fixed point of sha256."""
        code = sha256_text(content)[:16]
        while code in content:
            code = sha256_text(code + content)[:16]
        return cls(code)

    def opens(self, number: int) -> str:
        """The line before the answer to a sub-question."""
        return f"<<<{self.code} {number}>>>"

    def closes(self, number: int) -> str:
        """The line after it."""
        return f"<<<end {self.code} {number}>>>"
