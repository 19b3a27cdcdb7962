"""What `count` puts on the disk while it sorts: in a folder of its own, nobody else's to read, and gone at the end."""

import json
import os
import resource
import signal
import stat
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from conftest import BINARY, PATIENCE
from faults import compiled, faults, interrupt, stopped

ROWS, PEOPLE = 400_000, 50_000


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    """Two logs in disorder that do not fit into 64 MB, with other people and other decisions."""
    folder = tmp_path_factory.mktemp("logs")
    for name, salt in (("one", 3), ("other", 5)):
        numbers = range(ROWS)
        columns = {
            "person": [f"{name} person number {i % PEOPLE}" for i in numbers],
            "group": ["ab"[i % PEOPLE % salt == 0] for i in numbers],
            "step": [i // PEOPLE for i in numbers],
            "x": [str(i * 7919 % 1009 % 4) for i in numbers],
            "y": [i * salt % 11 % 2 for i in numbers],
            "a": [i * salt % 13 % 2 for i in numbers],
        }
        pq.write_table(pa.table(columns), folder / f"{name}.parquet")
    return folder


def words(logs, name, spill, *more):
    small = ["--memory", "64", "--threads", "1", "--temporary", spill]
    return [str(word) for word in (BINARY, "count", logs / f"{name}.parquet", *small, *more)]


def run(*command, **popen):
    return subprocess.run(*command, capture_output=True, text=True, timeout=PATIENCE, **popen)


@pytest.fixture(scope="session")
def library(tmp_path_factory):
    return compiled("fault_at", tmp_path_factory.mktemp("faults"))


def test_counts_that_spill_side_by_side_are_those_of_each_alone(logs, tmp_path):
    # All runs shared one folder under the temporary directory, and the engine's files in it have fixed names: runs read
    # each other's rows, and 10 of 24 pairs ended with wrong counts and exit code 0.
    spill = tmp_path / "spill"
    alone = {}
    for name in ("one", "other"):
        assert run(words(logs, name, spill, "-o", tmp_path / "alone.json")).returncode == 0
        alone[name] = (tmp_path / "alone.json").read_bytes()
    assert alone["one"] != alone["other"]

    def count(turn):
        name = ("one", "other")[turn % 2]
        done = run(words(logs, name, spill, "-o", tmp_path / f"{turn}.json"))
        return done.returncode, done.stderr, (tmp_path / f"{turn}.json").read_bytes() == alone[name]

    with ThreadPoolExecutor(4) as pool:
        for code, said, same in pool.map(count, range(8)):
            assert code == 0 and same, said
    assert list(spill.iterdir()) == []


def test_a_kill_in_the_middle_leaves_a_private_folder_that_the_next_count_removes(logs, library, tmp_path):
    # The shared folder was left as it was, with rows of the log that everybody could read.
    spill = tmp_path / "spill"
    spill.mkdir()
    killed = run(words(logs, "one", spill), env=faults(library, FAULT="kill", FAULT_AT=5))
    assert killed.returncode == -signal.SIGKILL
    [left] = spill.iterdir()
    assert stat.S_IMODE(left.stat().st_mode) == 0o700
    assert list(left.iterdir()) != []  # the engine had begun to write
    assert run(words(logs, "one", spill)).returncode == 0
    assert list(spill.iterdir()) == []


def test_rows_of_a_log_are_nowhere_but_in_that_folder(logs, library, tmp_path):
    spill, elsewhere = tmp_path / "spill", tmp_path / "elsewhere"
    spill.mkdir()
    elsewhere.mkdir()
    killed = run(
        words(logs, "one", spill),
        env=faults(library, FAULT="kill", FAULT_AT=5) | {"TMPDIR": str(elsewhere), "HOME": str(elsewhere)},
        cwd=elsewhere,
    )
    assert killed.returncode == -signal.SIGKILL
    assert list(elsewhere.iterdir()) == []


def test_what_only_looks_like_ours_is_left_alone(logs, tmp_path):
    spill, mine = tmp_path / "spill", tmp_path / "mine"
    spill.mkdir()
    mine.mkdir()
    (mine / "letter").write_text("dear")
    (spill / "fairstep-spill-abcdef").symlink_to(mine)  # a link that leads out of the folder
    (spill / "fairstep-spill-toolong").mkdir()
    (spill / "fairstep-spill-file00").write_text("no folder")
    (spill / "fairstep-count").symlink_to(mine)  # the one name that there used to be
    (spill / "fairstep-spill-inner0" / "folder").mkdir(parents=True)
    before = sorted(spill.rglob("*"))
    assert run(words(logs, "one", spill)).returncode == 0
    assert sorted(spill.rglob("*")) == before
    assert (mine / "letter").read_text() == "dear"


def test_a_folder_that_another_process_uses_is_left_alone(logs, tmp_path):
    import fcntl

    (tmp_path / "fairstep-spill-in1use").mkdir()
    held = os.open(tmp_path / "fairstep-spill-in1use", os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert run(words(logs, "one", tmp_path)).returncode == 0
        assert [entry.name for entry in tmp_path.iterdir()] == ["fairstep-spill-in1use"]
    finally:
        os.close(held)
    assert run(words(logs, "one", tmp_path)).returncode == 0
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("sent", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_an_interrupt_leaves_nothing(logs, library, tmp_path, sent, code):
    process = stopped(library, 5, words(logs, "one", tmp_path), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert list(tmp_path.glob("fairstep-spill-*"))
    interrupt(process, sent)
    _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == code
    assert said.startswith("error: stopped ") and "nothing was written" in said
    assert list(tmp_path.iterdir()) == []


def test_a_disk_without_room_for_what_is_spilled_is_said_to_be_full(logs, library, tmp_path):
    # It was "Out of Memory Error" or "IO Error" in the engine's words, with the exit code of a malformed log.
    full = run(words(logs, "one", tmp_path), env=faults(library, FAULT="full", FAULT_AT=2))
    assert full.returncode == 4
    assert "what does not fit into memory cannot be written" in full.stderr
    assert "No space left on device" in full.stderr and str(tmp_path) in full.stderr
    assert list(tmp_path.iterdir()) == []


def limited(size):
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def test_a_limit_on_the_size_of_files_is_an_error_like_a_full_disk(logs, fairstep, tmp_path):
    # SIGXFSZ ended the program without a word.
    spilled = run(words(logs, "one", tmp_path), preexec_fn=limited(1_000_000))
    assert spilled.returncode == 4, spilled.stderr
    assert "cannot be written: File too large" in spilled.stderr
    assert list(tmp_path.iterdir()) == []
    written = run([BINARY, "env", "fico", "-o", "fico.json"], cwd=fairstep.folder, preexec_fn=limited(1000))
    assert written.returncode == 4
    assert written.stderr == "error: cannot be written: File too large\n  in fico.json\n"
    assert list(Path(fairstep.folder).iterdir()) == []


@pytest.mark.parametrize("threads", [1, 2, 8])
def test_the_least_memory_that_may_be_given_suffices_for_a_log_in_disorder(logs, tmp_path, threads):
    # `Out of Memory Error: failed to allocate data of size 32.0 KiB (61.0 MiB/61.0 MiB used)`: the engine read CSV in
    # pieces of 32 MB, several for each thread, whatever memory it was given.
    rows = pq.read_table(logs / "one.parquet")
    pyarrow.csv.write_csv(rows, tmp_path / "log.csv")
    words = ["--memory", "64", "--threads", str(threads), "--temporary", str(tmp_path)]
    done = run([BINARY, "count", str(tmp_path / "log.csv"), *words, "--json"])
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["rows"] == ROWS


def test_a_folder_that_cannot_be_made_is_named(logs, tmp_path):
    (tmp_path / "file").write_text("")
    refused = run(words(logs, "one", tmp_path / "file" / "spill"))
    assert refused.returncode == 4
    assert "no folder can be made there for what does not fit into memory" in refused.stderr
    assert str(tmp_path / "file" / "spill") in refused.stderr
