import json
from dataclasses import replace

import pytest

from app.coding.pick import Pick
from app.coding.records import Citation, Verdict
from app.errors import StoreRefused
from app.scoring.scored import Code
from views.lesson.session import Session


@pytest.fixture
def session(desk, stand_in, qtbot):
    made = Session(desk)
    made.refusals = []
    made.refused.connect(made.refusals.append)
    made.lesson_id = stand_in.add_sample(desk.library)
    assert made.open(made.lesson_id)
    return made


def clip(session, place=0):
    return session.review.clips[place]


def standing(session, place=0):
    return session.review.decision_for(clip(session, place).clip_id)


def test_accepting_stores_the_code_that_was_on_the_screen(session, desk):
    assert session.accept(clip(session), "clear")
    stored = desk.library.lesson(session.lesson_id).decisions[-1]
    assert (stored.verdict, stored.practice, stored.level) == (Verdict.ACCEPT, "D1", 2)
    assert (stored.author, stored.note, stored.blind) == ("AK", "clear", False)
    assert stored.coder == "evidence-finder/1"


def test_an_own_code_like_the_suggestion_counts_as_accepting_it(session):
    session.set_code(clip(session), "D1", 2, "")
    assert standing(session).verdict is Verdict.ACCEPT
    session.set_code(clip(session), "D2", 3, "")
    assert standing(session).verdict is Verdict.CORRECT


@pytest.mark.parametrize(
    ("practice", "level", "missing"), [("", None, "practice"), ("D1", None, "level")]
)
def test_a_half_picked_code_is_not_stored(session, practice, level, missing):
    assert not session.set_code(clip(session), practice, level, "")
    assert missing in session.refusals[0].message
    assert standing(session) is None


def test_a_decision_made_before_the_label_was_seen_says_so_for_good(desk, stand_in, qtbot):
    desk.settings.blind = True
    lesson_id = stand_in.add_sample(desk.library)
    session = Session(desk)
    session.open(lesson_id)
    assert not session.accept(clip(session), "")
    assert session.set_code(clip(session), "D3", 1, "")
    assert standing(session).blind
    # Now the label is on the screen: a second thought is no longer blind.
    session.set_code(clip(session), "D1", 2, "")
    assert not standing(session).blind


def test_a_label_once_seen_is_never_blind_again_even_after_a_restart(session, desk, qtbot):
    desk.settings.blind = True
    session.reload()
    again = Session(desk)
    again.open(session.lesson_id)
    again.set_code(clip(again), "D3", 1, "")
    assert not standing(again).blind


def test_undoing_a_blind_decision_does_not_make_the_next_one_blind(desk, stand_in, qtbot):
    desk.settings.blind = True
    session = Session(desk)
    session.open(stand_in.add_sample(desk.library))
    session.set_code(clip(session), "D3", 1, "")
    session.undo()
    assert standing(session) is None
    session.set_code(clip(session), "D1", 2, "")
    assert not standing(session).blind


def test_undo_and_redo_name_what_they_do(session):
    session.accept(clip(session), "")
    assert "D1" in session.undo_words()
    session.undo()
    assert standing(session) is None
    assert "D1" in session.redo_words()
    session.redo()
    assert standing(session).practice == "D1"


def test_a_note_waits_for_its_decision_and_outlives_the_program(session, desk, qtbot):
    session.keep_draft(clip(session).clip_id, "look again")
    later = Session(desk)
    later.open(session.lesson_id)
    assert later.note_for(clip(later).clip_id) == "look again"
    later.accept(clip(later), "look again")
    assert standing(later).note == "look again"
    later.undo()
    assert later.note_for(clip(later).clip_id) == ""


def test_a_note_added_later_leaves_the_decision_as_it_was_made(desk, stand_in, qtbot):
    desk.settings.blind = True
    session = Session(desk)
    session.open(stand_in.add_sample(desk.library))
    session.set_code(clip(session), "D3", 1, "")
    before = standing(session)
    assert session.keep_note(clip(session), "because of line 5")
    after = standing(session)
    assert replace(after, note="", made_at="") == replace(before, note="", made_at="")
    assert after.note == "because of line 5"


def test_without_a_name_nothing_is_changed(session, desk, qtbot):
    desk.settings.author = ""
    with qtbot.waitSignal(session.author_missing):
        assert not session.accept(clip(session), "")
    assert standing(session) is None


def test_a_library_that_refuses_leaves_everything_as_it_was(session, desk, monkeypatch):
    def refuse(*_):
        raise StoreRefused("The disk is full.", "Free some space and try again.")

    monkeypatch.setattr(desk.library, "decide", refuse)
    assert not session.accept(clip(session), "clear")
    assert session.refusals[0].message == "The disk is full."
    assert standing(session) is None


def test_clips_are_split_merged_and_moved_and_undone(session):
    first = clip(session)
    middle = (first.start_ms + first.end_ms) // 2
    assert session.split_clip(first, middle, 0)
    assert [c.start_ms for c in session.review.clips[:2]] == [first.start_ms, middle]
    assert session.merge_clip(clip(session))
    assert (clip(session).start_ms, clip(session).end_ms) == (first.start_ms, first.end_ms)
    assert session.move_clip(clip(session).clip_id, first.start_ms, middle)
    assert clip(session).end_ms == middle
    for _ in range(3):
        session.undo()
    assert clip(session) == first


def test_lines_speakers_and_notes_are_mended_and_the_original_stays(session):
    session.edit_text(6, "I think the can leaks.")
    session.rename_speaker("Robin", "Student A")
    session.set_role("Maya", "student")
    session.set_note("A calm lesson.")
    review = session.review
    line = review.transcript.utterances[5]
    assert (line.text, line.speaker) == ("I think the can leaks.", "Student A")
    assert review.original.utterances[5].speaker == "Robin"
    assert review.roles["Maya"].value == "student"
    assert review.note == "A calm lesson."


def test_the_last_clip_has_nothing_to_merge_with(session):
    assert not session.merge_clip(session.review.clips[-1])
    assert "no clip after" in session.refusals[0].message


def test_further_codes_and_citations_go_with_the_decision(session):
    pick = Pick("D3", 1, (Code("D1", 2),), (Citation("I think", (2,), 0, 10),))
    assert session.set_code(clip(session), "D3", 1, "", pick)
    assert standing(session).also == (Code("D1", 2),)
    assert standing(session).evidence == pick.cites
    assert session.pick_for(clip(session).clip_id) == pick
    # The suggestion's practice takes the first place; it is not a further code as well.
    assert session.accept(clip(session), "", pick)
    assert standing(session).codes == (Code("D1", 2),)
    assert session.reject(clip(session), "", pick)
    assert (standing(session).codes, standing(session).evidence) == ((), pick.cites)


def test_what_is_picked_outlives_the_program_and_is_let_go_once_committed(session, desk, qtbot):
    pick = Pick("D2", None, (Code("BI"),), (Citation("", (), 1, 2, "a wet can"),))
    session.keep_pick(clip(session).clip_id, pick)
    later = Session(desk)
    later.open(session.lesson_id)
    assert later.pick_for(clip(later).clip_id) == pick
    assert later.has_begun(clip(later).clip_id)
    later.set_code(clip(later), "D2", 3, "", pick)
    assert not later.has_begun(clip(later).clip_id)
    assert later.pick_for(clip(later).clip_id).level == 3


def test_picking_what_stands_again_is_no_draft(session):
    session.set_code(clip(session), "D2", 3, "")
    session.keep_pick(clip(session).clip_id, Pick("D3", 3))
    session.keep_pick(clip(session).clip_id, Pick("D2", 3))
    assert not session.has_begun(clip(session).clip_id)


def test_another_reviewer_finds_their_own_drafts_and_never_those_of_the_first(session, desk):
    name = clip(session).clip_id
    session.keep_draft(name, "surely D3")
    session.keep_pick(name, Pick("D3", 1))
    desk.settings.author = "BM"
    session.reload()
    assert session.note_for(name) == ""
    assert session.pick_for(name) == Pick()
    session.keep_draft(name, "rather D1")
    desk.settings.author = "AK"
    session.reload()
    assert (session.note_for(name), session.pick_for(name)) == ("surely D3", Pick("D3", 1))


def test_what_is_typed_while_the_reviewer_changes_stays_with_who_typed_it(session, desk):
    name = clip(session).clip_id
    desk.settings.author = "BM"
    session.keep_draft(name, "typed by AK")
    session.reload()
    assert session.note_for(name) == ""
    desk.settings.author = "AK"
    session.reload()
    assert session.note_for(name) == "typed by AK"


def test_a_note_typed_before_a_name_was_given_goes_to_who_gives_it(session, desk):
    desk.settings.author = ""
    session.reload()
    name = clip(session).clip_id
    session.keep_draft(name, "look again")
    desk.settings.author = "AK"
    session.reload()
    assert session.note_for(name) == "look again"
    desk.settings.author = "BM"
    session.reload()
    assert session.note_for(name) == ""


def test_notes_that_an_earlier_version_kept_are_found(session, desk):
    name = clip(session).clip_id
    desk.library.set_setting(f"drafts: {session.lesson_id}", json.dumps({name: "from before"}))
    session.reload()
    assert session.note_for(name) == "from before"
    session.accept(clip(session), "from before")
    session.reload()
    assert session.note_for(name) == "from before"
    session.undo()
    assert session.note_for(name) == ""


def test_what_one_reviewer_saw_does_not_spoil_the_blind_code_of_another(session, desk, qtbot):
    # AK looks at everything; BM sits down afterwards and codes blind.
    desk.settings.author, desk.settings.blind = "BM", True
    session.reload()
    session.set_code(clip(session), "D3", 1, "")
    assert standing(session).blind
    desk.settings.author = "AK"
    session.reload()
    session.set_code(clip(session), "D1", 1, "")
    assert not session.review.decisions[-1].blind


def test_who_has_seen_another_persons_code_is_no_longer_blind(desk, stand_in, qtbot):
    session = Session(desk)
    lesson_id = stand_in.add_sample(desk.library, coded=False)
    desk.library.propose_clips(lesson_id, stand_in.CLIPS)
    session.open(lesson_id)
    session.set_code(clip(session), "D3", 1, "")
    desk.settings.author = "BM"
    session.reload()
    desk.settings.blind = True
    session.reload()
    session.set_code(clip(session), "D1", 1, "")
    assert not session.review.decisions[-1].blind


def test_two_first_words_that_differ_leave_the_clip_disputed(session, desk):
    session.set_code(clip(session), "D3", 1, "")
    desk.settings.author = "BM"
    session.reload()
    session.set_code(clip(session), "D1", 2, "")
    assert standing(session) is None
    assert session.review.is_disputed(clip(session).clip_id)
    # Each still finds their own code picked.
    assert session.pick_for(clip(session).clip_id) == Pick("D1", 2)


def test_the_decision_of_another_person_cannot_be_undone(session, desk):
    session.set_code(clip(session), "D3", 1, "")
    desk.settings.author = "BM"
    session.reload()
    assert session.undo_words() == "Correct to D3, level 1 at 0:22, by AK"
    assert not session.undo()
    assert "decision by AK" in session.refusals[0].message
    assert standing(session).practice == "D3"
    desk.settings.author = "AK"
    session.reload()
    assert session.undo()


def test_blind_undo_words_name_no_code_of_another(session, desk):
    session.set_code(clip(session), "D3", 1, "")
    desk.settings.author, desk.settings.blind = "BM", True
    session.reload()
    assert session.undo_words() == "the last change, by AK"
