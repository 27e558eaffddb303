"""What goes into a set and what stays out: balanced, named anew, with every reason counted."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from curated_stand_in import both, experts, review, word

from app.confusion.consent import Consent
from app.confusion.curation import candidates_of, standings_of
from app.confusion.records import EventDecision, EventVerdict
from app.confusion.sets import (
    NO_FILE,
    NOT_DECIDED,
    STILL_OPEN,
    Source,
    plan_localization,
    plan_recognition,
)

#                0    5    10   15
WINDOWS = "mmmmmmmm--------------------"


def library():
    videos = [
        review("v1", "l1", a=WINDOWS),
        review("v2", "l1", a="m-" + "-" * 40),
        review("v3", "l2", a="-" * 40),
    ]
    said = [
        *both("keep", 0), *experts("yes", "yes", 0),
        *both("keep", 2000, criteria=("hand", "brow_lids")), *experts("yes", "yes", 2000),
        *both("keep", 4000), *experts("yes", "yes", 4000),
        *both("keep", 6000), *experts("no", "no", 6000),
        *both("keep", 8000), *experts("unsure", "unsure", 8000),
        *both("keep", 10_000), *experts("yes", "no", 10_000),
        *both("drop", 12_000),
        word("keep", "RA", at=14_000), word("drop", "RB", at=14_000),
    ]  # fmt: skip
    return videos, standings_of(candidates_of(videos), said)


def test_sure_clips_go_in_and_windows_without_a_sign_make_it_balanced():
    videos, standings = library()
    chosen = plan_recognition(videos, standings)
    assert [chosen.number(source) for source in Source] == [3, 1, 2]
    assert chosen.wanted_clear == 2
    labels = Counter(clip.source.label for clip in chosen.clips)
    assert labels == Counter(yes=3, no=3)
    # Both are of the learner who shows confusion, and of both videos of that learner.
    assert chosen_clears(chosen) == {"v1", "v2"}
    two = next(
        clip for clip in chosen.clips if clip.start_ms == 2000 and clip.source.label == "yes"
    )
    assert two.criteria == ("brow_lids", "hand")
    told = dict(chosen.left_out)
    assert told["candidate, dropped by both"] == 1
    assert told["candidate, kept by one, dropped by the other"] == 1
    assert told["candidate, waiting for researchers"] == 1
    assert told["kept clip, both experts unsure"] == 1
    assert told["kept clip, experts differ"] == 1


def test_the_papers_set_has_224_yes_and_as_many_no():
    words = []
    for number in range(301):
        said = "yes" if number < 224 else "unsure" if number < 270 else "no"
        words += [*both("keep", 2000 * number), *experts(said, said, 2000 * number)]
    videos = [review("v1", "l1", a="m" * 301), review("v2", "l2", a="-" * 5 * 300)]
    chosen = plan_recognition(videos, standings_of(candidates_of(videos), words))
    assert [chosen.number(source) for source in Source] == [224, 31, 193]
    assert dict(chosen.left_out)["kept clip, both experts unsure"] == 46
    assert (chosen.people, chosen.researchers[0].value) == ((2, 2), 1.0)


def test_order_and_numbers_say_nothing_of_labels_and_stay_the_same():
    videos, standings = library()
    one, again, other = (plan_recognition(videos, standings, seed=s) for s in (0, 0, 5))
    assert one == again
    assert [c.start_ms for c in one.clips] != [c.start_ms for c in other.clips]
    assert [c.clip_id for c in one.clips] == [f"clip-{n:04}" for n in range(1, 7)]


def test_learners_and_videos_get_names_of_the_set():
    videos, standings = library()
    chosen = plan_recognition(videos, standings)
    assert {source.video for source in chosen.sources} <= {"video-01", "video-02", "video-03"}
    assert len({source.video for source in chosen.sources}) == 2
    assert {source.learner for source in chosen.sources} <= {"learner-01", "learner-02"}
    assert len({source.learner for source in chosen.sources}) == 1
    assert "Name of l1" in chosen.names


def chosen_clears(chosen):
    return {clip.lesson_id for clip in chosen.clips if clip.source is Source.CLEAR}


def test_missing_consent_and_lost_balance_are_warned_of():
    videos, standings = library()
    alone = plan_recognition(videos[:1], standings)
    assert chosen_clears(alone) == {"v1"}
    assert alone.warnings == (
        "Consent is not noted for 1 video of 1. Pass nothing on before you know that it was given, "
        "and for what.",
        "All clips show one learner; nothing can be said of others.",
    )
    consents = {"v1": Consent("signed", "KL", "2026-01-01")}
    assert "Consent" not in " ".join(plan_recognition(videos[:1], standings, (), consents).warnings)
    # Without windows of the first learner the second fills up, and each shows one label alone.
    videos[0] = replace(videos[0], bands=())
    told = plan_recognition([videos[0], videos[2]], standings).warnings
    assert told[-1].startswith("1 of 2 learners show one label alone")
    bare = [replace(videos[0], bands=())]
    assert "not balanced: 3 clips are yes and 1 no" in " ".join(
        plan_recognition(bare, standings).warnings
    )


def test_a_video_that_is_not_there_gives_no_clip():
    videos, standings = library()
    gone = [replace(videos[0], media_found=False), *videos[1:]]
    chosen = plan_recognition(gone, standings)
    assert chosen.clips == ()
    assert dict(chosen.left_out)[f"clip, {NO_FILE} or has no picture"] == 4
    assert "shows no confusion" in " ".join(chosen.warnings)


def decided(start_ms, end_ms, verdict=EventVerdict.CONFIRM, found=None):
    found = found or (None, None)
    reader = "a" if found[0] is not None else ""
    return EventDecision(
        f"e{start_ms}", verdict, start_ms, end_ms, "KL", "2026-01-01", "", reader, *found
    )


def test_videos_come_in_when_every_event_was_decided_on():
    done = review("v1", decisions=[decided(0, 3000, EventVerdict.ADJUST, (0, 2000))], a="m---")
    dismissed = review(
        "v2", decisions=[decided(0, 2000, EventVerdict.DISMISS, (0, 2000))], a="m---"
    )
    still_open = review("v3", decisions=[decided(0, 2000, found=(0, 2000))], a="m--m")
    untouched = review("v4", a="----")
    gone = replace(done, lesson_id="v5", media_found=False)
    chosen = plan_localization([done, dismissed, still_open, untouched, gone])
    events = {video.lesson_id: video.events for video in chosen.videos}
    assert [(e.start_ms, e.end_ms) for e in events["v1"]] == [(0, 3000)]
    assert events["v2"] == ()
    assert len(events) == 2
    assert dict(chosen.left_out) == {STILL_OPEN: 1, NOT_DECIDED: 1, NO_FILE: 1}
    assert chosen.people == 1
    # A video without confusion counts once somebody has said that it was looked through.
    more = plan_localization([untouched, still_open], looked_through=["v3", "v4"])
    assert [video.lesson_id for video in more.videos] == ["v4"]
