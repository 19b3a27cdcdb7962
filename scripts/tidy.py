"""Runs clang-tidy over every source of a build folder, several at a time; any finding fails.

    scripts/tidy.py build/dev [PART-OF-A-PATH...]

A source that was clean is skipped until its object file (hence the source or a header it includes) or .clang-tidy is
newer: after an edit only what it touched is looked at again.
"""

import concurrent.futures
import json
import os
import pathlib
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TIDY = ROOT / "build/venv/bin/clang-tidy"
CONFIG = ROOT / ".clang-tidy"


def sources(build: pathlib.Path) -> dict[pathlib.Path, pathlib.Path]:
    """Our sources -> their object files; generated ones and those of others are left out."""
    found = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        source = pathlib.Path(entry["directory"], entry["file"]).resolve()
        if source.is_relative_to(ROOT) and not source.is_relative_to(ROOT / "build"):
            command = shlex.split(entry["command"])
            found[source] = pathlib.Path(entry["directory"], command[command.index("-o") + 1])
    return found


def stamp_of(build: pathlib.Path, source: pathlib.Path) -> pathlib.Path:
    return build / "tidy" / source.relative_to(ROOT).with_suffix(".clean")


def is_clean(stamp: pathlib.Path, obj: pathlib.Path) -> bool:
    if not stamp.exists() or not obj.exists():
        return False
    return stamp.stat().st_mtime > max(obj.stat().st_mtime, CONFIG.stat().st_mtime, TIDY.stat().st_mtime)


def check(build: pathlib.Path, source: pathlib.Path) -> str:
    """What clang-tidy has to say; empty if nothing."""
    stamp = stamp_of(build, source)
    run = subprocess.run(
        [TIDY, "-p", build, "--quiet", "--warnings-as-errors=*", source], capture_output=True, text=True
    )
    if run.returncode == 0:
        stamp.parent.mkdir(parents=True, exist_ok=True)
        stamp.touch()
        return ""
    return run.stdout.strip() or run.stderr.strip()


def main() -> int:
    build = pathlib.Path(sys.argv[1]).resolve()
    wanted = sys.argv[2:]
    todo = [
        source
        for source, obj in sources(build).items()
        if not is_clean(stamp_of(build, source), obj) and (not wanted or any(part in str(source) for part in wanted))
    ]
    reports: set[str] = set()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for report in pool.map(lambda source: check(build, source), sorted(todo)):
            if report and report not in reports:
                reports.add(report)
                print(report, flush=True)
    print(f"clang-tidy: {len(todo)} files looked at, {len(reports)} with findings")
    return 1 if reports else 0


if __name__ == "__main__":
    sys.exit(main())
