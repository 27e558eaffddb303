"""The tags inside captions: WebVTT's cue text as its standard reads it, and SubRip's loose HTML.

webvtt-py drops tags but leaves entities such as `&amp;` as they are, and pysubs2 knows neither
voices nor ruby; so the standard's own small grammar is followed here.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field

from app.lesson.transcript.formats.vtt_times import read_vtt_time
from app.lesson.transcript.records import Word

_TAG = re.compile(r"<([^>]*)(?:>|$)")
_NAME = re.compile(r"[^\s.]*")
_DEEPEST = 60
"""Tags within tags beyond which more are ignored; captions nest three or four."""
_KNOWN = frozenset(("c", "i", "b", "u", "ruby", "rt", "v", "lang"))


@dataclass(slots=True)
class Node:
    """A piece of cue text: the root, a tag with what is in it, or a moment."""

    tag: str = ""
    """Name of the tag; empty for the root, `time` for a moment."""
    classes: tuple[str, ...] = ()
    annotation: str = ""
    """What stands behind the tag's name: who speaks, which language."""
    time_ms: int = 0
    children: list[Node | str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Piece:
    """Text of one voice between two moments of a cue."""

    text: str
    voice: str | None
    """Who speaks; `None` outside any voice tag."""
    time_ms: int | None
    """The moment that stands before the text, or `None` when the cue's start is meant."""


def parse_cue(text: str) -> Node:
    """Read the text of a WebVTT cue into a tree, as section 6.4 of the W3C standard says.

    Nothing is refused: unknown tags vanish, unclosed ones close at the end.
    """
    root = Node()
    stack = [root]
    position = 0
    for match in _TAG.finditer(text):
        _add_text(stack[-1], text[position : match.start()])
        position = match.end()
        inner = match[1]
        if inner.startswith("/"):
            _close(stack, inner[1:])
        elif inner[:1].isdigit():
            time_ms = read_vtt_time(inner)
            if time_ms is not None:
                stack[-1].children.append(Node("time", time_ms=time_ms))
        else:
            _open(stack, inner)
    _add_text(stack[-1], text[position:])
    return root


def pieces(root: Node) -> list[Piece]:
    """Lay the tree out as text in order, without the readings that ruby puts over it."""
    found: list[Piece] = []
    _walk(root, None, found, [None])
    return found


def words_of(parts: list[Piece], start_ms: int | None) -> tuple[Word, ...]:
    """Give the words of timed pieces; only the first word behind a moment has its time.

    Args:
        parts: Pieces of one caption, in order.
        start_ms: Start of the caption, which is the time of what stands before any moment.

    Returns:
        Nothing when no piece has a moment of its own.
    """
    if all(part.time_ms is None for part in parts):
        return ()
    words: list[Word] = []
    last_ms: int | None = -1
    glued = False
    for part in parts:
        tokens = part.text.split()
        is_new = part.time_ms != last_ms
        if tokens and glued and not is_new and not part.text[0].isspace():
            last = words[-1]
            words[-1] = Word(last.text + tokens.pop(0), last.start_ms)
        time_ms = part.time_ms if part.time_ms is not None else start_ms
        for token in tokens:
            words.append(Word(token, time_ms if is_new else None))
            is_new = False
        if part.text.split():
            last_ms = part.time_ms
        glued = bool(words) and not part.text[-1:].isspace()
    return tuple(words)


def _walk(node: Node, voice: str | None, found: list[Piece], clock: list[int | None]) -> None:
    for child in node.children:
        if isinstance(child, str):
            found.append(Piece(child, voice, clock[0]))
        elif child.tag == "time":
            clock[0] = child.time_ms
        elif child.tag != "rt":
            _walk(child, child.annotation if child.tag == "v" else voice, found, clock)


def _add_text(node: Node, text: str) -> None:
    if text:
        node.children.append(html.unescape(text))


def _open(stack: list[Node], inner: str) -> None:
    head, _, annotation = _split_annotation(inner)
    name, *classes = head.split(".")
    if len(stack) > _DEEPEST or name not in _KNOWN or (name == "rt" and stack[-1].tag != "ruby"):
        return
    said = " ".join(html.unescape(annotation).split()) if name in ("v", "lang") else ""
    node = Node(name, tuple(c for c in classes if c), said)
    stack[-1].children.append(node)
    stack.append(node)


def _split_annotation(inner: str) -> tuple[str, str, str]:
    parts = re.split(r"([ \t\n\f])", inner, maxsplit=1)
    return (parts[0], parts[1], parts[2]) if len(parts) == 3 else (inner, "", "")


def _close(stack: list[Node], name: str) -> None:
    """Close the innermost tag if it is this one; `</ruby>` closes an open `<rt>` with it."""
    if stack[-1].tag == name and len(stack) > 1:
        stack.pop()
    elif name == "ruby" and stack[-1].tag == "rt":
        del stack[-2:]


_SUBRIP_KNOWN = re.compile(
    r"</?(?:b|i|u|s|em|strong|font|span|c|p|div|center|small|big)(?:[\s.][^<>]*)?/?>", re.IGNORECASE
)
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_PAIR = re.compile(r"<([a-z_][\w-]{0,40})(?:\s[^<>]{0,200})?>([^<]*)</\1>", re.IGNORECASE)
_SSA_CODE = re.compile(r"\{\\[^{}]{0,200}\}|\{[yYcCfFsSpP]:[^{}]{0,80}\}")
_ENTITY = re.compile(r"&(?:amp|lt|gt|nbsp|quot|apos|#39|#34);")
_SUBRIP_VOICE = re.compile(r"\s*<v(?:\.[^\s<>]*)?\s+([^<>]{1,80})>\s*")


def plain_subrip(text: str) -> tuple[str, str]:
    """Take the loose HTML and the style codes out of SubRip text.

    Known tags go; an unknown tag goes only as a pair, so that "2<3, 5>1" and a tag that nobody
    closed stay as they were written.

    Returns:
        The text, and the speaker when it began with a voice tag.
    """
    voice = _SUBRIP_VOICE.match(text)
    if voice:
        text = text[voice.end() :].replace("</v>", "")
    if "<" in text:
        text = _SUBRIP_KNOWN.sub("", _BREAK.sub("\n", text))
        text = _PAIR.sub(r"\2", text)
    if "{" in text:
        text = _SSA_CODE.sub("", text)
    if "&" in text:
        text = _ENTITY.sub(lambda found: html.unescape(found[0]), text)
    return text, voice[1].strip() if voice else ""
