from dataclasses import replace

import pytest

from app.coding.review import LessonReview
from app.lesson.transcript.records import Flag, Transcript, Utterance
from views.lesson.next_step import Act, next_step

SOUND = Transcript((Utterance(1, "Why?", 0, 1000, "T"),), "import:srt")
INVENTED = Transcript((Utterance(1, "Bye!", 0, 9, "T", flags=(Flag.INVENTED,)),), "speech:x")
BARE = LessonReview("a", "A lesson", "", None, False, None, None)


def acts(review):
    step = next_step(review)
    return step.acts if step else None


def test_every_state_of_a_lesson_leads_somewhere(stand_in):
    heard = replace(BARE, media=stand_in.media(), media_found=True)
    assert acts(heard) == (Act.HEAR, Act.ADD_TRANSCRIPT)
    assert acts(replace(heard, media_found=False)) == (Act.FIND_MEDIA, Act.ADD_TRANSCRIPT)
    silent = replace(heard, media=stand_in.media(has_sound=False))
    assert acts(silent) == (Act.ADD_TRANSCRIPT,)
    assert acts(replace(heard, transcript=SOUND)) == (Act.CODE, Act.CHOOSE_CODER)
    assert acts(replace(heard, transcript=INVENTED)) == (Act.ADD_TRANSCRIPT,)
    assert acts(replace(heard, transcript=Transcript((), "speech:x"))) == (
        Act.HEAR,
        Act.ADD_TRANSCRIPT,
    )
    coded = replace(heard, transcript=SOUND, predictions=tuple(stand_in.predictions()))
    assert acts(coded) == (Act.CODE, Act.CHOOSE_CODER)
    assert acts(replace(coded, clips=stand_in.CLIPS)) is None


@pytest.mark.parametrize("act", list(Act))
def test_every_act_has_words(act):
    assert act.value[0].isupper()
