"""How loud a recording is: a record that crosses to the window, so nothing here decodes."""

from __future__ import annotations

import zipfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Waveform:
    """How loud a recording is over its length."""

    peaks: NDArray[np.float32]
    """(bins, 2) float32: lowest and highest sample of any channel, -1 to 1; 0 where silent."""
    start_ms: int
    end_ms: int

    def save(self, path: str | Path) -> None:
        """Write to a .npz file; a file that is there is replaced in one step."""
        whole = Path(path)
        part = whole.with_name(whole.name + ".part")
        with part.open("wb") as file:
            np.savez(file, peaks=self.peaks, span=np.array([self.start_ms, self.end_ms]))
        part.replace(whole)

    @classmethod
    def load(cls, path: str | Path) -> Waveform | None:
        """Read what `save` wrote; None when it is not there or not whole."""
        try:
            # Opened here, as `np.load` leaves a file open that turns out to be no archive.
            with Path(path).open("rb") as file, np.load(file, allow_pickle=False) as stored:
                start_ms, end_ms = (int(ms) for ms in stored["span"])
                return cls(stored["peaks"].astype(np.float32), start_ms, end_ms)
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
            return None
