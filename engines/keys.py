"""Keys of endpoints: in the system's keyring, or in an environment variable. Never in a file.

The keyring holds a key under the endpoint's name **and** address, so that an address changed in
the settings, by whomever, does not get the key that was meant for another server.
"""

from __future__ import annotations

import contextlib
import os
from typing import NoReturn

from app.errors import EngineMissing, Refused
from engines.endpoints import Endpoint

SERVICE = "clerestory"
"""The name our keys stand under in the system's keyring."""

_SAFE = ("SecretService", "kwallet", "libsecret", "macOS", "Windows")
"""Modules of `keyring.backends` that hand keys to the system; others may write plain files."""

_SHOWN = "(key)"


class Secret:
    """A key that does not show itself: not when printed, logged, compared by eye or pickled."""

    __slots__ = ("_held",)

    def __init__(self, key: str) -> None:
        self._held = key

    def __repr__(self) -> str:
        return _SHOWN

    def __reduce__(self) -> NoReturn:
        raise TypeError("a key is never pickled")

    def reveal(self) -> str:
        """Give the key, for the one place that sends it."""
        return self._held

    def hide_in(self, text: str) -> str:
        """Take the key out of what a server wrote; some repeat the key they were sent."""
        return text.replace(self._held, _SHOWN)

    def hide_in_bytes(self, data: bytes) -> bytes:
        """Take the key out of bytes as they came."""
        return data.replace(self._held.encode(), _SHOWN.encode())


def keyring_trouble() -> str:
    """Say why the system's keyring cannot be used; empty when it can. Opens no network socket."""
    import keyring

    backend = keyring.get_keyring()
    parts = getattr(backend, "backends", None) or [backend]
    unsafe = [part for part in parts if not _is_safe(type(part))]
    if not unsafe:
        return ""
    if type(unsafe[0]).__module__ in ("keyring.backends.fail", "keyring.backends.null"):
        return "this computer has no keyring that is running"
    return f"the keyring {type(unsafe[0]).__module__} may keep keys in plain files"


def save_key(endpoint: Endpoint, key: str) -> None:
    """Keep a key in the system's keyring.

    Raises:
        Refused: The key cannot be one, or there is no keyring that keeps it safe.
    """
    import keyring
    from keyring.errors import KeyringError

    _check_form(endpoint, key)
    _need_keyring(endpoint)
    # Raised without the cause: a backend's own words might repeat what it was given.
    with contextlib.suppress(KeyringError, RuntimeError, OSError):
        keyring.set_password(SERVICE, _entry(endpoint), key)
        return
    raise _keyring_refused(endpoint, "it did not take the key")


def forget_key(endpoint: Endpoint) -> None:
    """Take a key out of the keyring; it is well if there was none.

    Raises:
        Refused: The keyring cannot be used.
    """
    import keyring
    from keyring.errors import KeyringError, PasswordDeleteError

    _need_keyring(endpoint)
    try:
        keyring.delete_password(SERVICE, _entry(endpoint))
    except PasswordDeleteError:
        return
    except (KeyringError, RuntimeError, OSError):
        pass
    else:
        return
    raise _keyring_refused(endpoint, "it did not answer")


def read_key(endpoint: Endpoint) -> Secret | None:
    """Give the key of an endpoint; `None` for one that needs none.

    Raises:
        EngineMissing: There should be a key and there is none.
        Refused: The keyring cannot be used, or what was found cannot be a key.
    """
    if endpoint.key_from == "none":
        return None
    if endpoint.key_from == "environment":
        found = os.environ.get(endpoint.key_variable)
        hint = f"Set the environment variable {endpoint.key_variable} and start the program again."
    else:
        found = _from_keyring(endpoint)
        hint = f"Enter the key for {endpoint.origin} in the settings."
    if not found:
        raise EngineMissing(f"There is no key for the endpoint {endpoint.name}.", hint)
    _check_form(endpoint, found)
    return Secret(found)


def _from_keyring(endpoint: Endpoint) -> str | None:
    import keyring
    from keyring.errors import KeyringError

    _need_keyring(endpoint)
    with contextlib.suppress(KeyringError, RuntimeError, OSError):
        return keyring.get_password(SERVICE, _entry(endpoint))
    raise _keyring_refused(endpoint, "it is locked or did not answer")


def _entry(endpoint: Endpoint) -> str:
    return f"{endpoint.name} at {endpoint.origin}"


def _is_safe(kind: type) -> bool:
    package, _, module = kind.__module__.rpartition(".")
    return package == "keyring.backends" and module in _SAFE


def _need_keyring(endpoint: Endpoint) -> None:
    trouble = keyring_trouble()
    if trouble:
        raise _keyring_refused(endpoint, trouble)


def _keyring_refused(endpoint: Endpoint, why: str) -> Refused:
    return Refused(
        f"The keyring cannot be used for the endpoint {endpoint.name}: {why}.",
        "Unlock or install one, or name an environment variable that holds the key. A key is "
        "never written to a file.",
    )


def _check_form(endpoint: Endpoint, key: str) -> None:
    """Refuse what would break the header it travels in; says nothing of the key itself."""
    if not (8 <= len(key) <= 4096 and key.isascii() and all("!" <= c <= "~" for c in key)):
        raise Refused(
            f"What is given as the key of {endpoint.name} cannot be one.",
            "A key is at least 8 plain letters, digits and signs, without spaces.",
        )
