"""The functions are the command's verbs: the same options, the same answers, the same refusals."""

import inspect
import json

import numpy as np
import pytest

import fairstep as fs

# Options that mean something on a command line only, or are methods of what is returned.
NOT_HERE = {"json", "quiet", "help", "version", "list"}
ELSEWHERE = {
    "policy": {"output"},
    # q and v are always there; Evaluation.ratio, falls, Rates.to_frame
    "evaluate": {"values", "reference", "order", "monotone_in", "csv"},
    "simulate": {"output", "progress", "audit"},  # Parts.save
    "count": {"output", "thin", "audit"},
    "audit": {"output", "format"},
    "fit": {"output", "delta", "reward_range", "radii", "pessimistic"},  # Estimate.radii and .pessimistic
    "certify": {"output"},  # Certificate.save
    "compare": {"html", "output"},
    "check": {"counts", "policy", "model", "design"},  # hashes of files, and proofs of a model
    "solve": {"output", "proof"},
    "pareto": {"output"},
    "alternative": {"output", "class"},  # a word of Python's own: of_class
    "learn": {"lambda"},  # a word of Python's own: penalty
    "experiment": {"dry_run"},
}
# And what the command takes as a file's name, or has no need of.
MORE = {"solve": {"start"}, "alternative": {"of_class"}, "learn": {"penalty"}, "certify": {"progress"}}


@pytest.fixture(scope="module")
def verbs(tmp_path_factory):
    from conftest import Fairstep

    manual = Fairstep(tmp_path_factory.mktemp("manual"))("manual", "--json", code=0).json
    return {verb["call"].removeprefix("fairstep "): verb for verb in manual["verbs"]}


def options_of(verb):
    names = {name.removeprefix("--") for option in verb["options"] for name in option["names"] if name.startswith("--")}
    return {name.replace("-", "_") for name in names} - NOT_HERE


def keywords_of(function):
    kinds = (inspect.Parameter.KEYWORD_ONLY,)
    return {name for name, parameter in inspect.signature(function).parameters.items() if parameter.kind in kinds}


VERBS = [
    "policy",
    "evaluate",
    "compare",
    "simulate",
    "count",
    "audit",
    "fit",
    "certify",
    "check",
    "solve",
    "pareto",
    "alternative",
    "learn",
]


@pytest.mark.parametrize("verb", [*VERBS, "experiment", "report"])
def test_keywords_are_the_options_of_the_command(verb, verbs):
    options = options_of(verbs[verb]) - ELSEWHERE.get(verb, set())
    keywords = keywords_of(getattr(fs, verb))
    if verb in ("audit", "fit"):  # these hand them on to count
        keywords |= keywords_of(fs.count) - {"strict"}
        options |= keywords_of(fs.count) - {"strict"}
    assert keywords - MORE.get(verb, set()) == options


@pytest.mark.parametrize("name", ["fico", "synthetic", "lending", "random"])
def test_environments_are_those_of_the_command(name, verbs, fairstep):
    fairstep("env", name, "--horizon", "3", "-o", "model.json", code=0)
    assert fs.env(name, horizon=3).to_json() == (fairstep.folder / "model.json").read_text()
    wanted = options_of(verbs[f"env {name}"]) - {"output"}
    with pytest.raises(ValueError) as refused:
        fs.env(name, nonsense=1)
    assert set(str(refused.value).split("one of ")[1].split(", ")) == wanted


def test_solve_answers_like_the_command(fairstep):
    fairstep("env", "fico", "-o", "fico.json", code=0)
    for words, options in [
        (["--fairness", "dp", "--limit", "0.05"], {"fairness": "dp", "limit": 0.05}),
        (["--fairness", "eqopt,dp", "--limit", "0.1", "--no-proof"], {"fairness": ["eqopt", "dp"], "limit": 0.1}),
        (["--fairness", "dp", "--capacity", "0.5", "--no-proof"], {"fairness": "dp", "capacity": 0.5}),
        (["--fairness", "dp", "--penalty", "1", "--no-proof"], {"fairness": "dp", "penalty": 1}),
        (["--fairness", "dp", "--group-independent"], {"fairness": "dp", "group_independent": True}),
        (["--fairness", "none", "--floor", "0.1"], {"fairness": "none", "floor": 0.1}),
        (["--fairness", "dp", "--monotone"], {"fairness": "dp", "monotone": True}),
        (
            ["--fairness", "none", "--threshold", "--order", "100,75,50,25,0"],
            {"fairness": "none", "threshold": True, "order": ["100", "75", "50", "25", "0"]},
        ),
        (["--method", "unconstrained"], {"method": "unconstrained"}),
    ]:
        answer = fairstep("solve", "fico.json", *words, "--json").json
        found = fs.solve(fs.env("fico"), **options, no_proof="--no-proof" in words)
        assert found.outcome == answer["outcome"] and found.value == answer["value"]
        assert found.parity_gap.tolist() == answer["parity_gap"]
        assert json.loads(found.policy.to_json()) == answer["policy"]
        assert (found.rules is not None) == ("rules" in answer)
        if found.rules:
            assert list(found.rules.without) == list(answer["rules"]["without"].values())


def test_falls_are_those_of_the_command(fairstep):
    model = fs.env("fico", horizon=2)
    model.save(fairstep.folder / "m.json")
    free = fs.solve(model, fairness="dp", limit=0.05)
    free.policy.save(fairstep.folder / "p.json")
    found = fs.falls(model, free.policy)
    document = fairstep("evaluate", "m.json", "p.json", "--json", code=0).json["monotone"]
    assert len(found) == document["falls"] > 0
    worst = max(found, key=lambda fall: fall.by)
    assert [worst.group, worst.step] == [document["worst"]["group"], document["worst"]["step"]]
    assert worst.by == pytest.approx(document["worst"]["accept"][0] - document["worst"]["accept"][1])
    assert fs.falls(model, fs.solve(model, fairness="dp", limit=0.05, monotone=True).policy) == []
    with pytest.raises(ValueError, match="expected each of the 5 once"):
        fs.falls(model, free.policy, order="0,25")


def test_infeasible_is_an_answer():
    # At the first step nobody's rates can be moved by what came before: everybody with x = 0 or nobody.
    model = fs.env("fico", horizon=2)
    found = fs.solve(model, fairness="eqopt", limit=0, deterministic=True, floor=0.4, capacity=0.1)
    assert found.outcome == "infeasible" and not found.found
    assert found.infeasibility.smallest_limit > 0.1 and found.infeasibility.nearest is not None
    with pytest.raises(ValueError, match="there is no policy: the outcome is infeasible"):
        found.value  # noqa: B018
    assert "infeasible" in repr(found) and "infeasible" in found._repr_html_()


def test_a_discounted_model_without_an_end():
    model = fs.env("fico", discount=0.5, horizon=2)
    found = fs.solve(model, fairness="dp", limit=0.05, infinite=True, tail=1e-4)
    assert 0 < found.tail <= 1e-4 and found.policy.horizon > 10
    assert found.bounds.upper - found.bounds.lower >= 2 * found.tail


def test_limits_in_a_file(fairstep):
    name = fairstep.write("limits.json", {"schema": "fairstep/fairness/1", "parity": [{"notion": "dp", "limit": 0.05}]})
    model = fs.env("fico")
    assert fs.solve(model, fairness=fairstep.folder / name).value == fs.solve(model, fairness="dp", limit=0.05).value


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "solve needs fairness"),
        (
            {"fairness": "eqop"},
            'fairness is "eqop", expected dp, eqopt, eqodds, dp-ratio, eqopt-ratio, none or a file; '
            'did you mean "eqopt"',
        ),
        ({"fairness": "dp,dp"}, "fairness names dp twice"),
        ({"fairness": "none,dp"}, "fairness none stands alone"),
        ({"fairness": "none", "limit": 0.1}, "a limit is given, but no notion"),
        ({"fairness": "dp", "limit": 0.1, "limit_per_step": [0.1] * 8}, "both given"),
        ({"fairness": "dp", "limit_per_step": [0.1]}, None),
        ({"fairness": "dp", "limit_per_step": [0.1, 0.2]}, "limit has 2 entries, expected 1 or 8"),
        ({"fairness": "dp", "penalty": 1, "method": "myopic"}, "penalty is given, but the method is myopic"),
        ({"fairness": "dp", "method": "penalty"}, "needs penalty"),
        ({"fairness": "dp", "penalty_form": "rate"}, "penalty_form is given without penalty"),
        ({"fairness": "dp", "tail": 1}, "tail is given without infinite"),
        ({"fairness": "dp", "effort": 0}, "effort is 0, expected a whole number of 1 or more"),
        ({"fairness": "dp", "method": "magic"}, 'method is "magic", expected one of constrained'),
        ({"fairness": "missing.json"}, "there is no such file"),
    ],
)
def test_questions_that_make_no_sense(options, message):
    model = fs.env("fico")
    if message is None:
        assert fs.solve(model, **options).found
        return
    with pytest.raises(ValueError, match=message):
        fs.solve(model, **options)


def test_certify_answers_like_the_command(fairstep):
    model = fs.env("fico")
    policy = fs.policy(model, threshold={"white": "50", "black": 1})
    counts = fs.simulate(model, policy, people_per_group=2**18)
    for thing, name in ((model, "model"), (policy, "policy"), (counts, "counts")):
        thing.save(fairstep.folder / f"{name}.json")
    words = ["counts.json", "policy.json", "--model", "model.json", "--plan", "0.05", "--followed"]
    answer = fairstep("certify", *words, "--json", code=0).json
    heard = []
    found = fs.certify(counts, policy, model=model, plan=0.05, followed=True, progress=heard.append)
    assert found.value == answer["certified_value"] and found.estimated_value == answer["estimated_value"]
    for notion in ("dp", "eqopt", "eqodds"):
        assert getattr(found.gap, notion).tolist() == answer["certified_gap"][notion]
    assert found.plan.outcome == answer["plan"]["outcome"] and found.plan.rows[0]["group"] in model.groups
    found.save(fairstep.folder / "certificate.json")
    assert fs.check(fairstep.folder / "certificate.json").holds
    fairstep("check", "certificate.json", code=0)
    low, high, estimate = found.rate_bounds("accept")
    assert np.all((low <= estimate) & (estimate <= high)) and low.shape == (2, 8)
    # A number that was tampered with is found.
    document = json.loads(found.to_json())
    document["certified_gap"]["dp"][0] /= 2
    (fairstep.folder / "false.json").write_text(json.dumps(document))
    report = fs.check(fairstep.folder / "false.json")
    assert not report and report.mismatches[0].pointer == "/certified_gap/dp/0"


def test_an_experiment_and_its_report(tmp_path):
    file = tmp_path / "small.toml"
    file.write_text(
        'schema = "fairstep/experiment/1"\nenvironments = ["fico"]\nfairness = "dp"\nrepeats = 2\n'
        'schedule = "2^8..2^10"\ncertificate = "off"\n[[method]]\nmethod = "constrained"\n'
    )
    heard = []
    found = fs.experiment(file, output=tmp_path / "runs", progress=heard.append)
    assert found.finished and found.runs == 2 and found.cells[0].value.shape == (2,)
    table = found.to_frame()
    assert list(table.columns) == ["environment", "fairness", "method", "repeat", "value", "violation"]
    again = fs.experiment(file, output=tmp_path / "runs")
    assert again.runs_resumed == 2 and again.solves_made == 0
    made = fs.report(tmp_path / "runs", output=tmp_path / "report.html")
    assert made.runs == 2 and (tmp_path / "report.html").read_text() == made.html
    assert made.verdicts[0].ruling and "claim" in made.to_frame() and "<b>Report</b>" in made._repr_html_()
    with pytest.raises(ValueError, match=r"expected a name that ends in \.html or \.md"):
        made.save(tmp_path / "report.pdf")


def test_a_log_is_the_people_of_the_counts():
    model = fs.env("random", groups=3, features=4, horizon=3, participation=True, seed=4)
    policy = fs.policy(model, random=True, seed=2)
    log = fs.simulate_log(model, policy, people=500, seed=9)
    counts = fs.simulate(model, policy, people=500, seed=9, by="person", threads=2)
    assert len(log) == counts.decisions and log.reward.sum() == pytest.approx(counts.reward_sum.sum())
    visits = np.zeros_like(counts.visits)
    np.add.at(visits, (log.group, log.step, log.x, log.y, log.a), 1)
    assert np.array_equal(visits, counts.visits)
    with pytest.raises(ValueError, match="expected one of people and people_per_group"):
        fs.simulate(model, policy)
    with pytest.raises(ValueError, match=r"people is 1\.5, expected a whole number"):
        fs.simulate(model, policy, people=1.5)


def test_parity_over_the_whole_episode_is_a_limit_a_finding_and_a_band():
    model = fs.env("fico", horizon=3)
    solved = fs.solve(model, fairness="none", aggregate_dp=0.03, progress=False)
    evaluated = fs.evaluate(model, solved.policy)
    assert evaluated.aggregate_dp == pytest.approx(evaluated.rates.accept.mean(axis=1))
    assert evaluated.aggregate_dp_gap == pytest.approx(abs(np.diff(evaluated.aggregate_dp))[0])
    assert evaluated.aggregate_dp_gap <= 0.03 + 1e-7 < max(evaluated.gap.dp)
    point = fs.pareto(model, fairness="dp", limits=[0.5], aggregate_dp=0.03, no_proof=True, progress=False)[0]
    assert fs.evaluate(model, point.result.policy).aggregate_dp_gap <= 0.03 + 1e-7

    counts = fs.simulate(model, fs.policy(model, threshold=2), people=20000)
    audited = fs.audit(counts, fairness="dp", policy=solved.policy)
    for (rate, low, high), of_steps in zip(
        audited.episode_rates, np.stack(audited.rate_bands("accept"), axis=-1).mean(axis=1), strict=True
    ):
        assert (rate, low, high) == pytest.approx(tuple(of_steps))
    gap, low, high = audited.episode_gap
    assert low <= gap <= high and gap == pytest.approx(abs(audited.episode_rates[0][0] - audited.episode_rates[1][0]))
    estimate, at_most = audited.policy_episode_gap
    assert max(estimate, evaluated.aggregate_dp_gap) <= at_most
    assert fs.audit(counts, fairness="eqopt").episode_gap is None
