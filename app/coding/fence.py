"""A fence around words of others, so that none of them can pass for an instruction.

What was said in a lesson, and what a tutor wrote that a judge is to score. Three walls: the words
of a line are a JSON string in which no line can end and no sign of a chat template can stand; the
marks around all lines share a code taken from what stands between them, which whoever wrote them
could not have known; and the code is changed until it does not occur there.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Sequence

OPENS, CLOSES = "=== {what} {code} begins ===", "=== {what} {code} ends ==="
"""The marks; each is a whole line."""

# What ends a line, is invisible, or begins a sign of a chat template: <|im_end|>, <s>, [INST].
# Servers read such signs also where they stand in a message.
_SIGN = re.compile(r"<|\[(?=/?[A-Z_]{2,}\])")
_UNSEEN = frozenset(("Cc", "Cs", "Co", "Zl", "Zp"))


def fenced(lines: Sequence[str], what: str = "recording") -> str:
    """Put a fence around lines, none of which may be empty or hold a line break.

    Args:
        lines: What stands between the marks.
        what: What the marks call it.

    Raises:
        ValueError: One of them does.
    """
    if any(line.splitlines() != [line] for line in lines):
        raise ValueError("a line within a fence holds a line break")
    body = "\n".join(lines)
    code = _code(body)
    while code in body:
        code = _code(f"{code} {body}")
    return f"{OPENS.format(what=what, code=code)}\n{body}\n{CLOSES.format(what=what, code=code)}"


def spoken(text: str) -> str:
    """Write what was said as a JSON string on one line; `json.loads` gives it back as it was."""
    quoted = json.dumps(text, ensure_ascii=False)
    quoted = _SIGN.sub(lambda sign: _escaped(sign.group()), quoted)
    if quoted.isprintable():
        return quoted
    return "".join(
        _escaped(sign) if unicodedata.category(sign) in _UNSEEN else sign for sign in quoted
    )


def _code(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _escaped(sign: str) -> str:
    # As JSON does it: signs beyond the first 65,536 are written as two halves.
    return json.dumps(sign, ensure_ascii=True)[1:-1] if ord(sign) > 126 else f"\\u{ord(sign):04x}"
