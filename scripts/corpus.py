"""Runs tests/corpus/commands.sh and keeps everything that comes out: what is printed, exit codes, every file.

    scripts/corpus.py                    compare with tests/corpus/expected (tests/python/test_corpus.py does this)
    scripts/corpus.py --update           what comes out now is what is expected
    scripts/corpus.py --beside BINARY    compare, byte for byte, with what another build of fairstep makes

A change to how the code is made must not show here; a change to what it does shows as a difference to be read.
Numbers that depend on the machine (BLAS has code for every processor) may differ by 1e-9 of themselves on another
machine; --beside allows nothing. Files larger than 32 KB are kept as their SHA-256, and compared only by --beside and
where all that is printed has the same digits.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CORPUS = ROOT / "tests" / "corpus"
BINARY = Path(os.environ.get("FAIRSTEP_BINARY", ROOT / "build" / "bin" / "fairstep")).resolve()
LARGE = 32 * 1024
TRANSCRIPT = "transcript.txt"

# What may differ from run to run: who holds a folder, how long things took, and when a file was changed.
OF_THIS_RUN = {".lock", "timing.json"}
CHANGING = [
    (re.compile(rb"\b\d+(\.\d+)?(e-\d+)? (ms|s)\b|\b\d+ a second"), b"# s"),
    (re.compile(rb"\b\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC"), b"#-#-# #:#:# UTC"),
    (re.compile(rb'"([a-z_]*seconds|time_s|solves_per_second)": ?[-0-9.e+]+'), rb'"\1": "#"'),
]
NUMBER = re.compile(rb"-?\d+\.\d+(?:[eE][-+]?\d+)?|-?\d+[eE][-+]?\d+")


def commands() -> list[str]:
    lines = (CORPUS / "commands.sh").read_text().splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def still(content: bytes) -> bytes:
    for pattern, word in CHANGING:
        content = pattern.sub(word, content)
    return content


def outcome(binary: Path) -> dict[str, bytes]:
    """{file: content} after all commands, with what they printed as the file transcript.txt."""
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"COLUMNS": "400", "NO_COLOR": "1"}
        said = []
        for command in commands():
            done = subprocess.run(
                ["bash", "-c", f'fairstep() {{ "{binary}" "$@"; }}\n{command}'],
                cwd=folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=300,
            )
            said.append(b"$ %s\n%s%s[%d]\n" % (command.encode(), done.stdout, done.stderr, done.returncode))
        made = [path for path in Path(folder).rglob("*") if path.is_file() and path.name not in OF_THIS_RUN]
        found = {str(path.relative_to(folder)): still(path.read_bytes()) for path in made}
        return found | {TRANSCRIPT: still(b"\n".join(said))}


def outcome_to_keep() -> dict[str, bytes]:
    """As it stands in expected/: what is printed is for reading, however long."""

    def fingerprint(content: bytes) -> bytes:
        return b"sha256 " + hashlib.sha256(content).hexdigest().encode() + b"\n"

    found = outcome(BINARY).items()
    return {name: fingerprint(it) if len(it) > LARGE and name != TRANSCRIPT else it for name, it in found}


def expected() -> dict[str, bytes]:
    folder = CORPUS / "expected"
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def alike(a: bytes, b: bytes) -> bool:
    """The same but for the last digits of numbers."""
    if NUMBER.sub(b"#", a) != NUMBER.sub(b"#", b):
        return False
    pairs = ((float(x), float(y)) for x, y in zip(NUMBER.findall(a), NUMBER.findall(b), strict=True))
    return all(abs(x - y) <= 1e-9 * max(abs(x), abs(y), 1) for x, y in pairs)


def first_difference(name: str, before: bytes, after: bytes) -> str:
    old, new = (text.decode(errors="replace").splitlines() for text in (before, after))
    for at, (was, is_now) in enumerate(zip(old, new, strict=False), 1):
        if was != is_now:
            where = next((i for i, (x, y) in enumerate(zip(was, is_now, strict=False)) if x != y), 0)
            around = slice(max(0, where - 60), where + 100)
            return f"{name}:{at}\n  was {was[around]}\n  is  {is_now[around]}"
    return f"{name}: {len(old)} lines before, {len(new)} now"


def differences(before: dict[str, bytes], after: dict[str, bytes], same) -> list[str]:
    found = [f"{name}: no longer made" for name in sorted(before.keys() - after.keys())]
    found += [f"{name}: was not made before" for name in sorted(after.keys() - before.keys())]
    for name in sorted(before.keys() & after.keys()):
        if not same(before[name], after[name]):
            found.append(first_difference(name, before[name], after[name]))
    return found


def differences_to_expected() -> list[str]:
    before, now = expected(), outcome_to_keep()
    rounds_alike = before.get(TRANSCRIPT) == now[TRANSCRIPT]

    def same(a: bytes, b: bytes) -> bool:
        hashed = a.startswith(b"sha256 ") and b.startswith(b"sha256 ")
        return a == b or (not rounds_alike if hashed else alike(a, b))

    return differences(before, now, same)


def update() -> None:
    shutil.rmtree(CORPUS / "expected", ignore_errors=True)
    for name, content in outcome_to_keep().items():
        path = CORPUS / "expected" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--beside", type=Path, metavar="BINARY")
    asked = parser.parse_args()
    if asked.update:
        update()
        return 0
    if asked.beside:
        found = differences(outcome(asked.beside.resolve()), outcome(BINARY), bytes.__eq__)
    else:
        found = differences_to_expected()
    print("\n".join(found) or f"{len(commands())} commands: no difference")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
