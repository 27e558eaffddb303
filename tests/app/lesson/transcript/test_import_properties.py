"""Whatever bytes come, a transcript is sound or the file is refused in a sentence."""

from __future__ import annotations

import io
import json
import pickle
from itertools import pairwise
from pathlib import Path

import pytest
from docx import Document
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from openpyxl import Workbook

from app.errors import TranscriptRefused
from app.lesson.transcript.read import read_transcript
from app.lesson.transcript.records import Transcript

DATA = Path(__file__).resolve().parents[3] / "data" / "transcripts"
SUFFIXES = [".srt", ".vtt", ".txt", ".json", ".csv", ".tsv", ".eaf", ".TextGrid", ".xlsx", ".docx"]
MANY = settings(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)

EAF = b"""<?xml version="1.0" encoding="UTF-8"?>
<ANNOTATION_DOCUMENT><HEADER TIME_UNITS="milliseconds"/>
<TIME_ORDER><TIME_SLOT TIME_SLOT_ID="a" TIME_VALUE="100"/><TIME_SLOT TIME_SLOT_ID="b"/></TIME_ORDER>
<TIER TIER_ID="T" LINGUISTIC_TYPE_REF="x"><ANNOTATION>
<ALIGNABLE_ANNOTATION ANNOTATION_ID="a1" TIME_SLOT_REF1="a" TIME_SLOT_REF2="b">
<ANNOTATION_VALUE>why is that</ANNOTATION_VALUE></ALIGNABLE_ANNOTATION></ANNOTATION></TIER>
<LINGUISTIC_TYPE LINGUISTIC_TYPE_ID="x"/></ANNOTATION_DOCUMENT>"""
TEXTGRID = (
    b'File type = "ooTextFile"\nObject class = "TextGrid"\n\n0\n2\n<exists>\n1\n"IntervalTier"\n'
    b'"T"\n0\n2\n2\n0\n1\n"why is that"\n1\n2\n""\n'
)
MPL2 = b"[0][20]Why is that?\n[20][45]/It grew|to the light.\n"


def workbook_bytes() -> bytes:
    book = Workbook()
    book.active.append(["TimeStamp", "Turn", "Speaker", "Sentence"])
    book.active.append(["00:00:07", 1, "T", "Why is that?"])
    book.active.append(["00:00:09", 2, "SN", "It grew."])
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def document_bytes() -> bytes:
    document = Document()
    document.add_paragraph("Teacher: Why is that?")
    document.add_paragraph("Student: It grew.")
    stream = io.BytesIO()
    document.save(stream)
    return stream.getvalue()


SEEDS = [
    *((path.read_bytes(), path.suffix) for path in sorted((DATA / "bugs").iterdir())),
    (EAF, ".eaf"),
    (TEXTGRID, ".TextGrid"),
    (MPL2, ".txt"),
    (workbook_bytes(), ".xlsx"),
    (document_bytes(), ".docx"),
    (b"Speaker,Sentence,TimeStamp\nT,Why?,00:05:00\nS,So.,00:06:00\n", ".csv"),
    ("Teacher: Où ça?\nÉlève: Là.\n".encode("cp1252"), ".txt"),
    ("1\n0:01 --> 0:02\nWas?\n".encode("utf-16"), ".srt"),
]


def read_or_refuse(path: Path) -> tuple[Transcript | None, TranscriptRefused | None]:
    try:
        return read_transcript(path), None
    except TranscriptRefused as error:
        return None, error


def check(data: bytes, suffix: str, folder: Path) -> Transcript | None:
    """Read bytes as a file; a transcript must be sound, a refusal must name the file."""
    path = folder / f"some{suffix}"
    path.write_bytes(data)
    transcript, refusal = read_or_refuse(path)
    if transcript is None:
        assert path.name in refusal.message
        assert refusal.hint
        return None
    lines = transcript.utterances
    assert [line.number for line in lines] == list(range(1, len(lines) + 1))
    assert lines
    for line in lines:
        assert line.text.strip()
        assert line.start_ms is None or line.start_ms >= 0
        assert line.end_ms is None or line.end_ms >= (line.start_ms or 0)
        assert line.start_ms is not None or line.end_ms is None
        assert line.start_ms is not None or line.flags
        json.dumps([line.text, line.speaker], ensure_ascii=False).encode("utf-8")
        for word in line.words:
            assert word.end_ms is None or word.start_ms is None or word.end_ms >= word.start_ms
    assert pickle.loads(pickle.dumps(transcript)) == transcript
    return transcript


@MANY
@given(data=st.binary(max_size=400), suffix=st.sampled_from(SUFFIXES))
def test_any_bytes_are_read_or_refused(tmp_path, data, suffix):
    check(data, suffix, tmp_path)


@MANY
@given(text=st.text(max_size=400), suffix=st.sampled_from(SUFFIXES))
def test_any_text_is_read_or_refused(tmp_path, text, suffix):
    check(text.encode("utf-8", "replace"), suffix, tmp_path)


@pytest.mark.parametrize("seed", range(len(SEEDS)))
@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(draw=st.data())
def test_a_damaged_file_is_read_or_refused(tmp_path, seed, draw):
    data, suffix = SEEDS[seed]
    changed = bytearray(data)
    for _ in range(draw.draw(st.integers(1, 6))):
        if not changed:
            break
        place = draw.draw(st.integers(0, len(changed) - 1))
        kind = draw.draw(st.sampled_from(["set", "cut", "drop", "double", "put"]))
        if kind == "set":
            changed[place] = draw.draw(st.integers(0, 255))
        elif kind == "cut":
            del changed[place:]
        elif kind == "drop":
            del changed[place : place + draw.draw(st.integers(1, 40))]
        elif kind == "double":
            changed[place:place] = changed[place : place + 60]
        else:
            bits = [b"\n", b"\n\n", b"-->", b'"', b"<", b"&", b"\x00", b"null", b"-1", b"9" * 30]
            changed[place:place] = draw.draw(st.sampled_from(bits))
    check(bytes(changed), suffix, tmp_path)


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                "segments words text start end chunks timestamp transcription offsets from to "
                "speaker word dialogue word_segments language result score time".split()
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=25,
)


@MANY
@given(value=JSON_VALUES)
def test_any_json_is_read_or_refused(tmp_path, value):
    check(json.dumps(value).encode(), ".json", tmp_path)


SPOKEN = st.text(
    st.characters(codec="utf-8", categories=["L", "N"]) | st.sampled_from(" ,.?!'-"),
    min_size=1,
    max_size=40,
).map(lambda text: " ".join(text.split()))
LINES = SPOKEN.filter(lambda text: any(c.isalpha() for c in text) and "--" not in text)
CUES = st.lists(
    st.tuples(st.integers(0, 4000), st.integers(1, 9000), st.lists(LINES, min_size=1, max_size=3)),
    min_size=1,
    max_size=12,
)


def timed(cues):
    at_ms = 0
    for gap_ms, length_ms, lines in cues:
        at_ms += gap_ms
        yield at_ms, at_ms + length_ms, "\n".join(lines)
        at_ms += length_ms


def clock(time_ms: int, point: str) -> str:
    seconds, thousandths = divmod(time_ms, 1000)
    minutes, seconds = divmod(seconds, 60)
    return f"{minutes // 60:02}:{minutes % 60:02}:{seconds:02}{point}{thousandths:03}"


@pytest.mark.parametrize(
    ("suffix", "head", "point", "numbered"),
    [
        (".srt", "", ",", True),
        (".srt", "", ",", False),
        (".vtt", "WEBVTT\n\n", ".", True),
        (".vtt", "WEBVTT\n\n", ".", False),
    ],
)
@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(cues=CUES)
@example(cues=[(0, 1, ["A"]), (0, 1, ["A"]), (0, 1, ["A"])])
def test_captions_come_back_as_they_were_written(tmp_path, suffix, head, point, numbered, cues):
    wanted = list(timed(cues))
    blocks = [
        (f"{number}\n" if numbered else "")
        + f"{clock(start, point)} --> {clock(end, point)}\n{text}\n"
        for number, (start, end, text) in enumerate(wanted, 1)
    ]
    found = check((head + "\n".join(blocks)).encode(), suffix, tmp_path)
    assert [(u.start_ms, u.end_ms, u.text) for u in found.utterances] == wanted
    assert all(a.end_ms <= b.start_ms for a, b in pairwise(found.utterances))
    assert not any(u.flags or u.speaker for u in found.utterances)
