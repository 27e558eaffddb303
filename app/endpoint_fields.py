"""What is wrong with an endpoint as it was entered or kept, field by field."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.errors import Refused


@dataclass(frozen=True, slots=True)
class WrongField:
    """One field that makes no sense. Never quotes what stands in it, which may be a key."""

    name: str
    """Of the field, as the settings keep it; `key` for the key itself."""
    message: str
    """What is wrong, as a full sentence."""
    hint: str
    """What to do, as a full sentence."""

    @property
    def words(self) -> str:
        """Both, to stand beside the field."""
        return f"{self.message} {self.hint}".strip()


class WrongEndpoint(Refused):
    """An endpoint that cannot be used as it is; says what is wrong with which field.

    Args:
        message: What is wrong with the first of them.
        hint: What to do about that one.
        fields: All that are wrong.
    """

    def __init__(self, message: str, hint: str = "", fields: Sequence[WrongField] = ()) -> None:
        super().__init__(message, hint)
        self.fields = tuple(fields)


def wrong_endpoint(fields: Sequence[WrongField]) -> WrongEndpoint:
    """Make the error that names all wrong fields, of which there is at least one."""
    return WrongEndpoint(fields[0].message, fields[0].hint, fields)


@dataclass(frozen=True, slots=True)
class UnreadableEndpoint:
    """An endpoint in the settings that makes no sense, and so is never asked."""

    name: str
    reason: str
    """What is wrong with it, in sentences."""
    has_key: bool
    """Whether its key may lie in the keyring."""
