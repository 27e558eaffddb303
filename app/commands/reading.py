"""`probe` and `transcript`: what a file is, before it is anybody's lesson."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from app.commands.out import Out
from app.errors import MediaRefused, TranscriptRefused
from app.files import Files
from app.lesson.file_names import is_recording
from app.lesson.media.facts import MediaFacts
from app.lesson.spans import show_time
from app.lesson.transcript.records import Transcript


def probe(files: Files, path: Path, out: Out) -> int:
    """Say what a recording is."""
    facts = files.probe(path)
    out.give(facts_as_json(facts))
    video, audio = facts.video, facts.audio
    out.say(f"{path.name}: {show_time(facts.duration_ms, tenths=True)} long, {facts.container}")
    if video:
        turned = f", turned {video.rotation}° to be upright" if video.rotation else ""
        mirrored = ", mirrored" if video.mirrored else ""
        rate = ", variable frame rate" if video.variable_frame_rate else ""
        out.say(
            f"  picture: {video.width} × {video.height}, {video.frames} frames, "
            f"{video.codec}{turned}{mirrored}{rate}"
        )
    if audio:
        out.say(f"  sound: {audio.codec}, {audio.sample_rate} Hz, {audio.channels} channels")
    for note in facts.notes:
        out.say(f"  note: {note}")
    return 0


def transcript(files: Files, path: Path, out: Out) -> int:
    """Read a transcript file, or write down what is said in a recording."""
    words = _words(files, path, out)
    out.done()
    out.give(transcript_as_json(words))
    for line in words.utterances:
        speaker = f"{line.speaker}: " if line.speaker else ""
        flags = f"  [{', '.join(line.flags)}]" if line.flags else ""
        when = show_time(line.start_ms, tenths=True)
        out.say(f"{line.number:5} {when:>10}  {speaker}{line.text}{flags}")
    for note in words.notes:
        out.say(f"  note: {note}")
    return 0


def _words(files: Files, path: Path, out: Out) -> Transcript:
    """Take the file for what its name says first, then for the other."""
    if is_recording(path):
        return files.hear(path, out.report)
    try:
        return files.read_transcript(path)
    except TranscriptRefused as refused:
        try:
            files.probe(path)
        except MediaRefused:
            raise refused from None
        return files.hear(path, out.report)


def facts_as_json(facts: MediaFacts) -> dict[str, Any]:
    """Give what `probe --json` prints."""
    video, audio = facts.video, facts.audio
    return {
        "path": facts.path,
        "container": facts.container,
        "duration_ms": facts.duration_ms,
        "start_ms": facts.start_ms,
        "frames": video.frames if video else 0,
        "width": video.width if video else None,
        "height": video.height if video else None,
        "rotation": video.rotation if video else None,
        "mirrored": video.mirrored if video else None,
        "variable_frame_rate": video.variable_frame_rate if video else None,
        "video_codec": video.codec if video else None,
        "video_start_ms": video.first_ms if video else None,
        "video_end_ms": video.end_ms if video else None,
        "audio_codec": audio.codec if audio else None,
        "audio_start_ms": audio.start_ms if audio else None,
        "audio_end_ms": audio.end_ms if audio else None,
        "fingerprint": facts.fingerprint,
        "notes": list(facts.notes),
    }


def transcript_as_json(words: Transcript) -> dict[str, Any]:
    """Give what `transcript --json` prints."""
    return {
        "source": words.source,
        "language": words.language,
        "encoding": words.encoding,
        "utterances": [
            {
                "number": line.number,
                "start_ms": line.start_ms,
                "end_ms": line.end_ms,
                "speaker": line.speaker,
                "text": line.text,
                "flags": [str(flag) for flag in line.flags],
                "words": [
                    {"text": word.text, "start_ms": word.start_ms, "end_ms": word.end_ms}
                    for word in line.words
                ],
            }
            for line in words.utterances
        ],
        "notes": list(words.notes),
    }
