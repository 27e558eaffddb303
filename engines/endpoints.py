"""Endpoints: servers that a person lets the program ask. Each is off until it is turned on.

This module opens no socket. `notice` words what the status bar says about where things go.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any
from urllib.parse import SplitResult, urlsplit

from app.endpoint_fields import WrongEndpoint, WrongField, wrong_endpoint

KEY_SOURCES = ("none", "keyring", "environment")
"""Where the key of an endpoint is kept; never in the settings themselves."""

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A server that speaks the OpenAI chat form, and how it may be used.

    Raises:
        WrongEndpoint: The address or a number makes no sense, or frames would travel unencrypted.
    """

    name: str
    """What people call it; one of a kind among the endpoints."""
    base_url: str
    """Address up to and without `/chat/completions`, e.g. `http://127.0.0.1:8000/v1`."""
    model: str
    """The model's name as the server knows it."""
    is_on: bool = False
    """Whether a person has turned it on; nothing is sent before that."""
    key_from: str = "none"
    """One of `KEY_SOURCES`."""
    key_variable: str = ""
    """Name of the environment variable that holds the key."""
    max_in_flight: int = 8
    """Calls under way at once, 1 to 1024; fewer while the server says that it is busy."""
    price_in: float | None = None
    """Price of a million tokens shown to the model; `None` when nobody has entered it."""
    price_cached: float | None = None
    """Price of a million tokens the server had kept; `price_in` when `None`."""
    price_out: float | None = None
    """Price of a million tokens written."""
    currency: str = "USD"
    allows_plain: bool = False
    """Whether frames and words may go unencrypted (`http:`) to another computer."""
    leads_elsewhere: bool = False
    """Whether an address on this computer is a tunnel, or a server that asks another one."""
    uses_system_proxy: bool = False
    """Whether the system's proxy is used; never for this computer itself."""
    connect_s: float = 10.0
    """How long a connection may take to be made."""
    silence_s: float = 300.0
    """How long the server may send nothing at all."""

    def __post_init__(self) -> None:
        wrong = list(_wrong_values(self))
        if wrong:
            raise wrong_endpoint(wrong)
        object.__setattr__(self, "base_url", _plain(urlsplit(self.base_url)))

    @property
    def origin(self) -> str:
        """Scheme, host and port, e.g. `https://api.example.org:443`."""
        parts = urlsplit(self.base_url)
        port = parts.port or (443 if parts.scheme == "https" else 80)
        return f"{parts.scheme}://{_bracketed(parts.hostname or '')}:{port}"

    @property
    def is_loopback(self) -> bool:
        """Say whether the address is this very computer's."""
        return _is_loopback(urlsplit(self.base_url).hostname or "")

    @property
    def is_local(self) -> bool:
        """Say whether frames and words stay on this computer, as far as anybody has told us."""
        return self.is_loopback and not self.leads_elsewhere

    @property
    def goes_to(self) -> str:
        """Say in plain words where frames and words go when it is asked."""
        parts = urlsplit(self.base_url)
        address = f"{parts.scheme}://{parts.netloc}"
        if self.is_local:
            return f"{self.name}: this computer only ({address})"
        if self.is_loopback:
            return f"{self.name}: frames and words go to another computer, by way of {address}"
        plain = ", unencrypted" if parts.scheme == "http" else ""
        return f"{self.name}: frames and words go to {address}{plain}"

    def to_json(self) -> dict[str, Any]:
        """Give what the settings keep. Holds no key."""
        return asdict(self)

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Endpoint:
        """Read what `to_json` gave; fields that are not known are left out.

        Raises:
            WrongEndpoint: Fields are missing, of the wrong kind, or make no sense.
        """
        known = {field.name for field in fields(cls)}
        given = {name: value for name, value in stored.items() if name in known}
        wrong = list(_wrong_kinds(given))
        if not wrong:
            return cls(**given)
        raise WrongEndpoint(
            f"An endpoint in the settings cannot be read: {', '.join(one.name for one in wrong)}.",
            "Remove it and add it again.",
            [*wrong, *_wrong_beside(cls, given, {one.name for one in wrong})],
        )


def notice(endpoints: Iterable[Endpoint]) -> str:
    """Say for the status bar where frames and words may go now."""
    told = [endpoint.goes_to for endpoint in endpoints if endpoint.is_on]
    return "; ".join(told) if told else "Nothing leaves this computer."


_TEXTS = ("name", "base_url", "model", "key_from", "key_variable", "currency")
_SWITCHES = ("is_on", "allows_plain", "leads_elsewhere", "uses_system_proxy")
_PRICES = ("price_in", "price_cached", "price_out")
_WORDS = {
    "name": "name",
    "base_url": "address",
    "model": "model",
    "key_from": "place of the key",
    "key_variable": "name of the variable",
    "currency": "currency",
    "is_on": "switch that turns it on",
    "allows_plain": "choice of an unencrypted address",
    "leads_elsewhere": "choice of leading elsewhere",
    "uses_system_proxy": "choice of the system's proxy",
    "max_in_flight": "number of questions at once",
    "connect_s": "time for connecting",
    "silence_s": "time of silence",
    "price_in": "price of tokens read",
    "price_cached": "price of tokens the server had kept",
    "price_out": "price of tokens written",
}
"""What people call the fields."""


def _wrong_kinds(given: Mapping[str, Any]) -> Iterator[WrongField]:
    for name in ("name", "base_url", "model"):
        if name not in given:
            yield WrongField(name, f"The {_WORDS[name]} is missing.", f"Enter the {_WORDS[name]}.")
    for name, value in given.items():
        if not _fits(name, value):
            kind, hint = _kind(name)
            yield WrongField(name, f"The {_WORDS[name]} is not {kind}.", hint)


def _wrong_beside(
    made: type[Endpoint], given: Mapping[str, Any], left: set[str]
) -> tuple[WrongField, ...]:
    """Say what else is wrong, once those fields are left out that are missing or no such thing."""
    stand_in = {"name": "this", "base_url": "http://127.0.0.1", "model": "any"}
    try:
        made(**stand_in | {name: value for name, value in given.items() if name not in left})
    except WrongEndpoint as error:
        return error.fields
    return ()


def _kind(name: str) -> tuple[str, str]:
    if name in _TEXTS:
        return "text", "Enter it anew."
    if name in _SWITCHES:
        return "yes or no", "Choose anew."
    if name in _PRICES:
        return "a number", "Write it with a point, such as 2.50, or leave it empty."
    if name == "max_in_flight":
        return "a whole number", "Write one from 1 to 1024."
    return "a number", "Write seconds, such as 300."


def _fits(name: str, value: object) -> bool:
    if name in _TEXTS:
        return isinstance(value, str)
    if name in _SWITCHES:
        return isinstance(value, bool)
    if name == "max_in_flight":
        return type(value) is int
    if value is None:
        return name in _PRICES
    return type(value) in (int, float)


def _wrong_values(endpoint: Endpoint) -> Iterator[WrongField]:
    yield from _wrong_address(endpoint)
    if not endpoint.model.strip():
        yield WrongField("model", "The model has no name.", "Write it as the server lists it.")
    yield from _wrong_key_source(endpoint)
    yield from _wrong_numbers(endpoint)


def _wrong_address(endpoint: Endpoint) -> Iterator[WrongField]:
    try:
        parts = urlsplit(endpoint.base_url)
        # Reading the port is what checks it.
        known = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        known = False
    if not known or re.search(r"[\s\\\x00-\x20\x7f]", endpoint.base_url):
        yield WrongField(
            "base_url",
            f"The address of the endpoint {endpoint.name} is not one of the web.",
            "Write it like http://127.0.0.1:8000/v1.",
        )
    # The address is shown and stored, so nothing secret may hide in it; it is not quoted here.
    elif "@" in parts.netloc or parts.query or parts.fragment:
        yield WrongField(
            "base_url",
            f"The address of the endpoint {endpoint.name} holds a name, a key or a question mark.",
            "Write the plain address, and keep the key in the keyring.",
        )
    elif parts.scheme == "http" and not endpoint.is_loopback and not endpoint.allows_plain:
        yield WrongField(
            "base_url",
            f"Frames and words would go to {parts.hostname} unencrypted.",
            "Use an address that begins with https, or allow it for a network you trust.",
        )


def _wrong_key_source(endpoint: Endpoint) -> Iterator[WrongField]:
    if endpoint.key_from not in KEY_SOURCES:
        yield WrongField(
            "key_from",
            f"The endpoint {endpoint.name} does not say where its key is kept.",
            f"Choose one of {', '.join(KEY_SOURCES)}.",
        )
    if endpoint.key_from == "environment" and not _VARIABLE.fullmatch(endpoint.key_variable):
        # What stands there may be the key itself, so it is not quoted.
        yield WrongField(
            "key_variable",
            f"The endpoint {endpoint.name} needs the name of an environment variable for its key.",
            "Give the variable's name, such as MY_SERVER_KEY, and not the key.",
        )


def _wrong_numbers(endpoint: Endpoint) -> Iterator[WrongField]:
    # Written so that "not a number" is out of every range.
    if not 1 <= endpoint.max_in_flight <= 1024:
        yield _out_of_range("max_in_flight", "Take 1 to 1024.")
    if not 0 < endpoint.connect_s <= 3600:
        yield _out_of_range("connect_s", "Take more than 0 and at most 3600 seconds.")
    if not 0 < endpoint.silence_s <= 86_400:
        yield _out_of_range("silence_s", "Take more than 0 and at most 86400 seconds.")
    prices = {name: getattr(endpoint, name) for name in _PRICES}
    for name, price in prices.items():
        if price is not None and not 0 <= price < 1e9:
            yield _out_of_range(name, "Take 0 or more, or leave it empty.")
    if not endpoint.currency.strip() and any(price is not None for price in prices.values()):
        yield WrongField("currency", "The prices have no currency.", "Write it, such as EUR.")


def _out_of_range(name: str, hint: str) -> WrongField:
    return WrongField(name, f"The {_WORDS[name]} is out of range.", hint)


def _plain(parts: SplitResult) -> str:
    """Write an address in one way only, since it is part of every question's key."""
    host = _bracketed(parts.hostname or "")
    port = f":{parts.port}" if parts.port is not None else ""
    return f"{parts.scheme}://{host}{port}{parts.path.rstrip('/')}"


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
