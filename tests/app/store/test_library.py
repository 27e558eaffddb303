from __future__ import annotations

import pytest

from app.coding.records import Decision, Verdict
from app.errors import StoreRefused
from app.lesson.clips import Clip
from app.lesson.transcript.records import Role, Transcript, Utterance
from app.store.library import Library
from app.store.records import JobState


def decision(clip, practice="D1", note=""):
    return Decision(
        clip, Verdict.ACCEPT, practice, 2, "Ann", "2026-11-29T10:00:00.000Z", note, True, "e/1"
    )


def test_a_lesson_comes_back_after_the_program_was_closed(path, transcript, clip):
    with Library.open(path) as library:
        lesson_id = library.add_lesson("Ice", None, transcript, {"T": Role.TEACHER})
        library.propose_clips(lesson_id, [clip])
        library.decide(lesson_id, decision(clip))
    with Library.open(path) as library:
        review = library.lesson(lesson_id)
    assert review.transcript == review.original == transcript
    assert review.roles == {"T": Role.TEACHER}
    assert review.clips == (clip,)
    assert review.decisions == (decision(clip),)


def test_an_unknown_lesson_is_refused_by_name(library):
    with pytest.raises(StoreRefused, match="no lesson nowhere"):
        library.lesson("nowhere")


def test_the_list_counts_what_waits_for_review(library, transcript, clip, recording):
    second = Clip("c2", 3, 3, 3500, 5000)
    lesson_id = library.add_lesson("Ice", recording, transcript)
    library.propose_clips(lesson_id, [clip, second])
    library.decide(lesson_id, decision(clip))
    library.decide(lesson_id, decision(clip, "D2"))
    (row,) = library.lessons()
    assert (row.clips, row.coded, row.decided) == (2, 0, 1)
    assert (row.media_found, row.duration_ms, row.has_transcript) == (True, 5000, True)
    library.undo(lesson_id)
    library.undo(lesson_id)
    assert library.lessons()[0].decided == 0


def test_a_correction_stands_beside_the_earlier_decision(library, transcript, clip):
    lesson_id = library.add_lesson("Ice", None, transcript)
    library.decide(lesson_id, decision(clip, "D1"))
    library.decide(lesson_id, decision(clip, "D3"))
    review = library.lesson(lesson_id)
    assert [d.practice for d in review.decisions] == ["D1", "D3"]
    assert review.decision_for("c1").practice == "D3"


def test_undo_names_what_it_takes_back_and_redo_brings_it_again(library, transcript, clip):
    lesson_id = library.add_lesson("Ice", None, transcript)
    library.decide(lesson_id, decision(clip))
    library.rename_speaker(lesson_id, "T", "Ms Okoro")
    assert library.undo(lesson_id) == "Rename speaker T to Ms Okoro"
    assert library.can_undo(lesson_id) == "Accept D1, level 2 at 0:00"
    assert library.redo(lesson_id) == "Rename speaker T to Ms Okoro"
    assert library.can_redo(lesson_id) is None
    assert library.lesson(lesson_id).transcript.utterances[0].speaker == "Ms Okoro"


def test_several_undos_are_redone_in_the_order_in_which_they_were_made(library, transcript):
    lesson_id = library.add_lesson("Ice", None, transcript)
    for text in ("one", "two", "three"):
        library.retitle(lesson_id, text)
    for _ in range(3):
        library.undo(lesson_id)
    redone = [library.redo(lesson_id) for _ in range(4)]
    assert redone == [*(f"Rename the lesson to {text}" for text in ("one", "two", "three")), None]
    library.undo(lesson_id)
    library.undo(lesson_id)
    library.retitle(lesson_id, "four")
    library.undo(lesson_id)
    assert library.redo(lesson_id) == "Rename the lesson to four"
    assert library.redo(lesson_id) is None
    library.undo(lesson_id)
    assert library.lesson(lesson_id).title == "one"


def test_a_new_change_after_an_undo_leaves_nothing_to_redo(library, transcript, clip):
    lesson_id = library.add_lesson("Ice", None, transcript)
    library.decide(lesson_id, decision(clip))
    library.undo(lesson_id)
    library.set_note(lesson_id, "Watch again")
    assert library.redo(lesson_id) is None
    assert [c.undone for c in library.history(lesson_id)] == [True, False]


def test_a_role_follows_the_name_and_the_original_stays(library, transcript):
    lesson_id = library.add_lesson("Ice", None, transcript, {"T": Role.TEACHER})
    library.rename_speaker(lesson_id, "T", "Ms Okoro")
    library.edit_utterance(lesson_id, 2, "Because it's warm.")
    review = library.lesson(lesson_id)
    assert review.roles == {"Ms Okoro": Role.TEACHER}
    assert review.transcript.utterances[1].text == "Because it's warm."
    assert review.original == transcript


def test_typing_the_same_words_again_is_no_change(library, transcript):
    lesson_id = library.add_lesson("Ice", None, transcript)
    library.edit_utterance(lesson_id, 2, "Because it is warm.")
    library.set_utterance_speaker(lesson_id, 2, "S1")
    library.set_note(lesson_id, "")
    library.retitle(lesson_id, "Ice")
    assert library.history(lesson_id) == ()


def test_edits_of_one_transcript_do_not_land_on_another(library, transcript):
    lesson_id = library.add_lesson("Ice", None, transcript)
    library.edit_utterance(lesson_id, 1, "Edited")
    heard = Transcript((Utterance(1, "Heard anew", 0, 900),), "speech:whisper-base")
    library.set_transcript(lesson_id, heard)
    assert library.lesson(lesson_id).transcript == heard
    assert [hit.text for hit in library.search("edited")] == []
    assert library.undo(lesson_id) == "Edit line 1"
    assert library.lesson(lesson_id).transcript == heard


def test_the_programs_clips_never_replace_a_persons(library, transcript, clip):
    lesson_id = library.add_lesson("Ice", None, transcript)
    library.set_clips(lesson_id, [], "Ann", "Remove all clips")
    assert library.propose_clips(lesson_id, [clip]) is False
    assert library.lesson(lesson_id).clips == ()
    library.undo(lesson_id)
    assert library.propose_clips(lesson_id, [clip]) is True
    assert library.propose_clips(lesson_id, [clip]) is False


def test_a_new_transcript_may_bring_new_clips_until_somebody_decided(library, transcript, clip):
    lesson_id = library.add_lesson("Ice", None, transcript)
    library.propose_clips(lesson_id, [clip])
    library.set_transcript(lesson_id, transcript)
    new = Clip("n1", 1, 1, 0, 2000)
    assert library.propose_clips(lesson_id, [new]) is True
    library.decide(lesson_id, decision(new))
    library.set_transcript(lesson_id, transcript)
    assert library.propose_clips(lesson_id, [clip]) is False


def test_a_recording_is_found_beside_a_library_that_moved(tmp_path, transcript, recording):
    home = tmp_path / "stick"
    home.mkdir()
    media = home / "video.mp4"
    media.write_bytes(b"not a video")
    facts = type(recording)(str(media), 11, "a" * 64, "mov,mp4", 0, 5000, None, None)
    with Library.open(home / "a.clerestory") as library:
        lesson_id = library.add_lesson("Ice", facts, transcript)
        assert library.lesson(lesson_id).media == facts
    moved = home.rename(tmp_path / "other stick")
    with Library.open(moved / "a.clerestory") as library:
        review = library.lesson(lesson_id)
        assert review.media_found
        assert review.media.path == str(moved / "video.mp4")
        (moved / "video.mp4").unlink()
        assert not library.lesson(lesson_id).media_found
        elsewhere = tmp_path / "found.mp4"
        elsewhere.write_bytes(b"not a video")
        library.move_media(lesson_id, elsewhere)
        assert library.lessons()[0].media_path == str(elsewhere)
        assert library.find_by_fingerprint("a" * 64) == lesson_id
        assert library.find_by_fingerprint("b" * 64) is None


def test_jobs_left_running_by_a_dead_program_are_interrupted(path):
    first = Library.open(path)
    job_id = first.add_job("coding", "", "Code Ice", {"coder": "e/1", "clips": [1, 2]})
    first.update_job(job_id, state=JobState.RUNNING, share=0.5, doing="clip 3")
    with Library.open(path) as second:
        assert second.jobs()[0].state is JobState.RUNNING  # the first program still lives
    first._let_go()
    with Library.open(path) as later:
        (job,) = later.jobs()
    assert (job.state, job.share, job.doing) == (JobState.INTERRUPTED, 0.5, "clip 3")
    assert job.arguments == {"coder": "e/1", "clips": [1, 2]}


def test_a_setting_stays_with_the_library(path):
    with Library.open(path) as library:
        assert library.setting("blind", "no") == "no"
        library.set_setting("blind", "yes")
        library.set_setting("blind", "always")
    with Library.open(path) as library:
        assert library.setting("blind") == "always"
