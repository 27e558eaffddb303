"""Renew or check the lock: exact versions in pyproject.toml, with hashes in requirements.lock.

uv's own lock file names the addresses that files are fetched from, which belong to whoever runs
it and not to the project. So the project commits what a lock is for, versions and hashes, without
addresses: the versions stand as constraints in pyproject.toml, where every `uv run` obeys them,
and the same versions with the SHA-256 of each file stand in requirements.lock. What only local
models need, the extra `vlm` and the group `real-models`, stands in requirements-models.lock: it
is built from source and large, and nobody else should have to install it.

    uv run python build/lock.py            renew both from a fresh resolution
    uv run python build/lock.py --check    fail when they disagree with each other
    uv run python build/lock.py --audit    fail unless what is installed is what is locked
"""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parent.parent
PROJECT = ROOT / "pyproject.toml"
LOCK = ROOT / "requirements.lock"
MODELS_LOCK = ROOT / "requirements-models.lock"
PINS = re.compile(r"^constraint-dependencies = \[\n.*?^\]\n", re.MULTILINE | re.DOTALL)
EXPORT = (
    "uv export --quiet --no-emit-project --no-annotate --no-header --format requirements.txt "
).split()
ORDINARY = ["--group", "dev"]
ALL = ["--all-groups", "--all-extras"]
HEADER = "# Exact versions and SHA-256 of everything the project installs. Made by build/lock.py.\n"
MODELS_HEADER = "# The same for local models, beside requirements.lock. Made by build/lock.py.\n"


def main(arguments: list[str]) -> int:
    """Renew, check or audit the lock; 0 when all is well."""
    if arguments == ["--check"]:
        return check()
    if arguments == ["--audit"]:
        return check() or audit()
    return renew()


def renew() -> int:
    """Resolve anew and write both files."""
    (ROOT / "uv.lock").unlink(missing_ok=True)
    PROJECT.write_text(_with_pins(PROJECT.read_text("utf-8"), []), encoding="utf-8")
    write_locks()
    pins = locked()
    PROJECT.write_text(_with_pins(PROJECT.read_text("utf-8"), pins), encoding="utf-8")
    (ROOT / "uv.lock").unlink(missing_ok=True)
    print(f"{len(pins)} versions locked")
    return 0


def write_locks() -> None:
    """Write what uv resolves to into both files, under the constraints as they are."""
    ordinary, whole = _export(ORDINARY), _export(ALL)
    LOCK.write_text(HEADER + "".join(ordinary), encoding="utf-8")
    more = [entry for entry in whole if entry not in ordinary]
    MODELS_LOCK.write_text(MODELS_HEADER + "".join(more), encoding="utf-8")


def _export(choice: list[str]) -> list[str]:
    """Give each requirement with the lines of its hashes."""
    done = subprocess.run([*EXPORT, *choice], cwd=ROOT, check=True, capture_output=True, text=True)
    return re.findall(r"^\S.*\n(?:[ ].*\n)*", done.stdout, re.MULTILINE)


def locked() -> list[str]:
    """Give the requirements that both files pin, without their hashes, in order of name."""
    lines = [line for file in (LOCK, MODELS_LOCK) for line in file.read_text("utf-8").splitlines()]
    pins = [line.rstrip(" \\") for line in lines if line and not line.startswith((" ", "#", "-"))]
    return sorted(map(_without_platform, pins), key=lambda pin: pin.partition("==")[0])


def _without_platform(pin: str) -> str:
    """Keep of a pin's marker only what it says of Python: a constraint installs nothing itself."""
    wanted, _, marker = pin.partition(" ; ")
    python = re.findall(r"python_full_version [<>=]+ '[0-9.]+'", marker)
    return f"{wanted} ; {python[0]}" if python else wanted


def check() -> int:
    """Say whether the constraints in pyproject.toml are the versions in the lock files."""
    text = PROJECT.read_text("utf-8")
    if _with_pins(text, locked()) == text:
        return 0
    print("pyproject.toml and requirements.lock disagree; run build/lock.py")
    return 1


def audit() -> int:
    """Say whether every locked version that is meant for this machine is the one installed."""
    wrong = []
    for pin in map(Requirement, locked()):
        if pin.marker is not None and not pin.marker.evaluate():
            continue
        try:
            here = version(pin.name)
        except PackageNotFoundError:
            continue  # of a group or an extra that is not installed here
        if not pin.specifier.contains(here, prereleases=True):
            wrong.append(f"{pin.name} {here} is installed, {pin.specifier} is locked")
    print("\n".join(wrong) or "what is installed is what is locked")
    return 1 if wrong else 0


def _with_pins(text: str, pins: list[str]) -> str:
    lines = "".join(f'    "{pin}",\n' for pin in pins)
    return PINS.sub(lambda _found: f"constraint-dependencies = [\n{lines}]\n", text, count=1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
