"""Every bound that the command or Python shows holds as it is shown: against the number in the JSON, exactly."""

import re
from fractions import Fraction

import pytest
from small import hand

import fairstep as fs

SEEDS = range(1, 9)
NUMBER = r"(-?[0-9.]*[0-9](?:e[-+][0-9]+)?)"


def below(shown, number):
    return Fraction(shown) <= Fraction(number)


def above(shown, number):
    return Fraction(shown) >= Fraction(number)


@pytest.fixture(params=SEEDS)
def case(request, fairstep):
    """Counts of few people, so that bounds have many digits and lie anywhere."""
    fairstep.write("m.json", hand())
    fairstep("policy", "m.json", "--uniform", 0.3, "-o", "p.json", "-q", code=0)
    people = 300 * request.param**3 + request.param
    words = ["--people", people, "--seed", request.param]
    fairstep("simulate", "m.json", "p.json", *words, "-o", "c.json", "-q", code=0)
    return fairstep


def test_of_a_certificate(case):
    asked = ["certify", "c.json", "p.json", "--model", "m.json", "--limit", "0.0268"]
    document, text = case(*asked, "--json").json, " ".join(case(*asked).out.split())
    worst = {notion: entry["gap"] for notion, entry in document["worst"].items()}
    for notion, gap in worst.items():
        [shown] = re.findall(rf"{notion} gap at most {NUMBER}", text)
        assert above(shown, gap)
    [value] = re.findall(rf"value at least {NUMBER}", text)
    assert below(value, document["certified_value"])
    for limit, gap in re.findall(rf"limit {NUMBER}: not proven, the [a-z]+ gap may be {NUMBER}", text):
        assert above(gap, max(worst.values())) and Fraction(gap) > Fraction(limit)

    counts, policy, model = (case.folder / name for name in ("c.json", "p.json", "m.json"))
    made = fs.certify(fs.load(counts), fs.load(policy), model=fs.load(model))
    [shown] = re.findall(rf"gap<={NUMBER}", repr(made))
    assert above(shown, max(worst.values()))
    [shown] = re.findall(rf"value>={NUMBER}", repr(made))
    assert below(shown, made.value)
    page = made._repr_html_()
    rows = re.findall(rf"<td[^>]*>([a-z ]+)</td><td>{NUMBER}</td><td>\d+</td>", page)
    names = {"demographic parity": "dp", "equal opportunity": "eqopt", "equalized odds": "eqodds"}
    assert {names[name] for name, _ in rows} == set(worst)
    for name, shown in rows:
        assert above(shown, worst[names[name]])
    [shown] = re.findall(rf"The value is at least {NUMBER}\.", page)
    assert below(shown, made.value)


def test_of_an_audit(case):
    document = case("audit", "c.json", "--policy", "p.json", "--json", code=0).json
    text = case("audit", "c.json", "--policy", "p.json", code=0).out
    # The text has the group that is treated better first; there is a table for each rate.
    pattern = rf"^\| (\d+) \| (\S+) - (\S+) \| [^|]+ \| {NUMBER} to {NUMBER} \| [^|]+ \| (?:yes|no|above 0) \|"
    tables = [re.findall(pattern, part, re.MULTILINE) for part in text.split("\nDifference of: ")[1:]]
    rates = list(dict.fromkeys(entry["rate"] for entry in document["pairs"]))
    bands = {}
    for entry in document["pairs"]:
        (first, second), (low, high) = entry["pair"], entry["band"]
        bands[entry["rate"], entry["step"], first, second] = (low, high)
        bands[entry["rate"], entry["step"], second, first] = (-high, -low)
    assert sum(map(len, tables)) == len(document["pairs"])
    for rate, rows in zip(rates, tables, strict=True):
        for step, first, second, low, high in rows:
            band = bands[rate, int(step), first, second]
            assert below(low, band[0]) and above(high, band[1])
    worst = max(step["at_most"] for steps in document["policy"]["gap"].values() for step in steps)
    [shown] = re.findall(rf"gaps are at most {NUMBER} in", text)
    assert above(shown, worst)

    made = fs.audit(fs.load(case.folder / "c.json"))
    rows = re.findall(rf"<td>\d+</td><td>[^<]+</td><td>{NUMBER}</td><td>{NUMBER}</td>", made._repr_html_())
    wanted = [band for notion in ("dp", "eqopt", "eqodds") for band in zip(*made.gap_bands(notion)[1:], strict=True)]
    assert len(rows) == len(wanted[:24])
    for (low, high), band in zip(rows, wanted, strict=False):
        assert below(low, band[0]) and above(high, band[1])


def test_of_an_optimum(case):
    asked = ["solve", "m.json", "--fairness", "dp", "--limit", "0.03", "--gap", "0.01"]
    document, text = case(*asked, "--json").json, " ".join(case(*asked).out.split())
    upper, gap = document["bounds"]["upper"], document["gap"]
    for shown in re.findall(rf"\(upper bound {NUMBER}\)", text):
        assert above(shown, upper)
    for shown in re.findall(rf"(?:proven within|by at most) {NUMBER} %", text):
        assert Fraction(shown) >= 100 * Fraction(gap)
    made = fs.solve(fs.load(case.folder / "m.json"), fairness="dp", limit=0.03)
    [(low, high)] = re.findall(rf"bounds=\[{NUMBER}, {NUMBER}\]", repr(made))
    assert below(low, made.bounds.lower) and above(high, made.bounds.upper)
    [shown] = re.findall(rf"at most {NUMBER} is possible", made._repr_html_())
    assert above(shown, made.bounds.upper)
    [shown] = re.findall(rf"proven within {NUMBER} %", made._repr_html_())
    assert Fraction(shown) >= 100 * Fraction(made.gap)


def test_of_an_evaluation(case):
    made = fs.evaluate(fs.load(case.folder / "m.json"), fs.load(case.folder / "p.json"))
    for notion in ("dp", "eqopt", "eqodds"):
        [shown] = re.findall(rf"{notion}<={NUMBER}", repr(made.gap))
        assert above(shown, max(getattr(made.gap, notion)))
