"""An experiment spread over Apache Spark: every run is a task, and the folder is the one `fairstep experiment` leaves.

The driver writes what all runs need (experiment.json, models, oracles.json) and sends it along with each task. A task
runs `fairstep experiment --only PART` in a folder of its own and sends the part back; no file system is shared. What
has come back is in the driver's folder at once, so that a driver that dies loses only what was under way: the same
command goes on from there. In the end the driver runs `fairstep experiment` once more, which reads every part and does
what is still missing.
"""

import io
import json
import os
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from pyspark import SparkContext

NEEDED_BY_ALL = ("experiment.json", "models", "oracles.json")


def pack(folders: dict[str, tuple[Path, Iterable[str]]]) -> bytes:
    """Some files and folders of each folder, under the name that it shall have."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, (folder, paths) in folders.items():
            for path in paths:
                for file in [folder / path, *sorted((folder / path).rglob("*"))]:
                    if file.is_file() and file.name != ".lock":  # a lock belongs to the process that holds it
                        archive.write(file, Path(name) / file.relative_to(folder))
    return buffer.getvalue()


def unpack(packed: bytes, folder: Path) -> None:
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        archive.extractall(folder)


def files_of(experiment: Path) -> list[str]:
    """The experiment file and the models that it names, which lie in its folder or below."""
    environments = tomllib.loads(experiment.read_text()).get("environments", [])
    models = [entry["model"] for entry in environments if isinstance(entry, dict) and "model" in entry]
    return [experiment.name, *models]


def do_part(command: str, file: str, packed: bytes, part: str) -> tuple[int, str, bytes]:
    """On a worker: one part of the experiment. The exit code, what was said, and the part."""
    with tempfile.TemporaryDirectory(prefix="fairstep-") as place:
        unpack(packed, Path(place))
        words = [command, "experiment", file, "-o", "../folder", "--only", part, "--threads", "1", "--quiet"]
        ran = subprocess.run(
            words, cwd=Path(place) / "question", stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )
        answer = pack({"": (Path(place) / "folder", [part])}) if ran.returncode == 0 else b""
        return ran.returncode, ran.stderr, answer


def take_in(packed: bytes, folder: Path, part: str) -> None:
    """Puts a part into its place, whole or not at all."""
    with tempfile.TemporaryDirectory(prefix=".arriving-", dir=folder) as place:
        unpack(packed, Path(place))
        (folder / part).parent.mkdir(parents=True, exist_ok=True)
        for path in (Path(place) / part).rglob("*"):
            if path.is_file():
                with path.open("rb") as file:
                    os.fsync(file.fileno())
        try:
            os.rename(Path(place) / part, folder / part)
        except OSError:
            if not (folder / part).exists():
                raise
            # Somebody else has begun this very run here meanwhile: the last step of all finishes it.


def run(spark: SparkContext, file: str, output: str, command: str) -> int:
    """The exit code of `fairstep experiment FILE -o OUTPUT`, whose work was done by Spark."""
    folder, experiment = Path(output), Path(file)

    def here(*words: str, quiet: bool = True) -> subprocess.CompletedProcess[str]:
        out = subprocess.PIPE if quiet else None
        return subprocess.run([command, "experiment", file, *words], stdout=out, text=True)

    prepared = here("-o", output, "--only", "oracles.json", "--quiet")
    if prepared.returncode != 0:
        return prepared.returncode
    planned = here("--dry-run", "--json")

    # A part that was begun here is finished here, at the end.
    parts = [part for part in json.loads(planned.stdout)["parts"] if not (folder / part).exists()]
    question = {"question": (experiment.parent, files_of(experiment)), "folder": (folder, NEEDED_BY_ALL)}
    packed = spark.broadcast(pack(question))

    def task(part: str) -> tuple[int, str, bytes]:
        name = experiment.name  # the closure goes to the worker: nothing in it may be the driver's
        return spark.parallelize([part], 1).map(lambda one: do_part(command, name, packed.value, one)).collect()[0]

    # A job for each part rather than one job for all: each is kept as soon as it is there.
    with ThreadPoolExecutor(max(1, spark.defaultParallelism)) as pool:
        under_way = {pool.submit(task, part): part for part in parts}
        try:
            for number, ended in enumerate(as_completed(under_way), 1):
                part = under_way[ended]
                code, said, packed_part = ended.result()
                if code != 0:
                    print(f"error: {part} failed with exit code {code}\n{said}", file=sys.stderr, end="")
                    return code
                take_in(packed_part, folder, part)
                print(f"{number} of {len(parts)}: {part}", file=sys.stderr)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
    return here("-o", output, quiet=False).returncode
