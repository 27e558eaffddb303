from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.lesson.clip_proposals import LONGEST_MS, PROPOSED_BY, propose_clips
from app.lesson.spans import Span
from app.lesson.transcript.read import read_transcript
from app.lesson.transcript.records import Flag, Utterance


def talk(gaps_s, *, words=8, speaker="T", timed=True):
    """Utterances of four seconds, each after the gap given."""
    lines, now = [], 0
    for number, gap_s in enumerate(gaps_s, 1):
        now += int(gap_s * 1_000)
        times = (now, now + 4_000) if timed else (None, None)
        lines.append(Utterance(number, " ".join(["word"] * words), *times, speaker))
        now += 4_000
    return tuple(lines)


def held(clips):
    return [(clip.first, clip.last) for clip in clips]


def test_a_long_pause_parts_two_activities():
    clips = propose_clips(talk([0, *[1] * 19, 20, *[1] * 19]), None, None)
    assert held(clips) == [(1, 20), (21, 40)]
    assert (clips[0].start_ms, clips[0].end_ms) == (0, 99_000)
    assert clips[1].start_ms == 119_000
    assert {clip.proposed_by for clip in clips} == {PROPOSED_BY}


def test_a_change_of_topic_parts_two_activities_without_any_pause():
    lines = talk([0] * 60)
    vectors = np.zeros((60, 4), dtype=np.float32)
    vectors[:27, 0] = vectors[27:, 1] = 1.0
    assert held(propose_clips(lines, None, vectors)) == [(1, 27), (28, 60)]


def test_a_change_in_who_speaks_parts_two_activities():
    lines = talk([0] * 33) + tuple(
        Utterance(n, "word " * 8, (n - 1) * 4_000, n * 4_000, f"S{n % 2}") for n in range(34, 61)
    )
    assert held(propose_clips(lines, None, None)) == [(1, 33), (34, 60)]


def test_an_ordinary_lesson_gets_clips_of_about_half_a_minute_to_four_minutes():
    gaps = np.random.default_rng(5).exponential(1.5, 600)
    clips = propose_clips(talk(gaps), None, None)
    lengths = [clip.span.duration_ms for clip in clips]
    assert 30_000 <= np.median(lengths) <= 240_000
    assert max(lengths) <= LONGEST_MS


def test_a_transcript_without_times_is_cut_by_words():
    clips = propose_clips(talk([0] * 200, timed=False), None, None)
    assert all(clip.span is None for clip in clips)
    words = [8 * (clip.last - clip.first + 1) for clip in clips]
    assert 150 <= np.median(words) <= 600


def test_one_time_that_runs_backwards_leaves_the_clips_their_times():
    lines = list(talk([0, *[1] * 19, 20, *[1] * 19]))
    lines[9] = replace(lines[9], start_ms=200, end_ms=900)
    (first, second) = propose_clips(lines, None, None)
    assert held((first, second)) == [(1, 20), (21, 40)]
    assert first.span == Span(0, 99_000)
    assert second.span == Span(119_000, 218_000)


def test_a_clip_has_the_times_of_its_timed_lines_or_none():
    lines = list(talk([0, *[1] * 199]))
    lines[5:190] = [replace(line, start_ms=None, end_ms=None) for line in lines[5:190]]
    clips = propose_clips(lines, None, None)
    assert {clip.span is None for clip in clips} == {True, False}
    for clip in clips:
        timed = [line for line in lines[clip.first - 1 : clip.last] if line.start_ms is not None]
        assert (clip.start_ms is not None) == bool(timed)
        assert not timed or clip.start_ms == timed[0].start_ms


def test_a_clip_ends_where_the_lines_of_the_next_begin_by_their_words():
    lines = [Utterance(n, "word " * 8, None) for n in range(1, 162)]
    lines[0] = replace(lines[0], start_ms=0)
    lines[160] = replace(lines[160], start_ms=800_000)
    first, *between, last = propose_clips(lines, Span(0, 810_000), None)
    # 160 lines of eight words over 800 s: five seconds a line.
    assert first.span == Span(0, first.last * 5_000)
    assert between
    assert all(clip.span is None for clip in between)
    assert last.span == Span(800_000, 810_000)


@pytest.mark.shared
def test_a_real_transcript_whose_times_run_backwards_once_has_clips_with_times(shared):
    name = "data/2_classroom_transcripts/talkmoves/Towers_3_Grade_4.xlsx"
    lines = read_transcript(shared / name).utterances
    clips = propose_clips(lines, None, None)
    assert all(clip.span for clip in clips)
    assert clips[-1].span.end_ms == 354_000


def test_a_short_lesson_is_one_clip():
    assert held(propose_clips(talk([0, 1, 1]), None, None)) == [(1, 3)]


def test_nothing_sound_gives_no_clips():
    assert propose_clips((), None, None) == ()
    assert propose_clips((Utterance(1, "Thanks", flags=(Flag.INVENTED,)),), None, None) == ()


def test_times_are_held_to_the_recording():
    lines = (Utterance(1, "We begin", -500, 4_000), Utterance(2, "and end here", 4_000, None))
    (clip,) = propose_clips(lines, Span(0, 9_000), None)
    assert clip.span == Span(0, 9_000)


def test_proposals_do_not_change_from_one_time_to_the_next():
    lines = talk(np.random.default_rng(7).exponential(2.0, 300))
    assert propose_clips(lines, None, None) == propose_clips(lines, None, None)


times = st.one_of(st.none(), st.integers(0, 500_000))


@st.composite
def transcripts(draw):
    count = draw(st.integers(1, 40))
    lines = []
    for number in range(1, count + 1):
        start_ms = draw(times)
        length_ms = draw(st.one_of(st.none(), st.integers(0, 60_000)))
        end_ms = None if start_ms is None or length_ms is None else start_ms + length_ms
        flags = draw(st.sampled_from([(), (), (), (Flag.REPEATED,), (Flag.NO_TIME,)]))
        lines.append(Utterance(number, "what we saw", start_ms, end_ms, "T", flags=flags))
    if draw(st.booleans()) and all(line.start_ms is not None for line in lines):
        starts = sorted(line.start_ms for line in lines)
        lines = [Utterance(n, "so", s, None) for n, s in enumerate(starts, 1)]
    return tuple(lines)


@given(transcripts(), st.booleans())
def test_every_sound_utterance_lies_in_exactly_one_clip(lines, with_vectors):
    vectors = None
    if with_vectors:
        vectors = np.random.default_rng(1).normal(size=(len(lines), 3)).astype(np.float32)
    clips = propose_clips(lines, Span(0, 600_000), vectors)
    for line in lines:
        holding = [c for c in clips if c.first <= line.number <= c.last]
        assert len(holding) == 1 if line.is_sound else len(holding) <= 1
    assert len({c.clip_id for c in clips}) == len(clips)
    spans = [c.span for c in clips if c.span]
    for one, other in pairwise(spans):
        assert one.end_ms <= other.start_ms


@pytest.mark.parametrize("count", [1, 2, 3])
def test_very_few_utterances_are_no_obstacle(count):
    vectors = np.eye(4, dtype=np.float32)[:count]
    assert held(propose_clips(talk([0] * count), None, vectors)) == [(1, count)]


def test_a_silence_counts_less_where_silences_are_ordinary():
    pauses = [1] * 19 + [5] + [1] * 20
    (first, second) = propose_clips(talk([0, *pauses]), None, None)
    assert (first.last, second.first) == (20, 21)
    silent = [5] * 40
    assert len(propose_clips(talk([0, *silent]), None, None)) < 40 // 4
