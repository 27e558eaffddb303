"""Endpoints as the core knows them: what is kept of each, what was found out, which are in use.

The settings keep endpoints as plain tables without any key. What a table means is known to
`engines/endpoint_rules.py` alone, which the core is given as `EndpointRules`.
"""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from app.endpoint_fields import UnreadableEndpoint, WrongEndpoint, WrongField, wrong_endpoint
from app.errors import Refused
from app.running.protocols import Report, no_report
from app.running.questions import RawAnswer
from app.settings import Settings

KEPT_FOR_ADDRESS = ("base_url", "model", "leads_elsewhere", "allows_plain", "uses_system_proxy")
"""What a person has agreed to by turning an endpoint on; another value needs a new yes."""


LOCAL = "this computer: "
"""Before the name of an installed model, where models and endpoints are chosen from alike."""


@dataclass(frozen=True, slots=True)
class Found:
    """One thing that a test of an endpoint found out."""

    question: str
    """What was looked at, as a question."""
    answer: str
    """`yes`, `no` or `unknown`."""
    words: str
    """The answer with its reason, in a sentence."""


@dataclass(frozen=True, slots=True)
class EndpointState:
    """One endpoint as a list shows it. Holds no key."""

    name: str
    base_url: str
    model: str
    is_on: bool
    stays_here: bool
    """Whether frames and words stay on this computer."""
    where: str
    """Where they go, in few words: `frames and words go to https://api.example.org`."""
    key_words: str
    """Where its key lies, as a sentence."""
    stored: Mapping[str, Any]
    """What the settings keep of it."""
    found: tuple[Found, ...] = ()
    """What the last test found out; empty before one."""
    found_at: str = ""
    """When that was, UTC."""


class EndpointRules(Protocol):
    """What the core is given from outside to deal with endpoints."""

    probe: str
    """Dotted name of the function that tests one; called in a child process."""
    ask: str
    """Dotted name of the function that asks one; called in a child process."""

    def read(
        self, stored: Mapping[str, Any], found: Mapping[str, Any] | None = None
    ) -> EndpointState:
        """Say what a table means; `state.stored` has it in order and without anything else.

        Raises:
            WrongEndpoint: It makes no sense.
            Refused: What was found out makes no sense.
        """
        ...

    def keyring_trouble(self) -> str:
        """Say why keys cannot be kept in the system's keyring; empty when they can."""
        ...

    def save_key(self, stored: Mapping[str, Any], key: str) -> None:
        """Keep a key in the system's keyring, for this name at this address.

        Raises:
            Refused: It cannot be a key, or there is no keyring that keeps it safe.
        """
        ...

    def forget_key(self, stored: Mapping[str, Any]) -> None:
        """Take the key out of the keyring.

        Raises:
            Refused: The keyring cannot be used.
        """
        ...


class Asked(Protocol):
    """A child process that can be called; `app.running.child.Child` is one."""

    def call(
        self,
        target: str,
        *args: Any,
        report: Report = no_report,
        stop: threading.Event | None = None,
        silence_s: float | None = None,
    ) -> Any:
        """Run a function there and give what it returns."""
        ...


class Endpoints:
    """The endpoints in the settings: listed, changed, turned on and off, tested, asked.

    Args:
        settings: Where they are kept; saved with each change.
        rules: What a kept table means.
        child: Where endpoints are asked.
    """

    def __init__(self, settings: Settings, rules: EndpointRules, child: Asked) -> None:
        self._settings = settings
        self._rules = rules
        self._child = child
        self._changing = threading.RLock()

    def states(self) -> tuple[EndpointState, ...]:
        """Give all endpoints in the order they were added; one that cannot be read is left out.

        It stays in the settings, and it is never asked.
        """
        found = self._settings.endpoints_found
        states = []
        for stored in self._settings.endpoints:
            with contextlib.suppress(Refused):
                states.append(self._state(stored, found.get(str(stored["name"]))))
        return tuple(states)

    def unreadable(self) -> tuple[UnreadableEndpoint, ...]:
        """Give the endpoints in the settings that make no sense, and why."""
        told = []
        for stored in self._settings.endpoints:
            try:
                self._rules.read(stored)
            except WrongEndpoint as error:
                why = " ".join(field.message for field in error.fields)
                has_key = stored.get("key_from") == "keyring"
                told.append(UnreadableEndpoint(str(stored["name"]), why, has_key))
        return tuple(told)

    def in_use(self) -> tuple[EndpointState, ...]:
        """Give the endpoints that are turned on."""
        return tuple(state for state in self.states() if state.is_on)

    def find(self, name: str) -> EndpointState:
        """Give the endpoint of a name.

        Raises:
            Refused: There is none.
        """
        for state in self.states():
            if state.name == name:
                return state
        raise Refused(f"There is no endpoint called {name}.", "Add it on the Models page.")

    def keyring_trouble(self) -> str:
        """Say why keys cannot be kept in the system's keyring; empty when they can."""
        return self._rules.keyring_trouble()

    def keep(self, stored: Mapping[str, Any], was: str = "", key: str = "") -> EndpointState:
        """Add an endpoint, or put it in place of the one that was called `was`.

        A new one is off. One whose address, model or way there is another than before is turned
        off, and what was found out about the other is forgotten.

        Args:
            stored: The table; see `engines.endpoints.Endpoint`.
            was: Its name before; empty for a new one.
            key: A key for the keyring; empty leaves the keyring as it is.

        Raises:
            WrongEndpoint: It makes no sense, the name is taken, or the key cannot be kept; says
                which fields are meant.
            Refused: There is none called `was`, or the settings cannot be kept.
        """
        with self._changing:
            old = self.find(was) if was else None
            same = old is not None and _same_way(stored, old.stored)
            is_on = same and old is not None and old.is_on
            state = self._checked({**stored, "is_on": is_on}, was)
            if key:
                self._save_key(state, key)
            found = self._settings.endpoints_found.pop(was, None)
            if same and found is not None:
                self._settings.endpoints_found[state.name] = found
            self._put(state.stored, was)
        if old is not None and _has_other_key(old.stored, state.stored):
            # The old key is of no more use; a keyring that is locked keeps it, which does no harm.
            with contextlib.suppress(Refused):
                self._rules.forget_key(old.stored)
        return self.find(state.name)

    def turn(self, name: str, *, on: bool) -> EndpointState:
        """Turn an endpoint on or off; only one that is on is ever asked.

        Raises:
            Refused: There is none of that name, or the settings cannot be kept.
        """
        with self._changing:
            self._put({**self.find(name).stored, "is_on": on}, name)
            return self.find(name)

    def remove(self, name: str) -> None:
        """Forget an endpoint and its key in the keyring; also one that makes no sense.

        Raises:
            Refused: The settings cannot be kept, or its key is still in the keyring.
        """
        with self._changing:
            kept = [s for s in self._settings.endpoints if s["name"] == name]
            self._settings.endpoints = tuple(
                s for s in self._settings.endpoints if s["name"] != name
            )
            self._settings.endpoints_found.pop(name, None)
            self._settings.save()
        for stored in kept:
            if stored.get("key_from") == "keyring":
                self._rules.forget_key(stored)

    def probe(
        self,
        name: str,
        when: str,
        report: Report = no_report,
        stop: threading.Event | None = None,
    ) -> EndpointState:
        """Find out what an endpoint can do, by some 15 small questions, and keep what was found.

        Args:
            name: Which; it must be on.
            when: The moment, UTC.
            report: Told how far it is.
            stop: Set to stop.

        Raises:
            EngineMissing: It is off, or cannot be used.
            EngineStopped: The server went away.
            Cancelled: `stop` was set.
        """
        asked = self.find(name)
        found = self._child.call(
            self._rules.probe,
            dict(asked.stored),
            when,
            report=report,
            stop=stop,
            silence_s=_silence_s(asked),
        )
        with self._changing:
            now = self.find(name)
            # Changed meanwhile: what was found is true of another server.
            if _same_way(now.stored, asked.stored):
                self._settings.endpoints_found[name] = found
                self._settings.save()
            return self.find(name)

    def ask(
        self,
        name: str,
        text: str,
        picture: Path | None = None,
        schema: str = "",
        report: Report = no_report,
        stop: threading.Event | None = None,
    ) -> RawAnswer:
        """Ask an endpoint one question and give the answer as it came. Nothing is kept.

        Raises:
            EngineMissing: It is off, or cannot be used.
            EngineStopped: The server went away.
            Refused: The picture cannot be shown.
            Cancelled: `stop` was set.
        """
        asked = self.find(name)
        answer: RawAnswer = self._child.call(
            self._rules.ask,
            dict(asked.stored),
            self._settings.endpoints_found.get(name),
            text,
            str(picture) if picture is not None else "",
            schema,
            report=report,
            stop=stop,
            silence_s=_silence_s(asked),
        )
        return answer

    def _state(self, stored: Mapping[str, Any], found: Mapping[str, Any] | None) -> EndpointState:
        if found is None:
            return self._rules.read(stored)
        try:
            return self._rules.read(stored, found)
        except Refused:
            # What was found out cannot be read; the endpoint itself still can, or is refused here.
            return self._rules.read(stored)

    def _checked(self, stored: Mapping[str, Any], was: str) -> EndpointState:
        """Read what is to be kept; names all that is wrong with it at once."""
        wrong = self._wrong_name(str(stored.get("name", "")), was)
        try:
            state = self._rules.read(stored)
        except WrongEndpoint as error:
            raise wrong_endpoint([*wrong, *error.fields]) from error
        if wrong:
            raise wrong_endpoint(wrong)
        return state

    def _wrong_name(self, name: str, was: str) -> list[WrongField]:
        taken = {str(stored["name"]) for stored in self._settings.endpoints}
        hint = "Choose another name."
        if not name:
            why, hint = "The endpoint has no name.", "Give it one that you will know it by."
        elif name.startswith(LOCAL):
            why = f"“{LOCAL}” stands for installed models."
        elif name != was and name in taken:
            why = f"There is an endpoint called {name} already."
        else:
            return []
        return [WrongField("name", why, hint)]

    def _save_key(self, state: EndpointState, key: str) -> None:
        try:
            self._rules.save_key(state.stored, key)
        except Refused as error:
            raise wrong_endpoint([WrongField("key", error.message, error.hint)]) from error

    def _put(self, stored: Mapping[str, Any], was: str) -> None:
        kept = list(self._settings.endpoints)
        places = [place for place, other in enumerate(kept) if was and other["name"] == was]
        if places:
            kept[places[0]] = dict(stored)
        else:
            kept.append(dict(stored))
        self._settings.endpoints = tuple(kept)
        self._settings.save()


def read_schema(text: str) -> str:
    """Give a typed JSON Schema in its shortest form; empty for none.

    Raises:
        Refused: It is no JSON object.
    """
    if not text.strip():
        return ""
    try:
        schema = json.loads(text)
    except ValueError as error:
        raise Refused(
            f"The schema is not JSON: {error}.", "Correct it, or leave the field empty."
        ) from error
    if not isinstance(schema, dict):
        raise Refused("The schema is not a JSON object.", 'Begin it with { "type": "object", … }.')
    return json.dumps(schema, ensure_ascii=False, separators=(",", ":"))


def _same_way(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Say whether frames and words go to the same model by the same way."""
    return all(_plain(one.get(name)) == _plain(other.get(name)) for name in KEPT_FOR_ADDRESS)


def _plain(value: object) -> object:
    return value.strip().rstrip("/") if isinstance(value, str) else bool(value)


def _has_other_key(old: Mapping[str, Any], new: Mapping[str, Any]) -> bool:
    named = ("name", "base_url", "key_from")
    return old.get("key_from") == "keyring" and any(old.get(n) != new.get(n) for n in named)


def _silence_s(state: EndpointState) -> float:
    """Leave it to the endpoint's own limit to end a call, in a sentence of its own."""
    return 2 * float(state.stored.get("silence_s", 300.0)) + 60.0
