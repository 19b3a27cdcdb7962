"""Where mutants are compiled, linked and tried."""

import contextlib
import hashlib
import json
import os
import pathlib
import re
import resource
import shlex
import subprocess
import sys
import threading

from mutation.mutations import Mutation
from mutation.schemata import Schemata

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = ROOT / "build/dev"
SOURCES = ROOT / "src/fairstep"
SUPPORT = ROOT / "tests/mutants"
STILLBORN = 77  # as in tests/mutants/schemata.hpp


def compile_commands() -> dict[pathlib.Path, list[str]]:
    """Source -> compiler and flags, without launcher, source, output and debug information."""
    commands = {}
    for entry in json.loads((BUILD / "compile_commands.json").read_text()):
        words = shlex.split(entry["command"])
        if "ccache" in words[0]:
            words = words[1:]
        at = words.index("-o")
        flags = [word for word in words[:at] + words[at + 2 :] if word not in ("-c", "-g", entry["file"])]
        source = pathlib.Path(entry["file"])
        beside = [] if source.is_relative_to(ROOT / "src") else [f"-I{source.parent}"]
        commands[source] = [*flags, *beside, "-D_GLIBCXX_ASSERTIONS", "-w"]
    return commands


def link_command(test: str) -> list[str]:
    """Compiler, objects and libraries of a test program, paths made absolute, without output."""
    done = subprocess.run(["ninja", "-C", BUILD, "-t", "commands", f"{test}_test"], capture_output=True, text=True)
    [line] = [line for line in done.stdout.splitlines() if f"-o bin/{test}_test" in line]
    words = shlex.split(re.sub(r"^\s*:\s*&&\s*|\s*&&.*$", "", line))
    at = words.index("-o")
    words = words[:at] + words[at + 2 :]
    return [str(BUILD / word) if (BUILD / word).is_file() and not word.startswith("/") else word for word in words]


def link(test: str, objects: dict[pathlib.Path, pathlib.Path], program: pathlib.Path, sanitized: bool = False) -> None:
    """A test program of the dev build, but with these objects for these sources."""
    command = link_command(test)
    for source, made in objects.items():
        beside = [i for i, word in enumerate(command) if word.endswith(f"/{test}_test.dir/{source.name}.o")]
        if beside and source.is_relative_to(ROOT / "tests" / test):
            command[beside[0]] = str(made)
        elif not source.is_relative_to(ROOT / "tests") or source.parent == SUPPORT:
            command.insert(1, str(made))  # what comes before a library is taken instead of what is in it
    options = ["-fuse-ld=gold", "-Wl,--strip-debug"] + ["-fsanitize=address"] * sanitized
    subprocess.run([*command, *options, "-o", program], cwd=BUILD, check=True, capture_output=True)


def run(program: pathlib.Path, seconds: float, number: int = 0, sanitized: bool = False) -> tuple[str, float]:
    """passed, failed or stillborn, and the processor's time. More than `seconds` of it is a failure."""

    def restrict() -> None:
        if not sanitized:
            resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))

    folder = program.parent / "tmp"
    folder.mkdir(exist_ok=True)
    environment = os.environ | {"ASAN_OPTIONS": "detect_leaks=0", "FAIRSTEP_MUTANT": str(number)}
    environment.setdefault("TMPDIR", str(folder))
    process = subprocess.Popen(
        [program, "--gtest_fail_fast", "--gtest_brief=1"],
        cwd=folder,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        preexec_fn=restrict,
    )
    # It should be the processor's time that ends it, however busy the machine is; this is for one that sleeps.
    watchdog = threading.Timer(60 + 30 * seconds, process.kill)
    watchdog.start()
    try:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    finally:
        watchdog.cancel()
    return {0: "passed", STILLBORN: "stillborn"}.get(process.returncode, "failed"), usage.ru_utime


def room_of(file: pathlib.Path) -> pathlib.Path:
    """The folder of its room."""
    return SOURCES / file.relative_to(SOURCES).parts[0]


def digest(*files: pathlib.Path) -> str:
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()


def headers_of(flags: list[str]) -> list[pathlib.Path]:
    """The project's headers that a compiler with these flags may see."""
    rooms = {found.group(1) for flag in flags if (found := re.search(r"/rooms/(\w+)$", flag))}
    folders = [ROOT / "src/fairstep" / room for room in rooms]
    folders += [ROOT / "tests"] if f"-I{ROOT}/tests" in flags else [SUPPORT]
    return sorted(header for folder in folders for header in folder.rglob("*.hpp"))


class AllInOne:
    """The test programs of a room with all of its mutants in them."""

    def __init__(
        self, folder: pathlib.Path, room: str, tests: list[str], found: dict[int, tuple[pathlib.Path, Mutation]]
    ):
        self.folder = folder / room
        self.commands = compile_commands()
        self.overlay = self.folder / "overlay"
        self.schemata: dict[pathlib.Path, Schemata] = {}
        for file in sorted({file for file, _ in found.values()}):
            numbered = [(number, mutation) for number, (of, mutation) in found.items() if of == file]
            self.schemata[file] = Schemata(file.read_text(), numbered)
        known = self.folder / "left_out.json"
        key = digest(*self.schemata)
        if known.exists() and (last := json.loads(known.read_text()))["key"] == key:
            for file, numbers in last["numbers"].items():
                self.schemata[pathlib.Path(file)].left_out |= set(numbers)
        places = (ROOT / "src/fairstep" / room, ROOT / "tests" / room)
        objects = {source: self.compiled(source) for source in sorted(self.commands) if source.parent in places}
        numbers = {str(file): sorted(schemata.left_out) for file, schemata in self.schemata.items()}
        known.write_text(json.dumps({"key": key, "numbers": numbers}))
        runtime = SUPPORT / "schemata.cpp"
        objects[runtime] = self.folder / "schemata.o"
        flags = next(iter(self.commands.values()))
        subprocess.run([*flags, "-c", runtime, "-o", objects[runtime]], check=True)
        self.programs = {test: self.folder / f"{test}_test" for test in tests}
        for test, program in self.programs.items():
            link(test, objects, program)

    @property
    def left_out(self) -> set[int]:
        return set().union(*(schemata.left_out for schemata in self.schemata.values()))

    def place_of(self, file: pathlib.Path) -> pathlib.Path:
        place = self.overlay / "fairstep" / file.relative_to(SOURCES)
        place.parent.mkdir(parents=True, exist_ok=True)
        return place

    def compiled(self, source: pathlib.Path) -> pathlib.Path:
        """Its object; whatever stands in the way of compiling is left out."""
        target = self.folder / f"{source.parent.parent.name}-{source.stem}.o"
        while True:
            for file, schemata in self.schemata.items():
                text = schemata.render()
                if not self.place_of(file).exists() or self.place_of(file).read_text() != text:
                    self.place_of(file).write_text(text)
            place = self.place_of(source) if source in self.schemata else source
            flags = [*self.commands[source], "-Wno-narrowing", "-fmax-errors=0", f"-I{SUPPORT}"]
            flags[1:1] = [f"-I{self.overlay}"]
            stamp = target.with_suffix(".stamp")
            rendered = [self.place_of(file) for file in self.schemata if file.suffix == ".hpp"]
            key = digest(source, place, *rendered, *headers_of(flags)) + shlex.join(flags)
            if target.exists() and stamp.exists() and stamp.read_text() == key:
                return target
            stamp.unlink(missing_ok=True)
            done = subprocess.run([*flags, "-c", place, "-o", target], capture_output=True, text=True)
            if done.returncode == 0:
                stamp.write_text(key)
                return target
            progress = False
            for file, schemata in self.schemata.items():
                lines = re.findall(
                    rf"^(?:In file included from )?{re.escape(str(self.place_of(file)))}:(\d+)", done.stderr, re.M
                )
                progress |= schemata.leave_out_lines({int(line) for line in lines})
            if not progress:
                sys.exit(f"mutants: {source} does not compile with its mutants\n{done.stderr[:4000]}")


class OneByOne:
    """A folder in which one mutant at a time is compiled by itself."""

    def __init__(self, folder: pathlib.Path):
        self.folder = folder
        self.commands = compile_commands()
        self.originals: dict[pathlib.Path, list[bytes]] = {}

    def compiled(
        self, file: pathlib.Path, text: str, sanitized: bool = False
    ) -> dict[pathlib.Path, pathlib.Path] | None:
        """The objects of all sources that see the file: itself, or those of the room and its tests; or nothing."""
        room = room_of(file)
        overlay = self.folder / "overlay"
        place = overlay / "fairstep" / file.relative_to(SOURCES)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
        sources = [file]
        if file.suffix == ".hpp":
            sources = [s for s in sorted(self.commands) if s.parent in (room, ROOT / "tests" / room.name)]
        objects = {}
        try:
            for source in sources:
                objects[source] = self.folder / f"{source.parent.parent.name}-{room.name}-{source.stem}.o"
                flags = [*self.commands[source], *(["-fsanitize=address"] if sanitized else [])]
                flags[1:1] = [f"-I{overlay}"]
                # By a path that is the same for all mutants, as it ends up in the object.
                given = f"fairstep/{file.relative_to(SOURCES)}" if source == file else source
                done = subprocess.run(
                    [*flags, "-c", given, "-o", objects[source]], cwd=overlay, capture_output=True, timeout=600
                )
                if done.returncode != 0:
                    return None
        finally:
            place.unlink()
        return objects

    def is_same(self, file: pathlib.Path, objects: dict[pathlib.Path, pathlib.Path]) -> bool:
        code = [made.read_bytes() for made in objects.values()]
        if file not in self.originals:
            original = self.compiled(file, file.read_text())
            assert original is not None, f"{file} does not compile"
            self.originals[file] = [made.read_bytes() for made in original.values()]
        return code == self.originals[file]

    def verdict(
        self, file: pathlib.Path, text: str, tests: list[str], seconds: dict[str, float], tried: bool
    ) -> tuple[str, str]:
        """Verdict and who killed it. `tried` if the tests are known to pass without AddressSanitizer."""
        objects = None
        with contextlib.suppress(subprocess.TimeoutExpired):
            objects = self.compiled(file, text)
        if objects is None:
            return "stillborn", ""
        kept = {source: made.with_suffix(".kept") for source, made in objects.items()}
        for source, made in objects.items():
            made.rename(kept[source])
        if self.is_same(file, kept):
            return "same", ""
        for test in [] if tried else tests:
            program = self.folder / f"{test}_test"
            link(test, kept, program)
            if run(program, 5 * seconds[test] + 1)[0] == "failed":
                return "killed", test
        sanitized = self.compiled(file, text, sanitized=True)
        if sanitized:
            program = self.folder / f"{tests[0]}_test"
            link(tests[0], sanitized, program, sanitized=True)
            if run(program, 20 * seconds[tests[0]] + 1, sanitized=True)[0] == "failed":
                return "killed", tests[0] + " with AddressSanitizer"
        return "survived", ""
