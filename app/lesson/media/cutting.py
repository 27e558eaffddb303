"""Cut stretches out of a recording into files of their own: pictures only, no names.

Stored pictures are copied where the cut allows it: when the stretch begins with a picture that
can be shown on its own, and none after its end is needed. A copy is then read back, and counts
only when it shows the same pictures at the same moments, the same way up. Else the pictures are
encoded again (MPEG-4 part 2, quantiser 2): a copy from the key picture before would show seconds
that nobody judged. Either way the file begins at 0, and it carries neither sound nor the notes of
the source (title, place, camera), since both can name a child.
"""

from __future__ import annotations

import hashlib
import threading
from bisect import bisect_left
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from pathlib import Path

import av
import numpy as np
from av.container import OutputContainer
from av.video.reformatter import Colorspace
from numpy.typing import NDArray

from app.errors import MediaRefused, Refused
from app.lesson.media.clock import to_ms
from app.lesson.media.cuts import Cut
from app.lesson.media.frames import FrameReader
from app.lesson.media.opening import PLAIN_FAULTS, open_media, packets
from app.lesson.media.probe import Scan, scan_media
from app.lesson.media.progress import Progress
from app.lesson.media.streams import stream_base, video_stream
from app.lesson.media.tracks import Track, read_tracks
from app.lesson.spans import Span
from app.running.protocols import Report, no_report

SLACK_MS = 100
"""A copy may begin this much beside the wanted moment: less than two pictures at 15 a second."""
_ROUNDED_MS = 1
"""Two containers may round the same moment to neighbouring milliseconds."""
_HD_ABOVE = 576
"""As in `upright`: what is higher is read as BT.709 where nothing is said of colours."""
_IN_MP4 = ("h264", "hevc", "av1", "vp9", "mpeg4")
_TICK = Fraction(1, 1000)
_TELL_EVERY = 500
"""Pictures between two reports; whoever waits takes a longer silence for a fault."""
Tell = Callable[[float], None]
"""Takes the share of one cut that is done, 0 to 1; raises `Cancelled` when that is asked for."""
_QUANTISER = {"qmin": "2", "qmax": "2"}


def cut_clips(
    path: str | Path,
    wanted: Sequence[tuple[Span, str]],
    folder: str | Path,
    report: Report = no_report,
    stop: threading.Event | None = None,
) -> tuple[Cut, ...]:
    """Cut stretches out of a recording into a folder.

    Args:
        path: The recording.
        wanted: Stretches on its own clock, and the name of each one's file without its ending.
        folder: Where to write; made if need be. A file appears whole or not at all.
        report: Told how far it is.
        stop: Ends the work when set; files that are whole stay.

    Raises:
        MediaRefused: The recording cannot be opened, has no picture, or none in a stretch.
        Refused: The folder cannot be written to.
        Cancelled: `stop` was set.
    """
    progress = Progress(report, stop, "cutting clips")
    source = _Source(str(path), scan_media(path, report, stop))
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
        cuts = []
        for number, (span, stem) in enumerate(wanted):
            tell = partial(_tell, progress, number, len(wanted))
            tell(0.0)
            cuts.append(source.cut(span, Path(folder) / stem, tell))
    except (OSError, av.FFmpegError) as error:
        raise Refused(
            f"The clips cannot be written to {folder}.",
            "Choose another folder, or make room on the disk.",
        ) from error
    return tuple(cuts)


def _tell(progress: Progress, number: int, of: int, share: float) -> None:
    progress.tell((number + share) / of)


class _Source:
    """One recording, and what is known of its pictures."""

    def __init__(self, path: str, scan: Scan) -> None:
        if scan.facts.video is None:
            raise MediaRefused(
                f"{Path(path).name} has no picture.", "Choose a recording with a picture for this."
            )
        self.path = path
        self.scan = scan
        self.video = scan.facts.video
        with open_media(path) as container:
            stream = video_stream(container, self.video.stream)
            self.base = stream_base(stream)
            tracks = read_tracks(container, [stream], Progress())
        self.track: Track = tracks[self.video.stream]
        self.keys = frozenset(to_ms(key, self.base) for key in self.track.keys)

    def cut(self, span: Span, stem: Path, tell: Tell) -> Cut:
        """Cut one stretch; copies where that gives the same pictures."""
        shown = self._shown(span)
        why = self._why_not(span, shown)
        if not why:
            ending = _ending(self.video.codec)
            file = stem.with_name(stem.name + ending)
            copied = stem.with_name(f".{stem.name}.part{ending}")
            try:
                why = _copy(self, span, shown, copied, tell)
                if not why:
                    return _finished(copied, file, span, shown[0], "", tell)
            finally:
                copied.unlink(missing_ok=True)
        file = stem.with_name(stem.name + ".mp4")
        made = stem.with_name(f".{stem.name}.part.mp4")
        try:
            _encode(self, span, shown, made, tell)
            return _finished(made, file, span, max(shown[0], span.start_ms), why, tell)
        finally:
            made.unlink(missing_ok=True)

    def _shown(self, span: Span) -> tuple[int, ...]:
        """Give the moments of the pictures on the screen during a stretch."""
        times = self.scan.frame_times
        start, end = bisect_left(times, span.start_ms), bisect_left(times, span.end_ms)
        inside = list(times[start:end])
        before = times[max(0, start - 1) : start]
        if before and (not inside or inside[0] > span.start_ms):
            starts_between = inside and inside[0] in self.keys and before[0] not in self.keys
            # What is on the screen for a few milliseconds only is not worth encoding anew.
            if not (starts_between and inside[0] - span.start_ms <= SLACK_MS):
                inside = [*before, *inside]
        if not inside:
            raise MediaRefused(
                f"{Path(self.path).name} shows nothing between {span.start_ms} ms and "
                f"{span.end_ms} ms.",
                "Choose a stretch in which there is a picture.",
            )
        return tuple(inside)

    def _why_not(self, span: Span, shown: Sequence[int]) -> str:
        if shown[0] not in self.keys:
            return "its first picture leans on earlier ones"
        if abs(shown[0] - span.start_ms) > SLACK_MS and span.start_ms > self.scan.frame_times[0]:
            return "its first picture stands on the screen from long before"
        return ""


def _ending(codec: str) -> str:
    if codec in _IN_MP4:
        return ".mp4"
    return ".webm" if codec == "vp8" else ".mkv"


def _copy(source: _Source, span: Span, shown: Sequence[int], file: Path, tell: Tell) -> str:
    """Copy stored pictures; gives why that does not do, else an empty string."""
    try:
        is_whole = _copy_packets(source, span, shown, file, tell)
    except PLAIN_FAULTS:
        return "the file cannot be taken apart without decoding"
    if not is_whole:
        return "its last pictures lean on later ones"
    try:
        copy = scan_media(file, lambda share, _doing: tell(0.5 + share / 4))
    except MediaRefused:
        return "a copy of it cannot be shown"
    return "" if _is_same(source, shown, copy) else "a copy of it shows other pictures"


def _copy_packets(
    source: _Source, span: Span, shown: Sequence[int], file: Path, tell: Tell
) -> bool:
    left = set(shown)
    first = min(key for key in source.track.keys if to_ms(key, source.base) == shown[0])
    has_begun = False
    with open_media(source.path) as container, av.open(str(file), "w") as target:
        stream = video_stream(container, source.video.stream)
        out = _stream_like(target, stream, source.video.codec)
        container.seek(first, stream=stream)
        for packet in packets(container, stream):
            if packet.pts is None:
                raise ValueError("a packet without a stamp")
            has_begun = has_begun or (packet.pts == first and packet.is_keyframe)
            if not has_begun or packet.pts < first:
                continue
            at = to_ms(packet.pts, source.base)
            if at >= span.end_ms:
                break
            left.discard(at)
            _move(packet, first, source, span)
            packet.stream = out
            target.mux(packet)
            if not left:
                break
            if len(left) % _TELL_EVERY == 0:
                tell(0.5 - len(left) / len(shown) / 2)
    return not left


def _stream_like(target: OutputContainer, stream: av.VideoStream, codec: str) -> av.VideoStream:
    """Add a stream that takes the packets of another."""
    try:
        return target.add_stream_from_template(stream)
    except av.codec.codec.UnknownCodecError:
        # AV1 is decoded by a library that has no encoder of the same name to copy from.
        like = target.add_mux_stream(
            codec,
            width=stream.width,
            height=stream.height,
            extradata=stream.codec_context.extradata,
        )
        assert isinstance(like, av.VideoStream)
        like.time_base = stream.time_base
        return like


def _move(packet: av.Packet[av.VideoStream], first: int, source: _Source, span: Span) -> None:
    assert packet.pts is not None
    if not packet.duration:
        rest = Fraction(span.end_ms, 1000) / source.base - packet.pts
        packet.duration = max(1, int(rest))
    packet.pts -= first
    if packet.dts is not None:
        packet.dts -= first


def _is_same(source: _Source, shown: Sequence[int], copy: Scan) -> bool:
    video, other = source.video, copy.facts.video
    if other is None or len(copy.frame_times) != len(shown):
        return False
    looks = [(v.width, v.height, v.rotation, v.mirrored, v.sample_aspect) for v in (video, other)]
    moved = [time - shown[0] for time in shown]
    pairs = zip(moved, copy.frame_times, strict=True)
    return looks[0] == looks[1] and all(abs(a - b) <= _ROUNDED_MS for a, b in pairs)


def _encode(source: _Source, span: Span, shown: Sequence[int], file: Path, tell: Tell) -> None:
    start_ms = max(shown[0], span.start_ms)
    ends = [*shown[1:], span.end_ms]
    with FrameReader(source.path) as reader, av.open(str(file), "w") as target:
        stream: av.VideoStream | None = None
        for number, (time_ms, end_ms) in enumerate(zip(shown, ends, strict=True)):
            tell(0.8 * number / len(shown))
            image = _even(reader.at(time_ms).image)
            stream = stream or _stream(target, image)
            picture = _stored(image)
            picture.pts = max(time_ms, start_ms) - start_ms
            picture.time_base = _TICK
            for packet in stream.encode(picture):
                packet.duration = end_ms - start_ms - picture.pts
                target.mux(packet)
        assert stream is not None
        target.mux(stream.encode(None))


def _stream(target: OutputContainer, image: NDArray[np.uint8]) -> av.VideoStream:
    stream = target.add_stream("mpeg4", options=dict(_QUANTISER))
    stream.height, stream.width = image.shape[:2]
    stream.pix_fmt = "yuv420p"
    stream.time_base = stream.codec_context.time_base = _TICK
    stream.codec_context.gop_size = 12
    return stream


def _stored(image: NDArray[np.uint8]) -> av.VideoFrame:
    space = Colorspace.ITU709 if image.shape[0] > _HD_ABOVE else Colorspace.ITU601
    return av.VideoFrame.from_ndarray(image, format="rgb24").reformat(
        format="yuv420p", dst_colorspace=space
    )


def _even(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Repeat the last row and column where their number is odd: colours are stored for pairs."""
    height, width = image.shape[:2]
    return np.pad(image, ((0, height % 2), (0, width % 2), (0, 0)), mode="edge")


def _finished(made: Path, file: Path, span: Span, first_ms: int, why: str, tell: Tell) -> Cut:
    scan = scan_media(made)
    digest, size = hashlib.sha256(), made.stat().st_size
    with made.open("rb") as opened:
        while part := opened.read(1 << 24):
            digest.update(part)
            tell(0.8 + opened.tell() / size / 5)
    made.replace(file)
    return Cut(
        span=span,
        file=file.name,
        is_copied=not why,
        why=why,
        first_ms=first_ms,
        duration_ms=scan.facts.duration_ms,
        pictures=len(scan.frame_times),
        sha256=digest.hexdigest(),
        size_bytes=size,
    )
