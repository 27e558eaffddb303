"""Making sets of learner videos for others: judge candidates, note consent, plan, write."""

from __future__ import annotations

import threading
from collections.abc import Collection, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from app.confusion.blind import marking_name
from app.confusion.consent import Consent, consent_setting, read_consent, write_consent
from app.confusion.curation import (
    Candidate,
    Standing,
    candidates_of,
    check_word,
    standings_of,
)
from app.confusion.review import CandidateWord, LearnerReview, Stage
from app.confusion.set_card import Made
from app.confusion.set_folders import write_localization, write_recognition
from app.confusion.sets import (
    LocalizationSet,
    RecognitionSet,
    plan_localization,
    plan_recognition,
)
from app.errors import Refused
from app.imprint import now_in_seconds, program_name
from app.lesson.media.cuts import Cut
from app.lesson.spans import Span
from app.places import log_folder
from app.running.child import Child
from app.running.protocols import Report, no_report
from app.store.library import Library

_READERS = "curation: readers"
_BETWEEN = "\n"


@dataclass(frozen=True, slots=True)
class Material:
    """The learner videos of a library, and where each candidate in them stands."""

    reviews: tuple[LearnerReview, ...]
    standings: tuple[Standing, ...]
    readers: tuple[str, ...]
    """Readers whose windows are candidates; all when empty."""

    def without(self, lesson_ids: Collection[str]) -> Material:
        """Give the same without the candidates of some videos."""
        left = tuple(s for s in self.standings if s.candidate.lesson_id not in lesson_ids)
        return replace(self, standings=left)

    @property
    def all_readers(self) -> tuple[str, ...]:
        """Every reader that has read one of the videos."""
        return tuple(
            dict.fromkeys(bands.reader for one in self.reviews for bands in one.latest_bands)
        )

    def review(self, lesson_id: str) -> LearnerReview | None:
        """Give a video; `None` where words name one that is no learner's any more."""
        return next((one for one in self.reviews if one.lesson_id == lesson_id), None)


class SetMaking:
    """Candidates, people's words on them, and the sets that come of it, in one library."""

    def __init__(self, library: Library) -> None:
        self._library = library

    def material(self, readers: Sequence[str] | None = None) -> Material:
        """Read all learner videos and all that was said of candidates; the slow step.

        Args:
            readers: Whose windows are candidates; those chosen for the library if not given.
        """
        learners = self._library.learners
        reviews = tuple(learners.video(row.lesson_id) for row in learners.videos())
        chosen = self.readers() if readers is None else tuple(readers)
        standings = standings_of(candidates_of(reviews, chosen), learners.candidate_words())
        return Material(reviews, standings, chosen)

    def held_back(self, material: Material, author: str) -> frozenset[str]:
        """Give the videos that somebody who works blind has not marked yet.

        A candidate shows where readers found something; who is to mark a video without knowing
        that must not judge its candidates before.
        """
        return frozenset(
            review.lesson_id
            for review in material.reviews
            if not self._library.setting(marking_name(author, review.lesson_id))
        )

    def readers(self) -> tuple[str, ...]:
        """Give the readers that were chosen to give candidates; none chosen means all."""
        kept = self._library.setting(_READERS)
        return tuple(kept.split(_BETWEEN)) if kept else ()

    def choose_readers(self, readers: Sequence[str]) -> None:
        """Choose the readers whose windows are candidates; none means all."""
        self._library.set_setting(_READERS, _BETWEEN.join(readers))

    def say(
        self,
        candidate: Candidate,
        stage: Stage,
        verdict: str,
        author: str,
        criteria: Sequence[str] = (),
        note: str = "",
    ) -> Standing:
        """Keep what somebody says of a candidate; gives where it stands now.

        What others said meanwhile counts: the rules are checked against the library.

        Raises:
            Refused: The rules forbid it; see `check_word`.
            StoreRefused: It could not be kept.
        """
        learners = self._library.learners
        said = CandidateWord(
            candidate.lesson_id, candidate.start_ms, candidate.end_ms, stage, verdict,
            tuple(criteria), author, note,
        )  # fmt: skip
        check_word(self._standing(candidate), said)
        learners.say_of_candidate(said)
        return self._standing(candidate)

    def _standing(self, candidate: Candidate) -> Standing:
        words = self._library.learners.candidate_words(candidate.lesson_id)
        own = [word for word in words if word.start_ms == candidate.start_ms]
        return standings_of([candidate], own)[0]

    def consents(self, reviews: Sequence[LearnerReview]) -> dict[str, Consent]:
        """Give what is noted of the consent to videos, by video; those without are left out."""
        found = {}
        for review in reviews:
            kept = read_consent(self._library.setting(consent_setting(review.lesson_id)))
            if kept is not None:
                found[review.lesson_id] = kept
        return found

    def note_consent(self, review: LearnerReview, note: str, author: str) -> None:
        """Note what was agreed to for a video; an empty note takes it back.

        Raises:
            Refused: The note names the learner, or is too long.
        """
        now = now_in_seconds()
        names = (review.learner.name, review.title)
        kept = write_consent(note, author, now, names)
        self._library.set_setting(consent_setting(review.lesson_id), kept)

    def recognition(self, material: Material, seed: int = 0) -> RecognitionSet:
        """Plan a balanced set of clips; nothing is cut."""
        consents = self.consents(material.reviews)
        return plan_recognition(
            material.reviews, material.standings, material.readers, consents, seed
        )

    def localization(self, material: Material, seed: int = 0) -> LocalizationSet:
        """Plan a set of whole videos with people's events; nothing is copied."""
        consents = self.consents(material.reviews)
        return plan_localization(
            material.reviews, consents, seed, self._looked_through(material.reviews)
        )

    def _looked_through(self, reviews: Sequence[LearnerReview]) -> frozenset[str]:
        """Give the videos in which somebody said that they have marked what they see."""
        people = self._library.reviewers()
        return frozenset(
            review.lesson_id
            for review in reviews
            for name in {*people, *(decision.author for decision in review.decisions)}
            if self._library.setting(marking_name(name, review.lesson_id))
        )

    def write(
        self,
        chosen: RecognitionSet | LocalizationSet,
        folder: Path,
        licence: str = "",
        report: Report = no_report,
        stop: threading.Event | None = None,
    ) -> list[Path]:
        """Cut and write a set into a folder of its own inside `folder`.

        Raises:
            Refused, Cancelled: As `write_recognition`.
        """
        now = now_in_seconds()
        made = Made(now, program_name(), " ".join(licence.split()))
        self._refuse_moved(chosen)
        # Cutting takes minutes; in a child of its own it holds up no picture in the window.
        with closing(Child(log=log_folder() / "cutting.log")) as child:
            cut = partial(_cut, child)
            if isinstance(chosen, RecognitionSet):
                return write_recognition(chosen, folder, cut, made, report, stop)
            return write_localization(chosen, folder, cut, made, report, stop)

    def _refuse_moved(self, chosen: RecognitionSet | LocalizationSet) -> None:
        for source in chosen.sources:
            if not Path(source.path).is_file():
                raise Refused(
                    f"The recording {Path(source.path).name} is no longer where it was.",
                    "Use “Find it…” in the library, and plan the set anew.",
                )


def _cut(
    child: Child,
    path: str,
    wanted: Sequence[tuple[Span, str]],
    folder: Path,
    report: Report,
    stop: threading.Event | None,
) -> tuple[Cut, ...]:
    cuts: tuple[Cut, ...] = child.call(
        "app.lesson.media.cutting:cut_clips", path, list(wanted), str(folder),
        report=report, stop=stop,
    )  # fmt: skip
    return cuts
