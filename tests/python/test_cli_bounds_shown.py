"""Every bound in the text of the command holds as it is shown: against the number in its JSON, exactly."""

import re
from fractions import Fraction

import pytest
from small import hand

NUMBER = r"(-?[0-9.]*[0-9](?:e[-+][0-9]+)?)"


def below(shown, number):
    return Fraction(shown) <= Fraction(number)


def above(shown, number):
    return Fraction(shown) >= Fraction(number)


@pytest.fixture(params=range(1, 7))
def case(request, fairstep):
    """Counts of few people, so that bounds have many digits and lie anywhere."""
    fairstep.write("m.json", hand() | {"horizon": 3})
    fairstep("policy", "m.json", "--uniform", 0.3, "-o", "p.json", "-q", code=0)
    words = ["--people", 40 * request.param**3, "--seed", request.param]
    fairstep("simulate", "m.json", "p.json", *words, "-o", "log.csv", "-q", code=0)
    fairstep("count", "log.csv", "--like", "m.json", "-o", "c.json", "-q")
    return fairstep


def rows_of(text, first):
    """The cells of lines that begin with one of these words."""
    return [line.split() for line in text.splitlines() if line.split() and line.split()[0] in first]


def test_radii_of_fit(case):
    asked = ["fit", "c.json", "--reward-range=-1,1"]
    document, text = case(*asked, "--json", code=0).json, case(*asked, code=0).out
    shown = [cell for row in rows_of(text, document["groups"]) for cell in row if re.fullmatch(r"\d\.\d{4}", cell)]
    wanted = []
    for radius in (document["radius"], document["reward_radius"]):
        for key in ("initial", "median", "largest"):
            wanted += [number for number in radius.get(key, []) if number is not None]
    assert len(shown) == len(wanted)
    for cell, number in zip(sorted(shown), sorted(wanted), strict=True):
        assert above(cell, number) and Fraction(cell) - Fraction(number) < Fraction("0.0001")


def test_p_values_and_effects_of_a_diagnosis(case):
    # They were rounded to the nearest: a p-value of 0.00004 was one of 0.0000.
    document, text = case("diagnose", "c.json", "--json").json, case("diagnose", "c.json").out
    names = {test["test"] for test in document["tests"]}
    rows = [row for row in rows_of(text, names) if re.fullmatch(r"-|[01]\.\d{4}", row[-1])]
    assert len(rows) == len(document["tests"])
    tested = 0
    for row, test in zip(rows, document["tests"], strict=True):
        for cell, key in zip(row[-3:], ("p_value", "adjusted", "effect"), strict=True):
            if test[key] is None:
                assert cell == "-"
                continue
            tested += 1
            assert above(cell, test[key]) and Fraction(cell) - Fraction(test[key]) < Fraction("0.0001")
    assert tested > 0
    sentences = " ".join(text.split())
    for test in document["tests"]:
        for shown in re.findall(re.escape(test["sentence"]) + rf" \(a rate could be off by {NUMBER}\)", sentences):
            assert above(shown, test["effect"])


def test_p_values_and_effects_in_the_pages_of_an_audit(case):
    document = case("audit", "c.json", "--json", code=0).json
    tests = [test for test in document["diagnosis"]["tests"] if test["adjusted"] is not None]
    for page in ("md", "html"):
        text = " ".join(case("audit", "c.json", "--format", page, code=0).out.split())
        for p, effect in re.findall(rf"\(p {NUMBER}; a rate could be off by {NUMBER}\)", text):
            assert any(above(p, test["adjusted"]) and above(effect, test["effect"]) for test in tests)


def test_bounds_of_a_frontier(case):
    asked = ["pareto", "m.json", "--fairness", "dp", "--limits", "0,0.013,0.05", "--gap", "0.01"]
    document, text = case(*asked, "--json").json, case(*asked).out
    points = document["points"]
    rows = [row for row in rows_of(text, {"0", "0.013", "0.05"}) if len(row) > 3]
    assert len(rows) == len(points)
    for row, point in zip(rows, points, strict=True):
        assert above(row[2], point["bounds"]["upper"])


def test_bounds_of_a_learning_run(case):
    asked = ["learn", "m.json", "--schedule", "2^3..2^7", "--evaluation-episodes", 0, "--seed", 3]
    document, text = case(*asked, "--json").json, case(*asked).out
    [shown] = re.findall(rf"The best fair policy returns {NUMBER} or more", " ".join(text.split()))
    assert below(shown, document["oracle"]["bounds"]["lower"])
    head = next(line.split() for line in text.splitlines() if "relaxation" in line.split() and "regret" in line)
    rows = rows_of(text, {"2^3", "2^4", "2^5", "2^6", "2^7"})
    assert len(rows) == len(document["updates"])
    for row, update in zip(rows, document["updates"], strict=True):
        cell = row[head.index("relaxation")]
        assert above(cell, max(number for number in update["relaxation"] if number is not None))
        if update["gap_to_bound"] is not None:
            within = re.findall(rf"{NUMBER} %", " ".join(row))[-1]
            assert Fraction(within) >= 100 * Fraction(update["gap_to_bound"])
