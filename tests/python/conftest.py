"""The binary under test, run in a folder of its own: FAIRSTEP_BINARY, or build/bin/fairstep."""

import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
# A shell that runs us in the background has us ignore Ctrl-C, and nohup the end of the terminal; what we start would
# ignore them too. Tests that send these signals begin from the usual state, whoever runs them.
for ignored, usual in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
    if signal.getsignal(ignored) is signal.SIG_IGN:
        signal.signal(ignored, usual)

# Seconds that a program may take before it is taken to hang: far beyond what any takes, however busy the machine is.
PATIENCE = 600

BINARY = Path(os.environ.get("FAIRSTEP_BINARY", ROOT / "build" / "bin" / "fairstep")).resolve()

# The package as the build has it, with what is compiled; without it only fairstep.spark can be imported.
MODULE = ROOT / "build" / "python"
sys.path.insert(0, str(MODULE if MODULE.exists() else ROOT / "python"))


def pytest_ignore_collect(collection_path, config):
    """A file all of which needs more than `make test` installs is not even imported there: it would fail at that."""
    leaves_out = config.option.markexpr.startswith("not (")
    is_marked = collection_path.suffix == ".py" and "\npytestmark = pytest.mark.needs(" in collection_path.read_text()
    return True if leaves_out and is_marked else None


@dataclass
class Run:
    """What one call of the binary gave."""

    code: int
    out: str
    err: str

    @property
    def json(self):
        """stdout as the one JSON document that it must be; NaN and Infinity are not JSON."""

        def refuse(constant):
            raise ValueError(f"{constant} in JSON")

        return json.loads(self.out, parse_constant=refuse)


class Fairstep:
    """Calls the binary; `fairstep("env", "fico")` or, as typed, `fairstep.line("fairstep env fico")`."""

    def __init__(self, folder):
        self.folder = Path(folder)

    def __call__(self, *words, env=None, code=None, **popen):
        environment = {key: value for key, value in os.environ.items() if key not in ("COLUMNS", "NO_COLOR")}
        environment.update(env or {})
        done = subprocess.run(
            [str(BINARY), *map(str, words)],
            cwd=self.folder,
            env=environment,
            text=True,
            timeout=PATIENCE,
            **({"capture_output": True} | popen),
        )
        if code is not None:
            assert done.returncode == code, f"{words}: exit {done.returncode}\n{done.stdout}\n{done.stderr}"
        return Run(done.returncode, done.stdout or "", done.stderr or "")

    def line(self, text):
        """A command line as written in --help or in the documentation."""
        shell = f'fairstep() {{ "{BINARY}" "$@"; }}\n{text}\n'
        done = subprocess.run(
            ["bash", "-e", "-o", "pipefail", "-c", shell],
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        return Run(done.returncode, done.stdout, done.stderr)

    def write(self, name, content):
        """A file in the folder: text as it is, anything else as JSON."""
        path = self.folder / name
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return name

    def read(self, name):
        return json.loads((self.folder / name).read_text())

    def files(self):
        """Every name in the folder, hidden ones too: nothing half-written may stay behind."""
        return sorted(path.name for path in self.folder.iterdir())


class Lossy(Fairstep):
    """For tests of what is lost: whoever reads a log takes it, however much of it that is."""

    def __call__(self, *words, **how):
        reads = words and words[0] in ("count", "audit", "diagnose")
        return super().__call__(*words, *(["--allow-loss"] if reads and "--allow-loss" not in words else []), **how)


@pytest.fixture
def fairstep(tmp_path):
    return Fairstep(tmp_path)


@pytest.fixture
def lossy(tmp_path):
    return Lossy(tmp_path)


@pytest.fixture
def loans(fairstep):
    """A folder with fico.json (2 groups, 8 steps) and from50.json (accept from score 50 on)."""
    fairstep("env", "fico", "-o", "fico.json", code=0)
    fairstep("policy", "fico.json", "--threshold", "x=2", "-o", "from50.json", code=0)
    return fairstep
