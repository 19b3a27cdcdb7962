"""What the suites share: how programs are run and timed, and what a table is."""

import json
import math
import os
import platform
import resource
import subprocess
import sys
import time
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
BUILD = Path(os.environ.get("FAIRSTEP_BUILD", ROOT / "build"))


@dataclass
class Table:
    """A table of docs/performance.md: columns by name, words in every cell."""

    caption: str
    head: list[str]
    rows: list[list[str]]

    def markdown(self) -> str:
        lines = [self.caption, "", "| " + " | ".join(self.head) + " |", "|" + "---|" * len(self.head)]
        return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in self.rows])


def program(name: str) -> str:
    path = BUILD / "bin" / name
    if not path.exists():
        sys.exit(f"{path} is missing: run `make bench`, or scripts/build release")
    return str(path.resolve())


def cpu_of_children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def cpu_by_process(session: int) -> dict[tuple[str, str], float]:
    """CPU seconds so far of every process of a session, by its number and start."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rsplit(")", 1)[1].split()
        except OSError:  # it is gone
            continue
        if int(fields[3]) == session:
            found[folder.name, fields[19]] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return found


def clock_and_cpu(words: list[str], folder: Path, environment: dict[str, str]) -> tuple[float, float]:
    """Seconds by the clock, and of all processors, of a program and all that it starts: of Spark, most of it is in
    processes that nobody waits for. Each is looked at several times a second; what it does after the last look is
    left out."""
    begin = time.time()
    cpu: dict[tuple[str, str], float] = {}
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(words, cwd=folder, env=environment, start_new_session=True, **quiet) as running:
        while running.poll() is None:
            cpu |= cpu_by_process(running.pid)
            time.sleep(0.1)
    if running.returncode != 0:
        sys.exit(f"{' '.join(words)} failed with exit code {running.returncode}")
    return time.time() - begin, sum(cpu.values())


def lines_of(*words: Any, **options: Any) -> list[dict[str, Any]]:
    """What a program that answers with lines of JSON has to say."""
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))} failed with exit code {done.returncode}:\n{done.stderr}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def fairstep(*words: Any, folder: Path, codes: tuple[int, ...] = (0,)) -> dict[str, Any]:
    """The command's JSON answer, with its CPU seconds under `cpu`. Exit code 3 is a proof that ran out of time."""
    begin = cpu_of_children()
    command = [program("fairstep"), *map(str, words), "--json", "--quiet"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode not in codes:
        sys.exit(f"{' '.join(command)} failed with exit code {done.returncode}:\n{done.stdout}{done.stderr}")
    return json.loads(done.stdout) | {"cpu": cpu_of_children() - begin}


def cpu_seconds(work: Any, times: int = 3) -> float:
    """The least CPU time of a few calls, in this process."""
    least = float("inf")
    for _ in range(times):
        begin = time.process_time()
        work()
        least = min(least, time.process_time() - begin)
    return least


def commit() -> str:
    words = ["git", "describe", "--always", "--dirty", "--exclude", "*"]
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip() or "unknown"


def version_of(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor() or "unknown"


def circumstances(full: bool) -> dict[str, Any]:
    """Everything one must know to compare two results."""
    packages = ("pyscipopt", "gurobipy", "casadi", "numpy", "pyspark")
    compiler = next(
        (
            line.split("=", 1)[1]
            for line in (BUILD / "CMakeCache.txt").read_text().splitlines()
            if line.startswith("CMAKE_CXX_COMPILER:")
        ),
        "c++",
    )
    compiler_says = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=False).stdout
    return {
        "command": f"make bench{'-full' if full else ''}",
        "commit": commit(),
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
        "versions": {name: version for name in packages if (version := version_of(name))}
        | {
            "python": platform.python_version(),
            "compiler": compiler_says.splitlines()[0] if compiler_says else "unknown",
        },
        "machine": {"processor": processor(), "processors": os.cpu_count(), "load": round(os.getloadavg()[0], 1)},
    }


def in_words(seconds: float) -> str:
    """Three digits and a unit."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def times_as(ratio: float) -> str:
    """A ratio as one says it: 0.83, 1.3, 12, 3,400."""
    if ratio >= 100:
        return f"{float(f'{ratio:.2g}'):,.0f}"
    return f"{ratio:.2g}"


def percent(share: float | None) -> str:
    if share is None:
        return "all"
    return f"{100 * share:.2g} %" if share < 0.1 else f"{100 * share:.3g} %"


def power(sizes: list[float], amounts: list[float]) -> float:
    """The exponent of growth, fitted by least squares to the logarithms."""
    x = [math.log(size) for size in sizes]
    y = [math.log(amount) for amount in amounts]
    mx, my = sum(x) / len(x), sum(y) / len(y)
    return sum((a - mx) * (b - my) for a, b in zip(x, y, strict=True)) / sum((a - mx) ** 2 for a in x)
