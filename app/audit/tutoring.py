"""The questions a tutor is asked in the cells of an audit, and its answers as responses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from app.audit.bank import Notices
from app.audit.cells import request_of
from app.audit.items import Axis, Cell, ClipAddress, Condition, Item
from app.audit.records import FRAMES_CAP, AuditPlan, Origin, Place, Response
from app.coding.chat_lines import safe_tokens
from app.coding.prompts import Prompt, read_prompt
from app.lesson.media.facts import MediaFacts
from app.lesson.media.sampling import sample_times
from app.lesson.spans import Span, show_time
from app.running.protocols import EngineFacts
from app.running.questions import FrameRef, Message, Question, Sampler, Status
from app.running.results import Result
from app.running.short_answers import read_letter
from app.running.showing import FRAME_PX, fewer_frames, frame_tokens, visible_part
from resources import resource

PER_SECOND = 1
"""Pictures a second of a clip (SpecialEduBench, section 4.1)."""

OPTIONS = ("A", "B", "C", "D")
TABLES = ("axis", "item")
"""Tables of words that the prompt file must have."""

_BESIDE_RETRY = 100

MediaOf = Callable[[ClipAddress], MediaFacts | None]
"""Gives the recording that a clip lies in; `None` where it is not on this computer."""


def no_media(_clip: ClipAddress) -> MediaFacts | None:
    """Know no recording."""
    return None


@dataclass(frozen=True, slots=True)
class Asked:
    """A cell and what the tutor is asked in it."""

    cell: Cell
    question: Question
    note: str = ""
    """What to know of its pictures: how many fewer were shown than wanted, and why."""


class Tutoring:
    """Makes the questions of one audit for one tutor.

    Args:
        plan: How it decodes.
        notices: Of the monitoring condition.
        facts: Of the tutor; without them it takes no pictures.
        media_of: Gives the recordings of clips.
        frame_px: Longest side of a picture.
        prompt: The words; `None` takes what is shipped.
    """

    def __init__(
        self,
        plan: AuditPlan,
        notices: Notices,
        facts: EngineFacts | None = None,
        media_of: MediaOf = no_media,
        frame_px: int = FRAME_PX,
        prompt: Prompt | None = None,
    ) -> None:
        self.prompt = prompt or tutor_prompt()
        self._notices = notices
        self._images = facts.images if facts is not None else 0
        self._context_tokens = facts.context_tokens if facts is not None else None
        self._media_of, self._frame_px = media_of, frame_px
        self._title = plan.title
        self.sampler = Sampler(plan.temperature, plan.max_tokens, plan.seed)

    def ask(self, cell: Cell, earlier: Sequence[Message] = ()) -> Asked:
        """Make the question of a cell; all its draws are draws of that question.

        Args:
            cell: The item and its condition.
            earlier: Turns that went before the request, the tutor's as `assistant`, of a scene that
                goes over several turns.
        """
        item, condition = cell.item, cell.condition
        system = self._system(item.axis, condition)
        words = self._words(item, condition, bool(earlier))
        told = [*(part for turn in earlier for part in turn.parts), system, words]
        frames, note = self._frames(item, [part for part in told if isinstance(part, str)])
        messages = (
            Message("system", (system,)),
            *earlier,
            Message("user", (*self._sight(frames), words)),
        )
        question = Question(
            f"{item.item_id}, {condition.name}, audit “{self._title}”",
            messages,
            "",
            self.sampler,
            cell.draws,
            self.prompt.full_name,
        )
        return Asked(cell, question, note)

    def _system(self, axis: Axis, condition: Condition) -> str:
        told = [self.prompt.system, self.prompt.say("axis", axis).strip()]
        if condition.monitored is not None:
            told.append(
                self._notices.monitored if condition.monitored else self._notices.unmonitored
            )
        return "\n\n".join(told)

    def _words(self, item: Item, condition: Condition, goes_on: bool) -> str:
        if item.axis is Axis.KNOWLEDGE:
            options = dict(zip("abcd", item.options, strict=True))
            return self.prompt.say("item", "question", question=item.prompt, **options).strip()
        told = []
        if item.scene and not goes_on:
            told.append(self.prompt.say("item", "scene", scene=item.scene).strip())
        request = request_of(item, condition)
        told.append(self.prompt.say("item", "request", request=request).strip())
        return "\n\n".join(told)

    def _frames(self, item: Item, words: Iterable[str]) -> tuple[tuple[FrameRef, ...], str]:
        """Give the pictures that are shown beside some words, and what to know of them."""
        if item.clip is None or item.axis is Axis.KNOWLEDGE:
            return (), ""
        media = self._media_of(item.clip)
        span = Span(item.clip.start_ms, item.clip.end_ms)
        seen = visible_part(media.video, span) if media is not None else None
        if media is None or seen is None:
            return (), "The clip of this item is not on this computer; it was asked in words alone."
        cap = FRAMES_CAP if item.axis is Axis.ATTITUDE else None
        wanted = sample_times(seen, PER_SECOND, cap)
        most, times = self._most(media, words), wanted
        if most < len(wanted):
            times = sample_times(seen, PER_SECOND, most) if most else ()
        note = " ".join(fewer_frames(len(times), len(wanted), self._images))
        frames = (FrameRef(media.path, media.fingerprint, at, self._frame_px) for at in times)
        return tuple(frames), note

    def _most(self, media: MediaFacts, words: Iterable[str]) -> int:
        """Say how many pictures the tutor takes, and has room for beside the words."""
        if self._context_tokens is None:
            return self._images
        # A second attempt shows the answer that came before.
        taken = sum(map(safe_tokens, words)) + 2 * self.sampler.max_tokens + _BESIDE_RETRY
        each = frame_tokens(media, self._frame_px) + safe_tokens(self._at(0))
        return max(0, min(self._images, (self._context_tokens - taken) // each))

    def _at(self, time_ms: int) -> str:
        return self.prompt.say("item", "frame", time=show_time(time_ms))

    def _sight(self, frames: Sequence[FrameRef]) -> tuple[str | FrameRef, ...]:
        parts: list[str | FrameRef] = []
        before = self.prompt.say("item", "frames") + "\n"
        for frame in frames:
            parts += [f"{before}{self._at(frame.time_ms)}\n", frame]
            before = "\n"
        return (*parts, "\n") if parts else ()


def tutor_prompt() -> Prompt:
    """Give the words that tutors are asked with."""
    return read_prompt(resource("prompts/tutor.toml"), TABLES)


def responses_of(cell: Cell, results: Iterable[Result]) -> list[Response]:
    """Make responses of what came for a cell.

    Where the engine failed before the tutor spoke there is none: it says nothing of the tutor, and
    is asked for again when the audit is gone on with.
    """
    return [_response(cell, r) for r in results if r.status is not Status.BACKEND_ERROR]


def _response(cell: Cell, result: Result) -> Response:
    text = result.value if result.has_value else ""
    is_question = cell.item.axis is Axis.KNOWLEDGE
    return Response(
        0,
        Origin.TUTOR,
        Place(cell.item.item_id, cell.condition, result.draw),
        result.status,
        text,
        (read_letter(text, OPTIONS) or "") if is_question else "",
        result.error,
        result.answer_key,
    )
