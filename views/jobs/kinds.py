"""What a stop leaves of each kind of job; a pause is offered only where it loses nothing."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class JobKind:
    """What a person may expect when a job of this kind is stopped."""

    can_pause: bool
    """Whether the same work, started again, goes on from what was done: then it can be paused."""
    stop: str
    """What the button says; it warns where a stop loses long work."""
    stop_tip: str
    again_tip: str
    """What starting it again means."""


FROM_KEPT = JobKind(
    True,
    "Stop",
    "End this for good; what was done so far is kept",
    "It goes on from what is kept; nothing is done twice",
)
"""Work through the runner, where every answer is kept at once, and downloads."""

FROM_START = JobKind(
    False,
    "Stop (starts over next time)",
    "What was done so far is lost: started again, this begins at the beginning",
    "It starts from the beginning",
)
"""Long work that gives all or nothing."""

SHORT = JobKind(False, "Stop", "Stop this", "It starts from the beginning")
"""Work of seconds, of which nobody misses what a stop loses."""

KINDS = {
    "hear": FROM_START,  # the speech engine gives its lines at the very end
    "code": FROM_START,  # so does the evidence finder, which takes seconds to a few minutes
    "code-model": FROM_KEPT,  # a model's answers are kept one by one
    "probe-evidence": FROM_KEPT,  # so are the answers to tests of evidence
    "read-confusion": FROM_KEPT,  # faces that were found and readings are kept as they come
    "benchmark": FROM_KEPT,  # so are those over a set of coded clips
    "audit": FROM_KEPT,  # so are those of tutors and judges
    "audit-self-check": FROM_KEPT,
    "get-model": FROM_KEPT,  # bytes that have arrived stay, and the rest is fetched
}
"""Kinds of jobs for which a stop means more than `SHORT` says.

A kind whose work goes through `app.running.run` belongs under `FROM_KEPT`.
"""


def kind_of(name: str) -> JobKind:
    """Say what a stop leaves of jobs of a kind."""
    return KINDS.get(name, SHORT)
