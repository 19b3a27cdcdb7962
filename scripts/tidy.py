"""Runs clang-tidy over every source of a build folder, several at a time; any finding fails.

    scripts/tidy.py build/tidy [PART-OF-A-PATH...]

Nothing has to be built: the folder's compile_commands.json is enough. A source that was clean is skipped until it, a
header of ours that it includes, or .clang-tidy is newer: after an edit only what it touched is looked at again.
"""

import concurrent.futures
import functools
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TIDY = ROOT / "build/venv/bin/clang-tidy"
CONFIG = ROOT / ".clang-tidy"


def sources(build: pathlib.Path) -> set[pathlib.Path]:
    """Ours; generated ones and those of others are left out."""
    entries = json.loads((build / "compile_commands.json").read_text())
    found = {pathlib.Path(entry["directory"], entry["file"]).resolve() for entry in entries}
    return {source for source in found if source.is_relative_to(ROOT) and not source.is_relative_to(ROOT / "build")}


@functools.cache
def included(source: pathlib.Path) -> list[pathlib.Path]:
    """The headers of ours that a file names itself."""
    folders = [ROOT / "src", source.parent, ROOT / "cli", ROOT / "tests", ROOT / "benchmarks"]
    names = re.findall(r'^#include [<"]([^>"]+)[>"]', source.read_text(), re.MULTILINE)
    return [folder / name for name in names for folder in folders if (folder / name).is_file()]


def newest(source: pathlib.Path) -> float:
    """When the file or any of our headers that it sees was last changed."""
    seen, to_see = {source}, [source]
    while to_see:
        more = {path.resolve() for path in included(to_see.pop())} - seen
        seen |= more
        to_see += more
    return max(path.stat().st_mtime for path in seen)


def stamp_of(build: pathlib.Path, source: pathlib.Path) -> pathlib.Path:
    return build / "tidy" / source.relative_to(ROOT).with_suffix(".clean")


def is_clean(stamp: pathlib.Path, source: pathlib.Path) -> bool:
    if not stamp.exists():
        return False
    return stamp.stat().st_mtime > max(newest(source), CONFIG.stat().st_mtime, TIDY.stat().st_mtime)


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
        for source in sources(build)
        if not is_clean(stamp_of(build, source), source) and (not wanted or any(part in str(source) for part in wanted))
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
