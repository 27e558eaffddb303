"""What goes into a set for others, what stays out, and why: planned before anything is cut.

A set for recognition holds clips of 2 s with yes or no; one for localization holds whole videos
with people's events (ConfusionBench, sections 3.4 and 3.5). Learners and videos get names of the
set's own; no name, title, note or path of the library goes along.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from app.confusion.clear_windows import ClearWindow, balanced, clear_windows
from app.confusion.consent import Consent, name_in
from app.confusion.curation import (
    Counts,
    Curated,
    Standing,
    Validated,
    agreement,
    counts_of,
    mixed,
)
from app.confusion.events import reviewer_events, standing_decisions
from app.confusion.records import Event
from app.confusion.review import LearnerReview, Stage
from app.confusion.stretches import waiting_events
from app.scoring.figures import Figure

NO_FILE = "the recording is not where it was"
NO_PICTURE = "the recording has no picture"
NOT_DECIDED = "nobody has decided about an event in it, or said that it was looked through"
STILL_OPEN = "an event that a reader found waits for a decision"


class Source(StrEnum):
    """How a clip came by its label."""

    EXPERTS_YES = "both experts: yes"
    EXPERTS_NO = "both experts: no"
    CLEAR = "no criterion seen by any reader"

    @property
    def label(self) -> str:
        """`yes` where confusion shows, else `no`."""
        return "yes" if self is Source.EXPERTS_YES else "no"


_LABELLED = {Validated.YES: Source.EXPERTS_YES, Validated.NO: Source.EXPERTS_NO}


@dataclass(frozen=True, slots=True)
class SetSource:
    """A recording that a set draws on."""

    lesson_id: str
    video: str
    """Its name in the set."""
    learner: str
    """The learner's name in the set."""
    path: str
    fingerprint: str
    start_ms: int
    """Where its own clock starts."""
    end_ms: int
    consent: Consent | None


@dataclass(frozen=True, slots=True)
class SetClip:
    """One clip of a recognition set."""

    clip_id: str
    lesson_id: str
    start_ms: int
    """On the recording's own clock."""
    end_ms: int
    source: Source
    criteria: tuple[str, ...] = ()
    """Those that both researchers saw."""


@dataclass(frozen=True, slots=True)
class ReaderUsed:
    """A reader that chose candidates, and what it rests on."""

    name: str
    provenance: tuple[tuple[str, str], ...]
    """What names a learner or a recording is left out."""


@dataclass(frozen=True, slots=True)
class RecognitionSet:
    """A balanced set of clips, before it is cut."""

    clips: tuple[SetClip, ...]
    """In an order that says nothing of the labels."""
    sources: tuple[SetSource, ...]
    counts: Counts
    researchers: tuple[Figure, Figure]
    """Share of candidates on which the two agreed, each alone; and nominal alpha."""
    experts: tuple[Figure, Figure]
    people: tuple[int, int]
    """How many researchers and experts there were."""
    left_out: tuple[tuple[str, int], ...]
    """Clips and windows by reason."""
    wanted_clear: int
    """Windows without a sign that it took to balance the set."""
    readers: tuple[ReaderUsed, ...]
    seed: int
    names: tuple[str, ...]
    """Learners' names and titles, which must not stand in what people wrote for the set."""

    def number(self, source: Source) -> int:
        """Count the clips with labels of one kind."""
        return sum(clip.source is source for clip in self.clips)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What to think of before this is passed on."""
        yes = self.number(Source.EXPERTS_YES)
        told = list(consent_warnings(self.sources))
        if not yes:
            told.append("No clip is a yes of both experts, so the set shows no confusion.")
        elif len(self.clips) - yes < yes:
            told.append(
                f"The set is not balanced: {yes} clips are yes and {len(self.clips) - yes} no."
            )
        if self.sources and len({source.learner for source in self.sources}) == 1:
            told.append("All clips show one learner; nothing can be said of others.")
        elif alone := self._one_label():
            told.append(
                f"{alone} of {len({source.learner for source in self.sources})} learners show one "
                "label alone; a model could tell it by knowing the face."
            )
        return tuple(told)

    def _one_label(self) -> int:
        """Count the learners whose clips are all yes, or all no."""
        learners = {source.lesson_id: source.learner for source in self.sources}
        labels: dict[str, set[str]] = {}
        for clip in self.clips:
            labels.setdefault(learners[clip.lesson_id], set()).add(clip.source.label)
        return sum(len(own) == 1 for own in labels.values())


@dataclass(frozen=True, slots=True)
class SetVideo:
    """One video of a localization set."""

    lesson_id: str
    events: tuple[Event, ...]
    """People's, on the recording's own clock."""


@dataclass(frozen=True, slots=True)
class LocalizationSet:
    """Whole videos with people's events, before they are copied."""

    videos: tuple[SetVideo, ...]
    sources: tuple[SetSource, ...]
    """In the same order."""
    people: int
    """How many people decided."""
    left_out: tuple[tuple[str, int], ...]
    """Videos by reason."""
    readers: tuple[ReaderUsed, ...]
    seed: int
    names: tuple[str, ...]

    @property
    def warnings(self) -> tuple[str, ...]:
        """What to think of before this is passed on."""
        told = list(consent_warnings(self.sources))
        if not self.videos:
            told.append("No video can go into the set yet.")
        elif not any(video.events for video in self.videos):
            told.append("No video holds an event.")
        return tuple(told)


def consent_warnings(sources: Sequence[SetSource]) -> tuple[str, ...]:
    """Say for how many recordings no consent is noted."""
    missing = sum(source.consent is None for source in sources)
    if not missing:
        return ()
    videos = "1 video" if missing == 1 else f"{missing} videos"
    return (
        f"Consent is not noted for {videos} of {len(sources)}. Pass nothing on before you know "
        "that it was given, and for what.",
    )


def plan_recognition(
    reviews: Sequence[LearnerReview],
    standings: Sequence[Standing],
    readers: Sequence[str] = (),
    consents: Mapping[str, Consent] | None = None,
    seed: int = 0,
) -> RecognitionSet:
    """Choose the clips of a balanced set.

    All clips on which both experts say yes or no go in, and as many windows without any sign as
    make the two labels equal.

    Args:
        reviews: The learner videos.
        standings: Candidates with what people said of them.
        readers: Whose windows count; all when empty.
        consents: What was noted, by video.
        seed: Chooses windows without a sign, names and order; the same gives the same set.
    """
    usable = [review for review in reviews if not _why_unusable(review)]
    judged = [one for one in standings if one.words]
    sure = [one for one in judged if one.validated in _LABELLED]
    ids = {review.lesson_id for review in usable}
    kept = [one for one in sure if one.candidate.lesson_id in ids]
    wanted = _wanted(kept, {review.lesson_id: review.learner.learner_id for review in usable})
    clear = clear_windows(usable, readers, [one.candidate.place for one in judged], seed)
    taken = balanced(clear.windows, wanted, seed)
    counts, left_out = counts_of(standings), clear.left_out.copy()
    left_out["more than the balance takes"] += len(clear.windows) - len(taken)
    return RecognitionSet(
        clips=_in_drawn_order([*map(_validated_clip, kept), *map(_clear_clip, taken)], seed),
        sources=_sources(
            reviews,
            {one.candidate.lesson_id for one in kept} | {one.lesson_id for one in taken},
            consents or {},
            seed,
        ),
        counts=counts,
        researchers=agreement(standings, Stage.CURATE),
        experts=agreement(standings, Stage.VALIDATE),
        people=(_people(standings, Stage.CURATE), _people(standings, Stage.VALIDATE)),
        left_out=_told_left_out(counts, left_out, len(sure) - len(kept)),
        wanted_clear=max(0, sum(wanted.values())),
        readers=_readers(reviews, readers),
        seed=seed,
        names=_names(reviews),
    )


def plan_localization(
    reviews: Sequence[LearnerReview],
    consents: Mapping[str, Consent] | None = None,
    seed: int = 0,
    looked_through: Collection[str] = (),
) -> LocalizationSet:
    """Choose the videos of a localization set: those in which people have decided on every event.

    Args:
        reviews: The learner videos.
        consents: What was noted, by video.
        seed: Gives learners and videos their names.
        looked_through: Videos in which somebody has marked all they see, be it nothing.
    """
    whys = {
        review.lesson_id: _why_unusable(review) or _why_open(review, looked_through)
        for review in reviews
    }
    ready = [review for review in reviews if not whys[review.lesson_id]]
    sources = _sources(reviews, {review.lesson_id for review in ready}, consents or {}, seed)
    by_id = {review.lesson_id: review for review in ready}
    people = {d.author.casefold() for review in ready for d in review.decisions}
    return LocalizationSet(
        videos=tuple(
            SetVideo(one.lesson_id, reviewer_events(by_id[one.lesson_id].decisions))
            for one in sources
        ),
        sources=sources,
        people=len(people),
        left_out=tuple(sorted(Counter(why for why in whys.values() if why).items())),
        readers=_readers(ready, ()),
        seed=seed,
        names=_names(reviews),
    )


def _wanted(kept: Iterable[Standing], learners: Mapping[str, str]) -> Counter[str]:
    """Say how many clips without confusion each learner lacks; below zero where too many."""
    wanted = Counter[str]()
    for one in kept:
        step = 1 if one.validated is Validated.YES else -1
        wanted[learners[one.candidate.lesson_id]] += step
    return wanted


def _validated_clip(one: Standing) -> SetClip:
    at, source = one.candidate, _LABELLED[one.validated]
    return SetClip("", at.lesson_id, at.start_ms, at.end_ms, source, one.criteria)


def _clear_clip(one: ClearWindow) -> SetClip:
    return SetClip("", one.lesson_id, one.start_ms, one.end_ms, Source.CLEAR)


def _in_drawn_order(clips: Sequence[SetClip], seed: int) -> tuple[SetClip, ...]:
    """Number clips in an order that says nothing of their labels."""
    drawn = sorted(clips, key=lambda c: mixed(str(seed), "order", c.lesson_id, str(c.start_ms)))
    return tuple(replace(one, clip_id=f"clip-{n:04}") for n, one in enumerate(drawn, 1))


def _why_unusable(review: LearnerReview) -> str:
    if review.media is None or not review.media_found or not Path(review.media.path).name:
        return NO_FILE
    return "" if review.media.video is not None else NO_PICTURE


def _why_open(review: LearnerReview, looked_through: Collection[str]) -> str:
    if waiting_events(review):
        return STILL_OPEN
    is_seen = standing_decisions(review.decisions) or review.lesson_id in looked_through
    return "" if is_seen else NOT_DECIDED


def _sources(
    reviews: Sequence[LearnerReview], used: set[str], consents: Mapping[str, Consent], seed: int
) -> tuple[SetSource, ...]:
    videos = _aliases("video", [review.lesson_id for review in reviews], seed)
    learners = _aliases("learner", [review.learner.learner_id for review in reviews], seed)
    found = [
        SetSource(
            review.lesson_id,
            videos[review.lesson_id],
            learners[review.learner.learner_id],
            review.media.path,
            review.media.fingerprint,
            review.media.start_ms,
            review.media.span.end_ms,
            consents.get(review.lesson_id),
        )
        for review in reviews
        if review.lesson_id in used and review.media is not None
    ]
    return tuple(sorted(found, key=lambda one: one.video))


def _aliases(kind: str, ids: Iterable[str], seed: int) -> dict[str, str]:
    """Number things in an order that says nothing of when they came into the library."""
    ordered = sorted(set(ids), key=lambda one: mixed(str(seed), kind, one))
    return {one: f"{kind}-{number:02}" for number, one in enumerate(ordered, 1)}


def _people(standings: Iterable[Standing], stage: Stage) -> int:
    return len({name.casefold() for one in standings for name in one.people(stage)})


def _readers(reviews: Sequence[LearnerReview], chosen: Sequence[str]) -> tuple[ReaderUsed, ...]:
    found: dict[str, tuple[tuple[str, str], ...]] = {}
    for review in reviews:
        for bands in review.latest_bands:
            if not chosen or bands.reader in chosen:
                found.setdefault(bands.reader, bands.provenance)
    names = _names(reviews)
    return tuple(
        ReaderUsed(
            reader, tuple((what, said) for what, said in rests_on if not name_in(said, names))
        )
        for reader, rests_on in found.items()
    )


def _told_left_out(
    counts: Counts, clear: Counter[str], without_file: int
) -> tuple[tuple[str, int], ...]:
    told = {
        f"candidate, {Curated.DROPPED}": counts.curated[Curated.DROPPED],
        f"candidate, {Curated.SPLIT}": counts.curated[Curated.SPLIT],
        f"candidate, {Curated.WAITING}": counts.curated[Curated.WAITING],
        "kept clip, both experts unsure": counts.validated[Validated.UNSURE],
        f"kept clip, {Validated.DIFFER}": counts.validated[Validated.DIFFER],
        f"kept clip, {Validated.WAITING}": counts.validated[Validated.WAITING],
        f"clip, {NO_FILE} or has no picture": without_file,
    }
    told |= {f"window without confusion, {why}": n for why, n in sorted(clear.items())}
    return tuple((why, n) for why, n in told.items() if n)


def _names(reviews: Iterable[LearnerReview]) -> tuple[str, ...]:
    """Give all that names a child: learners' names, titles, names of files."""
    found: dict[str, None] = {}
    for review in reviews:
        stem = Path(review.media.path).stem if review.media is not None else ""
        for name in (review.learner.name, review.title, stem):
            if name:
                found[name] = None
    return tuple(found)
