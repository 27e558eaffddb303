"""Any server that speaks the OpenAI chat form: vLLM, llama-server, Ollama, LM Studio, a cloud.

It runs in the program's own process, since no native code is met here: pictures come as files
that the media's child process has written. `ask` may be called by many threads at once; how many
calls really are under way is the endpoint's `max_in_flight`, less while the server is busy.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from app.errors import Cancelled, EngineMissing
from app.running.protocols import Price
from app.running.questions import Question, RawAnswer, Sampler
from engines.base import EngineFacts, Report, engine, no_report
from engines.endpoint_body import Pictures, body_head, text_length, whole_body
from engines.endpoint_capabilities import SCHEMA_FORMS, Capabilities
from engines.endpoint_client import client
from engines.endpoint_door import Door, Reply
from engines.endpoint_line import Line, Patience
from engines.endpoint_probe import NEW_LIMIT, OLD_LIMIT, probe
from engines.endpoint_replies import Usage, Written, judge, read_written
from engines.endpoint_trouble import STOPPED, Kind, Trouble
from engines.endpoints import Endpoint
from engines.keys import read_key

WIRE = "chat completions 1"
"""Changed when questions are put on the wire in another way, so that they are asked again."""

PATH = "/chat/completions"

_SCHEMA_WORDS = {
    "json_schema": "kept by the server",
    "json_object": "kept by the server, asked as json_object",
    "": "asked for in words",
}
"""How a schema is asked for is a part of who answers: a server builds another grammar from each
form, so that blanks, the order of fields and, in the end, what is chosen can differ. Answers to
the one must not pass for answers to the other when a test finds another form than before."""

NO_ENDPOINT = Endpoint("no endpoint", "http://127.0.0.1:8000/v1", "none chosen")
"""Stands for the endpoint until one is chosen; it is off."""


@dataclass(frozen=True, slots=True)
class Used:
    """What the calls so far came to."""

    calls: int = 0
    """Calls that gave an answer."""
    failed: int = 0
    tokens_in: int = 0
    tokens_cached: int = 0
    tokens_out: int = 0
    uncounted: int = 0
    """Answers of which the server gave no tokens; the sums and the cost leave them out."""
    cost: float | None = 0.0
    """In the endpoint's currency; `None` when its prices are not known."""


@engine("openai")
class OpenAIChat:
    """Asks a model on an endpoint; a `Chat`.

    Args:
        endpoint: Whom to ask. Nothing is sent unless it is on.
        capabilities: What `probe` found; unknown if not given.
        pictures: Gives frames as files; without it questions with frames are refused.
        patience: How often to try again.
    """

    def __init__(
        self,
        endpoint: Endpoint = NO_ENDPOINT,
        capabilities: Capabilities | None = None,
        pictures: Pictures | None = None,
        patience: Patience | None = None,
    ) -> None:
        self.endpoint = endpoint
        self.capabilities = capabilities
        self._pictures = pictures
        self._patience = patience
        self._lock = threading.Lock()
        self._open: tuple[Door, Line] | None = None
        self._written: tuple[Question, str, bytes] | None = None
        """The question written last, in which form, and how it travels."""
        self.limit_name = OLD_LIMIT
        self._used = Used(cost=0.0 if _has_prices(endpoint) else None)

    def facts(self) -> EngineFacts:
        """Say what this is, from what is known without asking the server."""
        found = self.capabilities
        return EngineFacts(
            name="openai",
            version=self.endpoint.model,
            offline=self.endpoint.is_local,
            images=(found.image_count or 0) if found and found.images.is_yes else 0,
            has_schema=found is not None and found.schema.is_yes,
            has_logprobs=found is not None and found.logprobs.is_yes,
            identity=(
                ("endpoint", self.endpoint.base_url),
                ("model", self.endpoint.model),
                ("schema", _SCHEMA_WORDS[self._schema_form]),
                ("wire", WIRE),
            ),
            in_flight=self.endpoint.max_in_flight,
            price=_price(self.endpoint),
            context_tokens=found.context_tokens if found else None,
        )

    def ask(
        self, question: Question, draws: Sequence[int], report: Report, stop: threading.Event
    ) -> list[RawAnswer]:
        """Answer the given draws of a question, in that order, all in flight together.

        A draw that fails alone gives an answer whose `finish` is `error`, so that what was paid
        for is kept. Only when no draw gave an answer is an error raised.

        Raises:
            EngineStopped: The server went away, fell silent, or asks for too much patience.
            EngineMissing: It is off or cannot be used: key, model, credit, schema, pictures.
            MediaRefused: A frame's picture cannot be read.
            Cancelled: `stop` was set; under a quarter of a second later.
        """
        if stop.is_set():
            raise Cancelled()
        door, line = self._opened()
        self._check_frames(question)
        too_long = self._too_long(question)
        if too_long:
            return [RawAnswer("", "error", error=too_long) for _ in draws]
        head = self._head(question)
        call = _Call(self, door, line, head, question.sampler, stop)
        return _settled(_together(call, draws, report), stop)

    def probe(
        self, when: str, report: Report = no_report, stop: threading.Event | None = None
    ) -> Capabilities:
        """Find out what the server can do, by asking it; see `engines.endpoint_probe`.

        Args:
            when: The moment, kept with what was found, e.g. `2026-11-29T10:00:00Z`.
            report: Takes progress.
            stop: Ends it when set.

        Raises:
            EngineStopped: The server went away.
            EngineMissing: It is off, or cannot be used at all.
            Cancelled: `stop` was set.
        """
        stop = stop if stop is not None else threading.Event()
        door, line = self._opened()
        judged = partial(judge, endpoint=self.endpoint, hide=door.hide_key)
        asked = client(self.endpoint, line, judged, stop)
        try:
            found = probe(asked, self.endpoint, when, report, door.hide_key)
        except Trouble as trouble:
            raise trouble.for_people() from None
        self.capabilities = found
        return found

    def used(self) -> Used:
        """Say what the calls so far came to."""
        with self._lock:
            return self._used

    def close(self) -> None:
        """Let the connections go; the next question opens new ones."""
        with self._lock:
            opened, self._open = self._open, None
        if opened is not None:
            opened[0].close()

    @property
    def _schema_form(self) -> str:
        """In which form a schema is sent; empty where it is left to the words."""
        if self.capabilities is None:
            return SCHEMA_FORMS[0]
        return "" if self.capabilities.schema.is_no else self.capabilities.schema_form

    def _opened(self) -> tuple[Door, Line]:
        if not self.endpoint.is_on:
            raise EngineMissing(
                f"The endpoint {self.endpoint.name} is turned off, so nothing was sent.",
                "Turn it on in the settings if frames and words may go there.",
            )
        with self._lock:
            if self._open is None:
                door = Door(self.endpoint, read_key(self.endpoint))
                self._open = door, Line(door, self.endpoint.max_in_flight, self._patience)
            return self._open

    def _head(self, question: Question) -> bytes:
        """Write what all draws of a question share, once for those that follow one another."""
        kept, form = self._written, self._schema_form
        if kept is not None and kept[0] is question and kept[1] == form:
            return kept[2]
        head = body_head(question, self.endpoint.model, self._pictures, form)
        # Words only: pictures change on the disk, and are too large to be kept for nothing.
        if not question.frames:
            self._written = question, form, head
        return head

    def _check_frames(self, question: Question) -> None:
        """Refuse frames that would not be seen: an answer to them would be made up."""
        shown, found = len(question.frames), self.capabilities
        if not shown:
            return
        if self._pictures is None:
            raise EngineMissing(f"There are no pictures to show to {self.endpoint.model}.")
        if found is None:
            return
        if found.images.is_no:
            raise EngineMissing(
                f"{self.endpoint.model} does not see pictures: {found.images.reason}.",
                "Choose a model that sees, or ask without frames.",
            )
        if found.image_count is not None and shown > found.image_count:
            raise EngineMissing(
                f"{self.endpoint.model} takes {found.image_count} pictures, not {shown}.",
                "Ask with fewer frames, or let the server take more.",
            )

    def _too_long(self, question: Question) -> str:
        """Say so when the server was seen to cut texts of this length without a word."""
        found, length = self.capabilities, text_length(question.messages)
        if found is None or not found.long_prompt.is_no or length <= (found.kept_chars or 0):
            return ""
        return (
            f"The question has {length} characters, and this server was seen to cut longer texts "
            f"than {found.kept_chars or 0} without saying so."
        )

    def note(self, usage: Usage | None) -> float | None:
        """Count one call: its tokens, or that it failed; give what it cost, where known."""
        cost = None if usage is None else cost_of(usage, self.endpoint)
        with self._lock:
            self._used = _added(self._used, usage, cost)
        return cost


@dataclass(frozen=True, slots=True)
class _Call:
    """What the draws of one question share."""

    chat: OpenAIChat
    door: Door
    line: Line
    head: bytes = field(repr=False)
    """Holds all words and pictures."""
    sampler: Sampler
    stop: threading.Event

    def draw(self, number: int, report: Report) -> RawAnswer | Trouble | Cancelled:
        """Make one draw; gives what went wrong rather than raising it."""
        try:
            return self._draw(number, report)
        except Cancelled as cancelled:
            return cancelled
        except Trouble as trouble:
            self.chat.note(None)
            return trouble

    def _draw(self, number: int, report: Report) -> RawAnswer:
        endpoint = self.chat.endpoint
        reply, tried = self._delivered(number, report)
        written = read_written(reply, endpoint, self.door.hide_key)
        cost = self.chat.note(written.usage)
        return RawAnswer(
            text=written.text,
            finish=written.finish,
            tokens_in=written.usage.tokens_in,
            tokens_cached=written.usage.tokens_cached,
            tokens_out=written.usage.tokens_out,
            seconds=reply.seconds,
            error=written.error,
            details=_details(written, tried, cost, endpoint.currency),
        )

    def _delivered(self, number: int, report: Report) -> tuple[Reply, int]:
        judged = partial(judge, endpoint=self.chat.endpoint, hide=self.door.hide_key)
        waiting = partial(report, 0.0)
        name = self.chat.limit_name
        try:
            return self.line.deliver(
                "POST", PATH, self._body(name, number), judged, self.stop, waiting
            )
        except Trouble as trouble:
            # The newer name for the same limit; some servers know only the one, some the other.
            if name != OLD_LIMIT or NEW_LIMIT not in trouble.message:
                raise
        self.chat.limit_name = NEW_LIMIT
        body = self._body(NEW_LIMIT, number)
        return self.line.deliver("POST", PATH, body, judged, self.stop, waiting)

    def _body(self, limit_name: str, number: int) -> bytes:
        return whole_body(
            self.head, limit_name, self.sampler.max_tokens, self.sampler.seed + number
        )


def cost_of(usage: Usage, endpoint: Endpoint) -> float | None:
    """Reckon what a call cost; `None` when a price or a count is missing."""
    prices = endpoint.price_in, endpoint.price_out
    if prices[0] is None or prices[1] is None:
        return None
    if usage.tokens_in is None or usage.tokens_out is None:
        return None
    cached = min(usage.tokens_cached or 0, usage.tokens_in)
    kept = endpoint.price_cached if endpoint.price_cached is not None else prices[0]
    whole = (usage.tokens_in - cached) * prices[0] + cached * kept + usage.tokens_out * prices[1]
    return whole / 1_000_000


def _together(
    call: _Call, draws: Sequence[int], report: Report
) -> list[RawAnswer | Trouble | Cancelled]:
    """Make all draws at once: the first on this thread, each other on one of its own."""
    found: list[RawAnswer | Trouble | Cancelled] = [Cancelled() for _ in draws]

    def run(at: int, told: Report) -> None:
        found[at] = call.draw(draws[at], told)

    others = [
        threading.Thread(target=run, args=(at, no_report), name="endpoint-draw", daemon=True)
        for at in range(1, len(draws))
    ]
    for other in others:
        other.start()
    if draws:
        run(0, report)
    for number, other in enumerate(others, 1):
        report(number / len(draws), f"{number} of {len(draws)} answers")
        other.join()
    return found


def _settled(
    found: Sequence[RawAnswer | Trouble | Cancelled], stop: threading.Event
) -> list[RawAnswer]:
    """Turn troubles into answers that say so, or raise them where none has an answer."""
    if stop.is_set() and any(isinstance(one, Cancelled) for one in found):
        raise Cancelled()
    troubles = [one for one in found if isinstance(one, Trouble)]
    if troubles and len(troubles) == len(found):
        for kinds in ({Kind.UNUSABLE}, STOPPED):
            for trouble in troubles:
                if trouble.kind in kinds:
                    raise trouble.for_people() from None
    return [_as_answer(one) for one in found]


def _as_answer(one: RawAnswer | Trouble | Cancelled) -> RawAnswer:
    if isinstance(one, RawAnswer):
        return one
    return RawAnswer("", "error", error=one.message)


def _details(
    written: Written, tried: int, cost: float | None, currency: str
) -> tuple[tuple[str, str], ...]:
    told = {
        "model": written.model,
        "fingerprint": written.fingerprint,
        "reasoning": written.reasoning,
        "tries": str(tried) if tried > 1 else "",
        "cost": f"{cost:.6f} {currency}" if cost is not None else "",
    }
    return tuple((name, value) for name, value in told.items() if value)


def _added(used: Used, usage: Usage | None, cost: float | None) -> Used:
    if usage is None:
        return replace(used, failed=used.failed + 1)
    uncounted = usage.tokens_in is None or usage.tokens_out is None
    return Used(
        used.calls + 1,
        used.failed,
        used.tokens_in + (usage.tokens_in or 0),
        used.tokens_cached + (usage.tokens_cached or 0),
        used.tokens_out + (usage.tokens_out or 0),
        used.uncounted + uncounted,
        used.cost + (cost or 0.0) if used.cost is not None else None,
    )


def _price(endpoint: Endpoint) -> Price | None:
    if endpoint.price_in is None or endpoint.price_out is None:
        return None
    return Price(endpoint.price_in, endpoint.price_out, endpoint.currency)


def _has_prices(endpoint: Endpoint) -> bool:
    return endpoint.price_in is not None and endpoint.price_out is not None
