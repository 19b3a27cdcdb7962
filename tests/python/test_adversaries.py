"""Numbers at the edges, through the commands: what does not exist is said not to, and nothing is divided by nobody."""

import json
import re
import warnings

import pytest
from small import hand

EDGES = {
    "one feature": dict(features=1),
    "horizon 1": dict(horizon=1),
    "horizon 200": dict(horizon=200, features=1),
    "huge rewards": dict(reward=1e9),
    "tiny rewards": dict(reward=1e-9),
    "almost 0 and 1": dict(tiny=1e-12),
    "equal groups": dict(equal=True),
    "all at once": dict(features=1, horizon=1, reward=1e9, tiny=1e-12),
}


def edge_model(features=2, horizon=3, reward=1.0, tiny=0.25, equal=False):
    """Two groups; whoever is in a state stays with probability 1 - tiny, or changes the label."""

    def row(x, y, tiny):
        return [
            [1 - tiny if (x1, y1) == (x, y) else tiny if x1 == x else 0.0 for y1 in (0, 1)] for x1 in range(features)
        ]

    def start(share):
        return [[(1 - share) / features, share / features] for _ in range(features)]

    def group(tiny, factor):
        rows = [[[row(x, y, tiny) for _ in (0, 1)] for y in (0, 1)] for x in range(features)]
        return rows, [[[0.0, -0.5 * factor], [0.0, factor]] for _ in range(features)]

    parts = [group(tiny, reward), group(tiny if equal else tiny / 2, reward if equal else 0.7 * reward)]
    return {
        "schema": "fairstep/model/1",
        "horizon": horizon,
        "groups": ["a", "b"],
        "features": [f"x{x}" for x in range(features)],
        "labels": ["unqualified", "qualified"],
        "actions": ["refuse", "accept"],
        "share": [0.5, 0.5],
        "initial": [start(0.6), start(0.6 if equal else 0.3)],
        "transition": [rows for rows, _ in parts],
        "reward": [rewards for _, rewards in parts],
    }


def numbers_in(value):
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for entry in value:
            yield from numbers_in(entry)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield value


@pytest.mark.parametrize("edge", EDGES)
@pytest.mark.parametrize("limit", [0, 1])
def test_the_whole_way_from_a_model_to_a_checked_certificate(fairstep, edge, limit):
    fairstep.write("m.json", edge_model(**EDGES[edge]))
    words = ["--fairness", "dp", "--limit", limit, "--effort", 500]
    solution = fairstep("solve", "m.json", *words, "-o", "p.json", "--json")
    assert solution.code in (0, 3)
    answer = solution.json
    exact = fairstep("evaluate", "m.json", "p.json", "--json", code=0).json
    size = max(abs(number) for number in numbers_in(fairstep.read("m.json")["reward"])) * len(answer["parity_gap"])
    assert answer["value"] == pytest.approx(exact["value"], abs=1e-12 * size)
    assert answer["bounds"]["lower"] <= answer["bounds"]["upper"] <= size * (1 + 1e-9)
    assert max(answer["parity_gap"]) <= limit + 2e-8
    fairstep("simulate", "m.json", "p.json", "--people", 2000, "-o", "c.json", "-q", code=0)
    learned = fairstep("learn", "m.json", *words, "--schedule", "8,1024", "--evaluation-episodes", 10, "--json", code=0)
    assert len(learned.json["updates"]) == 2
    # Both ends of a value's range are of the rewards' size, too.
    if EDGES[edge].get("horizon") != 200:  # the checker takes its time for these
        fairstep("certify", "c.json", "p.json", "--model", "m.json", "-o", "cert.json", "-q", code=0)
        fairstep("check", "cert.json", code=0)
        assert abs(fairstep.read("cert.json")["certified_value"]) <= size


@pytest.mark.parametrize("method", ["constrained", "penalty", "myopic", "unconstrained"])
def test_floors_of_one_half_leave_a_coin(fairstep, method):
    fairstep.write("m.json", edge_model())
    words = ["--penalty", 1] if method == "penalty" else ["--limit", 0, "--method", method]
    fairstep("solve", "m.json", "--fairness", "dp", "--floor", 0.5, *words, "-o", "p.json", "-q", code=0)
    assert set(numbers_in(fairstep.read("p.json")["accept"])) == {0.5}


@pytest.fixture
def nobody(fairstep):
    """m.json, in which nobody of b is ever qualified, p.json, a coin for everybody, and what was seen of it."""
    model = hand()
    model["initial"][1] = [[1.0, 0.0], [0.0, 0.0]]
    fairstep.write("m.json", model)
    fairstep("policy", "m.json", "--uniform", 0.5, "-o", "p.json", "-q", code=0)
    for file in ("c.json", "log.csv"):
        fairstep("simulate", "m.json", "p.json", "--people", 1000, "-o", file, "-q", code=0)
    return fairstep


def no_nan(run):
    """Neither in what is printed nor, since `json` refuses it, in a document."""
    assert not re.search(r"\b-?(nan|inf)\b", run.out + run.err, re.IGNORECASE)
    return run


def test_a_rate_of_nobody_in_evaluate(nobody):
    run = no_nan(nobody("evaluate", "m.json", "p.json", code=0))
    assert "rates.tpr[g=b] is undefined at steps 0-1: nobody of b is qualified there" in run.err
    assert "gap.eqopt is undefined at steps 0-1" in run.err
    assert nobody("evaluate", "m.json", "p.json", "--json", code=0).json["rates"]["tpr"][1] == [None, None]


@pytest.mark.parametrize("limit", [0, 0.1, 1])
def test_a_rate_of_nobody_in_solve(nobody, limit):
    words = ["solve", "m.json", "--fairness", "eqopt", "--limit", limit]
    run = no_nan(nobody(*words, code=0))
    assert "at steps 0-1 fewer than two groups have anybody whom the limit is about" in run.err
    answer = nobody(*words, "--json", code=0).json
    # 0 was said here: a gap that is kept exactly, where there is none.
    assert answer["parity_gap"] == [None, None]
    # Group a alone earns 3/4 (1/2 * 1/2 + 1/2), by accepting all at first and the high ones then.
    assert answer["value"] == pytest.approx(0.5625)
    assert answer["outcome"] == "optimal"


def test_a_rate_of_nobody_in_pareto(nobody):
    words = ["pareto", "m.json", "--fairness", "eqopt", "--limits", "0,1"]
    no_nan(nobody(*words, code=0))
    no_nan(nobody(*words, "-o", "frontier.csv", code=0))
    rows = (nobody.folder / "frontier.csv").read_text().splitlines()
    assert [row.split(",")[6] for row in rows] == ["worst_parity_gap", "", ""]


def test_a_rate_of_nobody_in_simulate(nobody):
    run = no_nan(nobody("simulate", "m.json", "p.json", "--people", 100, code=0))
    assert "rates.tpr[g=b] is undefined" in run.err


def test_a_rate_of_nobody_in_learn(nobody):
    words = ["learn", "m.json", "--fairness", "eqopt", "--limit", 0.1, "--schedule", "8,64"]
    run = no_nan(nobody(*words, code=0))
    assert "worst eqopt gap of nobody" in " ".join(run.out.split())
    assert "there is no eqopt gap at steps 0-1" in run.err
    answer = nobody(*words, "--json", code=0).json
    assert answer["worst_gap"] is None
    assert answer["updates"][-1]["gap"]["eqopt"] == answer["updates"][-1]["evaluation"]["gap"] == [None, None]


def test_a_rate_of_nobody_in_certify(nobody):
    run = no_nan(nobody("certify", "c.json", "p.json", "-o", "cert.json", code=0))
    assert "there may be nobody qualified in b" in run.err
    assert "-0.0000" not in run.out  # a gap of at most nothing, rounded up from below
    assert nobody.read("cert.json")["estimated_gap"]["eqopt"] == [None, None]
    nobody("check", "cert.json", code=0)


def test_a_rate_of_nobody_in_audit(nobody):
    for form in ("md", "html"):
        run = no_nan(nobody("audit", "log.csv", "--format", form, code=0))
        assert "equal opportunity: no step at which two groups could be compared" in run.out
    no_nan(nobody("audit", "log.csv", "--format", "json", code=0)).json  # noqa: B018


def test_a_rate_of_nobody_in_a_report(nobody):
    nobody.write(
        "e.toml",
        'schema = "fairstep/experiment/1"\nfairness = ["eqopt"]\nschedule = "2^3..2^5"\nrepeats = 2\n'
        'evaluation_episodes = 10\ncertificate = "off"\nenvironments = [{name = "m", model = "m.json"}]\n'
        '[frontier]\nlimits = [0, 1]\n[[method]]\nname = "ours"\nmethod = "constrained"\n'
        '[[method]]\nname = "penalty"\nmethod = "penalty"\nlambda = [0.1, 1]\n',
    )
    nobody("experiment", "e.toml", "-o", "run", "-q", code=0)
    no_nan(nobody("report", "run", "-o", "verdicts.md", code=0))
    text = (nobody.folder / "verdicts.md").read_text()
    assert "There is no step at which two groups can be compared" in text
    # It held, by a margin of no number.
    kept = text.split("### Fairness is kept at every step")[1].split("###")[0]
    assert "**undecided.**" in kept
    nobody("report", "run", "-o", "report.html", "-q", code=0)
    html = (nobody.folder / "report.html").read_text()
    data = re.findall(r'<script type="application/json"[^>]*>(.*?)</script>', html, re.DOTALL)
    assert data
    for document in data:
        json.loads(document, parse_constant=pytest.fail)


def test_a_rate_of_nobody_in_python(nobody):
    fs = pytest.importorskip("fairstep")
    pytest.importorskip("fairstep._core")
    model = fs.load(nobody.folder / "m.json")
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # numpy's "All-NaN slice encountered" among them
        found = fs.solve(model, fairness="eqopt", limit=0.1)
        assert "Widest gap of nobody" in found._repr_html_()
        assert "equal opportunity of nobody" in fs.evaluate(model, found.policy)._repr_html_()
        front = fs.pareto(model, fairness="eqopt", limits=[0, 1])
        assert front.to_frame()["worst_parity_gap"].isna().all()
        front._repr_html_()
        run = fs.learn(model, fairness="eqopt", schedule=[8, 64], evaluation_episodes=10)
        assert run.to_frame()["worst_gap"].isna().all()
