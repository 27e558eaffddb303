"""Find out what a server can do by asking it, since what it says of itself is often not so.

Each finding is yes, no or unknown, with its reason. Nothing of a lesson is sent: the questions are
about shapes drawn by the program, made-up words and the weather. Some 15 calls, of which the
longest shows about 12,000 tokens.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from app.running.protocols import Report, no_report
from engines.endpoint_body import data_url, response_format
from engines.endpoint_capabilities import SCHEMA_FORMS, Answer, Capabilities, Finding
from engines.endpoint_door import Reply
from engines.endpoint_pictures import COLOURS, SHAPES, picture_of
from engines.endpoint_replies import Written, read_written
from engines.endpoint_trouble import STOPPED, Kind, Trouble
from engines.endpoints import Endpoint

if TYPE_CHECKING:
    import openai

OLD_LIMIT, NEW_LIMIT = "max_tokens", "max_completion_tokens"
"""Two names for the same limit; some servers know only the one, some only the other."""


def probe(
    asked: openai.OpenAI,
    endpoint: Endpoint,
    when: str,
    report: Report = no_report,
    hide: Callable[[str], str] = str,
) -> Capabilities:
    """Ask a server about everything in `Capabilities`.

    Args:
        asked: From `client`.
        endpoint: Whose model is asked.
        when: The moment, kept with what is found.
        report: Takes progress.
        hide: Takes the key out of the server's words.

    Raises:
        Trouble: Not even a plain question is answered, or the server went away.
        Cancelled: The `stop` of the client was set.
    """
    asker = _Asker(asked, endpoint, hide)
    report(0.0, "asking a plain question")
    plain = asker.ask("Write one short sentence about the weather.")
    report(0.1, "asking whether it keeps a schema")
    schema, schema_form = find_schema(asker)
    report(0.2, "asking about two pictures")
    images, count = find_images(asker)
    report(0.5, "asking for probabilities")
    logprobs = find_logprobs(asker)
    report(0.6, "asking about a long text")
    long_prompt, kept, told = find_long_prompt(asker)
    context = find_context(asker) or told
    report(1.0, "done")
    return Capabilities(
        when,
        plain.model,
        plain.fingerprint,
        schema,
        images,
        count,
        long_prompt,
        kept,
        logprobs,
        context,
        schema_form,
    )


class _Asker:
    """Asks one small question after another, and remembers which words the server knows."""

    def __init__(
        self, asked: openai.OpenAI, endpoint: Endpoint, hide: Callable[[str], str]
    ) -> None:
        self.client = asked
        self.endpoint = endpoint
        self.hide = hide
        self._limit_name = OLD_LIMIT

    def ask(self, content: str | list[dict[str, Any]], **more: Any) -> Written:
        """Ask, and read the answer."""
        return read_written(self.reply(content, **more), self.endpoint, self.hide)

    def reply(self, content: str | list[dict[str, Any]], **more: Any) -> Reply:
        """Ask, and give what came back."""
        try:
            return self._reply(content, **more)
        except Trouble as trouble:
            if self._limit_name == NEW_LIMIT or NEW_LIMIT not in trouble.message:
                raise
        self._limit_name = NEW_LIMIT
        return self._reply(content, **more)

    def _reply(
        self, content: str | list[dict[str, Any]], most_tokens: int = 400, **more: Any
    ) -> Reply:
        # Plain JSON, built by hand in all its parts like the questions of lessons.
        messages: Any = [{"role": "user", "content": content}]
        raw = self.client.chat.completions.with_raw_response.create(
            model=self.endpoint.model,
            messages=messages,
            temperature=0.0,
            seed=0,
            extra_body={self._limit_name: most_tokens, **more},
        )
        return Reply(raw.status_code, {}, raw.content, 0.0)


def find_schema(asker: _Asker) -> tuple[Finding, str]:
    """Find out whether answers are held to a schema, and in which of `SCHEMA_FORMS` it is asked.

    The second form is tried only where the first does not bind. Where neither does, what came of
    the first is told: it is the form that most servers know.
    """
    first = _finding_in(asker, SCHEMA_FORMS[0])
    if first.is_yes:
        return first, SCHEMA_FORMS[0]
    second = _finding_in(asker, SCHEMA_FORMS[1])
    if second.is_yes:
        told = f"{second.reason}, which this server takes in the form of llama-cpp-python"
        return Finding("yes", told), SCHEMA_FORMS[1]
    return first, SCHEMA_FORMS[0]


def _finding_in(asker: _Asker, form: str) -> Finding:
    """Ask for one thing in words and for another by schema: only a schema that binds can win."""
    for name, value in (("kelp", "otter"), ("brass", "lantern")):
        schema = {
            "type": "object",
            "properties": {name: {"type": "string", "enum": [value]}},
            "required": [name],
            "additionalProperties": False,
        }
        try:
            written = asker.ask(
                "Answer with the one word blue. Do not use JSON.",
                response_format=response_format(schema, form),
            )
        except Trouble as trouble:
            return _refused("no", trouble)
        if _json(written.text) != {name: value}:
            return Finding("no", "the answer did not keep the schema")
    return Finding("yes", "two answers kept a schema that the question spoke against")


def find_images(asker: _Asker) -> tuple[Finding, int | None]:
    """Ask about two drawn pictures; guessing both right has a chance of 1 in 324."""
    right = 0
    for colour, shape in (("green", "triangle"), ("purple", "square")):
        words = (
            "What is drawn here? Answer with one colour and one shape. "
            f"Colours: {', '.join(COLOURS)}. Shapes: {', '.join(SHAPES)}."
        )
        try:
            written = asker.ask([_picture(colour, shape), _text(words)])
        except Trouble as trouble:
            return _refused("no", trouble), None
        right += _named(written.text) == {colour, shape}
    if right == 0:
        return Finding(
            "no", "it could not name a drawn shape, so the pictures may be dropped"
        ), None
    if right == 1:
        return Finding("unknown", "it named one of two drawn shapes, which may be a guess"), None
    count, how = _how_many(asker)
    return Finding("yes", f"it named both drawn shapes; {how}"), count


def find_logprobs(asker: _Asker) -> Finding:
    """Ask for the probabilities of the first token."""
    try:
        reply = asker.reply("Answer yes or no.", most_tokens=4, logprobs=True, top_logprobs=5)
        told = json.loads(reply.body)["choices"][0]["logprobs"]["content"][0]["top_logprobs"]
    except Trouble as trouble:
        return _refused("no", trouble)
    except (ValueError, KeyError, IndexError, TypeError):
        return Finding("no", "the answer came without them")
    if isinstance(told, list) and len(told) >= 2:
        return Finding("yes", f"the {len(told)} likeliest first tokens were given")
    return Finding("no", "the answer came without other tokens than its own")


LENGTHS = (4_000, 16_000, 48_000)
"""Characters of the long texts: about 1,000, 4,000 and 12,000 tokens."""


def find_long_prompt(asker: _Asker) -> tuple[Finding, int | None, int | None]:
    """Hide a word at the start of ever longer texts and ask for it at the end.

    Returns:
        The finding, the characters of the longest text that arrived whole, and the tokens the
        server says it takes, if it refused one and said so.
    """
    kept: int | None = None
    for length in LENGTHS:
        try:
            written = asker.ask(long_text(length))
        except Trouble as trouble:
            return *_long_refused(trouble, kept), _limit_told(trouble)
        if NEEDLE not in written.text.lower():
            return _not_found(written, length), kept, None
        kept = length
    return Finding("yes", f"{LENGTHS[-1]} characters arrived whole"), kept, None


NEEDLE = "heron 4172"


def long_text(length: int) -> str:
    """Write a text of about so many characters whose first line holds `NEEDLE`."""
    lines, size = [f"The password is {NEEDLE}."], 0
    while size < length:
        lines.append(f"Line {len(lines)}: the bus stops at the corner beside the old library.")
        size += len(lines[-1]) + 1
    lines.append("What is the password in the first line? Answer with the password only.")
    return "\n".join(lines)


def find_context(asker: _Asker) -> int | None:
    """Read from the list of models how long text and answer may be together."""
    try:
        listed = json.loads(asker.client.models.with_raw_response.list().content)
        models = [m for m in listed["data"] if m["id"] == asker.endpoint.model]
        found = {**models[0], **(models[0].get("meta") or {})}
    except Trouble as trouble:
        if trouble.kind in STOPPED:
            raise
        return None
    except (ValueError, KeyError, IndexError, TypeError, AttributeError):
        return None
    names = ("max_model_len", "context_length", "max_context_length", "context_window", "n_ctx")
    return next((found[n] for n in names if type(found.get(n)) is int and found[n] > 0), None)


def _how_many(asker: _Asker) -> tuple[int, str]:
    """Show twice as many pictures each time, until they are refused or no longer counted."""
    before = _tokens_of(asker, 1)
    for number in (2, 4, 8, 16, 32):
        try:
            tokens = _tokens_of(asker, number)
        except Trouble as trouble:
            if trouble.kind in STOPPED:
                raise
            told = re.search(r"at most (\d{1,4})|(\d{1,4}) image", trouble.message, re.I)
            most = int(told[1] or told[2]) if told else number // 2
            return min(max(most, number // 2), number - 1), f"{number} at once were refused"
        # Models spend dozens of tokens on a picture, and never fewer than these few.
        if before is not None and tokens is not None and tokens - before < number // 2 * 4:
            return number // 2, f"of {number} at once not all were counted"
        before = tokens
    counted = "" if before is not None else ", though it does not count tokens"
    return 32, f"32 at once were taken{counted}"


def _tokens_of(asker: _Asker, number: int) -> int | None:
    pictures = [_picture("green", "circle") for _ in range(number)]
    words = [_text(f"Here are {number} pictures.")]
    return asker.ask([*words, *pictures, _text("Say hello.")], most_tokens=16).usage.tokens_in


def _long_refused(trouble: Trouble, kept: int | None) -> tuple[Finding, int | None]:
    if trouble.kind is Kind.SILENT:
        return Finding("unknown", "it fell silent over a long text"), kept
    if trouble.kind in STOPPED:
        raise trouble
    if trouble.kind is Kind.ODD:
        return Finding("yes", "what is too long is refused, not cut"), kept
    return Finding("unknown", trouble.message), kept


def _not_found(written: Written, length: int) -> Finding:
    """Judge a first line that was not found by how many tokens the server counted."""
    tokens = written.usage.tokens_in
    # Such text has about 4.5 characters a token; with half of that, half is missing.
    if tokens is not None and tokens >= length / 9:
        return Finding(
            "unknown", f"all of {length} characters were counted, but their start was not found"
        )
    return Finding("no", f"the start of a text of {length} characters was cut without a word")


def _limit_told(trouble: Trouble) -> int | None:
    found = re.search(r"(?:length|size|window|maximum)\D{0,40}?(\d{3,7})", trouble.message, re.I)
    return int(found[1]) if found else None


def _refused(answer: Answer, trouble: Trouble) -> Finding:
    """Turn a refusal into a finding; a server that went away is passed on."""
    if trouble.kind in STOPPED:
        raise trouble
    if trouble.kind in (Kind.UNUSABLE, Kind.ODD):
        return Finding(answer, f"it was refused: {trouble.message}")
    return Finding("unknown", trouble.message)


def _named(text: str) -> set[str]:
    words = set(re.findall(r"[a-z]+", text.lower()))
    return words & {*COLOURS, *SHAPES}


def _picture(colour: str, shape: str) -> dict[str, Any]:
    return {"type": "image_url", "image_url": {"url": data_url(picture_of(colour, shape))}}


def _text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def _json(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
