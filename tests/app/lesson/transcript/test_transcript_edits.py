from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.errors import Refused
from app.lesson.transcript.edits import edit_speaker, edit_text, rename_speaker
from app.lesson.transcript.records import Flag, Transcript, Utterance, Word

WORDS = (Word("why", 0, 300, 0.9), Word("is", 300, 500, 0.8), Word("that?", 500, 900, 0.7))
LESSON = Transcript(
    (
        Utterance(1, "why is that?", 0, 900, "T", WORDS),
        Utterance(2, "It grew.", 1000, 2000, "Ana"),
        Utterance(3, "Say it.", 2000, 2500, "T", flags=(Flag.LOW_PROBABILITY,)),
    ),
    "import:srt",
    notes=("a note",),
)


def test_words_that_stay_keep_their_times_and_new_ones_have_none():
    line = edit_text(LESSON, 1, "Why was  that?").utterances[0]
    assert line.text == "Why was that?"
    assert line.words == (Word("Why", 0, 300, 0.9), Word("was"), Word("that?", 500, 900, 0.7))
    assert line.flags == (Flag.UNTIMED_WORDS,)
    assert (line.number, line.start_ms, line.end_ms, line.speaker) == (1, 0, 900, "T")


def test_wholly_new_text_drops_all_word_times():
    line = edit_text(LESSON, 1, "Good morning").utterances[0]
    assert (line.words, line.flags) == ((), (Flag.UNTIMED_WORDS,))


def test_text_without_word_times_stays_unflagged_and_other_flags_stay():
    assert edit_text(LESSON, 2, "It grew up.").utterances[1].flags == ()
    assert edit_text(LESSON, 3, "Say more.").utterances[2].flags == (Flag.LOW_PROBABILITY,)


def test_every_edit_leaves_the_old_transcript_as_it_was():
    before = repr(LESSON)
    edit_text(LESSON, 1, "So?")
    edit_speaker(LESSON, 2, "Ben")
    rename_speaker(LESSON, "T", "Ms Okoro")
    assert repr(LESSON) == before


def test_a_speaker_is_set_for_one_line():
    found = edit_speaker(LESSON, 3, " Ana ")
    assert [u.speaker for u in found.utterances] == ["T", "Ana", "Ana"]
    assert edit_speaker(LESSON, 3, "").utterances[2].speaker == ""


def test_a_speaker_is_renamed_in_every_line_and_may_join_another():
    assert [u.speaker for u in rename_speaker(LESSON, "T", "Ms Okoro").utterances] == [
        "Ms Okoro",
        "Ana",
        "Ms Okoro",
    ]
    assert {u.speaker for u in rename_speaker(LESSON, "Ana", "T").utterances} == {"T"}


@pytest.mark.parametrize(
    ("edit", "told"),
    [
        (lambda: edit_text(LESSON, 9, "x"), "no utterance 9"),
        (lambda: edit_speaker(LESSON, 0, "x"), "no utterance 0"),
        (lambda: edit_text(LESSON, 1, " \n "), "without words"),
        (lambda: rename_speaker(LESSON, "Nobody", "x"), "Nobody called “Nobody”"),
        (lambda: rename_speaker(LESSON, "T", " "), "needs a name"),
    ],
)
def test_what_cannot_be_edited_is_refused(edit, told):
    with pytest.raises(Refused, match=told):
        edit()


@given(st.text(max_size=60))
def test_an_edit_never_invents_a_time(text):
    try:
        line = edit_text(LESSON, 1, text).utterances[0]
    except Refused:
        return
    known = {(w.start_ms, w.end_ms) for w in WORDS} | {(None, None)}
    assert {(w.start_ms, w.end_ms) for w in line.words} <= known
    assert not line.words or [w.text for w in line.words] == line.text.split()
