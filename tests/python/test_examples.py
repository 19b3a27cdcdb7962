"""The stories in examples/ run from beginning to end, in their small form."""

import json
import os
import subprocess

from conftest import BINARY, PATIENCE, ROOT


def test_a_bank_goes_from_its_log_to_a_certified_policy(tmp_path):
    done = subprocess.run(
        [ROOT / "examples/bank/run", "20000", tmp_path / "bank"],
        env=os.environ | {"FAIRSTEP_BIN": str(BINARY.parent)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    made = {path.name for path in (tmp_path / "bank").iterdir()}
    assert {"counts.json", "model.json", "policy.json", "certificate.json", "audit.html"} <= made

    certified = json.loads((tmp_path / "bank/certificate.json").read_text())["certified_gap"]["dp"]
    truth = subprocess.run(
        [BINARY, "evaluate", "population.json", "policy.json", "--json"],
        cwd=tmp_path / "bank",
        capture_output=True,
        check=True,
    )
    gaps = json.loads(truth.stdout)["gap"]["dp"]
    assert len(gaps) == len(certified) == 8
    assert all(true <= claimed for true, claimed in zip(gaps, certified, strict=True))
