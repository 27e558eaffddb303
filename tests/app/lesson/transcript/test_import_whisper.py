from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.errors import TranscriptRefused
from app.lesson.transcript.read import read_transcript
from app.lesson.transcript.records import Flag

BUGS = Path(__file__).resolve().parents[3] / "data" / "transcripts" / "bugs"
DIALECTS = ["openai_cli", "api_verbose_json", "whisper_cpp", "whisperx", "hf_chunks"]


@pytest.fixture
def read(tmp_path):
    def read(value):
        path = tmp_path / "a.json"
        path.write_text(json.dumps(value), "utf-8")
        return read_transcript(path)

    return read


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_dialect_gives_the_same_two_lines(dialect):
    found = read_transcript(BUGS / f"whisper_{dialect}.json")
    assert [(u.start_ms, u.end_ms, u.text) for u in found.utterances] == [
        (0, 1000, "Good morning"),
        (1500, 3000, "Sit down"),
    ]
    assert not any(u.flags for u in found.utterances)


def test_an_end_that_is_not_in_the_file_is_not_made_up():
    found = read_transcript(BUGS / "whisper_hf_chunks_open_end.json")
    assert (found.utterances[1].start_ms, found.utterances[1].end_ms) == (1500, None)
    assert found.utterances[1].flags == (Flag.NO_END,)


def test_words_of_the_whole_file_are_shared_out_to_their_lines():
    found = read_transcript(BUGS / "whisper_api_verbose_json.json")
    assert [[w.text for w in u.words] for u in found.utterances] == [
        ["Good", "morning"],
        ["Sit", "down"],
    ]


def test_whisperx_speakers_and_words_without_times_are_kept():
    found = read_transcript(BUGS / "whisperx_untimed_words.json")
    first, second = found.utterances
    assert (first.speaker, first.text) == ("SPEAKER_01", "Table 1. Seat 58. Look")
    assert [w.start_ms for w in first.words] == [629, None, 2131, None, 3992]
    assert [len(u.words) for u in found.utterances] == [5, 3]
    assert first.flags == second.flags == (Flag.UNTIMED_WORDS,)
    assert (second.start_ms, second.end_ms) == (416_338, 416_778)


def test_loops_and_credits_over_silence_are_flagged(read):
    loop = {"start": 0, "end": 1, "text": " I'm sorry."}
    found = read({"segments": [{**loop, "start": i, "end": i + 1} for i in range(5)]})
    assert all(Flag.REPEATED in u.flags for u in found.utterances)
    found = read({"segments": [{"start": 0, "end": 9, "text": "got them, " * 60}]})
    assert found.utterances[0].flags == (Flag.REPEATED,)
    credit = {"start": 0, "end": 2.5, "text": " Thanks for watching!", "no_speech_prob": 0.44}
    assert Flag.INVENTED in read({"segments": [credit]}).utterances[0].flags


def test_a_line_the_engine_was_unsure_of_is_flagged(read):
    found = read({"segments": [{"start": 0, "end": 1, "text": "hm", "avg_logprob": -0.9}]})
    assert found.utterances[0].flags == (Flag.LOW_PROBABILITY,)
    both = {"start": 0, "end": 1, "text": "hm", "avg_logprob": -1.2, "no_speech_prob": 0.7}
    assert Flag.INVENTED in read({"segments": [both]}).utterances[0].flags


def test_single_words_are_put_into_lines(read):
    said = "Why is that? It grew to light."
    chunks = [
        {"text": f" {word}", "timestamp": [i * 0.4, i * 0.4 + 0.3]}
        for i, word in enumerate(said.split())
    ]
    found = read({"text": said, "chunks": chunks})
    assert [u.text for u in found.utterances] == ["Why is that?", "It grew to light."]
    assert found.utterances[1].start_ms == 1200


def test_tutoring_turns_keep_speaker_and_times(read):
    found = read(
        [
            {"start": "00:03.76", "stop": "00:10.48", "speaker": "Tutor", "dialogue": "Why?"},
            {"start": "14:42.04", "stop": "14:43.00", "speaker": "Student", "dialogue": "So."},
        ]
    )
    assert [(u.start_ms, u.end_ms, u.speaker) for u in found.utterances] == [
        (3_760, 10_480, "Tutor"),
        (882_040, 883_000, "Student"),
    ]


def test_whole_numbers_too_slow_for_speech_are_milliseconds(read):
    turns = [
        {
            "start": i * 4000,
            "end": i * 4000 + 3000,
            "speaker": "A",
            "text": "six words are said here now",
        }
        for i in range(20)
    ]
    found = read({"utterances": turns})
    assert found.utterances[1].start_ms == 4000
    assert any("without a unit" in note for note in found.notes)


def test_annotations_of_an_archive_are_read(read):
    def note(text, target):
        body = {"type": "TextualBody", "value": text}
        return {"type": "Annotation", "body": body, "target": target}

    found = read(
        {
            "@context": "http://iiif.io/api/presentation/3/context.json",
            "items": [{"items": [note("Why?", "canvas/1#t=22.2,26.6"), note("x", "canvas/1")]}],
        }
    )
    assert [(u.start_ms, u.end_ms, u.text) for u in found.utterances] == [(22_200, 26_600, "Why?")]


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ({"observations": {}, "behaviors_conf": {}}, "BORIS project"),
        ({"offset": 7}, "no transcript in a.json"),
        ([1, 2], "no transcript in a.json"),
    ],
)
def test_other_json_is_refused(read, value, told):
    with pytest.raises(TranscriptRefused, match=told):
        read(value)


def test_broken_json_is_refused_with_its_line(tmp_path):
    (tmp_path / "cut.json").write_text('{"segments": [\n{"start": 0,}\n]}', "utf-8")
    with pytest.raises(TranscriptRefused, match=r"cut\.json cannot be read as JSON from line 2 on"):
        read_transcript(tmp_path / "cut.json")
