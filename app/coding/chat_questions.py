"""From a clip to the question a model is asked about it, and what had to be left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.coding.chat_lines import Line, fitting, lines_of, safe_tokens
from app.coding.conditions import CoderChoice, Input
from app.coding.fence import fenced
from app.coding.material import Material
from app.coding.practices import Practice
from app.coding.probe_records import NOT_ASKED
from app.coding.prompts import Prompt, request, schema_of, shared_messages
from app.errors import MediaRefused, Refused, TranscriptRefused
from app.lesson.clips import Clip
from app.lesson.media.facts import MediaFacts
from app.lesson.media.sampling import sample_times
from app.lesson.spans import show_time
from app.lesson.transcript.records import Utterance
from app.running.protocols import EngineFacts
from app.running.questions import FrameRef, Message, Question, Sampler, Status
from app.running.showing import FRAME_PX, fewer_frames, frame_tokens, no_sight, visible_part

PER_SECOND, MOST_FRAMES = 1, 30
"""Frames of TV (SciIBI, section 4.1)."""

SEVERAL = 0.7
"""Temperature when a clip is asked about several times, as for self-consistency in Wang et al.
(2022); the paper's protocol asks once, at 0."""

_FRAME_SHARE = 0.7
# More than this share of the room is not given to frames: words carry most of a clip.
_AROUND_A_LINE = 60
_BESIDE_RETRY = 100


@dataclass(frozen=True, slots=True)
class Shown:
    """A frame, and the time it is told to be of."""

    told_ms: int
    frame: FrameRef


@dataclass(frozen=True, slots=True)
class View:
    """What is shown of a clip in the place of all of it, for a probe of its evidence."""

    utterances: tuple[Utterance, ...]
    """The lines, no longer than those that fitted when the whole clip was asked about."""
    frames: tuple[Shown, ...] = ()
    left_out: tuple[int, ...] = ()
    """Utterances of the clip for which there was no room then."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A clip and what is asked about it."""

    clip: Clip
    question: Question | None
    """`None` where there is nothing to ask with; `note` says why."""
    frames: tuple[int, ...] = ()
    """Moments of the frames that are shown, in ms."""
    left_out: tuple[int, ...] = ()
    """Numbers of the utterances for which there was no room."""
    note: str = ""
    """What the reader should know of it."""
    status: str = Status.OK
    """What a clip that is not asked about counts as: a kind of failure, or `NOT_ASKED`."""


class Asking:
    """Makes questions for one choice of coder and one model.

    Args:
        choice: With a condition.
        facts: Of the model that is asked.
        practices: Whose definitions are told.
        prompt: The words.
        frame_px: Longest side of a frame.
    """

    def __init__(
        self,
        choice: CoderChoice,
        facts: EngineFacts,
        practices: Sequence[Practice],
        prompt: Prompt,
        frame_px: int = FRAME_PX,
    ) -> None:
        if choice.condition is None:
            raise ValueError(f"{choice.name} says not how a model is asked")
        self.condition = choice.condition
        self.prompt = prompt
        self.sampler = Sampler(temperature=SEVERAL if choice.draws > 1 else 0.0)
        self._choice, self._facts, self._frame_px = choice, facts, frame_px
        self._shared = shared_messages(prompt, practices, self.condition.prompting)
        self._request = request(prompt, self.condition)
        self._schema = schema_of(self.condition)

    def refusal(self, material: Material) -> Refused | None:
        """Say why a lesson cannot be asked about under this condition; `None` when it can."""
        if self.condition.input is Input.TV:
            return self._no_sight(material)
        if material.has_words:
            return None
        return TranscriptRefused(
            f"“{material.title}” has no transcript, and {self._choice.name} goes by it alone.",
            "Have the speech written down first, or add a transcript file.",
        )

    def ask(self, material: Material, clip: Clip) -> Asked:
        """Make the question about one clip, or say why there is none."""
        lines = lines_of(self.prompt, material.utterances, clip, material.roles)
        sees = self.condition.input is Input.TV
        if not lines and not sees:
            told = "Nothing is said in this clip, so nothing was asked."
            return Asked(clip, None, note=told, status=NOT_ASKED)
        room = self._room()
        frames, wanted = self._frames(material.media, clip, room) if sees else ((), 0)
        if room is not None:
            room -= len(frames) * self._frame_tokens(material.media)
        kept = fitting(lines, room)
        if sees and not frames:
            return _too_large(clip, "frame")
        if lines and not kept:
            return _too_large(clip, "line")
        left_out = tuple(line.number for line in lines[len(kept) :])
        shown = self.frames_of(material.media, frames)
        note = " ".join([*fewer_frames(len(frames), wanted, self._facts.images), *_cut(left_out)])
        return self._asked(material, clip, shown, kept, left_out, note)

    def ask_of_view(self, material: Material, clip: Clip, view: View) -> Asked:
        """Make the question about a clip of which something else is shown; all else is the same."""
        lines = lines_of(self.prompt, view.utterances, clip, material.roles)
        return self._asked(material, clip, view.frames, lines, view.left_out, "")

    def frames_of(self, media: MediaFacts | None, times_ms: Sequence[int]) -> tuple[Shown, ...]:
        """Give the frames of a recording at some moments, under their own times."""
        if media is None:
            return ()
        return tuple(
            Shown(at, FrameRef(media.path, media.fingerprint, at, self._frame_px))
            for at in times_ms
        )

    def _asked(
        self,
        material: Material,
        clip: Clip,
        frames: Sequence[Shown],
        lines: Sequence[Line],
        left_out: tuple[int, ...],
        note: str,
    ) -> Asked:
        question = Question(
            name=f"code {clip.clip_id} of {material.lesson_id[:8]}, {self._choice.name}",
            messages=(
                *self._shared,
                Message("user", (*self._sight(frames), self._words(clip, lines, left_out))),
            ),
            schema=self._schema,
            sampler=self.sampler,
            draws=self._choice.draws,
            prompt_version=self.prompt.full_name,
        )
        times = tuple(shown.told_ms for shown in frames)
        return Asked(clip, question, times, left_out, note)

    def _no_sight(self, material: Material) -> Refused | None:
        title, media = material.title, material.media
        refused = no_sight(
            self._choice.engine, self._facts, title, media, material.media_found, "choose T"
        )
        if refused is not None or media is None:
            return refused
        unseen = [c for c in material.clips if visible_part(media.video, c.span) is None]
        if not unseen:
            return None
        clip = unseen[0]
        if clip.span is None:
            return MediaRefused(
                f"A clip of “{title}” has no times (utterances {clip.first} to {clip.last}), so it "
                "is not known which frames belong to it.",
                "Choose T, or give the clip its times.",
            )
        return MediaRefused(
            f"A clip of “{title}”, from {show_time(clip.start_ms)} to {show_time(clip.end_ms)}, "
            "lies where the recording has no picture.",
            "Choose T, or move the clip.",
        )

    def _room(self) -> int | None:
        """Say how many tokens are left for frames and lines; `None` where that is not known."""
        if self._facts.context_tokens is None:
            return None
        around = [part for m in self._shared for part in m.parts if isinstance(part, str)]
        taken = sum(map(safe_tokens, [*around, self._request])) + _AROUND_A_LINE
        # A second attempt shows the broken answer and what is wrong with it before the next one.
        answers = 2 * self.sampler.max_tokens + _BESIDE_RETRY
        return max(0, self._facts.context_tokens - taken - answers)

    def _frames(
        self, media: MediaFacts | None, clip: Clip, room: int | None
    ) -> tuple[tuple[int, ...], int]:
        """Give the moments that are shown, and how many the protocol wants."""
        seen = visible_part(media.video if media else None, clip.span)
        if seen is None:
            raise ValueError(f"{clip.clip_id} cannot be shown; `refusal` says why")
        wanted = sample_times(seen, PER_SECOND, MOST_FRAMES)
        most = self._facts.images
        if room is not None:
            most = min(most, int(room * _FRAME_SHARE) // self._frame_tokens(media))
        if most >= len(wanted):
            return wanted, len(wanted)
        return (sample_times(seen, PER_SECOND, most) if most else ()), len(wanted)

    def _frame_tokens(self, media: MediaFacts | None) -> int:
        """Say what a frame takes at most, with the words beside it."""
        if media is None or media.video is None:
            return 0
        return frame_tokens(media, self._frame_px) + safe_tokens(self._at(0))

    def _at(self, time_ms: int) -> str:
        return self.prompt.say("frames", "one", time=show_time(time_ms)) + "\n"

    def _sight(self, frames: Sequence[Shown]) -> tuple[str | FrameRef, ...]:
        """Name each moment before its frame; times are cut off to seconds, as in the lines."""
        parts: list[str | FrameRef] = []
        before = self.prompt.say("frames", "intro") + "\n"
        for shown in frames:
            parts += [before + self._at(shown.told_ms), shown.frame]
            before = "\n"
        return tuple(parts)

    def _words(self, clip: Clip, kept: Sequence[Line], left_out: Sequence[int]) -> str:
        if clip.span is None:
            title = self.prompt.say("clip", "untimed")
        else:
            start, end = show_time(clip.start_ms), show_time(clip.end_ms)
            title = self.prompt.say("clip", "timed", start=start, end=end)
        told = [title]
        told.append(fenced([line.text for line in kept]) if kept else self._said("none"))
        if left_out:
            told.append(self.prompt.say("lines", "left_out", lines=_numbers(left_out)))
        before = "\n" if self.condition.input is Input.TV else ""
        return before + "\n".join([*told, "", self._request])

    def _said(self, name: str) -> str:
        return self.prompt.say("lines", name)


def _too_large(clip: Clip, what: str) -> Asked:
    told = (
        f"Not a single {what} of this clip fits into what the model keeps in mind, so nothing was "
        "asked. Choose a model that keeps more."
    )
    return Asked(clip, None, note=told, status=Status.TRUNCATED)


def _cut(left_out: Sequence[int]) -> list[str]:
    if not left_out:
        return []
    return [
        f"The clip is too long for the model: {_numbers(left_out)} were left out and have not "
        "been looked at."
    ]


def _numbers(numbers: Sequence[int]) -> str:
    if len(numbers) == 1:
        return f"utterance {numbers[0]}"
    return f"utterances {numbers[0]} to {numbers[-1]}"
