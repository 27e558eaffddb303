from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from app.errors import MediaRefused
from app.lesson.media.frames import frames_at
from engines.local_try import write_still


@pytest.mark.parametrize("ending", ["png", "jpg"])
def test_a_picture_is_shown_to_a_local_model_as_it_is(tmp_path, ending):
    picture, path = tmp_path / f"a.{ending}", tmp_path / "a.mkv"
    image = np.zeros((48, 64, 3), np.uint8)
    image[:, :32] = (220, 30, 40)
    image[:, 32:] = (20, 60, 200)
    Image.fromarray(image).save(picture, quality=95)
    write_still(picture, path)
    [frame] = frames_at(path, [0])
    assert frame.image.shape == (48, 64, 3)
    # JPEG itself is a little off; what matters is that the colours stand in their places.
    assert np.abs(frame.image[24, [8, 56]].astype(int) - image[24, [8, 56]]).max() <= 6


def test_what_is_no_picture_is_refused(tmp_path):
    (tmp_path / "a.png").write_bytes(b"\x89PNG\r\n\x1a\nno more")
    with pytest.raises(MediaRefused, match="cannot be shown"):
        write_still(tmp_path / "a.png", tmp_path / "a.mkv")
