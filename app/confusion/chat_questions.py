"""From a window to the question a model is asked about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.coding.chat_lines import safe_tokens
from app.coding.prompts import Prompt
from app.confusion.chat_answer import schema_of
from app.confusion.gate import OPEN, Gate, Passage
from app.confusion.readers import LearnerMaterial
from app.confusion.records import CueKind
from app.lesson.media.sampling import sample_times
from app.lesson.spans import Span, show_time
from app.running.protocols import EngineFacts
from app.running.questions import FrameRef, Message, Question, Sampler, Status
from app.running.showing import FRAME_PX, fewer_frames, frame_tokens, visible_part

FRAMES = 4
"""Frames of a window: one each half second. An expression that shows for less than that is missed
now and then; eight would double the time a model takes."""

SEVERAL = 0.7
"""Temperature of several draws; one alone is drawn at 0. As for practices (`chat_questions`)."""

MOST_TOKENS = 700
"""Room for an answer: eight cues with a few words each take about 500 tokens."""

NO_PICTURE = "the video has no picture here"
TABLES = ("frames", "window", "request")
"""Tables of words that the prompt file must have."""

_BESIDE_RETRY = 100


@dataclass(frozen=True, slots=True)
class Asked:
    """A window and what is asked about it."""

    window: Span
    question: Question | None
    """`None` where there is nothing to ask; `note` says why."""
    frames_ms: tuple[int, ...] = ()
    """Moments of the frames that are shown, in order: frame 1 is the first."""
    note: str = ""
    """What to know of it; for a window that is not asked about, why."""
    is_visible: bool = True
    """False where it is known beforehand that nobody can be seen."""
    status: str = Status.OK
    """A kind of failure where nothing could be asked although somebody may be seen."""


class Asking:
    """Makes questions for one model.

    Args:
        engine: Its name, for people.
        facts: Of the model.
        prompt: The words.
        draws: How often each window is asked about.
        frame_px: Longest side of a frame.
        frames: Most frames of a window.
    """

    def __init__(
        self,
        engine: str,
        facts: EngineFacts,
        prompt: Prompt,
        draws: int = 1,
        frame_px: int = FRAME_PX,
        frames: int = FRAMES,
    ) -> None:
        self.prompt = prompt
        self.sampler = Sampler(SEVERAL if draws > 1 else 0.0, MOST_TOKENS)
        self._engine, self._facts = engine, facts
        self._draws, self._frame_px, self._wanted = draws, frame_px, frames
        self._system = Message("system", (prompt.system,))
        kinds = ", ".join(f"“{kind}”" for kind in CueKind)
        parts = ("start", "hidden", "seen")
        self._request = "".join(prompt.say("request", name, cues=kinds) for name in parts).strip()

    def ask(self, video: LearnerMaterial, window: Span, gate: Gate | None) -> Asked:
        """Make the question about a window, or say why there is none.

        Where faces were looked for, a window without the learner's face is never asked about: a
        model that is shown an empty chair can only make something up.
        """
        seen = visible_part(video.media.video, window)
        if seen is None:
            return Asked(window, None, note=NO_PICTURE, is_visible=False)
        passage = OPEN if gate is None else gate.passage(window)
        if passage.closed:
            return Asked(window, None, note=passage.closed, is_visible=False)
        times = self._times(video, seen)
        if not times:
            told = "Not a single frame fits into what the model keeps in mind."
            return Asked(window, None, note=told, status=Status.TRUNCATED)
        wanted = len(_spread(seen, self._wanted))
        note = " ".join(fewer_frames(len(times), wanted, self._facts.images))
        return Asked(window, self._question(video, window, times, passage), times, note)

    def _times(self, video: LearnerMaterial, seen: Span) -> tuple[int, ...]:
        most = min(self._wanted, self._facts.images)
        if self._facts.context_tokens is not None:
            words = (self.prompt.system, self._request, self.prompt.say("frames", "intro"))
            taken = sum(map(safe_tokens, words)) + _AROUND
            # A second attempt shows the broken answer and what is wrong with it.
            room = self._facts.context_tokens - taken - 2 * MOST_TOKENS - _BESIDE_RETRY
            each = frame_tokens(video.media, self._frame_px) + safe_tokens(self._at(1, 0))
            most = min(most, room // each)
        return _spread(seen, most) if most > 0 else ()

    def _question(
        self, video: LearnerMaterial, window: Span, times: Sequence[int], passage: Passage
    ) -> Question:
        media = video.media
        parts: list[str | FrameRef] = []
        before = self.prompt.say("frames", "intro") + "\n"
        for number, at in enumerate(times, 1):
            parts += [
                before + self._at(number, at),
                FrameRef(media.path, media.fingerprint, at, self._frame_px),
            ]
            before = "\n"
        parts.append("\n" + "\n".join([*self._where(window, passage), "", self._request]))
        return Question(
            name=f"read {_exact(window.start_ms)} of {video.lesson_id[:8]}, {self._engine}",
            messages=(self._system, Message("user", tuple(parts))),
            schema=schema_of(len(times)),
            sampler=self.sampler,
            draws=self._draws,
            prompt_version=self.prompt.full_name,
        )

    def _where(self, window: Span, passage: Passage) -> list[str]:
        start, end = _exact(window.start_ms), _exact(window.end_ms)
        told = [self.prompt.say("window", "timed", start=start, end=end)]
        if passage.place is not None:
            x, y = (str(round(100 * share)) for share in passage.place)
            told.append(self.prompt.say("window", "place", x=x, y=y))
        return told

    def _at(self, number: int, time_ms: int) -> str:
        told = self.prompt.say("frames", "one", number=str(number), time=_exact(time_ms))
        return told + "\n"


_AROUND = 120
"""Tokens of the words around a window: where it lies, and whose face is meant."""


def _spread(seen: Span, count: int) -> tuple[int, ...]:
    """Give so many moments at equal steps from the start; a single one lies in the middle.

    From the start on, since whole seconds are then among them, which other questions show too.
    """
    if count == 1:
        return ((seen.start_ms + seen.end_ms) // 2,)
    return sample_times(seen, count * 1000 / max(seen.duration_ms, 2000), count)


def _exact(time_ms: int) -> str:
    return show_time(time_ms, tenths=True)
