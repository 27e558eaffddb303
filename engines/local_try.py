"""One question to an installed model, outside of any lesson; called in the child process."""

from __future__ import annotations

import tempfile
import threading
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from app.errors import MediaRefused
from app.running.protocols import Report
from app.running.questions import Question, RawAnswer
from engines.endpoint_rules import trial


def ask_once(
    name: str, text: str, picture: str, schema: str, report: Report, stop: threading.Event
) -> RawAnswer:
    """Ask an installed model one question.

    Args:
        name: Of the model, as `engines.shelf` lists it.
        text: The question.
        picture: A JPEG or PNG file; empty for none.
        schema: JSON Schema of the answer; empty for free text.
        report: Told what is being done.
        stop: Set to stop.

    Raises:
        EngineMissing: The model or what runs it is not installed, or it cannot be used.
        MediaRefused: The picture cannot be shown.
        Cancelled: `stop` was set.
    """
    from engines.chats import installed_llama
    from engines.llama_cpp_child import ask

    # Refused before anything is loaded; run as in a lesson, so that it need not be loaded twice.
    model = installed_llama(name)
    asked = trial(text, picture, schema)
    report(0.0, "loading the model, which can take minutes the first time")
    with tempfile.TemporaryDirectory(prefix="clerestory-") as folder:
        return ask(model, _as_recording(asked, Path(folder)), [0], report, stop)[0]


def _as_recording(question: Question, folder: Path) -> Question:
    """Put the picture into a recording of one frame, since the model reads only recordings."""
    if not question.frames:
        return question
    [frame] = question.frames
    path = folder / "picture.mkv"
    write_still(Path(frame.media_path), path)
    parts = (replace(frame, media_path=str(path)), *question.messages[0].parts[1:])
    return replace(question, messages=(replace(question.messages[0], parts=parts),))


def write_still(picture: Path, path: Path) -> None:
    """Write a picture as a recording of one frame, without loss.

    Raises:
        MediaRefused: The picture cannot be read.
    """
    import av

    try:
        with av.open(str(picture)) as opened, av.open(str(path), "w") as made:
            shown = next(opened.decode(video=0)).reformat(format="bgr0")
            stream = made.add_stream("ffv1", rate=1)
            stream.width, stream.height, stream.pix_fmt = shown.width, shown.height, "bgr0"
            shown.pts = 0
            shown.time_base = Fraction(1)
            made.mux(stream.encode(shown))
            made.mux(stream.encode(None))
    except (av.FFmpegError, StopIteration) as error:
        raise MediaRefused(
            f"{picture.name} cannot be shown to a model.", "Choose another picture."
        ) from error
