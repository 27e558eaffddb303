"""A desk with a real library and no engines: what the window needs of `app.desk.Desk`.

Endpoints are the real ones, asked in a child that the test scripts; models are made up.
"""

from __future__ import annotations

import json
import threading
from dataclasses import replace
from pathlib import Path

import webvtt

from app.answering import Answering
from app.audit_desk import AuditDesk
from app.audit_experts import AuditExperts
from app.coder_trust import CoderTrust
from app.coding.practices import read_practices
from app.coding.records import Check, Citation, Evidence, Prediction
from app.endpoints import LOCAL, Endpoints, read_schema
from app.errors import Cancelled
from app.item_banks import ItemBanks
from app.lesson.clips import Clip
from app.lesson.media.facts import AudioFacts, MediaFacts, VideoFacts
from app.lesson.transcript.records import Role, Transcript, Utterance
from app.models import Fit, Fits, LoadedModel, ModelState, Origin
from app.probing_lessons import EvidenceProbing
from app.running.questions import Chat, RawAnswer
from app.settings import Settings
from app.store.library import Library
from engines.endpoint_rules import Rules
from resources import resource

FINDER = "evidence-finder/1"


class StandInDesk:
    """Answers the long calls at once, from what the test gave it."""

    def __init__(self, folder: Path, author: str = "AK") -> None:
        self.folder = folder
        self.library = Library.open(folder / "test.clerestory")
        self.settings = Settings(author=author)
        self.calls: list[tuple] = []
        self.refuse: Exception | None = None
        self.go_on = threading.Event()
        self.go_on.set()
        self.is_closed = False
        self.child = StandInChild()
        self.servers = Endpoints(self.settings, Rules(), self.child)
        self.answering = Answering(None, lambda: self.shelf, lambda: self.servers)
        self.shelf = StandInShelf(self)
        self.files = StandInFiles()
        self.trust = CoderTrust(self.library)
        self.chat: Chat | None = None
        self.items = ItemBanks(self.library)
        self.audit = AuditDesk(self.library, self.files, self.answering, self.items, self.settings)
        self.audit_experts = AuditExperts(self.library)
        self.probing = EvidenceProbing(self.library, lambda _name: self.chat, self.practices)

    @property
    def author(self) -> str:
        return self.settings.author

    @property
    def practices(self):
        return read_practices(resource("practices.toml"))

    def engines(self):
        return ()

    def coders(self):
        return ("evidence-finder",)

    def endpoints(self):
        return tuple(f"{s.name} ({s.base_url})" for s in self.servers.in_use())

    def endpoints_here(self):
        here = [state for state in self.servers.in_use() if state.stays_here]
        return tuple(f"{state.name} ({state.base_url})" for state in here)

    def probe_endpoint(self, name, report=None, stop=None):
        return self.servers.probe(name, "2026-11-30T02:00:00+00:00", report, stop)

    def try_it(self, engine, text, picture=None, schema="", report=None, stop=None):
        self._note("try_it", engine, text, picture, schema)
        asked = read_schema(schema)
        if engine.startswith(LOCAL):
            return self.child.answer
        return self.servers.ask(engine, text, picture, asked, report, stop)

    def close(self) -> None:
        self.is_closed = True
        self.library.close()

    def add_lesson(self, media, transcript=None, title="", report=None, stop=None):
        self._note("add_lesson", media, transcript)
        return self.library.add_lesson(
            title or (media or transcript).stem, None, spoken(), dict(ROLES)
        )

    def add_sample(self, report=None, stop=None):
        self._note("add_sample")
        return add_sample(self.library)

    def hear(self, lesson_id, report, stop):
        self._note("hear", lesson_id)
        report(0.5, "listening")
        while not self.go_on.wait(0.01):
            if stop.is_set():
                from app.errors import Cancelled

                raise Cancelled
        self.library.set_transcript(lesson_id, spoken(), dict(ROLES))

    def code(self, lesson_id, coder, report, stop):
        self._note("code", lesson_id, coder)
        review = self.library.lesson(lesson_id)
        clips = review.clips or CLIPS
        self.library.propose_clips(lesson_id, clips)
        self.library.add_run(lesson_id, FINDER, (), predictions())

    def pictures(self, lesson_id, times_ms, max_px, report=None, stop=None, exact=True):
        return {}

    def poster(self, lesson_id, stop=None):
        return None

    def frame_times(self, lesson_id, report, stop):
        return tuple(range(0, 228_600, 40))

    def waveform(self, lesson_id, report, stop):
        from app.errors import MediaRefused

        raise MediaRefused("The sound could not be read.", "Try again.")

    def write_report(self, lesson_id, folder, report, stop):
        self._note("write_report", lesson_id, folder)
        page = folder / "report.pdf"
        page.write_bytes(b"%PDF-1.7")
        return [page]

    def find_media(self, lesson_id, place, report, stop):
        self._note("find_media", lesson_id, place)
        return False

    def _note(self, *call) -> None:
        self.calls.append(call)
        if self.refuse is not None:
            raise self.refuse


class StandInFiles:
    """Keeps a model in memory, as the child for models would."""

    def __init__(self) -> None:
        self.loaded: LoadedModel | None = None

    def loaded_model(self, stop=None):
        return self.loaded

    def free_model(self, stop=None):
        self.loaded = None


class StandInChild:
    """Answers at once what a server would be asked for."""

    def __init__(self) -> None:
        self.answer = RawAnswer('{"level": 2}', "stop", 1000, 600, 20, 1.25)
        self.refuse: Exception | None = None

    def call(self, target, *args, report=None, stop=None, silence_s=None):
        if self.refuse is not None:
            raise self.refuse
        if target.endswith(":ask_once"):
            return self.answer
        no, yes = {"answer": "no", "reason": "it was ignored"}, {"answer": "yes", "reason": "both"}
        return {
            "when": args[1],
            "model": "tiny",
            "fingerprint": "",
            "schema": yes,
            "images": {"answer": "yes", "reason": "two drawn shapes were named rightly"},
            "image_count": 8,
            "long_prompt": no | {"reason": "the first words of a long text did not arrive"},
            "kept_chars": 12_000,
            "logprobs": {"answer": "unknown", "reason": "the server did not say"},
            "context_tokens": 8192,
        }


class StandInShelf:
    """Has one installed model, one to fetch, one that is too large, one without a file."""

    def __init__(self, desk: StandInDesk) -> None:
        self._desk = desk
        self.models = {state.name: state for state in MODELS}
        self.wrong: tuple[str, ...] = ()

    def computer(self):
        return "This computer has 16.0 GB of memory, and no graphics card that can be told of."

    def states(self):
        return tuple(self.models.values())

    def get(self, name, report, stop):
        self._desk._note("get", name)
        report(0.25, "fetching weights.gguf: 1.0 of 4.0 GB")
        while not self._desk.go_on.wait(0.01):
            if stop.is_set():
                raise Cancelled
        self.models[name] = replace(self.models[name], origin=Origin.DOWNLOADED)
        return self.models[name]

    def add(self, path, projector=None, title="", *, copy=False, report=None, stop=None):
        self._desk._note("add", path, projector)
        made = model(path.stem, "own", origin=Origin.LINKED, can_fetch=False)
        self.models[made.name] = made
        return made

    def check(self, name, report, stop):
        self._desk._note("check", name)
        return self.wrong

    def remove(self, name):
        self._desk._note("remove", name)
        self.models[name] = replace(self.models[name], origin=None)
        return f"{name} is deleted."


def model(name: str, title: str, fits: Fits = Fits.MEMORY, **more) -> ModelState:
    """Make a model that sees pictures."""
    about = {
        "kind": "vision",
        "form": "gguf",
        "licence": "Apache-2.0",
        "good_for": "Reading confusion in learner video.",
        "used_in": (),
        "size_bytes": 2_951_255_968,
        "memory_bytes": 6_400_000_000,
        "fit": Fit(fits, "It needs about 6.4 GB of the computer's 16.0 GB, so it will be slow."),
        "recommended": True,
        "can_fetch": True,
        "instead": "",
        "source": "Owner/Model-GGUF@main",
        "origin": None,
    }
    return ModelState(name=name, title=title, **(about | more))


MODELS = (
    model("small-4b", "Small 4B", origin=Origin.DOWNLOADED),
    model("middle-8b", "Middle 8B"),
    model(
        "large-70b",
        "Large 70B",
        Fits.TOO_LARGE,
        fit=Fit(Fits.TOO_LARGE, "It needs about 45.0 GB, and a model can have at most 14.0 GB."),
    ),
    model(
        "server-235b",
        "Server 235B",
        Fits.UNKNOWN,
        size_bytes=None,
        can_fetch=False,
        instead="It needs a server: serve it with vLLM and add it as an endpoint.",
        fit=Fit(Fits.UNKNOWN, "How much memory it needs is not known."),
    ),
)


def spoken() -> Transcript:
    """Give the words of the sample lesson."""
    lines = []
    for number, caption in enumerate(webvtt.read(resource("sample/lesson.vtt")), 1):
        lines.append(
            Utterance(
                number,
                caption.text,
                round(caption.start_in_seconds * 1000),
                round(caption.end_in_seconds * 1000),
                caption.voice or "",
            )
        )
    return Transcript(tuple(lines), "import:webvtt")


def media(path: Path | None = None, *, has_sound: bool = True) -> MediaFacts:
    """Give facts of the sample's recording, or of one that lies elsewhere."""
    video = VideoFacts(
        0, "h264", 640, 360, 640, 360, 0, False, (1, 1), 5715, 0, 228_600, False, "yuv420p", False
    )
    audio = AudioFacts(1, "aac", 44_100, 1, 0, 228_600) if has_sound else None
    place = path or resource("sample/lesson.mp4")
    size = place.stat().st_size if place.exists() else 1
    return MediaFacts(str(place), size, "f" * 64, "mp4", 0, 228_600, video, audio)


def evidence(number: int, check: Check = Check.VERIFIED, quote: str = "") -> Evidence:
    """Cite a line of the sample."""
    line = spoken().utterances[number - 1]
    cited = Citation(quote or line.text, (number,))
    if check in (Check.NOT_FOUND, Check.OUTSIDE):
        return Evidence(cited, check, reason="Nobody says this in the clip.")
    return Evidence(cited, check, line.text, (number,), line.start_ms, line.end_ms, 100.0)


def _told() -> list[dict]:
    activities = json.loads(resource("sample/lesson.json").read_text(encoding="utf-8"))
    return [a for a in activities["activities"] if a["practice"]]


CLIPS = tuple(
    Clip(f"clip-{a['id']}", a["first"], a["last"], a["start_ms"], a["end_ms"], "pauses-topics/1")
    for a in _told()
)
ROLES = {"Ms Linden": Role.TEACHER, "Robin": Role.STUDENT}


def predictions() -> list[Prediction]:
    """Give a suggestion for each clip: the practice that was meant, with the first line cited."""
    made = []
    for place, (clip, told) in enumerate(zip(CLIPS, _told(), strict=True)):
        pieces = [evidence(clip.first)]
        if place == 0:
            pieces += [
                evidence(clip.first + 1, Check.CLOSE, "I think that can is leaking"),
                evidence(clip.first, Check.NOT_FOUND, "Water is made of tiny balls"),
            ]
        made.append(
            Prediction(
                clip, FINDER, told["practice"], told["level"], 0.04 + 0.1 * place, tuple(pieces)
            )
        )
    return made


def add_sample(library: Library, *, with_media: bool = False, coded: bool = True) -> str:
    """Add the sample lesson, looked at by a finder."""
    facts = media() if with_media else None
    lesson_id = library.add_lesson("Sample lesson", facts, spoken(), dict(ROLES))
    if coded:
        library.propose_clips(lesson_id, CLIPS)
        library.add_run(lesson_id, FINDER, (), predictions())
    return lesson_id
