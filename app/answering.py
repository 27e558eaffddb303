"""Which models can answer questions here, by the names people know them by, and where they are.

Listing them loads no model and opens no connection.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from app.endpoints import Endpoints, EndpointState
from app.errors import EngineMissing, Refused
from app.files import Files
from app.models import ModelShelf
from app.running.protocols import EngineFacts, Report
from app.running.questions import Chat, FrameRef, Question, RawAnswer

ANSWERING_KINDS = ("vision", "judge", "text")
"""Kinds of installed models that can be asked; speech models cannot."""


@dataclass(frozen=True, slots=True)
class EngineChoice:
    """A model that may be chosen, and what a person should know before choosing it."""

    name: str
    """Of an installed model, or of an endpoint that is on."""
    title: str
    images: int
    """How many pictures it takes at a time; 0 when it sees none, or nobody has tested it."""
    goes_to: str
    """The address that words and frames leave this computer for; empty when they stay here."""
    trouble: str = ""
    """Why it cannot be asked now, and what to do; empty when it can."""

    @property
    def is_ready(self) -> bool:
        """Whether it can be asked now."""
        return not self.trouble

    @property
    def leaves(self) -> bool:
        """Whether words and frames leave this computer."""
        return bool(self.goes_to)


class Answering:
    """Gives models by name.

    An endpoint with the name of an installed model is never asked under it: whoever names a model
    on this computer must not send a lesson elsewhere by it.

    Args:
        files: Gives children and pictures.
        shelf: Gives the installed models.
        servers: Gives the endpoints.
    """

    def __init__(
        self,
        files: Files,
        shelf: Callable[[], ModelShelf],
        servers: Callable[[], Endpoints],
    ) -> None:
        self._files, self._shelf, self._servers = files, shelf, servers

    def choices(self) -> tuple[EngineChoice, ...]:
        """List the installed models, then the endpoints that are on."""
        installed = self._installed()
        local = [self._local_choice(name, title) for name, title in installed.items()]
        served = [self._served_choice(state, installed) for state in self._servers().in_use()]
        return (*local, *served)

    def chat(self, name: str) -> Chat:
        """Give a model by name; nothing is loaded or sent before it is asked.

        Raises:
            EngineMissing: There is none of that name, it is off, or it cannot run here.
        """
        if name in self._installed():
            return self._files.local_chat(name)
        state = self._endpoint(name)
        if state is None:
            known = [choice.name for choice in self.choices()]
            there = f"There are: {', '.join(known)}." if known else "There is none yet."
            raise EngineMissing(
                f"There is no model called “{name}” here, and no endpoint of that name is on.",
                f"{there} Add one on the Models page.",
            )
        return self._served(state)

    def goes_to(self, name: str) -> str:
        """Give the address that words and frames leave this computer for; empty if they stay."""
        state = None if name in self._installed() else self._endpoint(name)
        return state.base_url if state is not None and not state.stays_here else ""

    def require_place(self, name: str, agreed: str) -> None:
        """See that words and frames leave for no other address than a person agreed to.

        Work may be started again long afterwards, when the model on this computer is gone and an
        endpoint of its name is on.

        Args:
            name: Of the model.
            agreed: The address as `goes_to` gave it when the work was agreed to.

        Raises:
            EngineMissing: They would leave for another one.
        """
        goes_to = self.goes_to(name)
        if goes_to and goes_to != agreed:
            raise EngineMissing(
                f"“{name}” would now be asked at {goes_to}, which nobody agreed to for this work. "
                "Nothing was sent.",
                "Choose the model anew, where it says what goes where.",
            )

    def _installed(self) -> dict[str, str]:
        return {
            state.name: state.title
            for state in self._shelf().states()
            if state.is_installed and state.kind in ANSWERING_KINDS and state.form == "gguf"
        }

    def _endpoint(self, name: str) -> EndpointState | None:
        return next((s for s in self._servers().in_use() if s.name == name), None)

    def _local_choice(self, name: str, title: str) -> EngineChoice:
        facts, trouble = _facts(lambda: self._files.local_chat(name))
        return EngineChoice(name, title, facts.images if facts else 0, "", trouble)

    def _served_choice(self, state: EndpointState, installed: Iterable[str]) -> EngineChoice:
        facts, trouble = _facts(lambda: self._served(state))
        if state.name in installed:
            trouble = (
                "An installed model has the same name, so this endpoint is not asked. Give it "
                "another name on the Models page."
            )
        goes_to = "" if state.stays_here else state.base_url
        title = f"{state.name}: {state.model}"
        return EngineChoice(state.name, title, facts.images if facts else 0, goes_to, trouble)

    def _served(self, state: EndpointState) -> Chat:
        pictures = FramePictures(self._files)
        chat = self._files.endpoint_chat(state, pictures)
        return _WithPictures(chat, pictures)


class FramePictures:
    """Picture files of frames, fetched for a whole question at once: one walk over the recording.

    Args:
        files: Reads recordings, in the media's child process.
    """

    def __init__(self, files: Files) -> None:
        self._files = files
        self._known: dict[tuple[str, int, int], Path] = {}

    def __call__(self, frame: FrameRef) -> Path:
        """Give the file of a frame.

        Raises:
            MediaRefused: It cannot be read.
        """
        if _key(frame) not in self._known:
            self.fetch([frame])
        return self._known[_key(frame)]

    def fetch(self, frames: Sequence[FrameRef], stop: threading.Event | None = None) -> None:
        """Have the files of some frames made; those that are there are kept.

        Raises:
            MediaRefused: One cannot be read.
            Cancelled: `stop` was set.
        """
        together: dict[tuple[str, str, int], list[int]] = {}
        for frame in frames:
            if _key(frame) not in self._known:
                place = frame.media_path, frame.fingerprint, frame.max_px
                together.setdefault(place, []).append(frame.time_ms)
        for (path, fingerprint, max_px), times in together.items():
            made = self._files.frame_pictures(path, fingerprint, times, max_px, stop)
            self._known.update(
                {(fingerprint, time_ms, max_px): file for time_ms, file in made.items()}
            )


class _WithPictures:
    """A chat whose frames are there as files before it is asked; a `Chat`."""

    def __init__(self, chat: Chat, pictures: FramePictures) -> None:
        self._chat, self._pictures = chat, pictures

    def facts(self) -> EngineFacts:
        return self._chat.facts()

    def ask(
        self, question: Question, draws: Sequence[int], report: Report, stop: threading.Event
    ) -> list[RawAnswer]:
        if question.frames:
            self._pictures.fetch(question.frames, stop)
        return self._chat.ask(question, draws, report, stop)


def _key(frame: FrameRef) -> tuple[str, int, int]:
    return frame.fingerprint, frame.time_ms, frame.max_px


def _facts(make: Callable[[], Chat]) -> tuple[EngineFacts | None, str]:
    try:
        return make().facts(), ""
    except Refused as error:
        return None, str(error)
