#!/usr/bin/env python3
"""Mutation testing of evaluate, certify and check: small mistakes are made in their sources, one at a time, and the
tests are to notice.

    scripts/mutants.py [ROOM...] [--sample N | --all] [--seed S] [--jobs N] [--list] [--again | --go-on]

    --sample N   N mutants of each room, drawn by the seed (60 unless told otherwise)
    --all        every mutant
    --again      of these, only those that survived last time
    --go-on      of these, only those that were not tried yet
    --list       say which mutants there are, and run nothing

The mistakes are those of scripts/mutation/mutations.py. All mutants of a room are compiled into its test programs at
once, with the flags of the dev build, and one is chosen when such a program starts (scripts/mutation/schemata.py). What
cannot be written so, and whatever survives, is compiled by itself. A mutant is

    killed       a test failed, crashed, or took five times as much of the processor as it should
    survived     all tests passed
    stillborn    it does not compile; not counted
    same         its object code is that of the original at -O1; not counted
    equivalent   it is on the list in tests/mutants/equivalent.toml, which says why no test can tell; not counted

Whatever survives is also tried with AddressSanitizer, as `make verify` has it. Results go to build/mutants/ROOM.json.
The exit code is 1 if less than 90 % of what counts of a room was killed.
"""

import argparse
import concurrent.futures
import dataclasses
import hashlib
import json
import os
import queue
import subprocess
import sys
import threading
import tomllib
from collections.abc import Callable
from pathlib import Path

from mutation.mutations import Mutation, mutations_of
from mutation.workshop import ROOT, AllInOne, OneByOne, run

WORK = ROOT / "build/mutants"
EQUIVALENT = ROOT / "tests/mutants/equivalent.toml"

# Whose tests are to notice: those of the room, and of the rooms that rest on it.
TESTS = {"evaluate": ["evaluate", "certify", "check"], "certify": ["certify", "check"], "check": ["check"]}
WANTED = 0.9


@dataclasses.dataclass(frozen=True)
class Mutant:
    room: str
    file: Path
    line: int
    old: str  # the line as it is
    new: str  # and with the mistake
    nth: int  # of those with the same lines in this file
    kind: str
    mutation: Mutation

    @property
    def name(self) -> str:
        where = self.file.relative_to(ROOT / "src/fairstep")
        return f"{where}: {self.old} -> {self.new}" + (f" ({self.nth + 1})" if self.nth else "")


def mutants_of(room: str) -> list[Mutant]:
    found = []
    for file in sorted((ROOT / "src/fairstep" / room).rglob("*.[ch]pp")):
        text = file.read_text()
        seen: dict[tuple[str, str], int] = {}
        for mutation in mutations_of(text):
            begin = text.rfind("\n", 0, mutation.start) + 1
            end = text.index("\n", mutation.end)
            mutated = mutation.apply(text)
            old = " ".join(text[begin:end].split())
            new = " ".join(mutated[begin : end + len(mutated) - len(text)].split())
            nth = seen.setdefault((old, new), 0)
            seen[old, new] += 1
            line = text.count("\n", 0, begin) + 1
            found.append(Mutant(room, file, line, old, new, nth, mutation.kind, mutation))
    return found


def sample(mutants: list[Mutant], size: int, seed: int) -> list[Mutant]:
    """The same ones as long as they exist, whatever else changes."""
    drawn = sorted(mutants, key=lambda m: hashlib.sha256(f"{seed} {m.name}".encode()).digest())
    return drawn[:size]


def equivalents() -> dict[str, str]:
    listed = {}
    for entry in tomllib.loads(EQUIVALENT.read_text()).get("mutant", []):
        for new in [entry["new"]] if isinstance(entry["new"], str) else entry["new"]:
            listed[f"{entry['file']}: {entry['old']} -> {new}"] = entry["why"]
    return listed


# --- all of them


class Results:
    """Kept on disk as they come: a file for each room, by the mutants' names."""

    def __init__(self) -> None:
        self.verdicts: dict[str, dict[str, str]] = {}
        for room in TESTS:
            file = self.file_of(room)
            self.verdicts |= json.loads(file.read_text()) if file.exists() else {}
        self.lock = threading.Lock()

    @staticmethod
    def file_of(room: str) -> Path:
        return WORK / f"{room}.json"

    def add(self, mutant: Mutant, verdict: str, by: str = "", final: bool = True) -> None:
        with self.lock:
            self.verdicts[mutant.name] = {"room": mutant.room, "kind": mutant.kind, "verdict": verdict, "by": by}
            if verdict == "survived" and final:
                print(f"survived: {mutant.file.relative_to(ROOT)}:{mutant.line}  {mutant.kind}")
                print(f"  - {mutant.old}\n  + {mutant.new}", flush=True)

    def save(self, room: str) -> None:
        with self.lock:
            ours = {name: result for name, result in self.verdicts.items() if result["room"] == room}
            self.file_of(room).write_text(json.dumps(ours, indent=1))


def in_parallel(jobs: int, work: Callable[[Mutant], None], mutants: list[Mutant], results: Results) -> None:
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for done, _ in enumerate(pool.map(work, mutants), 1):
            if done % 50 == 0:
                results.save(mutants[0].room)
                print(f"{done} of {len(mutants)}", file=sys.stderr, flush=True)
    for room in {m.room for m in mutants}:
        results.save(room)


def try_room(room: str, everything: list[Mutant], chosen: list[Mutant], jobs: int, results: Results) -> None:
    tests = TESTS[room]
    number_of = {mutant.name: number for number, mutant in enumerate(everything, 1)}
    shop = AllInOne(WORK, room, tests, {number_of[m.name]: (m.file, m.mutation) for m in everything})
    seconds = {}
    for test, program in shop.programs.items():
        outcome, seconds[test] = run(program, 1200)
        if outcome != "passed":
            sys.exit(f"mutants: {test}_test fails without any mutant; {program}")
    single = [m for m in chosen if number_of[m.name] in shop.left_out]
    survivors: list[Mutant] = []

    def together(mutant: Mutant) -> None:
        for test, program in shop.programs.items():
            outcome, _ = run(program, 5 * seconds[test] + 1, number_of[mutant.name])
            if outcome != "passed":
                return results.add(mutant, "killed" if outcome == "failed" else outcome, test)
        results.add(mutant, "survived", final=False)
        survivors.append(mutant)

    left_out = {m.name for m in single}
    in_parallel(jobs, together, [m for m in chosen if m.name not in left_out], results)
    print(f"{room}: {len(survivors)} survive, {len(single)} are to be compiled one by one", file=sys.stderr, flush=True)

    shops = queue.SimpleQueue()
    for job in range(jobs):
        shops.put(OneByOne(WORK / room / f"one-{job}"))
    survived = {m.name for m in survivors}

    def alone(mutant: Mutant) -> None:
        mine = shops.get()
        try:
            text = mutant.mutation.apply(mutant.file.read_text())
            results.add(mutant, *mine.verdict(mutant.file, text, tests, seconds, mutant.name in survived))
        finally:
            shops.put(mine)

    in_parallel(jobs, alone, single + survivors, results)


def summarise(mutants: list[Mutant], results: Results) -> bool:
    enough = True
    for room in TESTS:
        ours = [results.verdicts[m.name] for m in mutants if m.room == room]
        if not ours:
            continue
        count = {
            v: sum(r["verdict"] == v for r in ours) for v in ("killed", "survived", "stillborn", "same", "equivalent")
        }
        counted = count["killed"] + count["survived"]
        own = sum(r["verdict"] == "killed" and r["by"].startswith(room) for r in ours)
        share = count["killed"] / counted if counted else 1.0
        enough &= share >= WANTED
        print(
            f"{room}: {count['killed']} of {counted} mutants killed, {100 * share:.1f} % ({own} by its own tests); "
            f"not counted: {count['stillborn']} do not compile, {count['same']} are the same code, "
            f"{count['equivalent']} are listed as equivalent"
        )
    return enough


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rooms", nargs="*", choices=[*TESTS, []], default=[])
    parser.add_argument("--sample", type=int, default=60)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--go-on", action="store_true")
    asked = parser.parse_args()

    found = {room: mutants_of(room) for room in asked.rooms or TESTS}
    listed = equivalents()
    unknown = set(listed) - {m.name for room in TESTS for m in (found.get(room) or mutants_of(room))}
    if unknown:
        print("mutants: on the list of equivalents, but there are none such:", *sorted(unknown), sep="\n  ")
        return 2
    WORK.mkdir(parents=True, exist_ok=True)
    results = Results()
    before = {name: result["verdict"] for name, result in results.verdicts.items()}
    chosen = {}
    for room, ms in found.items():
        drawn = sample(ms, len(ms) if asked.all else asked.sample, asked.seed)
        if asked.again:
            drawn = [m for m in drawn if before.get(m.name) == "survived"]
        if asked.go_on:
            drawn = [m for m in drawn if m.name not in before]
        chosen[room] = drawn
    mutants = [m for ms in chosen.values() for m in ms]
    if asked.list:
        for mutant in mutants:
            print(f"{mutant.file.relative_to(ROOT)}:{mutant.line}  {mutant.kind}\n  - {mutant.old}\n  + {mutant.new}")
        return 0
    tests = sorted({f"{test}_test" for m in mutants for test in TESTS[m.room]})
    if tests:
        subprocess.run([ROOT / "scripts/build", "dev", *tests], check=True, stdout=subprocess.DEVNULL)
    for room, ms in chosen.items():
        for mutant in ms:
            if mutant.name in listed:
                results.add(mutant, "equivalent")
        if any(m.name not in listed for m in ms):
            try_room(room, found[room], [m for m in ms if m.name not in listed], asked.jobs, results)
    return 0 if summarise(mutants, results) else 1


if __name__ == "__main__":
    sys.exit(main())
