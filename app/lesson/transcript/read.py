"""Reading of transcript files: what a file is, told by its content first and its name second."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from app.errors import TranscriptRefused
from app.lesson.transcript.formats.decoding import Decoded, decode
from app.lesson.transcript.formats.dialog import read_dialog
from app.lesson.transcript.formats.drafts import Found, finish
from app.lesson.transcript.formats.eaf import read_eaf
from app.lesson.transcript.formats.old_subtitles import find_old_format, read_old
from app.lesson.transcript.formats.packages import open_package
from app.lesson.transcript.formats.spreadsheets import read_delimited, read_workbook
from app.lesson.transcript.formats.srt import looks_like_srt, read_srt
from app.lesson.transcript.formats.textgrid import looks_like_textgrid, read_textgrid
from app.lesson.transcript.formats.turns_json import looks_like_json, read_json
from app.lesson.transcript.formats.vtt import looks_like_vtt, read_vtt
from app.lesson.transcript.formats.word_document import read_document
from app.lesson.transcript.records import Transcript

MOST_BYTES = 64 * 1024 * 1024
"""The largest file that is read; a day of speech is about 1 MB, with word times 20 MB."""

_KINDS_READ = (
    "Clerestory reads SubRip, WebVTT, Whisper JSON, ELAN, Praat TextGrid, Word, Excel, CSV and "
    "plain text."
)

_OTHER_FILES = (
    (re.compile(rb"%PDF-"), "a PDF", "Save the transcript as Word, text or a table instead."),
    (
        re.compile(rb"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"),
        "an old or locked Office document",
        "Open it and save it as .docx or .xlsx, without a password.",
    ),
    (re.compile(rb"\{\\rtf"), "a rich text document", "Open it and save it as .docx or .txt."),
    (
        re.compile(rb"....ftyp|\x1aE\xdf\xa3|RIFF|ID3|\xff[\xe2-\xfb]|OggS|fLaC", re.DOTALL),
        "a recording, not a transcript",
        "Open it as a lesson; its speech can be written down there.",
    ),
    (
        re.compile(rb"\x89PNG|\xff\xd8\xff|GIF8|BM....\0\0\0\0", re.DOTALL),
        "a picture, not a transcript",
        _KINDS_READ,
    ),
)

_DATAVYU = re.compile(
    r"#\d+\s*\n[^\n]*[|(](?:FLOAT|INTEGER|TEXT|NOMINAL|MATRIX|PREDICATE|QUOTE_STRING)\b", re.ASCII
)
_SPEAKER_TURNS = re.compile(r"(?:SPEAKER|LEXEME|NON-SPEECH|A/P)\s+\S+\s+\S+\s+[\d.]+\s+[\d.]+\s")


def read_transcript(path: str | Path) -> Transcript:
    """Read a transcript file, wholly or not at all.

    Args:
        path: The file.

    Returns:
        Utterances numbered from 1, with what is doubtful flagged and told in the notes.

    Raises:
        TranscriptRefused: The file cannot be read as a transcript; the message names the file
            and, where there is one, the line or row.
    """
    path = Path(path)
    name = path.name
    data = _load(path)
    _refuse_other_files(data, name)
    if data.startswith(b"PK"):
        return finish(_read_package(data, name), name)
    if _is_xml(data):
        return finish(_read_xml(data, name), name)
    decoded = decode(data, name)
    found = _read_text(decoded, name, path.suffix.lower())
    return finish(found, name, decoded.encoding, decoded.notes)


def _load(path: Path) -> bytes:
    try:
        size = path.stat().st_size
        if size > MOST_BYTES:
            raise TranscriptRefused(
                f"{path.name} is larger than any transcript ({size // 1024**2:,} MB).",
                _KINDS_READ,
            )
        data = path.read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "its name cannot be used"
        raise TranscriptRefused(
            f"{path.name} cannot be opened: {reason}.",
            "Check that it is still there and that you may read it.",
        ) from error
    if not data.strip(b"\0 \t\r\n\xef\xbb\xbf\xff\xfe"):
        raise TranscriptRefused(
            f"{path.name} is empty.", "Export it again where it was made, or copy it again."
        )
    return data


def _refuse_other_files(data: bytes, name: str) -> None:
    for pattern, what, hint in _OTHER_FILES:
        if pattern.match(data):
            raise TranscriptRefused(f"{name} is {what}.", hint)


def _read_package(data: bytes, name: str) -> Found:
    with open_package(data, name) as package:
        names = set(package.namelist())
    if any(part.startswith("word/") for part in names):
        return read_document(data, name)
    if any(part.startswith("xl/") for part in names):
        return read_workbook(data, name)
    if any(Path(part).name == "db" for part in names):
        raise TranscriptRefused(
            f"{name} is a Datavyu project: it holds coded cells, not a transcript.",
            "Import the transcript of the lesson instead.",
        )
    raise TranscriptRefused(
        f"{name} is an archive or a document of a kind that is not known.",
        f"Unpack it, or save the transcript in another form. {_KINDS_READ}",
    )


def _is_xml(data: bytes) -> bool:
    head = data.lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n\0")[:200].replace(b"\0", b"")
    return head.startswith((b"<?xml", b"<ANNOTATION_DOCUMENT", b"<!DOCTYPE", b"<!--"))


def _read_xml(data: bytes, name: str) -> Found:
    if re.search(rb"<annotation[^>]*ssi-v", data[:2000]):
        raise TranscriptRefused(
            f"{name} is a NOVA annotation: it holds classes, but not what was said.",
            "Import the transcript of the lesson instead.",
        )
    return read_eaf(data, name)


def _read_text(decoded: Decoded, name: str, suffix: str) -> Found:
    text = decoded.text
    for is_it, read in _BY_CONTENT:
        if is_it(text):
            return read(text, name)
    _refuse_codings(text, name)
    if suffix in _BY_SUFFIX:
        return _BY_SUFFIX[suffix](text, name)
    old = find_old_format(text)
    return read_old(text, name, old) if old else read_dialog(text)


def _refuse_codings(text: str, name: str) -> None:
    if _SPEAKER_TURNS.match(text):
        raise TranscriptRefused(
            f"{name} says who speaks when, but not what is said.",
            "Import a transcript with words; speakers can be named in it.",
        )
    if _DATAVYU.match(text):
        raise TranscriptRefused(
            f"{name} is an export from Datavyu: it holds coded cells, not a transcript.",
            "Import the transcript of the lesson instead.",
        )


_Reader = Callable[[str, str], Found]

_BY_CONTENT: tuple[tuple[Callable[[str], bool], _Reader], ...] = (
    (looks_like_vtt, read_vtt),
    (looks_like_textgrid, read_textgrid),
    (looks_like_json, read_json),
    (looks_like_srt, read_srt),
)

_BY_SUFFIX: dict[str, _Reader] = {
    ".csv": read_delimited,
    ".tsv": read_delimited,
    ".tab": read_delimited,
    ".srt": read_srt,
    ".vtt": read_vtt,
    ".webvtt": read_vtt,
    ".json": read_json,
    ".textgrid": read_textgrid,
}
