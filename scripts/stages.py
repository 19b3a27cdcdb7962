"""The engine of scripts/test: stages run side by side as far as the processors allow, with their output in build/logs.

A stage that fails stops only those that need it. What is counted in the end is what the summaries in the logs say (`3
failed, 40 passed`, by pytest and scripts/ctests); a stage without a summary counts for one.
"""

import hashlib
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOGS = ROOT / "build" / "logs"
PROCESSORS = len(os.sched_getaffinity(0))


@dataclass(frozen=True)
class Stage:
    name: str
    command: list[str]
    needs: tuple[str, ...] = ()
    alone: bool = True  # takes all processors; otherwise one
    env: dict[str, str] = field(default_factory=dict)
    remembered: bool = False  # not run again while nothing has changed since it passed

    @property
    def log(self) -> Path:
        return LOGS / f"{self.name.replace(' ', '-')}.log"

    @property
    def passed(self) -> Path:
        return self.log.with_suffix(".passed")


@dataclass
class Count:
    passed: int = 0
    failed: int = 0


def summary(log: str) -> str:
    """The last line that counts, if there is one."""
    lines = re.findall(r"^(?:\d+ failed|\d+ passed|clang-tidy:).*$", log, re.MULTILINE)
    return lines[-1] if lines else ""


def counted(line: str, failed: bool) -> Count:
    found = {word: int(number) for number, word in re.findall(r"(\d+) (passed|failed|error)", line)}
    count = Count(found.get("passed", 0), found.get("failed", 0) + found.get("error", 0))
    if failed:
        count.failed = max(count.failed, 1)
    elif not count.passed:
        count.passed = 1
    return count


def everything_that_matters() -> str:
    """A hash of all that the tests of the release build can see: the files of the repository, what was built and
    installed, the system's packages, and the settings of the environment that programs look at."""
    sha = hashlib.sha256()

    def add(path: Path) -> None:
        if path.is_file():
            sha.update(f"{path.relative_to(ROOT)} {path.stat().st_mode:o} ".encode())
            sha.update(hashlib.sha256(path.read_bytes()).digest())

    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"]
    files = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")
    for name in sorted(filter(None, files)):
        add(ROOT / name)
    for pattern in ("bin/fairstep", "bin/*_test", "python/**/*", "venv/.stamp*", "deps/.stamp", "deps/*/.stamp"):
        for path in sorted((ROOT / "build").glob(pattern)):
            if "__pycache__" not in path.parts:
                add(path)
    packages = subprocess.run("dpkg-query -W || c++ --version", shell=True, capture_output=True).stdout
    matters = re.compile(r"FAIRSTEP|LC_|LANG|TZ$|PYTEST|PYTHON|OMP|GTEST|CXX")
    settings = [f"{key}={value}" for key, value in sorted(os.environ.items()) if matters.match(key)]
    sha.update(packages + repr((settings, os.uname().release, os.getuid(), PROCESSORS)).encode())
    return sha.hexdigest()


@contextmanager
def files_in_memory():
    """Runs are kept safe by fsync, which is most of what their tests wait for: in memory it costs nothing. A folder
    there must have room and let programs run."""
    shared = Path("/dev/shm")
    room = os.statvfs(shared) if os.access(shared, os.W_OK) else None
    if room is None or room.f_bavail * room.f_frsize < 2 << 30 or room.f_flag & os.ST_NOEXEC:
        yield {}
        return
    with tempfile.TemporaryDirectory(prefix="fairstep-test.", dir=shared, ignore_cleanup_errors=True) as folder:
        os.chmod(folder, 0o755)  # some tests look at their files as nobody in particular
        yield {"TMPDIR": folder}


def say(stage: Stage, begun: float, what: str) -> None:
    print(f"{stage.name:<18}{time.monotonic() - begun:5.0f} s   {what}", flush=True)


def start(stage: Stage, more: dict[str, str]) -> subprocess.Popen:
    with stage.log.open("w") as log:
        return subprocess.Popen(
            stage.command,
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            env=os.environ | more | stage.env,
        )


def ended(stage: Stage, code: int, begun: float) -> Count:
    text = stage.log.read_text(errors="replace")
    line = summary(text)
    count = counted(line, code != 0)
    if code == 0:
        say(stage, begun, line or "ok")
    else:
        say(stage, begun, f"FAILED  {line}")
        print("\n".join(["", *text.splitlines()[-100:], ""]))
        print(f"All of its output: {stage.log.relative_to(ROOT)}. Again: scripts/test '{stage.name}'\n", flush=True)
    return count


def run(stages: list[Stage], key: Callable[[], str] = everything_that_matters) -> int:
    """All stages, each after those of them that it needs; returns the exit code."""
    LOGS.mkdir(parents=True, exist_ok=True)
    total, begun = Count(), time.monotonic()
    names = {stage.name for stage in stages}
    waiting, done, failed = list(stages), set(), set()
    running: dict[subprocess.Popen, tuple[Stage, float, str]] = {}

    def passes_still(stage: Stage, now: str) -> bool:
        if not now or not stage.passed.exists():
            return False
        then, _, line = stage.passed.read_text().partition("\n")
        if then != now:
            return False
        total.passed += counted(line, False).passed
        say(stage, time.monotonic(), f"{line or 'ok'}: nothing has changed since")
        return True

    def start_what_can() -> None:
        for stage in list(waiting):
            needs = names.intersection(stage.needs)
            if needs & failed:
                waiting.remove(stage)
                failed.add(stage.name)
                total.failed += 1
                say(stage, time.monotonic(), f"NOT RUN, for want of {', '.join(sorted(needs & failed))}")
                continue
            busy = PROCESSORS if any(one.alone for one, _, _ in running.values()) else len(running)
            if not needs <= done or busy + (PROCESSORS if stage.alone else 1) > max(PROCESSORS, 1):
                continue
            waiting.remove(stage)
            now = key() if stage.remembered else ""
            if passes_still(stage, now):
                done.add(stage.name)
                continue
            stage.passed.unlink(missing_ok=True)
            running[start(stage, more)] = (stage, time.monotonic(), now)

    with files_in_memory() as more:
        try:
            while waiting or running:
                before = len(waiting)
                start_what_can()
                if not running:
                    if len(waiting) == before:
                        sys.exit(f"scripts/test: stages wait for each other: {', '.join(one.name for one in waiting)}")
                    continue
                pid, status = os.wait()
                for process in [one for one in running if one.pid == pid]:
                    stage, since, now = running.pop(process)
                    process.returncode = os.waitstatus_to_exitcode(status)
                    count = ended(stage, process.returncode, since)
                    total.passed += count.passed
                    total.failed += count.failed
                    (failed if process.returncode else done).add(stage.name)
                    if now and not process.returncode and key() == now:
                        stage.passed.write_text(f"{now}\n{summary(stage.log.read_text(errors='replace'))}")
        finally:
            for process in running:
                process.terminate()
    minutes, seconds = divmod(round(time.monotonic() - begun), 60)
    print(f"{total.passed} passed, {total.failed} failed in {minutes} min {seconds} s")
    return 1 if total.failed else 0
