# /// script
# requires-python = ">=3.11,<3.14"
# dependencies = ["numpy>=2", "onnx==1.23.2"]
# ///
"""Make the landmark model three times quicker on the processor, with the same numbers.

Half of the original's time goes into PRelu, which onnxruntime computes one value at a time, and
in a layout of its own: what lies before and after each of the 69 is turned into it and back. The
same function is `a * x + (1 - a) * max(x, 0)`, where `a` is the slope of each channel: two
convolutions of one pixel, an addition and a Relu, all of which it computes quickly and in place.

    uv run build/quicken_face_landmarks.py

writes resources/models/face/face_landmarks_quick.onnx beside the original and prints its SHA-256.
Landmarks of the two differ by less than 0.001 pixels of the 256 (tests/engines/test_face_models).
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import onnx
from onnx import NodeProto, helper, numpy_helper

FOLDER = Path(__file__).resolve().parent.parent / "resources" / "models" / "face"


def main() -> None:
    """Write the quick model."""
    model = onnx.load(str(FOLDER / "face_landmarks_detector.onnx"))
    graph = model.graph
    slopes = {entry.name: numpy_helper.to_array(entry) for entry in graph.initializer}
    nodes: list[NodeProto] = []
    for number, node in enumerate(list(graph.node)):
        if node.op_type != "PRelu":
            nodes.append(node)
            continue
        slope = slopes[node.input[1]].reshape(-1, 1, 1, 1).astype(np.float32)
        name = f"prelu{number}"
        graph.initializer.append(numpy_helper.from_array(slope, f"{name}_slope"))
        graph.initializer.append(numpy_helper.from_array(1 - slope, f"{name}_rest"))
        nodes += _instead(name, node.input[0], node.output[0], slope)
    del graph.node[:]
    graph.node.extend(nodes)
    _drop_unused(graph)
    onnx.checker.check_model(model)
    made = model.SerializeToString(deterministic=True)
    (FOLDER / "face_landmarks_quick.onnx").write_bytes(made)
    print(hashlib.sha256(made).hexdigest())


def _instead(name: str, taken: str, given: str, slope: np.ndarray) -> list[NodeProto]:
    """Give the nodes that do what a PRelu does."""

    def scale(source: str, weights: str, target: str) -> NodeProto:
        return helper.make_node(
            "Conv",
            [source, f"{name}_{weights}"],
            [target],
            name=f"{name}_by_{weights}",
            group=len(slope),
            kernel_shape=[1, 1],
        )

    def relu(source: str, target: str) -> NodeProto:
        return helper.make_node("Relu", [source], [target], name=f"{name}_relu")

    bent, middle = f"{name}_bent", f"{name}_middle"
    if (slope <= 1).all():
        # A factor that is not negative may go before the Relu, where it melts into one step.
        first = [scale(taken, "rest", middle), relu(middle, bent)]
    else:
        first = [relu(taken, middle), scale(middle, "rest", bent)]
    straight = f"{name}_straight"
    added = helper.make_node("Add", [bent, straight], [given], name=f"{name}_sum")
    return [*first, scale(taken, "slope", straight), added]


def _drop_unused(graph: onnx.GraphProto) -> None:
    used = {name for node in graph.node for name in node.input}
    kept = [entry for entry in graph.initializer if entry.name in used]
    del graph.initializer[:]
    graph.initializer.extend(kept)


if __name__ == "__main__":
    main()
