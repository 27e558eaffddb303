from __future__ import annotations

import io
import zipfile

import pytest

from app.errors import TranscriptRefused
from app.lesson.transcript.formats import packages
from app.lesson.transcript.read import read_transcript


def packed(**parts: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as package:
        for name, data in parts.items():
            package.writestr(name.replace("__", "/"), data)
    return stream.getvalue()


@pytest.mark.parametrize(
    ("name", "data", "told"),
    [
        ("a.pdf", b"%PDF-1.7\n", "is a PDF"),
        ("a.doc", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 99, "old or locked Office"),
        ("a.rtf", b"{\\rtf1\\ansi hello}", "rich text"),
        ("a.srt", b"\0\0\0\x20ftypisom\0\0\2\0", "a recording, not a transcript"),
        ("a.txt", b"\x89PNG\r\n\x1a\n", "a picture, not a transcript"),
        ("a.vtt", b"", "is empty"),
        ("a.vtt", b"\n", "is empty"),
        ("a.vtt", b"\xef\xbb\xbfWEBVTT\n", "There is no speech"),
        ("a.rttm", b"SPEAKER s 1 6.690 0.430 <NA> <NA> a <NA> <NA>\n", "who speaks when"),
        ("a.zip", packed(readme=b"x"), "an archive"),
        ("a.opf", packed(project=b"x", db=b"x"), "Datavyu project"),
        ("a.docx", packed(word__document=b"x"), "damaged"),
        ("a.xlsx", packed(xl__workbook=b"x"), "damaged"),
        ("a.docx", b"PK\3\4 and no more", "damaged"),
        ("a.xml", b"<?xml version='1.0'?><annotation ssi-v='3'/>", "NOVA"),
        ("a.xml", b"<?xml version='1.0'?><tei/>", "neither ELAN's"),
        ("a.srt", b"1\nno times here\n", "No caption in a.srt"),
    ],
)
def test_what_is_no_transcript_is_refused_in_one_sentence(tmp_path, name, data, told):
    (tmp_path / name).write_bytes(data)
    with pytest.raises(TranscriptRefused, match=told) as refused:
        read_transcript(tmp_path / name)
    assert name in refused.value.message
    assert refused.value.hint.endswith(".")


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(TranscriptRefused, match=r"gone\.srt cannot be opened: No such file"):
        read_transcript(tmp_path / "gone.srt")


def test_a_folder_is_refused(tmp_path):
    with pytest.raises(TranscriptRefused, match="cannot be opened"):
        read_transcript(str(tmp_path))


def test_a_package_that_unpacks_to_something_huge_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(packages, "MOST_UNPACKED", 1000)
    (tmp_path / "a.docx").write_bytes(packed(word__document=b"x" * 2000))
    with pytest.raises(TranscriptRefused, match="far more than a transcript"):
        read_transcript(tmp_path / "a.docx")


def test_content_decides_before_the_name(tmp_path):
    path = tmp_path / "really.srt"
    path.write_text("WEBVTT\n\n00:01.000 --> 00:02.000\nWhy?\n", "utf-8")
    assert read_transcript(path).source == "import:vtt"
