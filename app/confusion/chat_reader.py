"""The chat reader: a model that sees, asked about each window by the five criteria.

It stands on any `Chat`. What it says is a claim; a failure stays one, and a window in which no
usable face is seen never gets a level.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from app.coding.prompts import Prompt, read_prompt
from app.confusion.chat_answer import Claim, read_claim
from app.confusion.chat_questions import TABLES, Asked, Asking
from app.confusion.gate import Gate
from app.confusion.reader_names import OneReader
from app.confusion.readers import Keep, LearnerMaterial
from app.confusion.records import Cue, CueKind, Level, Reading, ReadingDraw
from app.confusion.vote import Came, outcome
from app.errors import Refused
from app.lesson.spans import Span
from app.running.handing import Part
from app.running.in_parts import run_in_parts
from app.running.plan import Plan, make_plan
from app.running.protocols import Report
from app.running.provenance import Pairs, engine_provenance
from app.running.questions import Chat, Status
from app.running.results import Result
from app.running.showing import FRAME_PX, no_sight
from resources import resource

if TYPE_CHECKING:
    from app.store.attempts import Attempts

LOOK_S = 1.0
"""How often readings that are complete are handed over: somebody watches the bands grow."""

GateOf = Callable[[LearnerMaterial], Gate | None]


def no_gate(_video: LearnerMaterial) -> Gate | None:
    """Know nothing of faces."""
    return None


class ChatReader:
    """A reader that asks a model; a `Reader`.

    Args:
        choice: The model by name, and how many draws.
        chat: The model.
        attempts: Where every answer is kept.
        gate_of: Gives what the face engine saw of a video, where it has looked.
        prompt: The words; `None` takes what is shipped.
        frame_px: Longest side of a frame.
    """

    def __init__(
        self,
        choice: OneReader,
        chat: Chat,
        attempts: Attempts,
        gate_of: GateOf = no_gate,
        prompt: Prompt | None = None,
        frame_px: int = FRAME_PX,
    ) -> None:
        self._choice, self._chat, self._attempts = choice, chat, attempts
        self._gate_of, self._facts = gate_of, chat.facts()
        self._gates: dict[object, Gate | None] = {}
        prompt = prompt or read_prompt(resource("prompts/confusion.toml"), TABLES)
        self._asking = Asking(choice.engine, self._facts, prompt, choice.draws, frame_px)

    @property
    def name(self) -> str:
        """The model and its draws, e.g. `my-model x5`."""
        return self._choice.name

    def refusal(self, video: LearnerMaterial) -> Refused | None:
        """Say why a video cannot be shown to this model; `None` when it can."""
        return no_sight(
            self._choice.engine,
            self._facts,
            video.title,
            video.media,
            video.media_found,
            "choose face-cues",
        )

    def provenance(self, video: LearnerMaterial) -> Pairs:
        """Give all that its readings of a video rest on."""
        prompt, gate = self._asking.prompt, self._gate(video)
        return (
            ("kind", "chat: a model's claim, not a judgement"),
            ("engine", self._choice.engine),
            ("draws", str(self._choice.draws)),
            ("prompt", f"{prompt.name}/{prompt.version}"),
            ("sha256 prompt", prompt.sha256),
            ("faces", gate.told if gate is not None else "not looked for; the model's own word"),
            *engine_provenance(self._facts, self._asking.sampler),
        )

    def plan(self, video: LearnerMaterial, windows: Sequence[Span]) -> Plan:
        """Say what would be asked about some windows.

        Raises:
            Refused: The video cannot be shown to this model.
        """
        return self._planned(video, self._asked(video, windows))

    def read(
        self,
        video: LearnerMaterial,
        windows: Sequence[Span],
        keep: Keep,
        report: Report,
        stop: threading.Event,
    ) -> None:
        """Ask about each window; see `app.confusion.readers.Reader`."""
        asked = self._asked(video, windows)
        plan = self._planned(video, asked)

        def hand(parts: Sequence[Part]) -> None:
            keep([reading_of(asked[place], results) for place, results in parts])

        questions = [(a.question,) if a.question is not None else () for a in asked]
        summary = run_in_parts(
            plan, questions, self._chat, self._attempts, read_claim, hand, report, stop, LOOK_S
        )
        summary.require_done()

    def _gate(self, video: LearnerMaterial) -> Gate | None:
        """Give what was seen of a video; once, so that grounds and questions rest on the same."""
        key = (video.lesson_id, video.face)
        if key not in self._gates:
            self._gates[key] = self._gate_of(video)
        return self._gates[key]

    def _asked(self, video: LearnerMaterial, windows: Sequence[Span]) -> list[Asked]:
        refused = self.refusal(video)
        if refused is not None:
            raise refused
        gate = self._gate(video)
        return [self._asking.ask(video, window, gate) for window in windows]

    def _planned(self, video: LearnerMaterial, asked: Sequence[Asked]) -> Plan:
        questions = [a.question for a in asked if a.question is not None]
        return make_plan(f"Read “{video.title}” by {self.name}", questions, self._facts)


def reading_of(asked: Asked, results: Sequence[Result]) -> Reading:
    """Make the reading of a window from the results of all its draws."""
    start_ms, end_ms = asked.window.start_ms, asked.window.end_ms
    if asked.question is None:
        return Reading(start_ms, end_ms, asked.is_visible, note=asked.note, status=asked.status)
    draws = tuple(_draw(result) for result in results)
    found = outcome(draws)
    several = draws if len(draws) > 1 else ()
    status = _status(results, failed=found.came is Came.FAILURE)
    if found.came is Came.FAILURE:
        note = _joined(_failed_words(results), asked.note)
        return Reading(start_ms, end_ms, True, note=note, status=status, draws=several)
    claims: list[Claim] = [result.value for result in results if result.has_value]
    if found.came is Came.NOT_VISIBLE:
        whys = dict.fromkeys(claim.why for claim in claims if claim.why)
        note = _joined("; ".join(whys), asked.note)
        return Reading(start_ms, end_ms, False, note=note, status=status, draws=several)
    winners = [claim for claim in claims if claim.level is found.level]
    return Reading(
        start_ms,
        end_ms,
        True,
        found.level,
        found.confidence,
        _cues(winners, asked.frames_ms),
        _moments([n for claim in winners for n in claim.frames], asked.frames_ms),
        _joined(_vote_words(draws, found.level), asked.note),
        status,
        several,
    )


def _draw(result: Result) -> ReadingDraw:
    if not result.has_value:
        return ReadingDraw(None, None, result.status.value, result.answer_key)
    claim: Claim = result.value
    return ReadingDraw(claim.level, claim.confidence, result.status.value, result.answer_key)


def _status(results: Sequence[Result], *, failed: bool) -> str:
    """Give one word for all draws: the most frequent failure, or whether any took two goes."""
    if failed:
        kinds = Counter(result.status for result in results if not result.has_value)
        return kinds.most_common(1)[0][0].value
    again = any(result.status is Status.RETRY_OK for result in results)
    return (Status.RETRY_OK if again else Status.OK).value


def _failed_words(results: Sequence[Result]) -> str:
    errors = dict.fromkeys(result.error for result in results if result.error)
    if len(results) == 1:
        return " ".join(errors)
    usable = sum(result.has_value for result in results)
    return f"Only {usable} of {len(results)} draws can be used. {' '.join(errors)}"


def _vote_words(draws: Sequence[ReadingDraw], level: Level | None) -> str:
    if len(draws) == 1:
        return ""
    for_it = sum(draw.level is level for draw in draws)
    return f"{for_it} of {len(draws)} draws say {level}."


def _cues(winners: Sequence[Claim], frames_ms: Sequence[int]) -> tuple[Cue, ...]:
    """Put together the signs that draws for the level named, each kind once, in their order.

    A model sees no picture between the frames, so that its moments are those of frames.
    """
    numbers: dict[CueKind, list[int]] = {}
    words: dict[CueKind, str] = {}
    named: Counter[CueKind] = Counter()
    for claim in winners:
        for cue in claim.cues:
            numbers.setdefault(cue.kind, []).extend(cue.frames)
            words.setdefault(cue.kind, cue.words)
        named.update({cue.kind for cue in claim.cues})
    return tuple(
        Cue(
            kind,
            _moments(numbers[kind], frames_ms),
            speaks_against=kind is CueKind.SMILE,
            words=_named_by(words[kind], named, kind, len(winners)),
        )
        for kind in numbers
    )


def _named_by(words: str, named: Mapping[CueKind, int], kind: CueKind, of: int) -> str:
    return words if of == 1 else f"{words} (named in {named[kind]} of {of} draws)"


def _moments(numbers: Sequence[int], frames_ms: Sequence[int]) -> tuple[int, ...]:
    return tuple(frames_ms[number - 1] for number in sorted(set(numbers)))


def _joined(*sentences: str) -> str:
    return " ".join(filter(None, sentences))
