"""Endpoints: servers that a person lets the program ask. Each is off until it is turned on.

This module opens no socket. `notice` words what the status bar says about where things go.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any
from urllib.parse import SplitResult, urlsplit

from app.errors import Refused

KEY_SOURCES = ("none", "keyring", "environment")
"""Where the key of an endpoint is kept; never in the settings themselves."""

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A server that speaks the OpenAI chat form, and how it may be used.

    Raises:
        Refused: The address or a number makes no sense, or frames would travel unencrypted.
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
        _check_address(self)
        _check_key_source(self)
        _check_numbers(self)
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
            Refused: A field is missing or of the wrong kind, or makes no sense.
        """
        known = {field.name for field in fields(cls)}
        given = {name: value for name, value in stored.items() if name in known}
        wrong = [name for name, value in given.items() if not _fits(name, value)]
        missing = [name for name in ("name", "base_url", "model") if name not in given]
        if wrong or missing:
            raise Refused(
                f"An endpoint in the settings cannot be read: {', '.join(wrong + missing)}.",
                "Remove it and add it again.",
            )
        return cls(**given)


def notice(endpoints: Iterable[Endpoint]) -> str:
    """Say for the status bar where frames and words may go now."""
    told = [endpoint.goes_to for endpoint in endpoints if endpoint.is_on]
    return "; ".join(told) if told else "Nothing leaves this computer."


_TEXTS = ("name", "base_url", "model", "key_from", "key_variable", "currency")
_SWITCHES = ("is_on", "allows_plain", "leads_elsewhere", "uses_system_proxy")
_PRICES = ("price_in", "price_cached", "price_out")


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


def _check_address(endpoint: Endpoint) -> None:
    try:
        parts = urlsplit(endpoint.base_url)
        # Reading the port is what checks it.
        known = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        known = False
    if not known or re.search(r"[\s\\\x00-\x20\x7f]", endpoint.base_url):
        raise Refused(
            f"The address of the endpoint {endpoint.name} is not one of the web.",
            "Write it like http://127.0.0.1:8000/v1.",
        )
    # The address is shown and stored, so nothing secret may hide in it; it is not quoted here.
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise Refused(
            f"The address of the endpoint {endpoint.name} holds a name, a key or a question mark.",
            "Write the plain address, and keep the key in the keyring.",
        )
    if parts.scheme == "http" and not endpoint.is_loopback and not endpoint.allows_plain:
        raise Refused(
            f"Frames and words would go to {parts.hostname} unencrypted.",
            "Use an address that begins with https, or allow it for a network you trust.",
        )


def _check_key_source(endpoint: Endpoint) -> None:
    if endpoint.key_from not in KEY_SOURCES:
        raise Refused(
            f"The endpoint {endpoint.name} does not say where its key is kept.",
            f"Choose one of {', '.join(KEY_SOURCES)}.",
        )
    if endpoint.key_from == "environment" and not _VARIABLE.fullmatch(endpoint.key_variable):
        # What stands there may be the key itself, so it is not quoted.
        raise Refused(
            f"The endpoint {endpoint.name} needs the name of an environment variable for its key.",
            "Give the variable's name, such as MY_SERVER_KEY, and not the key.",
        )


def _check_numbers(endpoint: Endpoint) -> None:
    prices = endpoint.price_in, endpoint.price_cached, endpoint.price_out
    fine = (
        1 <= endpoint.max_in_flight <= 1024
        and 0 < endpoint.connect_s <= 3600
        and 0 < endpoint.silence_s <= 86_400
        and all(price is None or 0 <= price < 1e9 for price in prices)
    )
    if not fine:
        raise Refused(
            f"A number of the endpoint {endpoint.name} is out of range.",
            "Take 1 to 1024 calls at once, times above 0 s, and prices of 0 or more.",
        )


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
