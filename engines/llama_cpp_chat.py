"""Vision-language models in GGUF files, run by llama.cpp on this computer.

Each frame is encoded once and kept; what questions share from the start is read once and kept;
the draws of a question fork from it and are written together. Nothing is ever cut: a question
that does not fit is answered with an error, and whatever the model cannot be held to is refused.

This class works where it is made, which has to be the child process: see `llama_cpp_child`.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from app.errors import Cancelled, EngineMissing
from app.running.questions import FrameRef, Message, Question, RawAnswer
from engines.base import EngineFacts, Report, engine, no_report
from engines.fits import read_computer
from engines.llama_cpp_api import Llama, check_installed, installed_version
from engines.llama_cpp_frames import KeptFrames
from engines.llama_cpp_grammar import grammar_of
from engines.llama_cpp_labels import LabelReading, Letters, with_options
from engines.llama_cpp_model import (
    WIRE,
    Files,
    LlamaModel,
    layers_for_card,
    look_at_files,
    model_digest,
)
from engines.llama_cpp_prompt import Read, Seen, Unit, as_part, length_of, size_of
from engines.llama_cpp_template import Own, Template
from engines.llama_cpp_writing import Draft, write

MOST_PICTURES = 64
"""What a question may carry at most; the model's context allows fewer as a rule."""

NO_MODEL = LlamaModel(Path())
"""Stands for the model until one is chosen."""


@engine("llama-cpp")
class LlamaCppChat:
    """Asks a model in GGUF files; a `Chat`. One question at a time, on one thread.

    Args:
        model: Which, and how it is run.
    """

    def __init__(self, model: LlamaModel = NO_MODEL) -> None:
        self.model = model
        self._loaded: Loaded | None = None

    def facts(self) -> EngineFacts:
        """Say what this is, from its files; the first time they are read whole, for their hash.

        Raises:
            EngineMissing: The files cannot be used.
        """
        chosen = self.model is not NO_MODEL
        files = look_at_files(self.model) if chosen else None
        return EngineFacts(
            name="llama-cpp",
            version=installed_version() or "not installed",
            offline=True,
            images=MOST_PICTURES if chosen and self.model.projector is not None else 0,
            has_schema=True,
            has_logprobs=True,
            identity=files.identity() if files else (("model", "none chosen"), ("wire", WIRE)),
            context_tokens=files.context_tokens(self.model.context_tokens) if files else None,
        )

    def ask(
        self, question: Question, draws: Sequence[int], report: Report, stop: threading.Event
    ) -> list[RawAnswer]:
        """Answer the given draws of a question, in that order, written together.

        A question that does not fit gives answers whose `finish` is `error`.

        Raises:
            EngineMissing: The model, its projector or llama-cpp-python is not there, or the
                question cannot be put as it is: schema, template, frames.
            EngineStopped: llama.cpp refused in the midst of it.
            MediaRefused: A frame cannot be read.
            Cancelled: `stop` was set.
        """
        begun = time.monotonic()
        loaded = self._ready(question, report, stop)
        rules = grammar_of(question.schema) if question.schema else ""
        units, encoded = loaded.units(question.messages, report, stop)
        wrong = loaded.too_long(units, question.sampler.max_tokens)
        if wrong:
            return [RawAnswer("", "error", error=wrong) for _ in draws]
        answers = loaded.answers(question, list(draws), units, rules, report, stop)
        seconds = (time.monotonic() - begun) / max(len(draws), 1)
        told = (("frames encoded", str(encoded)), *loaded.details)
        return [replace(each, seconds=seconds, details=told) for each in answers]

    def read_labels(
        self,
        question: Question,
        labels: Sequence[str],
        report: Report = no_report,
        stop: threading.Event | None = None,
    ) -> LabelReading:
        """Read off how likely each label is, from one pass and without writing.

        A fast method of its own, named `llama_cpp_labels.METHOD` wherever its results are kept:
        what it gives is not the share of draws and must not be mixed with them.

        Args:
            question: Its schema and sampler are not looked at.
            labels: 2 to 10 of them; they are put to the model as the options A to J.
            report: Takes progress.
            stop: Ends the work when set.

        Raises:
            ValueError: Too few or too many labels, or twice the same.
            EngineMissing: As `ask`; also where the question does not fit.
            EngineStopped, MediaRefused, Cancelled: As `ask`.
        """
        begun, stop = time.monotonic(), stop or threading.Event()
        asked = with_options(question, labels)
        loaded = self._ready(asked, report, stop)
        units, _ = loaded.units(asked.messages, report, stop)
        wrong = loaded.too_long(units, 1)
        if wrong:
            raise EngineMissing(wrong, "Ask with fewer frames or words.")
        kept = loaded.read.read(units, report, stop)
        shares, coverage = loaded.letters.read(loaded.llama.scores(-1), len(labels))
        return LabelReading(
            labels=tuple(labels),
            shares=shares,
            coverage=coverage,
            tokens_in=size_of(units),
            tokens_cached=kept,
            seconds=time.monotonic() - begun,
        )

    @property
    def memory_bytes(self) -> int | None:
        """About how much the model takes while it is loaded; `None` when it is not."""
        if self._loaded is None:
            return None
        files = [self.model.weights, self.model.projector]
        size = sum(path.stat().st_size for path in files if path is not None and path.is_file())
        each = look_at_files(self.model).header.context_bytes_per_token or 0
        return size + each * self._loaded.llama.context_tokens

    def close(self) -> None:
        """Let the model's memory go."""
        loaded, self._loaded = self._loaded, None
        if loaded is not None:
            loaded.close()

    def _ready(self, question: Question, report: Report, stop: threading.Event) -> Loaded:
        if stop.is_set():
            raise Cancelled()
        if self.model is NO_MODEL:
            raise EngineMissing("No local model is chosen.", "Choose one on the Models page.")
        check_installed()
        if question.frames and self.model.projector is None:
            raise EngineMissing(
                f"{self.model.weights.name} has no projector here, so it cannot see frames.",
                "Add the model's projector (its name has mmproj in it), or ask without frames.",
            )
        files = look_at_files(self.model)
        digest = model_digest(self.model, files)
        if self._loaded is not None and self._loaded.digest != digest:
            self.close()
        if self._loaded is None:
            report(0.0, f"loading {self.model.weights.name}")
            self._loaded = load(self.model, files)
        return self._loaded


@dataclass(slots=True)
class Loaded:
    """A model in memory, with what it has read and seen so far."""

    digest: str
    llama: Llama
    template: Template
    frames: KeptFrames
    read: Read
    letters: Letters
    together: int
    gpu_layers: int

    @property
    def details(self) -> tuple[tuple[str, str], ...]:
        """Say how it runs."""
        return (
            ("context", str(self.llama.context_tokens)),
            ("layers on the graphics card", str(self.gpu_layers)),
        )

    def close(self) -> None:
        """Let the memory go."""
        self.frames.close()
        self.llama.close()

    def units(
        self, messages: Sequence[Message], report: Report, stop: threading.Event
    ) -> tuple[list[Unit], int]:
        """Give a question as the model reads it, and how many frames had to be encoded."""
        pieces = self.template.pieces(messages)
        frames = [piece for piece in pieces if isinstance(piece, FrameRef)]
        encoded = self._encode(frames, report, stop)
        units: list[Unit] = []
        for piece in pieces:
            if isinstance(piece, FrameRef):
                units += self._seen(piece)
            elif isinstance(piece, Own):
                units += as_part(self.llama.tokens(piece.text, special=True))
            else:
                units += as_part(self.llama.tokens(piece, special=False))
        bos = self.llama.special("bos")
        if self.llama.adds_bos and bos is not None and units[:1] != [bos]:
            units.insert(0, bos)
        if not units or isinstance(units[-1], Seen):
            raise EngineMissing("The question ends with a frame or is empty.", "Ask something.")
        return units, encoded

    def too_long(self, units: Sequence[Unit], answer_tokens: int) -> str:
        """Say so in a sentence when a question and its answer do not fit; else an empty text."""
        needed, room = size_of(units) + answer_tokens, self.llama.context_tokens
        if needed <= room:
            return ""
        return (
            f"The question does not fit: it has {size_of(units)} tokens and the answer may have "
            f"{answer_tokens}, and the model keeps {room} in mind. Nothing was cut or asked; "
            "use fewer frames or words, or a longer context."
        )

    def answers(
        self,
        question: Question,
        draws: list[int],
        units: list[Unit],
        rules: str,
        report: Report,
        stop: threading.Event,
    ) -> list[RawAnswer]:
        """Write the draws, as many together as fit."""
        sampler, size = question.sampler, size_of(units)
        room = (self.llama.context_tokens - size) // max(sampler.max_tokens, 1)
        together = max(1, min(self.together, room))
        answers: list[RawAnswer] = []
        guard = self.llama.grammar(rules) if rules else None
        try:
            for start in range(0, len(draws), together):
                kept = self.read.read(units, report, stop)
                drafts = [
                    Draft(sampler.seed + draw, guard.copy() if guard else None)
                    for draw in draws[start : start + together]
                ]
                try:
                    write(self.llama, length_of(units), drafts, sampler, report, stop)
                finally:
                    for draft in drafts:
                        if draft.guard is not None:
                            draft.guard.close()
                # The first of them had the question read; for the others all of it was there.
                answers += [
                    self._answer(draft, size, size if place else kept)
                    for place, draft in enumerate(drafts)
                ]
        finally:
            if guard is not None:
                guard.close()
        return answers

    def _answer(self, draft: Draft, size: int, cached: int) -> RawAnswer:
        # Bytes first: a letter may be split between two tokens.
        text = b"".join(map(self.llama.piece, draft.written)).decode("utf-8", "replace")
        return RawAnswer(
            text=text,
            finish=draft.finish,
            tokens_in=size,
            tokens_cached=cached,
            tokens_out=len(draft.written),
        )

    def _encode(self, frames: list[FrameRef], report: Report, stop: threading.Event) -> int:
        """Encode what is not kept yet, reading each recording once from front to back."""
        # Here, so that whoever only lists the engines does not load the decoder.
        from app.lesson.media.frames import frames_at

        missing = self.frames.missing(frames)
        places = sorted({(frame.media_path, frame.max_px) for frame in missing})
        done = 0
        for path, max_px in places:
            here = [f for f in missing if (f.media_path, f.max_px) == (path, max_px)]
            here.sort(key=lambda frame: frame.time_ms)
            found = frames_at(path, [frame.time_ms for frame in here], max_px)
            for frame, shown in zip(here, found, strict=True):
                if stop.is_set():
                    raise Cancelled()
                report(done / len(missing), f"looking at frame {done + 1} of {len(missing)}")
                self.frames.put(frame, shown.image)
                done += 1
        self.frames.tidy(frames)
        return done

    def _seen(self, frame: FrameRef) -> list[Unit]:
        name = self.frames.name(frame)
        return [
            piece if isinstance(piece, int) else Seen(f"{name} {number}", piece)
            for number, piece in enumerate(self.frames.get(frame))
        ]


def load(model: LlamaModel, files: Files) -> Loaded:
    """Load a model.

    Raises:
        EngineMissing: llama.cpp cannot use it.
        EngineStopped: There is not enough memory.
    """
    layers = model.gpu_layers
    if layers is None:
        more = model.projector.stat().st_size if model.projector is not None else 0
        size = model.weights.stat().st_size
        layers = layers_for_card(read_computer(), files.header, size, more, model.context_tokens)
    llama = Llama(
        model.weights,
        model.projector,
        context_tokens=model.context_tokens,
        sequences=model.together,
        gpu_layers=layers,
        threads=model.threads,
    )
    try:
        signs = [llama.sign(which) for which in ("bos", "eos")]
        template = Template(files.template, *signs)
    except BaseException:
        llama.close()
        raise
    return Loaded(
        digest=model_digest(model, files),
        llama=llama,
        template=template,
        frames=KeptFrames(llama.encode, files.projector_sha256, llama.let_go),
        read=Read(llama),
        letters=Letters(llama),
        together=model.together,
        gpu_layers=llama.gpu_layers,
    )
