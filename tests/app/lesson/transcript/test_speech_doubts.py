"""Loops and invented phrases are found; what people really say is left alone."""

from __future__ import annotations

import json

import pytest

from app.lesson.spans import Span
from app.lesson.transcript.doubt import doubts, find_loops, fold, is_invented
from app.lesson.transcript.heard import Heard
from app.lesson.transcript.records import Flag, Word
from app.lesson.transcript.speech import clean_speech

TALK = (Span(0, 10_000),)
SILENT = ()


def heard(text, no_speech=0.01, mean_log_probability=-0.2):
    return Heard(text, 1000, 3000, (), no_speech, mean_log_probability)


@pytest.mark.parametrize(
    "text",
    [
        "got them, " * 40,
        "no no no no no no no no no",
        "I am going to the store " * 3,
        "what is it what is it what is it what is it what is it",
        "ああ" * 60,
    ],
)
def test_a_text_that_is_stuck_is_found(text):
    assert find_loops([text]) == {0}


@pytest.mark.parametrize(
    "text",
    [
        "No, no, no, no!",
        "Two, four, six, eight, ten, twelve.",
        "The ice melts because the particles move, and the particles move because of the heat.",
        "Row, row, row your boat, gently down the stream.",
        "What is it? What is it made of? What is it doing?",
        "",
    ],
)
def test_a_text_that_people_say_is_left_alone(text):
    assert find_loops([text]) == set()


def test_the_same_line_again_and_again_is_found_as_a_whole():
    line = "I'm going to go ahead and do that."
    assert find_loops(["So.", line, line, line, "Then."]) == {1, 2, 3}
    assert find_loops([line, "Well.", line, "Well.", line]) == set()


def test_short_answers_may_come_several_times():
    assert find_loops(["Yes."] * 5) == set()
    assert find_loops(["Yes."] * 8) == set(range(8))


@pytest.mark.parametrize(
    "text",
    [
        "Thanks for watching!",
        "Thank you so much for watching.",
        "Please subscribe to my channel.",
        "Sous-titres réalisés par la communauté d'Amara.org",
        "Untertitel der Amara.org-Community",
        "Subtitles by the Amara.org community",
        "ご視聴ありがとうございました",
        "Продолжение следует...",
        "See you next time.",
    ],
)
def test_stock_phrases_count_as_invented_where_the_signs_agree_and_stand_where_not(text):
    assert is_invented(heard(text), SILENT)
    assert is_invented(heard(text, no_speech=0.5), TALK)
    assert is_invented(heard(text, mean_log_probability=-0.7), TALK)
    assert not is_invented(heard(text), TALK)


def test_an_ordinary_thank_you_needs_stronger_signs():
    assert not is_invented(heard("Thank you.", no_speech=0.7), TALK)
    assert is_invented(heard("Thank you.", no_speech=0.7), (Span(1000, 1600),))


def test_any_words_where_nobody_speaks_are_invented():
    assert is_invented(heard("The mitochondria make energy."), SILENT)
    assert is_invented(heard("The mitochondria make energy."), (Span(2900, 5000),))
    assert not is_invented(heard("The mitochondria make energy."), TALK)
    assert is_invented(heard("The cell.", no_speech=0.7, mean_log_probability=-1.2), TALK)


def test_where_somebody_speaks_is_judged_by_the_words_not_by_the_pause_around_them():
    words = (Word(" Why?", 1000, 1300, 0.9),)
    assert not is_invented(Heard(" Why?", 0, 9000, words), (Span(950, 1320),))


def test_flags_come_for_each_stretch():
    found = doubts(
        [heard("One thing."), heard("la " * 30), Heard("Late.", 20_000, 21_000)],
        Span(0, 10_000),
        (Span(0, 30_000),),
    )
    assert found == [(), (Flag.REPEATED,), (Flag.PAST_END,)]


def test_folding_leaves_words_alone():
    assert fold("  Don't — STOP, Élodie! ") == "don t stop élodie"


@pytest.mark.shared
def test_the_stuck_recording_of_the_world_keeps_its_good_lines_and_loses_the_loop(shared):
    path = shared / "data/3_subtitles/whisper/stuck_loop_apollo11.words.json"
    table = json.loads(path.read_text())
    stretches = [
        Heard(
            s["text"],
            round(s["start"] * 1000),
            round(s["end"] * 1000),
            tuple(
                Word(f" {w['text']}", round(w["start"] * 1000), round(w["end"] * 1000))
                for w in s["words"]
            ),
            s["no_speech_prob"],
            s["avg_logprob"],
        )
        for s in table["segments"]
    ]
    sound = Span(0, 89_208)
    transcript = clean_speech(stretches, sound, [sound], source="speech:test")
    looped = [u for u in transcript.utterances if "got them, got them" in u.text]
    assert looped
    assert all(Flag.REPEATED in u.flags and not u.is_sound for u in looped)
    sound_lines = " ".join(u.text for u in transcript.utterances if u.is_sound)
    assert "got them" not in sound_lines
    assert "Apollo 11, Houston" in sound_lines
    assert "marked as repeated" in " ".join(transcript.notes)
    assert all(u.end_ms <= 89_208 for u in transcript.utterances if u.is_sound)
