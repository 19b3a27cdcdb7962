"""fairstep env: the model documents, and the FICO marginals from the data files by another path."""

import csv
from fractions import Fraction

import pytest
from conftest import ROOT

COLUMNS = {"white": "Non- Hispanic white", "black": "Black", "hispanic": "Hispanic", "asian": "Asian"}


def read_table(name):
    with open(ROOT / "data" / "fico" / name, newline="") as file:
        return list(csv.DictReader(file))


def fico_marginals(group):
    """[x] P(level) and P(y=1 | level) as fractions, straight from the CSVs.

    A score belongs to its nearest level of 0, 25, 50, 75, 100 (ties up); the cumulative column gives the mass of each
    row; P(y=1 | level) is the mean of 1 - default rate over the level's rows, weighted by mass.
    """
    column = COLUMNS[group]
    mass = [Fraction(0)] * 5
    repaid = [Fraction(0)] * 5
    below = Fraction(0)
    rows = zip(
        read_table("transrisk_cdf_by_race_ssa.csv"), read_table("transrisk_performance_by_race_ssa.csv"), strict=True
    )
    for cumulative, performance in rows:
        score = Fraction(cumulative["Score"])
        assert score == Fraction(performance["Score"])
        level = min(int((score + Fraction(25, 2)) / 25), 4)
        weight = Fraction(cumulative[column]) - below
        below = Fraction(cumulative[column])
        mass[level] += weight
        repaid[level] += weight * (1 - Fraction(performance[column]) / 100)
    total = sum(mass)
    return [m / total for m in mass], [r / m for r, m in zip(repaid, mass, strict=True)]


@pytest.mark.parametrize("groups", ["white,black", "asian,hispanic,black,white"])
def test_fico_marginals_are_those_of_the_data_files(fairstep, groups):
    model = fairstep("env", "fico", "--groups", groups, "--json", code=0).json
    names = groups.split(",")
    assert model["groups"] == names
    for g, group in enumerate(names):
        mass, qualified = fico_marginals(group)
        for x in range(5):
            unqualified_mass, qualified_mass = model["initial"][g][x]
            assert unqualified_mass + qualified_mass == pytest.approx(float(mass[x]), abs=1e-12)
            assert qualified_mass == pytest.approx(float(mass[x] * qualified[x]), abs=1e-12)


def test_fico_shares_are_those_of_the_data_files(fairstep):
    totals = read_table("totals.csv")[0]
    people = [int(totals[COLUMNS[group]]) for group in ("white", "black", "asian")]
    model = fairstep("env", "fico", "--groups", "white,black,asian", code=0).json
    assert model["share"] == pytest.approx([n / sum(people) for n in people], abs=1e-12)


def test_fico_takes_its_options(fairstep):
    words = ["--groups", "white,black", "--horizon", "3", "--gain", "0.2,0.4", "--loss", "0.6,0.8", "--discount", "0.9"]
    model = fairstep("env", "fico", *words, code=0).json
    assert model["horizon"] == 3
    assert model["discount"] == 0.9
    # At the highest score, which counts 1: gain from the qualified, loss on the others, nothing when refused.
    assert model["reward"][0][4] == [[0, pytest.approx(-0.6)], [0, pytest.approx(0.2)]]
    assert model["reward"][1][4] == [[0, pytest.approx(-0.8)], [0, pytest.approx(0.4)]]


def test_without_a_file_the_document_is_what_the_file_would_hold(fairstep):
    for name in ("fico", "synthetic", "lending", "random"):
        shown = fairstep("env", name, code=0)
        fairstep("env", name, "-o", "model.json", code=0)
        assert shown.out == (fairstep.folder / "model.json").read_text()
        assert shown.err == ""


def test_list_names_the_environments(fairstep):
    run = fairstep("env", "--list", code=0)
    names = ["fico", "synthetic", "lending", "random"]
    assert [line.split()[0] for line in run.out.splitlines()] == names
    document = fairstep("env", "--list", "--json", code=0).json
    assert document["schema"] == "fairstep/environments/1"
    assert [entry["name"] for entry in document["environments"]] == names


def test_what_was_written_is_said_in_json(fairstep):
    document = fairstep("env", "lending", "--horizon", "4", "-o", "m.json", "--json", code=0).json
    assert document["schema"] == "fairstep/written/1"
    assert document["warnings"] == []
    assert document["file"] == "m.json"
    assert document["kind"] == "model"
    assert document["horizon"] == 4
    assert len(document["features"]) == 7


def test_random_depends_on_the_seed_alone(fairstep):
    words = ["env", "random", "--groups", "3", "--features", "4"]
    assert fairstep(*words, "--seed", "5", code=0).out == fairstep(*words, "--seed", "5", code=0).out
    assert fairstep(*words, "--seed", "5", code=0).out != fairstep(*words, "--seed", "6", code=0).out


def test_random_has_the_sizes_asked_for(fairstep):
    words = ["--groups", "3", "--features", "4", "--horizon", "6", "--reward-noise", "0.1", "--participation"]
    model = fairstep("env", "random", *words, code=0).json
    assert len(model["groups"]) == 3
    assert len(model["features"]) == 4
    assert model["horizon"] == 6
    assert "reward_noise" in model
    assert "participation" in model


def test_lending_takes_a_row_of_scores_for_each_group(fairstep):
    words = ["--repay", "0.2,0.9", "--scores", "0.5,0.5", "--scores", "1,0"]
    model = fairstep("env", "lending", *words, code=0).json
    # P(x_0, y_0): half and half with repayment 0.2 and 0.9, and everybody at the lower score.
    assert model["initial"][0][0] == [pytest.approx(0.4), pytest.approx(0.1)]
    assert model["initial"][0][1] == [pytest.approx(0.05), pytest.approx(0.45)]
    assert model["initial"][1][1] == [0, 0]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["fico", "--groups", "white"], "--groups has 1, expected 2 to 4 of white, black, hispanic, asian"),
        (["fico", "--groups", "white,blakc"], '--groups has "blakc", expected 2 to 4 of'),
        (["fico", "--gain", "0.1"], "--gain has 1"),
        (["fico", "--horizon", "0"], "--horizon is 0, expected at least 1"),
        (["random", "--successors", "99"], "--successors is 99, expected at most 10"),
        (["random", "--reward-noise", "-1"], "--reward-noise is -1, expected"),
        (["lending", "--move", "1.5"], "--move is 1.5, expected a probability between 0 and 1"),
        (["synthetic", "--share", "0.5,0.6"], "--share sums to 1.1, expected 1"),
        (["fico", "--discount", "0"], "--discount is 0, expected more than 0 and at most 1"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_an_option_that_makes_no_sense_is_named_as_typed(fairstep, words, message):
    run = fairstep("env", *words, "-o", "m.json", code=2)
    assert run.err.startswith(f"error: {message}")
    assert fairstep.files() == []
