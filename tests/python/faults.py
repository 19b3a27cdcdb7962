"""Libraries that are loaded into a program to make things go wrong (tests/faults)."""

import os
import signal
import subprocess
from pathlib import Path

from conftest import ROOT


def compiled(name: str, folder: Path) -> Path:
    library = folder / f"{name}.so"
    source = ROOT / "tests" / "faults" / f"{name}.c"
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-Wall", "-Werror", source, "-o", library, "-ldl"], check=True)
    return library


def faults(library: Path, **chosen) -> dict[str, str]:
    """The environment of a program with such a fault: FAULT="kill", FAULT_AT=5."""
    return os.environ | {"LD_PRELOAD": str(library)} | {name: str(value) for name, value in chosen.items()}


def stopped(library: Path, touch: int, words, **popen) -> subprocess.Popen:
    """A program that stands still just before so many touches of the disk: whatever is sent to it then comes in the
    middle of its work, however busy the machine is."""
    process = subprocess.Popen(
        [str(word) for word in words], env=faults(library, FAULT="stop", FAULT_AT=touch), text=True, **popen
    )
    state = os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
    assert state.si_code == os.CLD_STOPPED, f"it ended before it touched the disk {touch} times"
    return process


def interrupt(process: subprocess.Popen, sent: signal.Signals = signal.SIGINT) -> None:
    """Goes on with that signal pending."""
    process.send_signal(sent)
    process.send_signal(signal.SIGCONT)
