"""The road from files to a lesson in the library; what is there already is met again."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

from app.errors import MediaRefused, Refused, TranscriptRefused
from app.files import Files
from app.lesson.file_names import recordings_in, transcript_beside
from app.lesson.media.facts import MediaFacts
from app.lesson.transcript.records import Transcript
from app.lesson.transcript.roles import guess_roles
from app.running.protocols import Report
from app.store.library import Library


class LessonAdding:
    """Adds lessons to one library.

    Args:
        library: Where lessons go.
        files: Reads recordings and transcripts.
    """

    def __init__(self, library: Library, files: Files) -> None:
        self._library, self._files = library, files

    def add(
        self,
        media: Path | None,
        transcript: Path | None,
        title: str,
        report: Report,
        stop: threading.Event | None,
        *,
        needs_picture: bool = False,
    ) -> str:
        """Add a recording, a transcript or both; see `Desk.add_lesson`.

        With `needs_picture`, a recording without one is refused.
        """
        if media is None and transcript is None:
            raise Refused("No file was given.", "Choose a recording, a transcript, or both.")
        facts = None
        if media is not None:
            report(0.1, f"reading {media.name}")
            facts = self._files.probe(media, stop)
            if needs_picture and facts.video is None:
                raise MediaRefused(
                    f"{media.name} has no picture, so no learner can be seen in it.",
                    "Choose a recording with a picture.",
                )
        words = None
        if transcript is not None:
            report(0.7, f"reading {transcript.name}")
            words = self._files.read_transcript(transcript, stop)
        elif media is not None and facts is not None:
            words, facts = self._words_beside(media, facts, stop)
        known = self._known(facts, words)
        if known is not None:
            return self._again(known, media, words)
        title = title or (media or transcript or Path()).stem
        return self._library.add_lesson(title, facts, words, guess_roles(words) if words else {})

    def find_media(
        self, lesson_id: str, place: Path, report: Report, stop: threading.Event | None
    ) -> bool:
        """Look for a moved recording in a file or a folder; see `Desk.find_media`."""
        review = self._library.lesson(lesson_id)
        if review.media is None:
            return False
        candidates = recordings_in(place)
        for number, path in enumerate(candidates):
            report(number / len(candidates), f"looking at {path.name}")
            if stop is not None and stop.is_set():
                return False
            if path.stat().st_size != review.media.size_bytes:
                continue
            mark = self._files.fingerprint(path, stop)
            if mark == review.media.fingerprint:
                self._library.move_media(lesson_id, path)
                return True
        return False

    def _words_beside(
        self, media: Path, facts: MediaFacts, stop: threading.Event | None
    ) -> tuple[Transcript | None, MediaFacts]:
        """Take the transcript that lies beside a recording; one that cannot be read is noted."""
        beside = transcript_beside(media)
        if beside is None:
            return None, facts
        try:
            return self._files.read_transcript(beside, stop), facts
        except TranscriptRefused as error:
            note = f"{beside.name}, which lies beside the recording, was left out: {error.message}"
            return None, replace(facts, notes=(*facts.notes, note))

    def _known(self, facts: MediaFacts | None, words: Transcript | None) -> str | None:
        """Find the lesson that this recording, or this transcript alone, already is."""
        if facts is not None:
            return self._library.find_by_fingerprint(facts.fingerprint)
        return self._library.find_by_words(words) if words is not None else None

    def _again(self, lesson_id: str, media: Path | None, words: Transcript | None) -> str:
        """Meet a lesson that is known: note where its recording lies, take words it lacked.

        Raises:
            Refused: Clips rest on another transcript; they would no longer fit.
        """
        review = self._library.lesson(lesson_id)
        if media is not None and not review.media_found:
            self._library.move_media(lesson_id, media)
        if words is None or words == review.original:
            return lesson_id
        if review.original is not None and review.clips:
            raise Refused(
                f"“{review.title}” is in the library with another transcript, and "
                f"{len(review.clips)} clips rest on that one.",
                "Nothing was changed. To start afresh with the new transcript, open it in another "
                "library.",
            )
        self._library.set_transcript(lesson_id, words, guess_roles(words))
        return lesson_id
