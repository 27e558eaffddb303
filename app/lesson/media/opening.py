"""Open a recording: only from this computer, quietly, and with a plain sentence when it fails."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import av
from av.container import InputContainer
from av.stream import Discard

from app.errors import MediaRefused
from app.places import whole_path

PLAIN_FAULTS = (av.FFmpegError, OSError, ValueError)
"""What PyAV raises for files it cannot read; `ValueError` covers names that cannot be passed on."""

CONVERT = "Try to open it in a video player; if it plays there, save it as MP4 and use that file."

# Formats that FFmpeg opens although they are no recordings: text drawn as video, and lists that
# point to other files or servers.
_LISTS = {"hls", "dash", "concat", "concatf", "sdp", "rtsp", "rtp", "imf", "webm_dash_manifest"}
_TEXTS = {"tty", "ffmetadata", "bin", "xbin", "adf", "idf", "data"}


def open_media(path: str | Path) -> InputContainer:
    """Open a recording for reading; the caller closes it (it is a context manager).

    Nothing outside this computer is ever read: no protocol other than reading a file is allowed,
    and playlists that point to other files are refused.

    Raises:
        MediaRefused: The file is missing, empty, a folder, not readable or not a recording.
    """
    name = Path(path).name
    _refuse_unreadable(Path(path), name)
    try:
        container = av.open(
            f"file:{whole_path(path)}",
            # FFmpeg takes what stands before a colon for a protocol; with `file:` and a full path
            # every name means itself.
            options={"protocol_whitelist": "file"},
            metadata_errors="replace",
        )
    except PLAIN_FAULTS as error:
        raise MediaRefused(
            f"{name} cannot be opened: it is damaged, or it is not a recording.", CONVERT
        ) from error
    why = _not_a_recording(container.format.name)
    if why:
        container.close()
        raise MediaRefused(f"{name} {why}.", "Choose the recording itself.")
    return container


def _refuse_unreadable(path: Path, name: str) -> None:
    try:
        if path.is_dir():
            raise MediaRefused(
                f"{name} is a folder, not a recording.", "Choose a file inside the folder."
            )
        if not path.is_file():
            raise MediaRefused(
                f"{name} is not there.", "Check the name, or find where the file was moved to."
            )
        with path.open("rb") as file:
            is_empty = not file.read(1)
    except (OSError, ValueError) as error:
        raise MediaRefused(
            f"{name} cannot be read.", "Check that you may open the file."
        ) from error
    if is_empty:
        raise MediaRefused(
            f"{name} is empty (0 bytes).", "Copy it again from the camera or the card."
        )


def _not_a_recording(format_name: str) -> str:
    names = set(format_name.split(","))
    if names & _LISTS:
        return "is a list that points to other files, not a recording"
    if names & _TEXTS:
        return "is a text, not a recording"
    if "image2" in names or any(name.endswith("_pipe") for name in names):
        return "is a still picture, not a recording"
    return ""


def packets(
    container: InputContainer, *streams: av.VideoStream | av.AudioStream
) -> Iterator[av.Packet[Any]]:
    """Read on to the end of the file, or to the place where it can be read no further."""
    _leave_out_others(container, *streams)
    reading = container.demux(*streams)
    while True:
        try:
            packet = next(reading)
        except (StopIteration, *PLAIN_FAULTS):
            return
        if packet.size or packet.dts is not None:
            yield packet


def video_frames(
    container: InputContainer,
    stream: av.VideoStream,
    failed: Callable[[], None] = lambda: None,
) -> Generator[av.VideoFrame]:
    """Decode on from where the file stands to the end, stepping over what is damaged.

    Args:
        container: The open file.
        stream: The stream to decode.
        failed: Called once for each packet that cannot be decoded.
    """
    for frame in _decoded(container, stream, failed):
        if isinstance(frame, av.VideoFrame) and frame.pts is not None:
            yield frame


def audio_frames(
    container: InputContainer,
    stream: av.AudioStream,
    failed: Callable[[], None] = lambda: None,
) -> Generator[av.AudioFrame]:
    """Decode on from where the file stands to the end, stepping over what is damaged."""
    for frame in _decoded(container, stream, failed):
        if isinstance(frame, av.AudioFrame) and frame.pts is not None and frame.samples:
            yield frame


def _decoded(
    container: InputContainer,
    stream: av.VideoStream | av.AudioStream,
    failed: Callable[[], None],
) -> Iterator[object]:
    _leave_out_others(container, stream)
    try:
        # The last packet is empty and makes the decoder give what it still holds.
        for packet in container.demux(stream):
            try:
                frames = packet.decode()
            except PLAIN_FAULTS:
                failed()
            else:
                yield from frames
    except PLAIN_FAULTS:  # the file can be read no further
        with suppress(*PLAIN_FAULTS):
            yield from stream.decode(None)


def _leave_out_others(container: InputContainer, *streams: av.VideoStream | av.AudioStream) -> None:
    """Spare reading what is not wanted: the sound of two hours is a hundredth of the file."""
    wanted = {stream.index for stream in streams}
    for stream in container.streams:
        if stream.index not in wanted:
            stream.discard = Discard.all
