"""The examples in docstrings, which the reference shows, run and show what happens."""

import doctest
import inspect

import pytest

import fairstep

FUNCTIONS = [name for name in fairstep.__all__ if inspect.isfunction(getattr(fairstep, name))]
EXAMPLES = {
    name: found
    for name in [None, *FUNCTIONS]
    if (
        found := doctest.DocTestParser().get_examples(
            inspect.getdoc(getattr(fairstep, name) if name else fairstep) or ""
        )
    )
}

SMALL = """
schema = "fairstep/experiment/1"
environments = ["fico"]
fairness = "dp"
schedule = "2^8..2^9"
repeats = 1
certificate = "off"

[frontier]
limits = [0, 1]

[[method]]
method = "constrained"
"""


@pytest.fixture(scope="module")
def taken_for_granted():
    """What examples speak of without making it; the log of `df` has no label in 12 rows, the first of them row 7."""
    m = fairstep.env("fico")
    policy = fairstep.policy(m, uniform=0.9)
    df = fairstep.simulate_log(m, policy, people=4000).to_frame()
    df = df.assign(customer=df["person"], band=df["x"], repaid=df["y"].astype("Int64"))
    missing = df.index[6:][(df["a"] == 1)[6:]][:12]
    assert missing[0] == 6
    df.loc[missing, "repaid"] = None
    counts = fairstep.simulate(m, policy, people=1e5)
    return {"fairstep": fairstep, "m": m, "policy": policy, "df": df, "counts": counts}


@pytest.mark.parametrize("name", EXAMPLES, ids=str)
def test_an_example_runs_and_shows_what_happens(name, taken_for_granted, tmp_path, monkeypatch):
    (tmp_path / "configs").mkdir()
    (tmp_path / "configs/paper.toml").write_text(SMALL)
    monkeypatch.chdir(tmp_path)
    names = dict(taken_for_granted)
    for example in EXAMPLES[name]:
        try:
            shown = repr(eval(example.source, names))
        except SyntaxError:
            exec(example.source, names)
            shown = ""
        if example.want:
            assert shown == example.want.strip()


def test_there_are_examples_of_what_people_begin_with():
    assert {None, "env", "evaluate", "solve", "learn", "certify", "count", "audit"} <= set(EXAMPLES)
