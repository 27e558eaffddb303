"""What it takes to show frames of a recording to a model: which there are, and how many fit."""

from __future__ import annotations

import math

from app.errors import EngineMissing, MediaRefused, Refused
from app.lesson.media.facts import MediaFacts, VideoFacts
from app.lesson.spans import Span
from app.running.protocols import EngineFacts

FRAME_PX = 640
"""Longest side of a frame, unless the settings say otherwise (`Settings.frame_px` says why).

The same for all questions, so that a frame that two of them show is encoded once.
"""

_PATCH_PX = 28
_LEAST_FRAME_TOKENS = 256
# What a square of 28 pixels costs with the Qwen-VL kind; Gemma and InternVL take 256 at least.


def no_sight(
    engine: str,
    facts: EngineFacts,
    title: str,
    media: MediaFacts | None,
    media_found: bool,
    otherwise: str,
) -> Refused | None:
    """Say why frames of a recording cannot be shown to a model; `None` when they can.

    Args:
        engine: Name of the model, for people.
        facts: Of the model.
        title: Of the recording.
        media: Its facts; `None` where there is none.
        media_found: Whether it lies where it was last seen.
        otherwise: What can be chosen instead, as a clause: `choose T`; empty if nothing.
    """
    if not facts.images:
        choices = [otherwise, "add the model's projector", "have the endpoint tested"]
        return EngineMissing(
            f"{engine} cannot be shown frames, or was never seen to see them.",
            _sentence(*filter(None, choices)),
        )
    if media is None:
        return MediaRefused(
            f"“{title}” has no recording, so there are no frames to show.", _sentence(otherwise)
        )
    if not media_found:
        return MediaRefused(
            f"The recording of “{title}” is no longer at {media.path}, so there are no frames to "
            "show.",
            _sentence("use “Find it…” in the library", *filter(None, [otherwise])),
        )
    if media.video is None:
        return MediaRefused(f"The recording of “{title}” has no picture.", _sentence(otherwise))
    return None


def visible_part(video: VideoFacts | None, span: Span | None) -> Span | None:
    """Give the part of a stretch in which there is a picture; `None` where there is none."""
    if video is None or span is None:
        return None
    start_ms = max(span.start_ms, video.first_ms)
    end_ms = min(span.end_ms, video.end_ms)
    return Span(start_ms, end_ms) if start_ms < end_ms else None


def frame_tokens(media: MediaFacts | None, frame_px: int) -> int:
    """Say what a frame takes at most, without the words beside it; 0 where there is no picture."""
    if media is None or media.video is None:
        return 0
    width, height = media.video.width, media.video.height
    scale = min(1.0, frame_px / max(width, height))
    squares = math.ceil(width * scale / _PATCH_PX) * math.ceil(height * scale / _PATCH_PX)
    return max(squares, _LEAST_FRAME_TOKENS)


def fewer_frames(shown: int, wanted: int, most: int) -> list[str]:
    """Say in a sentence why fewer frames were shown than wanted; nothing where all were.

    Args:
        shown: How many were.
        wanted: How many the protocol wants.
        most: How many the model takes.
    """
    if shown == wanted:
        return []
    why = (
        f"the model takes {most} pictures"
        if shown == most
        else "no more fit into what the model keeps in mind"
    )
    return [f"{shown} of {wanted} frames were shown, because {why}."]


def _sentence(*clauses: str) -> str:
    if not clauses or not clauses[0]:
        return ""
    *first, last = clauses
    told = f"{', '.join(first)}, or {last}" if first else last
    return f"{told[0].upper()}{told[1:]}."
