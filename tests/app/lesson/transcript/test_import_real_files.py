"""What must come of each real file beside the checkout: its lines, or the refusal, word for word.

The table was looked through by hand against the folders' SOURCES.md and against plain counts of
arrows, rows and turns; TalkMoves' speakers are counted, not named, since some are children.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from app.errors import TranscriptRefused
from app.lesson.transcript.read import read_transcript

TABLE_FILE = Path(__file__).resolve().parents[3] / "data" / "transcripts" / "real_files.json"
TABLE = json.loads(TABLE_FILE.read_text("utf-8"))

pytestmark = pytest.mark.shared


@pytest.mark.parametrize("name", TABLE)
def test_each_real_file_gives_what_the_table_says(shared, name):
    wanted = TABLE[name]
    path = shared / "data" / name
    if "refused" in wanted:
        with pytest.raises(TranscriptRefused) as refused:
            read_transcript(path)
        assert refused.value.message == wanted["refused"]
        assert refused.value.hint
        return
    assert facts_of(path, isinstance(wanted["speakers"], int)) == wanted


def facts_of(path: Path, count_speakers: bool) -> dict[str, object]:
    transcript = read_transcript(path)
    lines = transcript.utterances
    speakers = list(dict.fromkeys(line.speaker for line in lines))
    flags = Counter(flag.value for line in lines for flag in line.flags)
    facts: dict[str, object] = {
        "utterances": len(lines),
        "first_ms": [lines[0].start_ms, lines[0].end_ms],
        "last_ms": [lines[-1].start_ms, lines[-1].end_ms],
        "speakers": len(speakers) if count_speakers else speakers,
        "source": transcript.source,
        "encoding": transcript.encoding,
        "flags": dict(flags),
        "notes": len(transcript.notes),
    }
    words = sum(len(line.words) for line in lines)
    return {**facts, "words": words} if words else facts


def test_no_real_file_is_left_out_of_the_table(shared):
    folders = ["3_subtitles", "2_classroom_transcripts"]
    found = {
        str(path.relative_to(shared / "data"))
        for folder in folders
        for path in (shared / "data" / folder).rglob("*")
        if path.is_file() and path.name != "SOURCES.md"
    }
    assert found - set(TABLE) == set()


def expected(shared: Path, bug: str) -> tuple[list, object]:
    folder = shared / "data" / "6_bugs" / bug
    source = next(folder.glob("input.*"))
    return list(read_transcript(source).utterances), json.loads(
        (folder / "expected.json").read_text("utf-8")
    )


@pytest.mark.parametrize(
    "bug", ["vtt_note_inside_cue", "vtt_numeric_text_no_blank_lines", "srt_no_milliseconds"]
)
def test_reported_caption_bugs_give_the_reported_right_values(shared, bug):
    lines, wanted = expected(shared, bug)
    assert [(u.start_ms, u.end_ms) for u in lines] == [
        (round(cue["start"] * 1000), round(cue["end"] * 1000)) for cue in wanted
    ]
    texts = [cue["text"] for cue in wanted if "text" in cue]
    assert not texts or [u.text for u in lines] == texts


def test_reported_rolling_captions_come_out_once(shared):
    lines, wanted = expected(shared, "youtube_rolling_captions")
    assert [u.text for u in lines] == wanted["segments"]
    assert sum(len(u.words) for u in lines) == wanted["words"]


def test_reported_words_without_times_are_kept_without_times(shared):
    lines, wanted = expected(shared, "whisperx_words_without_times")
    assert [u.text for u in lines] == wanted["texts"]
    assert [len(u.words) for u in lines] == wanted["words"]
    untimed = sum(1 for u in lines for word in u.words if word.start_ms is None)
    assert untimed == wanted["untimed_words"]


def test_reported_teams_text_keeps_speakers_and_starts(shared):
    lines, wanted = expected(shared, "teams_txt_minutes_seconds")
    assert [
        {"speaker": u.speaker, "start": u.start_ms // 1000, "text": u.text} for u in lines
    ] == wanted


def test_french_in_windows_1252_reads_as_the_same_film_in_utf8(shared):
    folder = shared / "data" / "3_subtitles" / "srt"
    old = read_transcript(folder / "pysrt_windows-1252.srt")
    new = read_transcript(folder / "pysrt_utf-8.srt")
    assert (old.encoding, new.encoding) == ("cp1252", "utf-8")
    assert old.utterances == new.utterances


@pytest.mark.parametrize("marked", ["bom-utf-8", "bom-utf-16-be", "bom-utf-16-le", "bom-utf-32-le"])
def test_the_same_captions_in_four_encodings_are_the_same(shared, marked):
    folder = shared / "data" / "3_subtitles" / "srt"
    plain = read_transcript(folder / "pysrt_no-indexes.srt")
    assert read_transcript(folder / f"pysrt_{marked}.srt").utterances == plain.utterances
