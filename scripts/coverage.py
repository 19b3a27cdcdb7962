#!/usr/bin/env python3
"""Which lines the C++ tests run:  scripts/coverage.py [ROOM...]

Builds the preset `coverage`, runs its tests (only those of the rooms named, if any are) and prints lines and branches
of each room, whoever's tests ran them. Tests in Python, which start the command, are not counted. The exit code is 1 if
a core room has less than 95 % of its lines run; build/coverage/index.html shows every line.

The libraries are optimised a little (-O1), which is five times as fast as not at all; lines that were optimised away
count as neither run nor not.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build/coverage"
CORE_ROOMS = {"core", "io", "environments", "evaluate", "simulate", "estimate", "optimise", "learn", "certify", "check"}
WANTED = 95.0


def run_tests(rooms: list[str]) -> None:
    for data in BUILD.rglob("*.gcda"):
        data.unlink()
    chosen = ["-R", f"^({'|'.join(rooms)})\\."] if rooms else []
    jobs = str(os.cpu_count())
    command = ["ctest", "--preset", "coverage", "-j", jobs, "--no-tests=error", "--timeout", "1200", *chosen]
    subprocess.run(command, cwd=ROOT, check=True)


def measure() -> list[dict]:
    """Lines and branches of every file. Branches of exceptions, which every call has, are left out."""
    summary = BUILD / "coverage.json"
    pages = BUILD / "html"
    shutil.rmtree(pages, ignore_errors=True)
    pages.mkdir()
    command = [ROOT / "build/venv/bin/gcovr", "--root", ROOT, "--object-directory", BUILD, "--filter", "src/fairstep/"]
    command += [
        "--exclude-throw-branches",
        "--exclude-unreachable-branches",
        "--merge-lines",
        "-j",
        str(os.cpu_count()),
    ]
    command += ["--gcov-ignore-parse-errors=negative_hits.warn", "--json-summary", summary]
    command += ["--html-nested", pages / "index.html", "--html-title", "fairstep: what the tests run"]
    subprocess.run([*command, BUILD], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    (BUILD / "index.html").write_text('<meta http-equiv="refresh" content="0; url=html/index.html">\n')
    return json.loads(summary.read_text())["files"]


def main() -> int:
    rooms = sys.argv[1:]
    subprocess.run([ROOT / "scripts/build", "coverage", *(f"{room}_test" for room in rooms)], check=True)
    run_tests(rooms)
    sums: dict[str, list[int]] = {}
    for file in measure():
        room = pathlib.Path(file["filename"]).as_posix().rpartition("fairstep/")[2].split("/")[0]
        keys = ("line_covered", "line_total", "branch_covered", "branch_total")
        sums[room] = [a + file[key] for a, key in zip(sums.get(room, [0] * 4), keys, strict=True)]
    short = []
    print("| room | lines | | branches | |\n|---|---:|---:|---:|---:|")
    for room, (lines, all_lines, branches, all_branches) in sorted(sums.items()):
        share = 100 * lines / max(1, all_lines)
        print(f"| {room} | {lines} of {all_lines} | {share:.1f} % ", end="")
        print(f"| {branches} of {all_branches} | {100 * branches / max(1, all_branches):.1f} % |")
        if room in CORE_ROOMS and (not rooms or room in rooms) and share < WANTED:
            short.append(room)
    if short:
        print(f"coverage: less than {WANTED:g} % of the lines of {', '.join(short)} run, see build/coverage/index.html")
    return 1 if short else 0


if __name__ == "__main__":
    sys.exit(main())
