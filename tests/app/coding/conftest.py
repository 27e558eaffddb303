"""Makes the files beside this one that are no tests importable by the tests."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

HERE = Path(__file__).parent

for path in sorted(HERE.glob("*.py")):
    if not path.stem.startswith(("test_", "conftest")):
        spec = importlib.util.spec_from_file_location(path.stem, path)
        module = importlib.util.module_from_spec(spec)
        sys.modules[path.stem] = module
        spec.loader.exec_module(module)
