"""Libraries that are loaded into a program to make things go wrong (tests/faults)."""

import subprocess
from pathlib import Path

from conftest import ROOT


def compiled(name: str, folder: Path) -> Path:
    library = folder / f"{name}.so"
    source = ROOT / "tests" / "faults" / f"{name}.c"
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-Wall", "-Werror", source, "-o", library, "-ldl"], check=True)
    return library
