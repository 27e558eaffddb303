"""What the core is given from outside: engines, models, servers and what writes pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.confusion.faces import FaceReader
from app.endpoints import EndpointRules
from app.models import ModelShelf
from app.running.child import Child
from app.running.protocols import Embedder, Transcriber
from app.running.questions import Chat, FrameRef

Pictures = Callable[[FrameRef], Path]
"""Gives the picture file of a frame; called on the threads that ask a server."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What the core is given from outside: put together in `app/__main__.py` alone."""

    embedder: Callable[[Child], Embedder]
    transcriber: Callable[[Child, Path | None], Transcriber]
    """From a child process and the folder of another speech model, if the reviewer named one."""
    face_reader: Callable[[Child], FaceReader]
    """What finds and measures faces, from a child process."""
    picture_times: str
    """Dotted name of the function that says which moments the lesson report shows, in ms."""
    lesson_report: str
    """Dotted name of the function that writes it. Both are called in a child process."""
    coaching_page: str
    """Dotted name of the function that writes the coaching page; called in a child process."""
    benchmark_report: str
    """Dotted name of the function that writes a benchmark's page and tables."""
    eqs_report: str
    """Dotted name of the function that writes the page and tables of rated evidence."""
    inspect_log: str
    """Dotted name of the function that writes the log of one of its conditions. Both are called in
    a child process."""
    confusion_picture_times: str
    """Dotted name of the function that says which moments the student confusion report shows."""
    confusion_report: str
    """Dotted name of the function that writes it. Both are called in a child process."""
    confusion_benchmark: str
    """Dotted name of the function that writes what came of a confusion benchmark; called there."""
    audit_report: str
    """Dotted name of the function that writes the report on an audit and the files beside it."""
    audit_log: str
    """Dotted name of the function that writes an audit as a log."""
    audit_comparison: str
    """Dotted name of the function that writes two audits beside each other. All are called
    there."""
    shelf: Callable[[], ModelShelf]
    """Gives what can be done with models."""
    endpoints: Callable[[], EndpointRules]
    """Gives what is known of servers that may be asked."""
    local_chat: Callable[[Child, str], Chat]
    """Gives an installed model by name, to be asked in a child process."""
    endpoint_chat: Callable[[Mapping[str, Any], Mapping[str, Any] | None, Pictures], Chat]
    """Gives an endpoint: from what the settings keep of it, what its last test found out, and what
    gives the files of frames."""
    ask_model: str
    """Dotted name of the function that asks an installed model; called in a child process."""
    loaded_model: str
    """Dotted name of the function that says which model is in memory there."""
    free_model: str
    """Dotted name of the function that lets that memory go."""
