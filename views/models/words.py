"""The words of the models page: what a model is, what leaves the computer, what came back."""

from __future__ import annotations

from app.endpoint_fields import UnreadableEndpoint
from app.endpoints import EndpointState
from app.models import Fits, LoadedModel, ModelState, Origin, show_size
from app.running.attempts import judge
from app.running.questions import Message, Question, RawAnswer, Status

KIND_WORDS = {
    "vision": "sees pictures",
    "judge": "judges answers, reads text only",
    "text": "reads text only",
    "speech": "writes down speech",
}
ORIGIN_WORDS = {
    Origin.DOWNLOADED: "fetched by this program",
    Origin.COPIED: "a copy of your file",
    Origin.LINKED: "your own file, used where it lies",
    Origin.PROGRAM: "comes with the program",
}
FIT_WORDS = {
    Fits.GPU: "Fits the graphics card.",
    Fits.MEMORY: "Fits this computer.",
    Fits.TOO_LARGE: "Too large for this computer.",
    Fits.UNKNOWN: "Not known whether it fits.",
}
STATUS_WORDS = {
    Status.OK: "usable",
    Status.RETRY_OK: "usable",
    Status.SCHEMA_FAIL: "not in the form that was asked for",
    Status.REFUSAL: "the model refused",
    Status.TRUNCATED: "cut off",
    Status.BACKEND_ERROR: "no answer",
    Status.JUDGE_FAIL: "no judgement",
}


def model_words(state: ModelState) -> str:
    """Say in a line what a model is: what it does, size, licence, where it came from."""
    size = show_size(state.size_bytes) if state.size_bytes is not None else "size not known"
    parts = [KIND_WORDS.get(state.kind, state.kind), size]
    parts.append(f"licence: {state.licence}" if state.licence else "licence not known")
    if state.origin is not None:
        parts.append(f"installed, {ORIGIN_WORDS[state.origin]}")
    told = "; ".join(parts)
    return f"{told[:1].upper()}{told[1:]}."


def get_words(state: ModelState) -> str:
    """Say what fetching a model means, before anything is fetched."""
    much = f"about {show_size(state.size_bytes)}" if state.size_bytes is not None else "much data"
    unknown = "" if state.size_bytes is not None else " (the hub will say how much)"
    fit = f" {FIT_WORDS[Fits.TOO_LARGE]} {state.fit.words}" if _is_too_large(state) else ""
    licence = f" Its licence: {state.licence}." if state.licence else ""
    return (
        f"This goes to the network: {much}{unknown} will be fetched from the Hugging Face model "
        f"hub, {state.source}.{licence} The hub sees this computer's address and what is fetched; "
        f"nothing of any lesson is sent. It can be stopped and carried on later.{fit}"
    )


def remove_words(state: ModelState) -> str:
    """Say what removing a model means."""
    if state.origin is Origin.LINKED:
        return f"“{state.title}” is taken off the list. Your own file stays where it lies."
    size = f" and {show_size(state.size_bytes)} become free" if state.size_bytes else ""
    again = " It can be fetched again." if state.can_fetch else ""
    return f"“{state.title}” is deleted from this computer{size}.{again}"


def turn_on_words(state: EndpointState) -> str:
    """Say what leaves the computer, and where to, before an endpoint is turned on."""
    if state.stays_here:
        return (
            f"“{state.name}” has an address on this computer, {state.base_url}. Once it is on, "
            f"frames and words of a lesson you use it for are given to the model {state.model} "
            "there, and stay on this computer. If that server passes them on to another one, as a "
            "tunnel or a cloud model does, leave it off and tick “Leads elsewhere” under Edit."
        )
    return (
        f"Once “{state.name}” is on, {state.where}, to the model {state.model}: pictures of the "
        "people in a lesson and what they say, for each lesson you use it for. Whoever runs that "
        "server can see and keep them. Nothing is sent before you start something with it, and "
        "you can turn it off at any time. Do you have the right to send these recordings there?"
    )


def forget_words(name: str, broken: UnreadableEndpoint | None) -> str:
    """Say what is forgotten with an endpoint, also with one that cannot be read."""
    if broken is None or broken.has_key:
        return f"The program forgets “{name}”, what a test found out, and its key in the keyring."
    return f"The program forgets “{name}” and what a test found out."


def asked_words(state: EndpointState) -> str:
    """Say where a question that is tried goes."""
    what = "Your question and picture stay on this computer."
    if not state.stays_here:
        goes = state.where.replace("frames and words", "your question and picture")
        what = f"Careful: {goes}."
    return f"Model {state.model} at {state.base_url}. {what}"


def local_words(state: ModelState) -> str:
    """Say what asking a model on this computer means and needs."""
    return (
        f"{state.title} runs on this computer; your question and picture stay here. It needs "
        f"llama-cpp-python, an extra part of the program. {state.fit.words}"
    )


def loaded_words(loaded: LoadedModel) -> str:
    """Say which model is in memory and about how much it takes."""
    if loaded.is_busy:
        return "A model on this computer is answering; it stays in memory for the next question."
    size = show_size(loaded.memory_bytes)
    return f"In memory for the next question: {loaded.title}, about {size}."


def endpoint_words(state: EndpointState) -> str:
    """Say whether an endpoint is on, and what that means."""
    if not state.is_on:
        return "Off. Nothing is sent to it."
    if state.stays_here:
        return f"On. What it is shown stays on this computer ({state.base_url})."
    return f"On. When you use it, {state.where}."


def answer_facts(answer: RawAnswer) -> str:
    """Say what an answer took: seconds, tokens, what the engine had kept."""
    tokens_in = _tokens(answer.tokens_in, "shown to the model")
    cached = (
        "how many of them were cached is not told"
        if answer.tokens_cached is None
        else f"{answer.tokens_cached:,} of them cached"
    )
    tokens_out = _tokens(answer.tokens_out, "written")
    return f"{answer.seconds:.1f} s; {tokens_in}, {cached}; {tokens_out}."


def answer_worth(answer: RawAnswer, schema: str) -> str:
    """Say whether an answer could be used as it is, and what is wrong with it."""
    found = judge(Question("try it", (Message("user", ("",)),), schema), answer)
    told = STATUS_WORDS[found.status]
    if found.status is Status.OK and schema:
        told = "keeps the schema"
    reason = f" {found.error}" if found.error else ""
    return f"How it ended: {answer.finish}. The answer: {told}.{reason}"


def _tokens(count: int | None, what: str) -> str:
    return f"tokens {what}: not told" if count is None else f"{count:,} tokens {what}"


def _is_too_large(state: ModelState) -> bool:
    return state.fit.verdict is Fits.TOO_LARGE
