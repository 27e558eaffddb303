"""Engines as the window uses them: they look the same and run in the child process."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import cast

import numpy as np
from numpy.typing import NDArray

from app.confusion.faces import SAMPLES_A_SECOND, FaceSeries
from app.lesson.transcript.records import Transcript
from app.running.child import Child
from engines.base import EngineFacts, Report, no_report
from engines.minilm import MiniLM
from engines.onnx_face import OnnxFace

SPEECH_SILENCE_S = 900.0
"""Half a minute of speech at the largest model on a slow computer, tried four times."""


class ChildEmbedder:
    """MiniLM in the child process; an `Embedder`."""

    def __init__(self, child: Child) -> None:
        self._child = child

    def facts(self) -> EngineFacts:
        """Say what this is."""
        return MiniLM().facts()

    def embed(
        self,
        texts: Sequence[str],
        report: Report = no_report,
        stop: threading.Event | None = None,
    ) -> NDArray[np.float32]:
        """Give (n, 384) float32 rows of length 1, in the order of `texts`.

        Raises:
            EngineStopped: The child died of it.
            Cancelled: `stop` was set.
        """
        found = self._child.call("engines.minilm:embed", list(texts), report=report, stop=stop)
        return cast("NDArray[np.float32]", found)


class ChildTranscriber:
    """faster-whisper in the child process; a `Transcriber`.

    Args:
        child: Where it runs.
        model_folder: A faster-whisper model; the one that comes with the program if not given.
        language: Code such as `en`; found from the sound if empty.
    """

    def __init__(self, child: Child, model_folder: Path | None = None, language: str = "") -> None:
        self._child = child
        self._folder = str(model_folder) if model_folder is not None else None
        self._language = language

    def facts(self) -> EngineFacts:
        """Say what this is; reads the weights once, for their hash."""
        found = self._child.call("engines.whisper:facts", self._folder, silence_s=SPEECH_SILENCE_S)
        return cast("EngineFacts", found)

    def transcribe(self, media_path: str, report: Report, stop: threading.Event) -> Transcript:
        """Write down what is said, on the media's clock.

        Raises:
            MediaRefused: The recording has no sound.
            Refused: The model cannot be used.
            EngineStopped: The child died of it.
            Cancelled: `stop` was set.
        """
        found = self._child.call(
            "engines.whisper:transcribe",
            media_path,
            self._folder,
            self._language,
            report=report,
            stop=stop,
            silence_s=SPEECH_SILENCE_S,
        )
        return cast("Transcript", found)


class ChildFaceReader:
    """The face engine in the child process; a `FaceReader`.

    What is seen comes by way of the folder: the child writes it, and it is read here.
    """

    def __init__(self, child: Child) -> None:
        self._child = child
        self._near = OnnxFace()

    def facts(self) -> EngineFacts:
        """Say what this is."""
        return self._near.facts()

    def read(
        self,
        media_path: str,
        folder: Path,
        per_second: float = SAMPLES_A_SECOND,
        report: Report = no_report,
        stop: threading.Event | None = None,
    ) -> FaceSeries:
        """Look at a recording, as `OnnxFace.read` does.

        Raises:
            EngineStopped: The child died of it; what was seen so far is kept.
            MediaRefused, Refused, Cancelled: As there.
        """
        self._child.call(
            "engines.onnx_face:read", media_path, str(folder), per_second, report=report, stop=stop
        )
        return self._near.whole(folder)

    def so_far(self, folder: Path) -> FaceSeries | None:
        """Give what has been seen so far, while `read` is under way or after; cheap."""
        return self._near.so_far(folder)
