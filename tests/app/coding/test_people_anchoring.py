from people_lessons import agree, decide, decide_all, lesson, predict

from app.coding.people_anchoring import NONE_AGAIN, NONE_BLIND, anchoring

FINDER = "finder/1"
CODED = predict(lesson(5), FINDER, "D1 D1 D1 D2 -")


def blind(codes, review=CODED):
    return decide_all(review, "AK", codes, blind=True, coder=FINDER)


def seen(codes, review):
    return decide_all(review, "AK", codes, coder=FINDER)


def test_agreement_before_and_after_the_suggestion_was_shown():
    # Blind D3 D1 D3 D3; then the first comes round, the second goes away, the third stays.
    found = anchoring([seen("D1 D2 D3 . .", blind("D3 D1 D3 D3 ."))], "AK", FINDER)
    assert (found.before.value, found.before.n) == (1 / 3, 3)
    assert (found.after.value, found.after.n) == (1 / 3, 3)
    assert (found.toward, found.away) == (1, 1)
    assert (found.before_all.value, found.before_all.n) == (0.25, 4)
    assert (found.after_all.value, found.after_all.n) == (0.25, 4)
    assert (found.change.value, found.change.n) == (0.0, 3)
    assert (found.change_all.value, found.change_all.n) == (0.0, 4)
    assert found.change.interval.low < 0 < found.change.interval.high
    assert [clip.number for clip in found.again] == [1, 2, 3]
    assert found.before.interval.low < 1 / 3 < found.before.interval.high


def test_no_practice_on_both_sides_is_agreement():
    found = anchoring([seen(". . . . -", blind(". . . . D1"))], "AK", FINDER)
    assert (found.before.value, found.after.value) == (0.0, 1.0)


def test_the_last_word_before_the_discussion_counts_and_none_after_it():
    made = seen("D2", seen("D1", blind("D3")))
    assert anchoring([made], "AK", FINDER).clips[0].after.practice == "D2"
    talked = decide(agree(blind("D3"), 0, "D1"), "AK", 0, "D1", coder=FINDER)
    assert anchoring([talked], "AK", FINDER).clips[0].after is None


def test_a_suggestion_of_another_coder_does_not_count():
    other = predict(blind("D3"), "other/1", "D2 D2 D2 D2 D2")
    made = decide(other, "AK", 0, "D2", coder="other/1")
    assert anchoring([made], "AK", "other/1").clips == ()
    assert anchoring([made], "AK", FINDER).clips[0].after is None


def test_nothing_to_compare_says_why():
    none = anchoring([seen("D1 D1", CODED)], "AK", FINDER)
    assert none.before_all.reason == NONE_BLIND
    left = anchoring([blind("D1 D3")], "AK", FINDER)
    assert left.before.reason == NONE_AGAIN
    assert left.before_all.value == 0.5
    assert (left.change.reason, left.change_all.value) == (NONE_AGAIN, 0.0)


def test_a_clip_the_coder_failed_on_is_left_out():
    made = predict(blind("D3"), FINDER, "! D1 D1 D2 -")
    assert anchoring([made], "AK", FINDER).clips == ()
