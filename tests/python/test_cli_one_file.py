"""What is written is never what is read; several files are written all or none."""

import hashlib
import os
import subprocess

import pytest
from conftest import BINARY, PATIENCE
from faults import compiled
from small import hand


@pytest.fixture
def place(fairstep):
    fairstep.write("loans.json", hand())
    fairstep("policy", "loans.json", "--uniform", "0.5", "-o", "half.json", "--quiet", code=0)
    fairstep("simulate", "loans.json", "half.json", "--people", "50", "-o", "counts.json", "--quiet", code=0)
    fairstep("simulate", "loans.json", "half.json", "--people", "50", "-o", "log.csv", "--quiet", code=0)
    fairstep.write("parity.json", {"schema": "fairstep/fairness/1", "parity": [{"notion": "dp", "limit": 0.1}]})
    return fairstep


# Each with what it reads, and what it would be written to.
READERS = {
    "count": (["count", "log.csv"], "log.csv"),
    "count a pattern": (["count", "lo?.csv"], "log.csv"),
    "count --like": (["count", "log.csv", "--like", "loans.json"], "loans.json"),
    "audit": (["audit", "log.csv"], "log.csv"),
    "audit counts": (["audit", "counts.json"], "counts.json"),
    "audit --policy": (["audit", "counts.json", "--policy", "half.json"], "half.json"),
    "fit": (["fit", "counts.json"], "counts.json"),
    "merge": (["merge", "counts.json", "counts.json"], "counts.json"),
    "solve": (["solve", "loans.json"], "loans.json"),
    "solve --fairness": (["solve", "loans.json", "--fairness", "parity.json"], "parity.json"),
    "policy": (["policy", "loans.json", "--uniform", "0.5"], "loans.json"),
    "simulate": (["simulate", "loans.json", "half.json", "--people", "9"], "half.json"),
    "certify": (["certify", "counts.json", "half.json"], "counts.json"),
    "pareto": (["pareto", "loans.json", "--fairness", "dp", "--limits", "0.1"], "loans.json"),
    "export": (["export", "loans.json"], "loans.json"),
}


@pytest.mark.parametrize("name", ["itself", "another way to it", "a symbolic link", "a hard link"])
@pytest.mark.parametrize("verb", READERS)
def test_no_verb_writes_onto_what_it_reads(place, verb, name):
    # `count log.csv -o log.csv` left counts where the log had been.
    words, read = READERS[verb]
    target = read
    if name == "another way to it":
        (place.folder / "below").mkdir()
        target = f"below/../{read}"
    elif name != "itself":
        target = f"other-{read}"
        (os.symlink if name == "a symbolic link" else os.link)(place.folder / read, place.folder / target)
    before = {file: (place.folder / file).read_bytes() for file in place.files() if (place.folder / file).is_file()}
    refused = place(*words, "-o", target, code=2)
    assert refused.err.startswith(f'error: --output is "{target}", which is read as {read}: it would be lost')
    assert refused.out == ""
    after = {file: (place.folder / file).read_bytes() for file in place.files() if (place.folder / file).is_file()}
    assert after == before


def test_the_file_that_is_read_may_lie_beside(place):
    place("fit", "counts.json", "-o", "model.json", "--radii", "radii.json", code=0)
    place("fit", "counts.json", "-o", "model.json", "--radii", "radii.json", code=0)  # onto what was written before
    place("count", "*.csv", "-o", "new.csv", code=0)  # a pattern that matches it from then on
    assert "which is read as new.csv" in place("count", "*.csv", "-o", "new.csv", code=2).err


def test_a_terminal_or_a_device_may_be_read_and_written(place):
    text = place.line("fairstep policy /dev/stdin --uniform 0.5 -o /dev/stdout < loans.json")
    assert text.code == 0 and '"accept"' in text.out


@pytest.mark.parametrize("other", ["model.json", "./model.json", "link.json"])
def test_two_outputs_are_two_files(place, other):
    (place.folder / "link.json").symlink_to("model.json")
    refused = place("fit", "counts.json", "-o", "model.json", "--radii", other, code=2)
    assert refused.err == f'error: --output and --radii are both "{other}", expected two files\n'
    assert not (place.folder / "model.json").exists()


def test_model_and_radii_are_written_both_or_neither(place):
    # The model was left when the radii could not be written.
    failed = place("fit", "counts.json", "-o", "model.json", "--radii", "nowhere/radii.json", code=4)
    assert 'there is no folder "nowhere"' in failed.err
    assert not (place.folder / "model.json").exists()
    (place.folder / "model.json").write_text("before")
    place("fit", "counts.json", "-o", "model.json", "--radii", "nowhere/radii.json", code=4)
    assert (place.folder / "model.json").read_text() == "before"
    assert not [name for name in place.files() if name.startswith(".fairstep")]


def test_on_a_full_disk_model_and_radii_are_both_as_they_were(place, tmp_path):
    library = compiled("fault_at", tmp_path)
    words = [BINARY, "fit", "counts.json", "-o", "model.json", "--radii", "radii.json", "--quiet"]

    def run(**faults):
        environment = os.environ | {"LD_PRELOAD": str(library)} | {name: str(value) for name, value in faults.items()}
        return subprocess.run(
            words, cwd=place.folder, env=environment, capture_output=True, text=True, timeout=PATIENCE
        )

    assert run(FAULT_COUNT=tmp_path / "touches").returncode == 0
    made = {name: (place.folder / name).read_bytes() for name in ("model.json", "radii.json")}
    touches = int((tmp_path / "touches").read_text())
    assert touches >= 8
    for old in (None, b"before"):
        for at in range(1, touches + 1):
            for name in made:
                (place.folder / name).unlink(missing_ok=True)
                if old:
                    (place.folder / name).write_bytes(old)
            code = run(FAULT="full", FAULT_AT=at).returncode
            there = {name: (place.folder / name).read_bytes() for name in made if (place.folder / name).exists()}
            if code == 0:
                assert there == made, at
            else:
                assert code == 4
                assert there == ({name: old for name in made} if old else {}), at
            assert not [name for name in place.files() if name.startswith(".fairstep")], at


def test_radii_name_the_model_that_they_go_with(place):
    """After a crash between two renames nothing told a model and radii of different runs apart."""
    place("fit", "counts.json", "-o", "model.json", "--radii", "radii.json", code=0)
    digest = hashlib.sha256((place.folder / "model.json").read_bytes()).hexdigest()
    assert place.read("radii.json")["model_sha256"] == digest
    place("fit", "counts.json", "--radii", "alone.json", code=0)
    assert place.read("alone.json") == place.read("radii.json")
