"""From what the engine heard to lines: where they are cut, what is drawn in, what is counted."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.lesson.spans import Span
from app.lesson.transcript.heard import Heard
from app.lesson.transcript.records import Flag, Word
from app.lesson.transcript.speech import LONGEST_WORDS, clean_speech

MINUTE = Span(0, 60_000)


def said(text, start_ms=0, word_ms=300, gap_ms=0, probability=0.9, **more):
    """Make a stretch in which every word takes as long, with a gap before each but the first."""
    words, at = [], start_ms
    for token in text.split():
        words.append(Word(f" {token}", at, at + word_ms, probability))
        at += word_ms + gap_ms
    end = words[-1].end_ms if words else start_ms
    return Heard(f" {text}", start_ms, end, tuple(words), **more)


def clean(*heard, sound=MINUTE, speech=(MINUTE,)):
    return clean_speech(heard, sound, speech, source="speech:test")


def texts(transcript):
    return [u.text for u in transcript.utterances]


def test_a_stretch_is_cut_at_the_ends_of_its_sentences():
    transcript = clean(
        said("Why do you think that? The water moved into the cup. Good idea there.")
    )
    assert texts(transcript) == [
        "Why do you think that?",
        "The water moved into the cup.",
        "Good idea there.",
    ]
    assert [(u.number, u.start_ms, u.end_ms) for u in transcript.utterances] == [
        (1, 0, 1500),
        (2, 1500, 3300),
        (3, 3300, 4200),
    ]
    assert transcript.utterances[0].words[0] == Word("Why", 0, 300, 0.9)


def test_a_very_short_sentence_stands_with_the_next_one_but_a_question_stands_alone():
    assert texts(clean(said("Okay. Now look at the ice."))) == ["Okay. Now look at the ice."]
    assert texts(clean(said("Really? Yes it is."))) == ["Really?", "Yes it is."]


def test_a_long_pause_ends_a_line_whatever_the_punctuation():
    before, after = said("so the ice", 0), said("melts here", 2500)
    assert texts(clean(before, after)) == ["so the ice", "melts here"]


def test_a_sentence_that_runs_over_two_stretches_is_one_line():
    assert texts(clean(said("so the ice", 0), said("melts here.", 1000))) == [
        "so the ice melts here."
    ]


def test_titles_do_not_end_a_sentence():
    assert texts(clean(said("Ask Mr. Brown and Dr. Lee about it."))) == [
        "Ask Mr. Brown and Dr. Lee about it."
    ]


def test_a_line_without_any_sentence_end_is_cut_at_its_longest_pause():
    first = said(" ".join(f"a{i}" for i in range(30)), 0)
    second = said(" ".join(f"b{i}" for i in range(30)), first.end_ms + 500)
    lines = clean(first, second).utterances
    assert [len(line.words) for line in lines] == [30, 30]
    assert lines[1].text.startswith("b0")


def test_languages_without_spaces_keep_their_writing():
    words = tuple(
        Word(w, i * 300, i * 300 + 300, 0.9) for i, w in enumerate(["氷", "が", "溶ける。"])
    )
    assert texts(clean(Heard("氷が溶ける。", 0, 900, words))) == ["氷が溶ける。"]


def test_the_pause_before_a_word_is_not_given_to_the_word():
    transcript = clean(said("Morning all.", 0, word_ms=1000), speech=(Span(700, 1900),))
    line = transcript.utterances[0]
    assert (line.start_ms, line.end_ms) == (640, 1960)
    assert [(w.start_ms, w.end_ms) for w in line.words] == [(640, 1000), (1000, 1960)]


def test_ends_past_the_sound_are_cut_and_said():
    transcript = clean(said("one two three four five six", 59_000))
    line = transcript.utterances[0]
    assert (line.start_ms, line.end_ms) == (59_000, 60_000)
    assert all(w.end_ms <= 60_000 for w in line.words)
    assert transcript.notes == ("1 line was cut off at the end of the sound.",)


def test_what_lies_after_the_sound_is_marked_and_never_coded_from():
    transcript = clean(said("and then", 61_000))
    assert Flag.PAST_END in transcript.utterances[0].flags
    assert not transcript.utterances[0].is_sound
    assert "1 line was marked as past the end of the sound" in " ".join(transcript.notes)


def test_lines_without_words_are_left_out_and_counted():
    transcript = clean(said("Right, we go on."), said("...", 3000), Heard(" ♪♪", 5000, 6000))
    assert texts(transcript) == ["Right, we go on."]
    assert transcript.notes == ("2 lines were left out, because no word was in them.",)


def test_nothing_heard_is_said():
    assert clean().notes == ("No speech was found in the sound.",)


def test_a_stretch_without_word_times_is_kept_whole_and_marked():
    transcript = clean(Heard("Who can say? I can.", 1000, 3000))
    assert texts(transcript) == ["Who can say? I can."]
    assert transcript.utterances[0].flags == (Flag.UNTIMED_WORDS,)
    assert transcript.notes == ("1 line was given without times for single words.",)


@pytest.mark.parametrize(
    ("probabilities", "unsure"),
    [
        ((0.9, 0.9, 0.9), False),
        ((0.5, 0.5, 0.6), True),
        ((0.99, 0.99, 0.99, 0.99, 0.1), False),
        ((0.95, 0.95, 0.95, 0.2, 0.2, 0.95), False),
        ((0.99, 0.99, 0.25, 0.25), True),
    ],
)
def test_lines_of_improbable_words_are_marked_unsure(probabilities, unsure):
    words = tuple(Word(" word", i * 300, i * 300 + 300, p) for i, p in enumerate(probabilities))
    heard = Heard(" word" * len(words), 0, len(words) * 300, words)
    flags = clean(heard).utterances[0].flags
    assert (Flag.LOW_PROBABILITY in flags) is unsure


def test_doubt_about_one_stretch_does_not_spread_to_its_neighbour():
    good = said("so the ice melts", 0)
    bad = said("no no no no no no no no no no no no", 1200)
    lines = clean(good, bad).utterances
    assert [u.is_sound for u in lines] == [True, False]


stretches = st.lists(
    st.builds(
        said,
        st.lists(st.sampled_from(["so.", "why?", "water", "ice", "...", "ok!"]), max_size=60).map(
            " ".join
        ),
        start_ms=st.integers(0, 70_000),
        word_ms=st.integers(0, 900),
        gap_ms=st.integers(0, 1500),
        probability=st.floats(0, 1),
    ),
    max_size=6,
)


@given(stretches, st.lists(st.integers(0, 59_000), max_size=5))
def test_whatever_is_heard_gives_numbered_lines_in_order_with_all_its_words(heard, voices):
    speech = [Span(at, at + 400) for at in sorted(set(voices))]
    heard = [h for h in heard if h.start_ms <= h.end_ms]
    transcript = clean(*heard, speech=speech)
    lines = transcript.utterances
    assert [u.number for u in lines] == list(range(1, len(lines) + 1))
    assert all(u.start_ms <= u.end_ms for u in lines)
    assert all(len(u.words) <= LONGEST_WORDS for u in lines)
    assert all(u.end_ms <= 60_000 for u in lines if Flag.PAST_END not in u.flags)
    kept = [word for h in heard for word in h.text.split() if word != "..."]
    assert sorted(w for u in lines for w in u.text.split()) == sorted(kept)
