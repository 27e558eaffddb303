"""Speech to text on speech whose words and times are known, and on sound without any."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from app.errors import Cancelled, MediaRefused, Refused
from app.lesson.transcript.doubt import fold
from app.lesson.transcript.records import Flag
from app.running.child import Child
from app.running.protocols import no_report
from engines import whisper
from engines.away import ChildEmbedder, ChildTranscriber
from engines.cores import physical_cores
from engines.minilm import MiniLM
from engines.whisper import FasterWhisper, find_speech

ROOT = Path(__file__).parents[2]
ICE = ROOT / "tests/data/speech/ice.ogg"
LINES = [  # from tests/data/speech/SOURCES.md
    (1000, 4560, "Good morning. Today we will look at why ice melts."),
    (5500, 9310, "What do you think happens to the tiny parts inside the ice?"),
    (10500, 14250, "They start to move faster and the ice turns into water."),
    (17500, 21070, "How do you know? Show me the evidence in your notebook."),
]
RATE = 16_000


def hear(samples, start_ms=0):
    return FasterWhisper().hear(samples, start_ms, no_report, threading.Event())


def listen(path):
    from faster_whisper.audio import decode_audio

    return decode_audio(str(path))


def word_errors(said, heard):
    """Fewest words to change, add or leave out, over the words said."""
    row = list(range(len(heard) + 1))
    for i, word in enumerate(said, start=1):
        last, row[0] = row[0], i
        for j, other in enumerate(heard, start=1):
            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (word != other))
    return row[-1] / len(said)


@pytest.mark.parametrize(
    "samples",
    [
        np.zeros(RATE * 12, np.float32),
        np.random.default_rng(3).normal(0, 0.02, RATE * 12).astype(np.float32),
        np.random.default_rng(4).normal(0, 0.4, RATE * 12).clip(-1, 1).astype(np.float32),
        (0.3 * np.sin(np.arange(RATE * 12) * 440 * 2 * np.pi / RATE)).astype(np.float32),
        np.zeros(0, np.float32),
        np.zeros(100, np.float32),
    ],
    ids=["silence", "soft noise", "loud noise", "a tone", "no sound at all", "a click"],
)
def test_where_nobody_speaks_nothing_is_written_and_that_is_said(samples):
    transcript = hear(samples)
    assert transcript.utterances == ()
    assert transcript.notes == ("No speech was found in the sound.",)


@pytest.mark.shared
def test_an_empty_recording_of_the_world_gives_no_line(shared):
    assert hear(listen(shared / "data/3_subtitles/whisper/empty.mp3")).utterances == ()


@pytest.mark.slow
def test_known_speech_is_written_down_with_its_words_and_times():
    transcript = FasterWhisper().transcribe(str(ICE), no_report, threading.Event())
    assert (transcript.language, transcript.source) == ("en", "speech:whisper-base")
    said = fold(" ".join(text for _, _, text in LINES)).split()
    heard = fold(" ".join(u.text for u in transcript.utterances)).split()
    assert word_errors(said, heard) < 0.08
    for start, end, text in LINES:
        first = next(u for u in transcript.utterances if abs(u.start_ms - start) <= 300)
        last = next(u for u in transcript.utterances if abs(u.end_ms - end) <= 350)
        assert first.number <= last.number
        assert fold(last.text).split()[-1] == fold(text).split()[-1]
    assert all(u.is_sound and u.words for u in transcript.utterances)
    assert [u.number for u in transcript.utterances] == list(
        range(1, len(transcript.utterances) + 1)
    )


@pytest.mark.slow
def test_times_are_on_the_clock_of_the_media():
    samples = listen(ICE)[: 5 * RATE]
    plain, late = hear(samples), hear(samples, start_ms=7_000)
    assert [u.text for u in late.utterances] == [u.text for u in plain.utterances]
    for one, other in zip(plain.utterances, late.utterances, strict=True):
        assert (other.start_ms, other.end_ms) == (one.start_ms + 7000, one.end_ms + 7000)
        assert other.words[0].start_ms == one.words[0].start_ms + 7000


@pytest.mark.slow
@pytest.mark.shared
def test_lines_of_real_people_start_where_people_marked_them(shared):
    folder = shared / "data/3_subtitles/other"
    marked = [
        float(line.split()[3]) * 1000
        for line in (folder / "pyannote_sample.rttm").read_text().splitlines()
    ]
    transcript = hear(listen(folder / "pyannote_sample.wav"))
    starts = [u.start_ms for u in transcript.utterances]
    # Of ten turns marked by hand, one starts inside another person's words.
    near = [mark for mark in marked if min(abs(mark - start) for start in starts) <= 300]
    assert len(near) >= 8
    assert "originally from Chicago" in " ".join(u.text for u in transcript.utterances)
    assert all(0 <= u.start_ms <= u.end_ms <= 30_000 for u in transcript.utterances)


@pytest.mark.slow
def test_the_same_sound_gives_the_same_transcript():
    samples = listen(ICE)
    assert hear(samples) == hear(samples)


@pytest.mark.slow
def test_long_sound_is_heard_in_pieces_that_meet(monkeypatch):
    monkeypatch.setattr(whisper, "PIECE_S", 6)
    monkeypatch.setattr(whisper, "LONG_PAUSE", RATE // 2)
    transcript = hear(listen(ICE))
    heard = fold(" ".join(u.text for u in transcript.utterances)).split()
    said = fold(" ".join(text for _, _, text in LINES)).split()
    assert word_errors(said, heard) < 0.1
    assert min(abs(u.start_ms - 17_500) for u in transcript.utterances) <= 300


@pytest.mark.slow
def test_a_stop_is_heard_between_segments_and_progress_rises():
    stop, heard = threading.Event(), []

    def report(share, doing):
        heard.append((share, doing))
        if doing.startswith("hearing"):
            stop.set()

    with pytest.raises(Cancelled):
        FasterWhisper().hear(listen(ICE), 0, report, stop)
    shares = [share for share, _ in heard]
    assert shares == sorted(shares)
    assert re.fullmatch(r"hearing speech, 0:\d\d of 0:23", heard[-1][1])


@pytest.mark.parametrize(("word_ms", "kept"), [(60, 0), (250, 1)])
def test_a_blip_is_no_speech_but_the_shortest_word_is(word_ms, kept):
    assert len(whisper._widened([{"start": 16_000, "end": 16_000 + 16 * word_ms}], 99_000)) == kept


def test_voice_is_found_where_it_is():
    found = [(c["start"] / 16, c["end"] / 16) for c in find_speech(listen(ICE))]
    assert abs(found[0][0] - 1000) < 150
    assert abs(found[-1][1] - 21_070) < 350
    assert not any(start < 16_500 < end for start, end in found)


def test_a_model_that_cannot_be_loaded_is_refused(tmp_path):
    (tmp_path / "model.bin").write_bytes(b"\1\0\0\0" * 500_000)
    (tmp_path / "config.json").write_text('{"suppress_ids": []}')
    (tmp_path / "tokenizer.json").write_text("{}")
    (tmp_path / "vocabulary.txt").write_text("a\n")
    with pytest.raises(Refused, match="cannot be loaded"):
        FasterWhisper(tmp_path).hear(listen(ICE)[: 3 * RATE], 0, no_report, threading.Event())


NO_NETWORK = """
import sys, threading
def forbid(event, args):
    if event.startswith("socket."):
        raise SystemExit(f"the network was touched: {event}")
import socket
sys.addaudithook(forbid)
from faster_whisper.audio import decode_audio
from engines.minilm import embed
from engines.whisper import FasterWhisper
print(embed(["a"]).shape, FasterWhisper().facts().offline)
sound = decode_audio(sys.argv[1])[:5 * 16000]
print(len(FasterWhisper().hear(sound, 0, lambda *_: None, threading.Event()).utterances))
"""


@pytest.mark.slow
def test_neither_engine_touches_the_network():
    done = subprocess.run(
        [sys.executable, "-c", NO_NETWORK, str(ICE)], cwd=ROOT, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[0] == "(1, 384) True"


def test_there_is_at_least_one_core():
    assert 1 <= physical_cores() <= 4096


@pytest.mark.slow
def test_in_the_child_both_engines_say_what_they_say_here(tmp_path):
    texts = ["Why do you think so?", "Water boils."]
    with Child(log=tmp_path / "log") as child:
        assert np.array_equal(ChildEmbedder(child).embed(texts), MiniLM().embed(texts))
        assert ChildEmbedder(child).facts() == MiniLM().facts()
        away, here = ChildTranscriber(child), FasterWhisper()
        assert away.facts() == here.facts()
        heard = []
        transcript = away.transcribe(str(ICE), lambda *said: heard.append(said), threading.Event())
        assert transcript == here.transcribe(str(ICE), no_report, threading.Event())
        assert heard[-1][1].startswith("hearing speech")
        with pytest.raises(MediaRefused):
            away.transcribe(str(ROOT / "pyproject.toml"), no_report, threading.Event())
    assert Flag.LOW_PROBABILITY not in transcript.utterances[0].flags
