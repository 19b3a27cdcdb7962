"""fairstep audit: rates, gaps and their bands, in every format."""

import html.parser
import math

import pytest
from log_reference import dirty_log, write_csv


@pytest.fixture
def fairstep(lossy):
    return lossy


def tail(successes, trials, chance):
    """P(X >= successes)"""
    return sum(math.comb(trials, k) * chance**k * (1 - chance) ** (trials - k) for k in range(successes, trials + 1))


def interval(successes, trials, delta):
    """Clopper and Pearson by bisection of the binomial tails."""

    def root(function):
        low, high = 0.0, 1.0
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if function(middle) < 0 else (low, middle)
        return low

    low = 0.0 if successes == 0 else root(lambda p: tail(successes, trials, p) - delta / 2)
    high = 1.0 if successes == trials else root(lambda p: delta / 2 - (1 - tail(successes + 1, trials, p)))
    return [low, high]


@pytest.fixture
def log(fairstep):
    """Clean rows in log.csv and their counts in counts.json."""
    rows = dirty_log(11, people=150, tidy=True)
    write_csv(fairstep.folder / "log.csv", rows)
    fairstep("count", "log.csv", "-o", "counts.json", code=0)
    fairstep.rows = rows
    return fairstep


def test_rates_and_bands_are_those_of_an_independent_calculation(log):
    answer = log("audit", "log.csv", "--json", code=0).json
    assert answer["intervals"] == 3 * 2 * 5
    for name, wanted in (("accept", "01"), ("tpr", "1"), ("fpr", "0")):
        for g, group in enumerate("ab"):
            for h in range(5):
                mine = [
                    row for row in log.rows if row["group"] == group and row["step"] == str(h) and row["y"] in wanted
                ]
                accepted = sum(row["a"] == "1" for row in mine)
                told = answer["rates"][name]["steps"][g][h]
                assert (told["accepted"], told["decisions"]) == (accepted, len(mine))
                assert told["rate"] == (accepted / len(mine) if mine else None)
                assert told["band"] == pytest.approx(
                    interval(accepted, len(mine), 0.05 / 30) if mine else [0, 1], abs=1e-9
                )
    for pair in answer["pairs"]:
        first, second = (answer["rates"][pair["rate"]]["steps"][g][pair["step"]] for g in (0, 1))
        assert pair["pair"] == ["a", "b"]
        assert pair["difference"] == pytest.approx(first["rate"] - second["rate"])
        low, high = first["band"][0] - second["band"][1], first["band"][1] - second["band"][0]
        assert pair["band"] == pytest.approx([low, high])
    for h, gap in enumerate(answer["gap"]["dp"]):
        mine = [pair for pair in answer["pairs"] if pair["rate"] == "accept" and pair["step"] == h]
        assert gap["gap"] == pytest.approx(abs(mine[0]["difference"]))


def test_a_log_and_its_counts_are_audited_alike(log):
    of_log = log("audit", "log.csv", "--json", code=0).json
    of_counts = log("audit", "counts.json", "--json", code=0).json
    for key in ("data",):
        of_log.pop(key), of_counts.pop(key)
    assert of_log == of_counts


def test_all_formats_say_what_the_numbers_are(log):
    answer = log("audit", "counts.json", "--fairness", "dp", "--json", code=0).json
    first = f"{answer['gap']['dp'][0]['gap']:.4f}"
    markdown = log("audit", "counts.json", "--fairness", "dp", code=0).out
    assert markdown.startswith("# Audit of counts.json\n")
    assert first in markdown
    assert "eqopt" not in markdown
    log("audit", "counts.json", "--format", "html", "-o", "audit.html", code=0)
    page = (log.folder / "audit.html").read_text()
    assert first in page

    class Check(html.parser.HTMLParser):
        def __init__(self):
            super().__init__()
            self.open_tags = []

        def handle_starttag(self, tag, attributes):
            assert tag not in ("script", "link", "img", "iframe")
            assert not any(name in ("src", "href", "onclick") for name, _ in attributes)
            if tag not in ("meta", "br"):
                self.open_tags.append(tag)

        def handle_endtag(self, tag):
            assert self.open_tags.pop() == tag

    check = Check()
    check.feed(page)
    assert check.open_tags == []
    as_json = log("audit", "counts.json", "--fairness", "dp", "--format", "json", code=0).json
    assert as_json["gap"] == answer["gap"]
    assert as_json["schema"] == "fairstep/audit/1"


def test_names_from_the_log_are_no_markup(fairstep):
    rows = [row | {"group": "<script>" if row["group"] == "a" else "b|&"} for row in dirty_log(2, tidy=True)]
    write_csv(fairstep.folder / "log.csv", rows)
    page = fairstep("audit", "log.csv", "--format", "html", code=0).out
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert "b\\|&" in fairstep("audit", "log.csv", code=0).out


def test_censored_labels_leave_acceptance_and_bands_that_hold_whatever_they_were(fairstep):
    rows = [row | ({"y": ""} if row["a"] == "0" else {}) for row in dirty_log(4, people=200, tidy=True)]
    write_csv(fairstep.folder / "log.csv", rows)
    assert "is censored" in fairstep("audit", "log.csv", code=2).err
    dropped = fairstep("audit", "log.csv", "--censored", "drop", "--json", code=0).json
    step = [row for row in rows if row["group"] == "a" and row["step"] == "2"]
    refused = sum(row["a"] == "0" for row in step)
    qualified = dropped["rates"]["tpr"]["steps"][0][2]  # of those whose label was seen all were accepted
    assert qualified["rate"] == 1 and qualified["band"][1] == 1
    seen, each = qualified["decisions"], 0.05 / dropped["intervals"]
    assert qualified["band"][0] == pytest.approx(interval(seen, seen + refused, each)[0], abs=1e-9)
    told = dropped["rates"]["accept"]["steps"][0][2]
    assert (told["accepted"], told["decisions"]) == (sum(row["a"] == "1" for row in step), len(step))
    assert any("--censored drop" in warning for warning in dropped["warnings"])
    page = fairstep("audit", "log.csv", "--censored", "drop", code=0).out
    assert "- demographic parity: the widest gap" in page
    assert "- equal opportunity: among decisions whose label was seen, the widest gap" in page
    assert "whatever the other labels were), at step" in page
    assumed = fairstep("audit", "log.csv", "--censored", "assume-ignorable", code=0)
    assert "assume-ignorable" in assumed.out
    assert assumed.out.count("P(a=1 \\| y=1)") >= 2 and "no band can be given" in assumed.out


def test_drift_over_the_calendar(fairstep):
    rows = dirty_log(3, people=100, tidy=True)
    for i, row in enumerate(rows):
        row["date"] = f"2024-{1 + i % 5:02}-{1 + i % 28:02}"
    columns = ["person", "group", "step", "x", "y", "a", "reward", "date"]
    write_csv(fairstep.folder / "log.csv", rows, columns)
    answer = fairstep("audit", "log.csv", "--map", "time=date", "--window", "quarter", "--json", code=0).json
    assert answer["window"] == "quarter"
    assert answer["windows"] == ["2024-01-01", "2024-04-01"]
    for w, months in enumerate((("01", "02", "03"), ("04", "05"))):
        for g, group in enumerate("ab"):
            mine = [row for row in rows if row["date"][5:7] in months and row["group"] == group]
            told = answer["rates"]["accept"]["windows"][w][g]
            assert (told["accepted"], told["decisions"]) == (sum(row["a"] == "1" for row in mine), len(mine))
    assert "Over the calendar" in fairstep("audit", "log.csv", "--map", "time=date", code=0).out


def test_what_a_policy_would_have_done(loans):
    loans("policy", "fico.json", "--uniform", "0.5", "-o", "half.json", code=0)
    loans("simulate", "fico.json", "half.json", "--people", "1e6", "-o", "counts.json", code=0)
    answer = loans("audit", "counts.json", "--policy", "from50.json", "--json", code=0).json["policy"]
    truth = loans("evaluate", "fico.json", "from50.json", "--json", code=0).json
    for notion in ("dp", "eqopt", "eqodds"):
        for told, exact in zip(answer["gap"][notion], truth["gap"][notion], strict=True):
            assert told["estimate"] == pytest.approx(exact, abs=0.02)
            assert exact <= told["at_most"]
    for g in range(2):
        for h in range(8):
            low, high = answer["accept"][g][h]["range"]
            assert low <= truth["rates"]["accept"][g][h] <= high


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["counts.json", "--fairness", "fair"], '--fairness is "fair", expected dp or eqopt or eqodds'),
        (["counts.json", "--delta", "0"], "--delta is 0, expected more than 0 and less than 1"),
        (["counts.json", "counts.json"], "fairstep audit takes one file of counts, more are given"),
        (["none.csv"], "there is no such file"),
        (["counts.json", "--policy", "none.json"], "there is no such file"),
    ],
)
def test_what_cannot_be_audited_is_an_error(log, words, message):
    assert log("audit", *words, code=2).err.startswith(f"error: {message}")
