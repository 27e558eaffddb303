"""Say whether eyes, mouth or chin are covered: by a hand, a mask, hair, the edge of the picture."""

from __future__ import annotations

from engines.onnx_face_mesh import Mesh


def covered(mesh: Mesh) -> tuple[float, float, float]:
    """Give how likely eyes and brows, mouth, chin are covered, each 0 to 1."""
    doubt = max(0.0, min(1.0, 2 * (1 - mesh.presence)))
    return doubt, doubt, doubt
