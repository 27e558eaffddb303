"""Which letters the bytes of a file stand for.

A byte-order mark settles it; then strict UTF-8; then charset-normalizer proposes old code pages
and our own look at the letters chooses among them, because on the few accents of a short file
it often cannot tell Western from Central European, and says so only by the order of its list.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from charset_normalizer import CharsetMatch, from_bytes

from app.errors import TranscriptRefused

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

_PAGES = {
    "cp1252": "Windows-1252 (Western European)",
    "cp1250": "Windows-1250 (Central European)",
    "cp1251": "Windows-1251 (Cyrillic)",
    "cp1253": "Windows-1253 (Greek)",
    "cp1254": "Windows-1254 (Turkish)",
    "cp1255": "Windows-1255 (Hebrew)",
    "cp1256": "Windows-1256 (Arabic)",
    "cp1257": "Windows-1257 (Baltic)",
    "koi8_r": "KOI8-R (Cyrillic)",
    "shift_jis": "Shift JIS (Japanese)",
    "gb18030": "GB18030 (Chinese)",
    "big5": "Big5 (Chinese)",
    "euc_kr": "EUC-KR (Korean)",
}
"""Old encodings that transcripts are met in, the likeliest of equals first."""

_PUNCTUATION = "“”‘’„–—…€°«»"
_CYRILLIC = "оеаинтсрвлкмдпуяыьгзбчйОЕАИНТСРВЛКМДПУђјљњћџ"
_USUAL = {
    "cp1252": "éèàçùâêîôûëïüäöåæøñáíóúßœãõìòÉÈÀÇÊÎÔÛÜÄÖÅÆØÑÁÍÓÚ¿¡",
    "cp1250": "ąćęłńóśźżčšžđřěůýťďňľőűăâîşţáéíöüäúĆČŠŽĐŁŚŻŘÁÉÖÜ",
    "cp1251": _CYRILLIC,
    "koi8_r": _CYRILLIC,
    "cp1253": "αοιετσνηυρπκμλςάέήίόύώΑΟΙΕΤΣΝΚΜΠ",
    "cp1254": "çğıöşüâîûÇĞİÖŞÜ",
    "cp1255": "יוהלאמרתבשנכםדחקעפ",
    "cp1256": "اليمونترهبدسعكفقحةأإخ،",
    "cp1257": "āčēģīķļņšūžąęėįųõäöüĀČĒŠŪŽ",
}
"""Characters that running text in the languages of a code page is mostly made of."""

_SAMPLE = 100_000
"""Bytes, and characters, that are looked at to choose an encoding; the whole must still fit it."""
_ODD_CASE = re.compile(r"[^\W\d_A-Za-z](?<=[а-яёα-ω])[А-ЯЁΑ-Ω]")
_MIXED_SCRIPTS = re.compile(r"[A-Za-z][\u0370-\u06ff]|[\u0370-\u06ff][A-Za-z]")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_BINARY = re.compile(r"[\x00-\x06\x0e-\x1a\x1c-\x1f]")


@dataclass(frozen=True, slots=True)
class Decoded:
    """The text of a file and how it was found."""

    text: str
    encoding: str
    """Python's name of it: `utf-8`, `utf-16-le`, `cp1251`."""
    notes: tuple[str, ...] = ()


def decode(data: bytes, name: str) -> Decoded:
    """Turn the bytes of a text file into text, without a byte-order mark.

    Raises:
        TranscriptRefused: The file holds no text in any encoding we know.
    """
    found = _marked(data, name) or _unmarked_utf16(data) or _utf8(data) or _old_page(data)
    if found is None or _looks_binary(found.text):
        raise TranscriptRefused(
            f"{name} holds no text that can be read.",
            "If it is a transcript, open it where it was made and save it as UTF-8 text.",
        )
    return found


def _marked(data: bytes, name: str) -> Decoded | None:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            try:
                return Decoded(data[len(mark) :].decode(encoding), encoding)
            except UnicodeDecodeError as error:
                raise TranscriptRefused(
                    f"{name} says that it is {encoding.upper()}, but is not: "
                    f"byte {error.start + len(mark):,} does not fit.",
                    "It may be cut off; copy it again or save it as UTF-8 where it was made.",
                ) from error
    return None


def _unmarked_utf16(data: bytes) -> Decoded | None:
    """Find UTF-16 without its mark: plain letters leave every second byte zero."""
    head = data[:2000]
    if len(head) < 8 or len(data) % 2:
        return None
    even, odd = head[0::2], head[1::2]
    if odd.count(0) > 0.7 * len(odd) and even.count(0) < 0.1 * len(even):
        encoding = "utf-16-le"
    elif even.count(0) > 0.7 * len(even) and odd.count(0) < 0.1 * len(odd):
        encoding = "utf-16-be"
    else:
        return None
    try:
        return Decoded(data.decode(encoding), encoding)
    except UnicodeDecodeError:
        return None


def _utf8(data: bytes) -> Decoded | None:
    try:
        return Decoded(data.decode("utf-8"), "utf-8")
    except UnicodeDecodeError:
        return None


def _old_page(data: bytes) -> Decoded | None:
    sample = data[: data.rfind(b"\n", 0, _SAMPLE) + 1] if len(data) > _SAMPLE else data
    matches = from_bytes(sample or data, cp_isolation=list(_PAGES))
    sense = {p: match.coherence - 3 * match.chaos for match in matches for p in _pages_of(match)}
    # On a few words charset-normalizer may propose nothing; then the letters alone decide.
    texts = {page: _strictly(data, page) for page in _PAGES if page in sense or not sense}
    scores = {
        page: _likelihood(text[:_SAMPLE], page) + sense.get(page, 0.0)
        for page, text in texts.items()
        if text is not None
    }
    if not scores:
        return None
    best = max(scores, key=scores.__getitem__)  # the first of equals, in the order of _PAGES
    note = (
        f"The file does not say how its letters are stored; it was read as {_PAGES[best]}. "
        "If letters look wrong, save it as UTF-8 where it was made."
    )
    return Decoded(texts[best] or "", best, (note,))


def _pages_of(match: CharsetMatch) -> list[str]:
    return [page for page in match.could_be_from_charset if page in _PAGES]


def _strictly(data: bytes, page: str) -> str | None:
    try:
        return data.decode(page)
    except UnicodeDecodeError:
        return None


def _likelihood(text: str, page: str) -> float:
    """Say how much the letters beyond ASCII look like language; 1 at best."""
    beyond = _NOT_ASCII.findall(text)
    if not beyond:
        return 1.0
    usual_here = _USUAL.get(page, "") + _PUNCTUATION
    usual = sum(1 for letter in beyond if letter in usual_here or "\u2e80" < letter < "\ue000")
    faults = len(_ODD_CASE.findall(text)) + 2 * len(_MIXED_SCRIPTS.findall(text))
    return (usual - faults) / len(beyond)


def _looks_binary(text: str) -> bool:
    """More than one control character in twenty is no text; a few are met in the wild."""
    sample = text[:20_000]
    return len(_BINARY.findall(sample)) * 20 > len(sample)
