"""The rooms and the arrows between them, as src/fairstep/*/CMakeLists.txt state them: nowhere else are they written."""

import re
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def rooms() -> dict[str, set[str]]:
    """room -> the rooms it DEPENDS on"""
    found = {}
    for path in sorted((ROOT / "src/fairstep").glob("*/CMakeLists.txt")):
        call = re.search(r"fairstep_room\(\s*(\w+)(.*?)\)", path.read_text(), re.DOTALL)
        assert call, f"{path.relative_to(ROOT)} has no fairstep_room(...)"
        depends = re.search(r"\bDEPENDS\b(.*?)(?:\bLINKS\b|\bSOURCES\b|$)", call[2], re.DOTALL)
        found[call[1]] = set(depends[1].split()) if depends else set()
    return found


def downstream(changed: Iterable[str]) -> set[str]:
    """The changed rooms and all that depend on them, directly or not."""
    reached = set(changed)
    while more := {room for room, depends in rooms().items() if depends & reached} - reached:
        reached |= more
    return reached


def programs_of(folder: str) -> list[str]:
    """The test programs, without their _test, that tests/FOLDER/CMakeLists.txt makes."""
    path = ROOT / "tests" / folder / "CMakeLists.txt"
    return re.findall(r"^fairstep_test\((\w+)", path.read_text(), re.MULTILINE) if path.exists() else []
