"""Speech to text by faster-whisper, on the processor and without any network."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from app.errors import Cancelled, Refused
from app.lesson.spans import Span, show_time
from app.lesson.transcript.heard import Heard
from app.lesson.transcript.records import Transcript, Word
from app.lesson.transcript.speech import clean_speech
from engines.base import EngineFacts, Report, engine
from engines.cores import physical_cores
from engines.hashes import file_sha256
from engines.hub import stay_offline
from engines.weights import whisper_folder

RATE = 16_000
"""Samples a second that Whisper hears."""

PIECE_S = 1800
"""Speech given to the model at once; more takes memory (2 h would take over 2 GB)."""

LONG_PAUSE = 2 * RATE
"""Samples; longer silence is not given to the model (default of faster-whisper's own filter)."""

LEAST_VOICED = 15 * RATE // 100
"""Samples of voice in a stretch that make it speech. Loud noise gives blips of 32 to 96 ms, on
which Whisper counts to four for minutes; the shortest word takes 0.2 s."""

MARGIN = 2 * RATE // 5
"""Samples kept around speech, as voice activity detection misses soft beginnings (its default)."""

UNSURE_LANGUAGE = 0.5
"""Probability of the language under which the reader is told of the doubt."""

SETTINGS = {
    "beam_size": 5,
    "word_timestamps": True,
    # Fewer loops: a wrong line does not become the model for the next half minute.
    "condition_on_previous_text": False,
    # Above 0.4 Whisper guesses; such text is of no use as evidence.
    "temperature": (0.0, 0.2, 0.4),
    # As in OpenAI's own decoder: half a minute has no more, and a loop is cut short.
    "max_new_tokens": 224,
}
"""What `WhisperModel.transcribe` is called with, apart from sound and language."""


class _Chunk(TypedDict):
    """A stretch of speech, in samples, as faster-whisper's own functions take it."""

    start: int
    end: int


@engine("faster-whisper")
class FasterWhisper:
    """Writes down what is said in a recording; a `Transcriber`.

    Args:
        folder: A faster-whisper model; the base model that comes with the program if not given.
        language: Code such as `en`; found from the first half minute of speech if empty.
    """

    def __init__(self, folder: Path | None = None, language: str = "") -> None:
        self._chosen = folder
        self._language = language

    def facts(self) -> EngineFacts:
        """Say what this is; reads the weights once, for their hash."""
        folder = whisper_folder(self._chosen)
        return EngineFacts(
            name="faster-whisper",
            version=folder.name,
            offline=True,
            images=0,
            has_schema=False,
            has_logprobs=True,
            identity=(("sha256 model.bin", file_sha256(folder / "model.bin")),),
        )

    def transcribe(self, media_path: str, report: Report, stop: threading.Event) -> Transcript:
        """Write down what is said, on the media's clock.

        Raises:
            MediaRefused: The recording has no sound.
            Refused: The model cannot be used.
            Cancelled: `stop` was set; looked at about every half minute of speech.
        """
        from app.lesson.media.sound import read_sound

        sound = read_sound(
            media_path, lambda share, _: report(share * 0.05, "reading the sound"), stop
        )
        return self.hear(sound.samples, sound.start_ms, report, stop)

    def hear(
        self,
        samples: NDArray[np.float32],
        start_ms: int,
        report: Report,
        stop: threading.Event,
    ) -> Transcript:
        """Write down what is said in some sound.

        Args:
            samples: (n,) float32 mono, -1 to 1, 16 kHz.
            start_ms: Time of the first sample on the media's clock.
            report: Takes progress.
            stop: Ends the work when set.

        Raises:
            Refused: The model cannot be used.
            Cancelled: `stop` was set.
        """
        folder = whisper_folder(self._chosen)
        source = f"speech:{folder.name}"
        sound = Span(start_ms, start_ms + max(1, len(samples) * 1000 // RATE))
        report(0.05, "finding where somebody speaks")
        voiced = find_speech(samples)
        chunks = _widened(voiced, len(samples))
        if not chunks:
            return clean_speech([], sound, [], source=source)
        _check(stop)
        report(0.08, "loading the speech model")
        model = _load(str(folder))
        language = self._language
        notes: tuple[str, ...] = ()
        if not language:
            report(0.1, "finding the language")
            language, notes = _find_language(model, samples, chunks)
        heard = []
        for segment in _segments(model, samples, chunks, language):
            heard.append(_as_heard(segment, start_ms))
            _check(stop)
            done_ms = min(max(heard[-1].end_ms - start_ms, 0), sound.duration_ms)
            reached = f"{show_time(done_ms)} of {show_time(sound.duration_ms)}"
            report(0.1 + 0.9 * done_ms / sound.duration_ms, f"hearing speech, {reached}")
        speech = [_span(chunk, start_ms) for chunk in voiced]
        clean = clean_speech(heard, sound, speech, source=source, language=language)
        return replace(clean, notes=(*notes, *clean.notes))


def facts(model_folder: str | None) -> EngineFacts:
    """Say what `transcribe` would run with."""
    return FasterWhisper(_path(model_folder)).facts()


def transcribe(
    media_path: str,
    model_folder: str | None,
    language: str,
    report: Report,
    stop: threading.Event,
) -> Transcript:
    """Write down what is said, in the process this runs in; the model stays loaded there."""
    return FasterWhisper(_path(model_folder), language).transcribe(media_path, report, stop)


def _path(folder: str | None) -> Path | None:
    return Path(folder) if folder else None


def find_speech(samples: NDArray[np.float32]) -> list[_Chunk]:
    """Give the stretches of speech that voice activity detection finds, in samples.

    They are as tight as it gets: a tenth of a second of silence parts them.
    """
    stay_offline()
    from faster_whisper.vad import VadOptions, get_speech_timestamps

    if not len(samples):
        return []
    options = VadOptions(min_silence_duration_ms=100, speech_pad_ms=0)
    chunks = get_speech_timestamps(samples, options)
    return [_Chunk(start=c["start"], end=c["end"]) for c in chunks if c["start"] < c["end"]]


def _widened(speech: Sequence[_Chunk], samples: int) -> list[_Chunk]:
    """Join stretches of speech over short pauses and leave a margin, for the model to hear."""
    groups: list[list[_Chunk]] = []
    for chunk in speech:
        if groups and chunk["start"] - groups[-1][-1]["end"] < LONG_PAUSE:
            groups[-1].append(chunk)
        else:
            groups.append([chunk])
    return [
        _Chunk(
            start=max(0, group[0]["start"] - MARGIN),
            end=min(samples, group[-1]["end"] + MARGIN),
        )
        for group in groups
        if sum(chunk["end"] - chunk["start"] for chunk in group) >= LEAST_VOICED
    ]


def _span(chunk: _Chunk, start_ms: int) -> Span:
    start = start_ms + chunk["start"] * 1000 // RATE
    return Span(start, max(start + 1, start_ms + chunk["end"] * 1000 // RATE))


def _pieces(chunks: Sequence[_Chunk]) -> Iterable[list[_Chunk]]:
    """Group stretches of speech into pieces that fit into memory."""
    piece: list[_Chunk] = []
    samples = 0
    for chunk in chunks:
        length = chunk["end"] - chunk["start"]
        if piece and samples + length > PIECE_S * RATE:
            yield piece
            piece, samples = [], 0
        piece.append(chunk)
        samples += length
    yield piece


def _find_language(
    model: Any, samples: NDArray[np.float32], chunks: Sequence[_Chunk]
) -> tuple[str, tuple[str, ...]]:
    """Give the language of the first half minute of speech, and a note when it is in doubt."""
    language, probability, _ = model.detect_language(_joined(samples, chunks)[: 30 * RATE])
    if probability >= UNSURE_LANGUAGE:
        return language, ()
    doubt = f"The language could not be told for sure (taken for {language}, {probability:.0%})."
    return language, (doubt,)


def _segments(
    model: Any, samples: NDArray[np.float32], chunks: Sequence[_Chunk], language: str
) -> Iterable[Any]:
    """Run the model over the speech alone; times are put back to where it was spoken."""
    from faster_whisper.transcribe import restore_speech_timestamps

    for piece in _pieces(chunks):
        found, _ = model.transcribe(_joined(samples, piece), language=language, **SETTINGS)
        yield from restore_speech_timestamps(found, piece, RATE)


def _joined(samples: NDArray[np.float32], chunks: Sequence[_Chunk]) -> NDArray[np.float32]:
    return np.concatenate([samples[c["start"] : c["end"]] for c in chunks])


def _as_heard(segment: Any, start_ms: int) -> Heard:
    words = tuple(
        Word(
            word.word,
            start_ms + round(word.start * 1000),
            start_ms + round(word.end * 1000),
            float(word.probability),
        )
        for word in segment.words or ()
    )
    return Heard(
        text=segment.text,
        start_ms=start_ms + round(segment.start * 1000),
        end_ms=start_ms + round(segment.end * 1000),
        words=words,
        no_speech=float(segment.no_speech_prob),
        mean_log_probability=float(segment.avg_logprob),
    )


def _check(stop: threading.Event) -> None:
    if stop.is_set():
        raise Cancelled()


@lru_cache(maxsize=1)
def _load(folder: str) -> Any:
    stay_offline()
    import ctranslate2
    from faster_whisper import WhisperModel
    from tqdm import tqdm

    # tqdm's own lock is a semaphore of the system, which is left behind when a child is ended.
    tqdm.set_lock(threading.RLock())

    # The same sound gives the same words, also where the decoder has to draw.
    ctranslate2.set_random_seed(0)
    try:
        return WhisperModel(
            folder,
            device="cpu",
            compute_type="int8",
            cpu_threads=physical_cores(),
            local_files_only=True,
        )
    except (RuntimeError, ValueError) as error:
        raise Refused(
            f"The speech model in {folder} cannot be loaded: {error}.",
            "Choose another faster-whisper folder, or fetch the model again.",
        ) from error
