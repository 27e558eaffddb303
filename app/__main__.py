"""Where the parts are put together: the one file that knows the core, engines, reports, views."""

from __future__ import annotations

import multiprocessing
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from app.commands.line import run_line
from app.confusion.faces import FaceReader
from app.desk import Desk
from app.endpoints import EndpointRules
from app.interpreter import suit_interpreter
from app.models import ModelShelf
from app.parts import Parts, Pictures
from app.running.child import Child
from app.running.protocols import Embedder, Transcriber
from app.running.questions import Chat


def parts() -> Parts:
    """Give the core its engines and reports."""
    return Parts(
        embedder=_embedder,
        transcriber=_transcriber,
        face_reader=_face_reader,
        picture_times="reports.lesson:picture_times",
        lesson_report="reports.lesson:write_lesson_report",
        coaching_page="reports.coaching:write_coaching_page",
        benchmark_report="reports.benchmark:write_benchmark",
        eqs_report="reports.eqs:write_eqs",
        inspect_log="reports.inspect_log:write_inspect_log",
        confusion_picture_times="reports.confusion:picture_times",
        confusion_report="reports.confusion:write_confusion_report",
        confusion_benchmark="reports.benchmark_confusion:write_confusion_benchmark",
        audit_report="reports.audit:write_audit",
        audit_log="reports.audit_inspect:write_audit_log",
        audit_comparison="reports.audit_comparison:write_comparison",
        shelf=_shelf,
        endpoints=_endpoints,
        local_chat=_local_chat,
        endpoint_chat=_endpoint_chat,
        ask_model="engines.local_try:ask_once",
        loaded_model="engines.llama_cpp_child:loaded",
        free_model="engines.llama_cpp_child:let_go",
    )


def _embedder(child: Child) -> Embedder:
    from engines.away import ChildEmbedder

    return ChildEmbedder(child)


def _transcriber(child: Child, chosen: Path | None) -> Transcriber:
    from engines.away import ChildTranscriber
    from engines.weights import whisper_folder

    return ChildTranscriber(child, whisper_folder(chosen))


def _face_reader(child: Child) -> FaceReader:
    from engines.away import ChildFaceReader

    return ChildFaceReader(child)


def _endpoints() -> EndpointRules:
    from engines.endpoint_rules import Rules

    return Rules()


def _local_chat(child: Child, name: str) -> Chat:
    from engines.chats import local_chat

    return local_chat(child, name)


def _endpoint_chat(
    stored: Mapping[str, Any], found: Mapping[str, Any] | None, pictures: Pictures
) -> Chat:
    from engines.chats import endpoint_chat

    return endpoint_chat(stored, found, pictures)


def _window(desk: Desk, lesson_id: str | None) -> int:
    from views.run import open_window

    return open_window(desk, lesson_id)


def _window_trouble() -> str | None:
    from views.trouble import view_trouble

    return view_trouble()


def _shelf() -> ModelShelf:
    from engines.shelf import Shelf

    return Shelf()


def main(arguments: list[str] | None = None) -> int:
    """Run the program as the command line asks and give its exit code."""
    multiprocessing.freeze_support()
    suit_interpreter()
    given = sys.argv[1:] if arguments is None else arguments
    return run_line(given, parts, _window, _window_trouble, _shelf)


if __name__ == "__main__":
    sys.exit(main())
