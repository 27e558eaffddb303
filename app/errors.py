"""Errors a reviewer can do something about; anything else that is raised is a bug.

ClerestoryError
├── Refused            the input cannot be used as it is
│   ├── MediaRefused       a recording that cannot be opened or has nothing to show
│   ├── TranscriptRefused  a transcript that cannot be read
│   ├── StoreRefused       a library that cannot be opened or written
│   ├── ReportRefused      a page that cannot be made
│   └── EngineMissing      a model or a part of the program that is not there
├── EngineStopped      the child process ended or fell silent before it answered
├── BadAnswer          a model answered, but not in the form it was asked for
├── Cancelled          a person stopped the work
├── Paused             the work rests until a person resumes it
└── WrongUse           the command line was called in a way it does not know
"""

from __future__ import annotations


class ClerestoryError(Exception):
    """Base of every error we show as a notice.

    Args:
        message: What happened, naming the file or clip concerned, as a full sentence.
        hint: What the reviewer can do next, as a full sentence.
    """

    def __init__(self, message: str, hint: str = "") -> None:
        # Both go to Exception, so that the error survives the pipe from the child process.
        super().__init__(message, hint)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()


class Refused(ClerestoryError):
    """The input cannot be used as it is; nothing was changed."""


class MediaRefused(Refused):
    """A recording cannot be opened, or there is nothing in it to show or hear."""


class TranscriptRefused(Refused):
    """A transcript cannot be read; the message names the line where there is one."""


class StoreRefused(Refused):
    """A library cannot be opened or written."""


class ReportRefused(Refused):
    """A page or an export cannot be made."""


class EngineMissing(Refused):
    """A model, its weights or an optional part of the program is not there."""


class EngineStopped(ClerestoryError):
    """The child process ended, or fell silent, before it answered."""


class BadAnswer(ClerestoryError):
    """A model answered, but not in the form it was asked for."""


class Cancelled(ClerestoryError):
    """A person stopped the work; what was done so far is kept where that makes sense."""

    def __init__(self, message: str = "Stopped as you asked.", hint: str = "") -> None:
        super().__init__(message, hint)


class Paused(ClerestoryError):
    """The work came to rest by itself; what was done is kept, and the same work can be resumed.

    Raised by the function of a job whose engine failed again and again. The job is then shown as
    paused, with the message as its reason, and a button to resume it. A pause that a person asked
    for needs no such error: the job's function sees `stop` and raises `Cancelled` as ever.
    """


class WrongUse(ClerestoryError):
    """The command line was called in a way it does not know."""
