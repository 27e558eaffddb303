"""The road from lessons to stored predictions, by whatever coder."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from app.answering import Answering
from app.coding.chat_coder import ChatCoder
from app.coding.coders import Coder, make_coder
from app.coding.conditions import CoderChoice, parse_choice
from app.coding.material import Material, material_of
from app.coding.practices import Practice
from app.errors import Refused
from app.files import Files
from app.keeping import keep_news
from app.lesson.clip_proposals import propose_clips
from app.lesson.clips import Clip
from app.running.plan import Estimate, estimate
from app.running.protocols import Report, no_report
from app.settings import Settings
from app.store.library import Library


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A lesson that a coder cannot code, and why."""

    lesson_id: str
    title: str
    why: Refused


class LessonCoding:
    """Codes lessons of one library.

    Args:
        library: Where lessons are and predictions go.
        files: Gives the sentence model that clips are proposed with.
        answering: Gives models by name.
        practices: What is looked for.
        settings: The size of frames.
    """

    def __init__(
        self,
        library: Library,
        files: Files,
        answering: Answering,
        practices: Sequence[Practice],
        settings: Settings,
    ) -> None:
        self._library, self._files, self._answering = library, files, answering
        self._practices, self._settings = practices, settings

    def coder(self, choice: CoderChoice | str) -> Coder:
        """Give a coder by choice or by name.

        Raises:
            EngineMissing: Its model is not there or cannot run here.
            WrongUse: The name is none of a coder.
        """
        chosen = parse_choice(choice) if isinstance(choice, str) else choice
        if chosen.condition is None:
            return make_coder(chosen.engine, self._files.embedder(), self._practices)
        return ChatCoder(
            chosen,
            self._answering.chat(chosen.engine),
            self._library.attempts,
            self._practices,
            frame_px=self._settings.frame_px,
        )

    def plan(self, lesson_ids: Iterable[str], choice: CoderChoice | str) -> Estimate | None:
        """Say what coding would take; `None` for a coder that asks no model. Asks nothing.

        Lessons that the coder cannot code are not reckoned in; `left_out` names them.

        Raises:
            EngineMissing, WrongUse: As `coder`.
        """
        coder = self.coder(choice)
        able, _ = self._sorted(coder, lesson_ids)
        plan = coder.plan([self._with_clips(material)[0] for material in able])
        return estimate(plan, self._library.attempts) if plan is not None else None

    def left_out(self, lesson_ids: Iterable[str], choice: CoderChoice | str) -> tuple[LeftOut, ...]:
        """Say which lessons the coder cannot code, and why.

        Raises:
            EngineMissing, WrongUse: As `coder`.
        """
        return self._sorted(self.coder(choice), lesson_ids)[1]

    def code(
        self,
        lesson_ids: Iterable[str],
        choice: CoderChoice | str,
        report: Report = no_report,
        stop: threading.Event | None = None,
    ) -> tuple[LeftOut, ...]:
        """Code lessons: all questions in one plan, each lesson kept as soon as it is complete.

        Clips are proposed where there are none. Killed and run again, only what is missing is
        asked, and what a lesson has already is not kept twice.

        Returns:
            Lessons that this coder cannot code, with the reason; they are left as they were.

        Raises:
            EngineMissing, WrongUse: As `coder`.
            Cancelled: `stop` was set; what was answered is kept.
            Paused: The engine failed again and again; run again to go on.
        """
        coder = self.coder(choice)
        able, left_out = self._sorted(coder, lesson_ids)
        ready = [self._kept_clips(material, report) for material in able]
        if ready:
            keep = partial(keep_news, self._library)
            coder.code_all(ready, report, stop or threading.Event(), keep)
        return left_out

    def _sorted(
        self, coder: Coder, lesson_ids: Iterable[str]
    ) -> tuple[list[Material], tuple[LeftOut, ...]]:
        able, left_out = [], []
        for lesson_id in dict.fromkeys(lesson_ids):
            material = material_of(self._library.lesson(lesson_id))
            refused = coder.refusal(material)
            if refused is None and not material.clips and not material.has_words:
                refused = Refused(
                    f"“{material.title}” has no clips, and without a transcript none can be "
                    "proposed.",
                    "Draw the clips, or have the speech written down first.",
                )
            if refused is None:
                able.append(material)
            else:
                left_out.append(LeftOut(lesson_id, material.title, refused))
        return able, tuple(left_out)

    def _with_clips(self, material: Material) -> tuple[Material, tuple[Clip, ...]]:
        """Give the material with clips, and those that were proposed for it."""
        if material.clips:
            return material, ()
        lines = material.utterances
        vectors = self._files.embedder().embed([line.text for line in lines])
        span = material.media.span if material.media else None
        clips = propose_clips(lines, span, vectors)
        return replace(material, clips=clips), clips

    def _kept_clips(self, material: Material, report: Report) -> Material:
        if material.clips:
            return material
        report(0.05, "looking for where activities change")
        found, clips = self._with_clips(material)
        self._library.propose_clips(material.lesson_id, clips)
        return found
