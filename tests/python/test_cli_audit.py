"""fairstep audit: rates, gaps and their bands, in every format."""

import hashlib
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
        assert pair["band"][0] < pair["difference"] < pair["band"][1]
        assert pair["ratio"] == (pytest.approx(first["rate"] / second["rate"]) if pair["rate"] != "fpr" else None)
    assert answer["pair_tests"] == 15
    assert answer["together"]["differences"] == 0.95
    for h, gap in enumerate(answer["gap"]["dp"]):
        mine = [pair for pair in answer["pairs"] if pair["rate"] == "accept" and pair["step"] == h]
        assert gap["gap"] == pytest.approx(abs(mine[0]["difference"]))


def test_a_log_and_its_counts_are_audited_alike(log):
    of_log = log("audit", "log.csv", "--json", code=0).json
    of_counts = log("audit", "counts.json", "--json", code=0).json
    for key in ("data", "files"):
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
        (
            ["counts.json", "--fairness", "fair"],
            '--fairness is "fair", expected dp, eqopt, eqodds, dp-ratio, eqopt-ratio',
        ),
        (["counts.json", "--delta", "0"], "--delta is 0, expected more than 0 and less than 1"),
        (["counts.json", "counts.json"], "fairstep audit takes one file of counts, more are given"),
        (["none.csv"], "there is no such file"),
        (["counts.json", "--policy", "none.json"], "there is no such file"),
    ],
)
def test_what_cannot_be_audited_is_an_error(log, words, message):
    assert log("audit", *words, code=2).err.startswith(f"error: {message}")


def loans_of(groups, path):
    """A log of one step: {group: (accepted, people)}, everybody qualified."""
    rows = [
        {"person": f"{group}{i}", "group": group, "step": "0", "x": "any", "y": "1", "a": str(int(i < accepted))}
        for group, (accepted, people) in groups.items()
        for i in range(people)
    ]
    write_csv(path, rows, ["person", "group", "step", "x", "y", "a"])


# Sizes of a table that many have audited, made up otherwise: six groups of which two are of a few people.
SIX = {
    "African-American": (2080, 3175),
    "Caucasian": (1461, 2103),
    "Hispanic": (352, 509),
    "Other": (235, 343),
    "Asian": (23, 31),
    "Native American": (7, 11),
}


@pytest.fixture
def six(fairstep):
    loans_of(SIX, fairstep.folder / "six.csv")
    return fairstep


@pytest.mark.parametrize(("small", "pairs"), [("50", 6), ("0", 15)])
def test_p_is_at_most_that_of_fishers_test_by_scipy_paid_for_by_all_pairs(six, small, pairs):
    stats = pytest.importorskip("scipy.stats")
    answer = six("audit", "six.csv", "--fairness", "dp", "--small", small, "--json", code=0).json
    assert answer["pair_tests"] == len(answer["pairs"]) == pairs
    assert answer["set_apart"] == (["Asian", "Native American"] if small == "50" else [])
    for pair in answer["pairs"]:
        (k1, n1), (k2, n2) = (SIX[name] for name in pair["pair"])
        table = [[k1, n1 - k1], [k2, n2 - k2]]
        fisher = 2 * min(stats.fisher_exact(table, alternative=side).pvalue for side in ("less", "greater"))
        assert pair["p"] <= min(1, pairs * fisher) * (1 + 1e-6)
        assert pair["differ"] == (pair["p"] <= 0.05)
        if n1 + n2 <= 200:
            boschloo = 2 * min(stats.boschloo_exact(table, alternative=side).pvalue for side in ("less", "greater"))
            assert pair["p"] == pytest.approx(min(1, pairs * boschloo), rel=0.02)
    widest = answer["gap"]["dp"][0]
    if small == "50":
        assert (widest["above"], widest["below"], widest["differ"]) == ("Caucasian", "African-American", True)


def test_the_headline_names_the_pair_and_groups_that_are_set_apart(six):
    text = six("audit", "six.csv", "--fairness", "dp", code=0).out
    assert "(Caucasian above African-American; band " in text
    assert "Set apart, being of fewer than 50 people: Asian (31), Native American (11)." in text
    assert "adverse impact ratio: the least was 0.9430 (African-American to Caucasian; band " in text  # .65512/.69472
    assert "Set apart" not in six("audit", "six.csv", "--fairness", "dp", "--small", "0", code=0).out


def test_a_limit_that_is_proven_to_be_broken_is_exit_code_1(six):
    kept = six("audit", "six.csv", "--fairness", "dp-ratio", "--limit", "0.8", "--json", code=0).json
    assert kept["ruling"] == "within"
    open_question = six("audit", "six.csv", "--fairness", "dp-ratio", "--limit", "0.95", "--json", code=0).json
    assert open_question["ruling"] == "open"
    broken = six("audit", "six.csv", "--fairness", "dp", "--limit", "0", "--json", code=1).json
    assert broken["ruling"] == "beyond"
    assert broken["limits"][0]["limit_on"] == "dp"
    (six.folder / "fair.json").write_text(
        '{"schema": "fairstep/fairness/1", "parity": [{"notion": "dp", "limit": 0.2}], '
        '"ratios": [{"notion": "dp-ratio", "limit": 0.8, "reference": "Caucasian"}]}'
    )
    by_file = six("audit", "six.csv", "--fairness", "fair.json", "--json", code=0).json
    assert by_file["reference"] == "Caucasian"
    assert [limit["ruling"] for limit in by_file["limits"]] == ["within", "within"]
    assert by_file["ratio_tests"] == 3  # each of the others beside the reference
    refused = six("audit", "six.csv", "--fairness", "dp", "--reference", "Cacasian", code=2).err
    assert 'did you mean "Caucasian"?' in refused


def test_the_ending_of_the_file_says_what_is_written_to_it(six):
    six("audit", "six.csv", "--fairness", "dp", "-o", "a.html", code=0)
    assert (six.folder / "a.html").read_text().startswith("<!doctype html>")
    six("audit", "six.csv", "--fairness", "dp", "-o", "a.json", code=0)
    assert (six.folder / "a.json").read_text().startswith("{")
    assert "but --output ends in .html" in six("audit", "six.csv", "--format", "md", "-o", "b.html", code=2).err
    assert "expected a name that ends in .md, .html or .json" in six("audit", "six.csv", "-o", "b.txt", code=2).err
    six("audit", "six.csv", "--format", "md", "-o", "b.txt", code=0)


def test_files_are_named_with_their_hashes(six):
    content = (six.folder / "six.csv").read_bytes()
    answer = six("audit", "six.csv", "--fairness", "dp", "--json", code=0).json
    (file,) = answer["files"]
    assert (file["name"], file["bytes"]) == ("six.csv", len(content))
    assert file["sha256"] == hashlib.sha256(content).hexdigest()
    assert file["modified"].endswith(" UTC")
    assert file["sha256"] in six("audit", "six.csv", "--fairness", "dp", code=0).out


def test_beside_a_group_of_whom_nobody_is_accepted_the_least_ratio_is_0(fairstep):
    # Cause: beside 0 a ratio is unknown, and turned round it stayed so: the least was said to be that of two others.
    for order in ("abc", "bac", "acb"):
        lines = ["person,group,step,x,y,a"]
        for number in range(900):
            group = order[number % 3]
            lines.append(f"{number},{group},0,low,1,{int(group != 'b' and number % 2)}")
        (fairstep.folder / "log.csv").write_text("\n".join(lines) + "\n", "utf-8")
        words = ("audit", "log.csv", "--groups", ",".join(order), "--fairness", "dp-ratio", "--limit", "0.8")
        answer = fairstep(*words, "--json", code=1).json
        assert answer["limits"][0]["found"] == 0
        assert "the least was 0.0000 (b to" in fairstep(*words, code=1).out


def test_a_limit_says_that_groups_set_apart_are_not_part_of_it(fairstep):
    lines = ["person,group,step,x,y,a"]
    for number in range(4040):
        group = "ab"[number % 2] if number < 4000 else "c"
        lines.append(f"{number},{group},0,low,1,{int(group != 'c' and number % 4 < 2)}")
    (fairstep.folder / "log.csv").write_text("\n".join(lines) + "\n", "utf-8")
    page = fairstep("audit", "log.csv", "--fairness", "dp", "--limit", "0.2", code=0).out
    assert "nothing is said here of those that were set apart" in page
