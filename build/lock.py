"""Renew or check the lock: exact versions in pyproject.toml, with hashes in requirements.lock.

uv's own lock file names the addresses that files are fetched from, which belong to whoever runs
it and not to the project. So the project commits what a lock is for, versions and hashes, without
addresses: the versions stand as constraints in pyproject.toml, where every `uv run` obeys them,
and the same versions with the SHA-256 of each file stand in requirements.lock.

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
PINS = re.compile(r"^constraint-dependencies = \[\n.*?^\]\n", re.MULTILINE | re.DOTALL)
EXPORT = (
    "uv export --quiet --all-groups --all-extras --no-emit-project --no-annotate --no-header "
    "--format requirements.txt"
).split()
HEADER = "# Exact versions and SHA-256 of everything the project installs. Made by build/lock.py.\n"


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
    told = subprocess.run(
        EXPORT,
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    LOCK.write_text(HEADER + told, encoding="utf-8")
    pins = locked()
    PROJECT.write_text(_with_pins(PROJECT.read_text("utf-8"), pins), encoding="utf-8")
    (ROOT / "uv.lock").unlink(missing_ok=True)
    print(f"{len(pins)} versions locked")
    return 0


def locked() -> list[str]:
    """Give the requirements that requirements.lock pins, without their hashes."""
    lines = LOCK.read_text("utf-8").splitlines()
    pins = [line.rstrip(" \\") for line in lines if line and not line.startswith((" ", "#", "-"))]
    return [_without_platform(pin) for pin in pins]


def _without_platform(pin: str) -> str:
    """Keep of a pin's marker only what it says of Python: a constraint installs nothing itself."""
    wanted, _, marker = pin.partition(" ; ")
    python = re.findall(r"python_full_version [<>=]+ '[0-9.]+'", marker)
    return f"{wanted} ; {python[0]}" if python else wanted


def check() -> int:
    """Say whether the constraints in pyproject.toml are the versions in requirements.lock."""
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
