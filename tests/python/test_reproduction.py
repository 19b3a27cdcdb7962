"""docs/reproduction.md says what the program finds, and the readings are compared by hands other than the report's."""

import json
import re
import sys

import numpy as np
import pytest
from conftest import ROOT, Fairstep

sys.path.insert(0, str(ROOT / "scripts"))
import readings
import readings_models

PAGE = (ROOT / "docs" / "reproduction.md").read_text("utf-8")
BASE = (ROOT / "configs" / "readings" / "base.toml").read_text("utf-8")


def block(mark):
    return PAGE.split(f"<!-- begin: {mark} -->\n")[1].split("<!-- end -->")[0].strip()


def test_the_numbers_of_the_page_are_of_the_experiment_as_it_is_now(fairstep):
    # `make reproduction` makes the page and the report from one run; it names the experiment by its fingerprint.
    plan = fairstep("experiment", ROOT / "configs" / "paper.toml", "--dry-run", "--json", code=0).json
    assert f"`experiment.json` has the SHA-256 `{plan['fingerprint']}`" in block("made by scripts/reproduction")


@pytest.mark.slow
def test_the_numbers_of_the_page_are_what_the_experiment_gives(fairstep):
    fairstep("experiment", ROOT / "configs" / "paper.toml", "-o", "paper", "--quiet", code=0)
    fairstep("report", "paper", "-o", "paper.md", "--quiet", code=0)
    assert (fairstep.folder / "paper.md").read_text("utf-8").strip() == block("made by scripts/reproduction")
    fairstep("report", "paper", "-o", "paper.html", "--quiet", code=0)
    assert (fairstep.folder / "paper.html").stat().st_size <= 1_000_000


def test_every_reading_is_a_file_in_the_list_and_a_row_of_the_table():
    files, others = readings.words()
    names = [name for name, _ in files]
    assert sorted([*names, "factors"]) == sorted(path.stem for path in readings.READINGS.glob("*.toml"))
    rows = [line.split("|")[1].strip() for line in block("made by scripts/readings.py").splitlines()[2:]]
    assert [name for name in rows if name] == [*names, *(name for name, _ in others)]
    assert len(others) == 3


def test_readings_differ_from_the_base_in_one_thing():
    def lines(text):
        return {line for line in text.splitlines() if line and not line.startswith(("#", "name = "))}

    for name, _ in readings.words()[0]:
        text = (readings.READINGS / f"{name}.toml").read_text("utf-8")
        other = lines(text) ^ lines(BASE)
        changed = {re.split(" = |,|\\]", line)[0].strip(" {") for line in other} - {"evaluation_episodes", "name", ""}
        # The rate form has equal opportunity alone, and rewards that are four times as large have such weights.
        assert len(changed) <= {"rate": 3, "score": 2}.get(name, 1), (name, changed)


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    fairstep = Fairstep(tmp_path_factory.mktemp("readings"))
    text = BASE.replace("evaluation_episodes = 8000", 'evaluation_episodes = 50\nschedule = "2^4..2^8"\nrepeats = 3')
    text = text.replace("[0.03, 0.1, 0.3, 1, 3, 10, 30, 100]", "[0.1, 1, 10]")
    text = text.replace("[0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000]", "[1, 100]")
    fairstep.write("small.toml", text)
    fairstep("experiment", "small.toml", "-o", "small", "--quiet", code=0)
    return fairstep


def test_readings_compare_as_the_report_does(small):
    runs = readings.Runs(small.folder / "small")
    verdicts = {verdict["id"]: verdict for verdict in small("report", "small", "--json", code=0).json["verdicts"]}
    for claim, point in (("equal-violation", readings.exact), ("equal-worst-step", readings.worst_step)):
        for cell, finding in zip(runs.last, verdicts[claim]["findings"], strict=True):
            mean, half = readings.interval(runs.gain(cell, point=point))
            said = re.search(r"a difference of (\S+) \((\S+) to (\S+?)\)", finding["evidence"])
            if said is None:  # no penalty violates so little
                assert np.isnan(mean), finding["evidence"]
                continue
            if np.isnan(half):
                continue  # one repeat alone reaches the baseline
            for number, mine in zip(said.groups(), (mean, mean - half, mean + half), strict=True):
                # Ends of intervals are rounded outwards, by less than a unit of the last digit.
                unit = 10.0 ** -len(number.partition(".")[2])
                assert float(number.replace("\N{MINUS SIGN}", "-")) == pytest.approx(mine, abs=unit), (cell, claim)


def test_what_the_theorems_assume_is_looked_up_and_counted(small):
    # S = 10, A = 2, H = 8, delta = 0.1, one person of each group; the last update is at k = 2^8.
    for environment in ("fico", "synthetic"):
        model = json.loads((small.folder / "small" / "models" / f"{environment}.json").read_text())
        least = np.min(model["transition"])
        oracles = json.loads((small.folder / "small" / "oracles.json").read_text())["oracles"]
        mine = [oracle for oracle in oracles if oracle["environment"] == environment]
        assert all(oracle["kernel_least"] == least for oracle in mine)
        assert all(oracle["policy_least"] == 0 for oracle in mine)
        # C k^(-1/3) (H - 1)(k - 1) >= 8 H^2 ln(4 S A k^2 / delta), by looking at every 0.01 of the logarithm of k.
        k = np.exp(np.arange(0, 40, 0.01))
        enough = least * k ** (-1 / 3) * 7 * (k - 1) >= 8 * 64 * np.log(4 * 20 * k**2 / 0.1)
        first = k[np.argmax(enough)]
        verdicts = small("report", "small", "--json", code=0).json["verdicts"]
        (claim,) = [verdict for verdict in verdicts if verdict["id"] == "inside"]
        for finding in claim["findings"]:
            if finding["setting"].lower().startswith(environment):
                assert finding["ruling"] == "does not hold"
                pattern = r"C of Assumption 1\(a\), is (\S+);.*no visits at k = .*from k = (\S+) on"
                said = re.search(pattern, finding["evidence"])
                assert float(said[1]) == pytest.approx(least, rel=0.05)
                assert float(said[2]) == pytest.approx(first, rel=0.06)


def test_a_staircase_is_below_the_hull():
    points = [(0.1, 1.0), (0.3, 3.0), (0.2, 1.5), (0.4, 2.0)]
    assert readings.hull(points) == [(0.1, 1.0), (0.3, 3.0)]
    assert readings.on_hull(points, 0.2) == pytest.approx(2.0)
    assert readings.on_staircase(points, 0.2) == 1.5
    assert readings.on_hull(points, 0.5) == readings.on_staircase(points, 0.5) == 3
    assert np.isnan(readings.on_hull(points, 0.05))
    # 1, 2 and 3: mean 2, deviation 1, t = 4.303 of two degrees of freedom.
    assert readings.interval([1.0, 2.0, 3.0]) == pytest.approx((2, 4.303 / np.sqrt(3)))


def test_levels_of_scores_are_counted_as_the_environment_does(fairstep):
    # With the nearest level the recipe of the readings' populations gives the shipped one.
    shipped = fairstep("env", "fico", "--quiet", code=0)
    document = json.loads(shipped.out)
    first = [readings_models.first_states(group, readings_models.LEVELS["nearest"]) for group in ("white", "black")]
    assert np.allclose(first, document["initial"], rtol=0, atol=1e-12)
    for name in ("up", "fifths"):
        model = json.loads((readings.READINGS / "models" / f"fico-{name}.json").read_text("utf-8"))
        first = [readings_models.first_states(group, readings_models.LEVELS[name]) for group in ("white", "black")]
        assert np.allclose(first, model["initial"], rtol=0, atol=1e-12)
