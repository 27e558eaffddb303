"""What the models page asks for, done: each long step as a job, each that matters asked first."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from app.endpoint_fields import WrongEndpoint
from app.endpoints import EndpointState
from app.errors import Cancelled, ClerestoryError
from app.models import ModelState
from views.background import Background, Job, Lane, Work
from views.models.endpoint_form import EndpointForm
from views.models.memory import MemoryWork
from views.models.page import ModelsPage
from views.models.words import forget_words, get_words, remove_words, turn_on_words
from views.notices import Kind, Notices

if TYPE_CHECKING:
    from app.desk import Desk

log = logging.getLogger(__name__)

GET, CHECK, ADD, REMOVE = "get-model", "check-model", "add-model", "remove-model"
TEST, ASK = "test-endpoint", "try-it"
MODEL_JOBS = (GET, CHECK, ADD, REMOVE)

Confirm = Callable[[QWidget, str, str, str], bool]
"""Asks a person: over which window, title, text, what going on is called."""
Keep = Callable[[Job, dict[str, object]], None]
"""Writes down a job, so that a later start of the program knows of it."""


def ask_person(parent: QWidget, title: str, text: str, yes: str) -> bool:
    """Ask whether to go on; doing nothing is what Enter and Esc choose."""
    box = QMessageBox(QMessageBox.Icon.Question, title, text, parent=parent)
    # Names are a person's or a server's own words, never markup.
    box.setTextFormat(Qt.TextFormat.PlainText)
    go_on = box.addButton(yes, QMessageBox.ButtonRole.AcceptRole)
    stay = box.addButton("Cancel", QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(stay)
    box.setEscapeButton(stay)
    box.exec()
    return box.clickedButton() is go_on


class ModelsWork(QObject):
    """Connects the models page with the desk.

    Signals:
        endpoints_changed: An endpoint was added, changed, turned on or off, or removed.
    """

    endpoints_changed = Signal()

    def __init__(
        self,
        desk: Desk,
        background: Background,
        notices: Notices,
        page: ModelsPage,
        keep: Keep,
        confirm: Confirm = ask_person,
    ) -> None:
        super().__init__(page)
        self._desk = desk
        self._background = background
        self._notices = notices
        self._page = page
        self._keep_job = keep
        self.confirm = confirm
        self._states: dict[str, ModelState] = {}
        self.form = EndpointForm(page)
        self.memory = MemoryWork(desk, background, page.memory, self._start, self._done)
        self._connect()

    def show_all(self) -> None:
        """Show models and endpoints as they are now."""
        self.show_endpoints()
        self.show_models()
        self.memory.look()

    def show_models(self) -> None:
        """Look at this computer and its models anew, away from the window's thread."""
        self._background.start(
            Job("Look at the models", Lane.LOOK),
            lambda _report, _stop: (self._desk.shelf.states(), self._desk.shelf.computer()),
            self._show_shelf,
            self._told_unless_stopped,
        )

    def show_endpoints(self) -> None:
        """Show the endpoints, and who can be asked."""
        states = self._desk.servers.states()
        self._page.endpoints.show_endpoints(states, self._desk.servers.unreadable())
        self._page.trying.show_endpoints(states)

    def show_job(self, job: Job) -> None:
        """Show how far a job of this page is."""
        if job.kind in MODEL_JOBS:
            self._page.shelf.show_job(str(job.arguments.get("model", "")), job)
        elif job.kind == TEST:
            self._page.endpoints.show_job(str(job.arguments.get("endpoint", "")), job)
        elif job.kind == ASK:
            self._page.trying.show_job(job)

    def repeat(self, job: Job) -> bool:
        """Start a job of this page again; says whether it was one that can be."""
        return self.start_again(job.kind, job.arguments)

    def start_again(self, kind: str, arguments: Mapping[str, object]) -> bool:
        """Start such a job; what a person agreed to once is not asked again."""
        name = arguments.get("model") or arguments.get("endpoint")
        starts = {GET: self._get, CHECK: self.check, TEST: self.test}
        if kind not in starts or not isinstance(name, str):
            return False
        starts[kind](name)
        return True

    # Models

    def get(self, name: str) -> None:
        """Fetch a model, once a person has agreed to use the network."""
        state = self._states.get(name)
        if state is not None and self._ask(f"Get {state.title}?", get_words(state), "Get it"):
            self._get(name)

    def check(self, name: str) -> None:
        """Read every byte of a model again."""
        self._start(
            f"Check {self._title(name)}",
            CHECK,
            {"model": name},
            lambda report, stop: self._desk.shelf.check(name, report, stop),
            partial(self._checked, name),
        )

    def remove(self, name: str) -> None:
        """Remove a model, once a person has agreed."""
        state = self._states.get(name)
        if state is None:
            return
        if self._ask(f"Remove {state.title}?", remove_words(state), "Remove it"):
            self._start(
                f"Remove {state.title}",
                REMOVE,
                {},
                lambda _report, _stop: self._desk.shelf.remove(name),
                self._done,
            )

    def add(self) -> None:
        """Ask for a model file, and for its projector, and put them on the list."""
        name, _ = QFileDialog.getOpenFileName(
            self._page, "Model file", filter="Models (*.gguf *.onnx *.bin);;All files (*)"
        )
        if not name:
            return
        projector = None
        if Path(name).suffix.lower() == ".gguf" and self._ask(
            "Does it see pictures?",
            "A GGUF model that sees pictures has a second file, its projector, often called "
            "mmproj. Choose it as well?",
            "Choose projector…",
        ):
            chosen, _ = QFileDialog.getOpenFileName(
                self._page, "Projector", str(Path(name).parent), "Models (*.gguf)"
            )
            projector = Path(chosen) if chosen else None
        self.add_file(Path(name), projector)

    def add_file(self, path: Path, projector: Path | None) -> None:
        """Put a file of the person's own on the list; it stays where it lies."""
        # faster-whisper's models are folders that are known by one of their files.
        place = path.parent if path.name == "model.bin" else path
        self._start(
            f"Add {place.name}",
            ADD,
            {},
            lambda report, stop: self._desk.shelf.add(place, projector, report=report, stop=stop),
            lambda state: self._done(f"{state.title} is on the list. {state.fit.words}"),
        )

    # Endpoints

    def add_endpoint(self) -> None:
        """Ask for a new endpoint."""
        self._open_form(None)

    def edit_endpoint(self, name: str) -> None:
        """Ask what is different about an endpoint."""
        state = self._endpoint(name)
        if state is not None:
            self._open_form(state)

    def turn(self, name: str, on: bool) -> None:
        """Turn an endpoint off, or on once a person knows what that sends where."""
        state = self._endpoint(name)
        if state is None:
            return
        if on and not self._ask(f"Turn on {name}?", turn_on_words(state), "Turn it on"):
            return
        try:
            self._desk.servers.turn(name, on=on)
        except ClerestoryError as error:
            self._notices.trouble(error)
        self._show_change()

    def test(self, name: str) -> None:
        """Find out what an endpoint can do."""
        self._start(
            f"Test {name}",
            TEST,
            {"endpoint": name},
            lambda report, stop: self._desk.probe_endpoint(name, report, stop),
            lambda _state: self._tested(name),
        )

    def remove_endpoint(self, name: str) -> None:
        """Forget an endpoint, once a person has agreed."""
        servers = self._desk.servers
        broken = next((one for one in servers.unreadable() if one.name == name), None)
        if broken is None and self._endpoint(name) is None:
            return
        if self._ask(f"Remove {name}?", forget_words(name, broken), "Remove it"):
            self._start(
                f"Remove {name}",
                "remove-endpoint",
                {},
                lambda _report, _stop: self._desk.servers.remove(name),
                lambda _none: self._show_change(),
            )

    def ask(self, whom: str, text: str, picture: Path | None, schema: str) -> None:
        """Put the question of the try-it box."""
        job = Job(f"Ask {whom}", Lane.MODELS, kind=ASK)
        self._background.start(
            job,
            lambda report, stop: self._desk.try_it(whom, text, picture, schema, report, stop),
            self._page.trying.show_answer,
            self._not_answered,
        )

    # How it goes on

    def _get(self, name: str) -> None:
        self._start(
            f"Get {self._title(name)}",
            GET,
            {"model": name},
            lambda report, stop: self._desk.shelf.get(name, report, stop),
            lambda state: self._done(f"{state.title} is installed. {state.fit.words}"),
        )

    def _start(
        self,
        title: str,
        kind: str,
        arguments: dict[str, object],
        work: Work,
        done: Callable[[Any], None],
    ) -> None:
        if any(job.title == title for job in self._background.running(kind=kind)):
            self._notices.tell(f"{title}: this is under way already.")
            return
        job = Job(title, Lane.MODELS, kind=kind)
        job.arguments = arguments
        if kind == GET:
            # Hours may lie in it, and a start again carries on where it was.
            self._keep_job(job, arguments)
        self._background.start(job, work, done, partial(self._failed, job))

    def _failed(self, job: Job, error: Exception) -> None:
        if isinstance(error, Cancelled):
            kept = "What has arrived is kept: “Get” carries on from there."
            self._notices.tell(
                f"{job.title}: stopped as you asked.", kept if job.kind == GET else ""
            )
        else:
            self._notices.trouble(error)
        self.show_all()
        self.endpoints_changed.emit()

    def _told_unless_stopped(self, error: Exception) -> None:
        if not isinstance(error, Cancelled):
            self._notices.trouble(error)

    def _done(self, told: str) -> None:
        self._notices.tell(told, kind=Kind.DONE)
        self.show_models()

    def _checked(self, name: str, wrong: tuple[str, ...]) -> None:
        if wrong:
            self._notices.tell(
                f"{self._title(name)} is not as it was: {' '.join(wrong)}",
                "Remove it and get or add it again.",
                Kind.TROUBLE,
            )
        else:
            told = f"{self._title(name)} is as it was when it came."
            self._notices.tell(told, kind=Kind.DONE)

    def _tested(self, name: str) -> None:
        self._notices.tell(f"{name} was tested; what was found stands below it.", kind=Kind.DONE)
        self.show_endpoints()

    def _not_answered(self, error: Exception) -> None:
        if isinstance(error, ClerestoryError):
            self._page.trying.show_trouble(str(error))
        else:
            self._page.trying.show_trouble("")
            self._notices.trouble(error)

    def _open_form(self, state: EndpointState | None) -> None:
        self.form.show_endpoint(state)
        self._background.start(
            Job("Look at the keyring", Lane.LOOK),
            lambda _report, _stop: self._desk.servers.keyring_trouble(),
            self.form.show_keyring,
            self._told_unless_stopped,
        )
        self.form.open()

    def _keep(self, stored: Mapping[str, Any], was: str, key: str) -> None:
        # Not listed as a job: its work holds the key.
        self._background.start(
            Job("Keep an endpoint", Lane.LOOK),
            lambda _report, _stop: self._desk.servers.keep(stored, was, key),
            lambda _state: self._kept(),
            self._not_kept,
        )

    def _kept(self) -> None:
        self.form.accept()
        self._show_change()

    def _not_kept(self, error: Exception) -> None:
        if isinstance(error, WrongEndpoint):
            self.form.show_trouble("", {field.name: field.words for field in error.fields})
        elif isinstance(error, ClerestoryError):
            self.form.show_trouble(str(error))
        else:
            self.form.reject()
            self._notices.trouble(error)
        self._show_change()

    def _show_change(self) -> None:
        self.show_endpoints()
        self.endpoints_changed.emit()

    def _show_shelf(self, found: tuple[tuple[ModelState, ...], str]) -> None:
        states, computer = found
        self._states = {state.name: state for state in states}
        self._page.shelf.show_models(states, computer)
        self._page.trying.show_models(states)

    def _endpoint(self, name: str) -> EndpointState | None:
        return next((s for s in self._desk.servers.states() if s.name == name), None)

    def _title(self, name: str) -> str:
        return self._states[name].title if name in self._states else name

    def _ask(self, title: str, text: str, yes: str) -> bool:
        return self.confirm(self._page, title, text, yes)

    def _connect(self) -> None:
        shelf, endpoints, trying = self._page.shelf, self._page.endpoints, self._page.trying
        shelf.add_wanted.connect(self.add)
        shelf.get_wanted.connect(self.get)
        shelf.check_wanted.connect(self.check)
        shelf.remove_wanted.connect(self.remove)
        endpoints.add_wanted.connect(self.add_endpoint)
        endpoints.edit_wanted.connect(self.edit_endpoint)
        endpoints.turn_wanted.connect(self.turn)
        endpoints.test_wanted.connect(self.test)
        endpoints.remove_wanted.connect(self.remove_endpoint)
        for part in (shelf, endpoints, trying):
            part.stop_wanted.connect(self._background.cancel)
        # Fetching alone goes on from what has arrived; tests and questions take seconds.
        shelf.pause_wanted.connect(self._background.pause)
        shelf.resume_wanted.connect(self._background.resume)
        trying.asked.connect(self.ask)
        self.form.filled.connect(self._keep)
        self._background.changed.connect(self.show_job)
