"""fairstep policy: each kind of policy, and what is said when none can be made."""

import pytest

STEPS = 8


def accept(loans, *words):
    return loans("policy", "fico.json", *words, code=0).json["accept"]


def test_uniform(loans):
    assert accept(loans, "--uniform", "0.25") == [[[0.25] * 5] * STEPS] * 2


def test_accept_and_refuse_all(loans):
    assert accept(loans, "--accept-all") == [[[1] * 5] * STEPS] * 2
    assert accept(loans, "--refuse-all") == [[[0] * 5] * STEPS] * 2


@pytest.mark.parametrize("threshold", ["x=2", "50", "x=50"])
def test_a_threshold_by_number_or_by_name(loans, threshold):
    assert accept(loans, "--threshold", threshold) == [[[0, 0, 1, 1, 1]] * STEPS] * 2


def test_a_threshold_for_a_group(loans):
    assert accept(loans, "--threshold", "x=2", "--threshold", "black:25") == [
        [[0, 0, 1, 1, 1]] * STEPS,
        [[0, 1, 1, 1, 1]] * STEPS,
    ]
    assert accept(loans, "--threshold", "white:100", "--threshold", "black:x=0") == [
        [[0, 0, 0, 0, 1]] * STEPS,
        [[1, 1, 1, 1, 1]] * STEPS,
    ]


def test_a_threshold_behind_the_last_feature_accepts_nobody(loans):
    assert accept(loans, "--threshold", "x=5") == [[[0] * 5] * STEPS] * 2


def test_random_depends_on_the_seed(loans):
    first = accept(loans, "--random", "--seed", "1")
    assert first == accept(loans, "--random", "--seed", "1")
    assert first != accept(loans, "--random", "--seed", "2")
    assert first[0] != first[1]


@pytest.mark.parametrize("kind", [["--random"], ["--uniform", "0.5"], ["--threshold", "x=1"], ["--accept-all"]])
def test_group_independent_policies_have_no_group_axis(loans, kind):
    document = loans("policy", "fico.json", *kind, "--group-independent", code=0).json
    assert document["group_independent"] is True
    assert "groups" not in document
    assert len(document["accept"]) == STEPS
    assert len(document["accept"][0]) == 5


def test_what_was_written_is_said(loans):
    run = loans("policy", "fico.json", "--uniform", "0.5", "-o", "half.json", code=0)
    assert run.out == ""
    assert run.err == (
        "wrote half.json: policy, 2 groups, 5 features, 8 steps\nnext: fairstep evaluate fico.json half.json\n"
    )
    document = loans("policy", "fico.json", "--uniform", "0.5", "-o", "half.json", "--json", code=0).json
    assert document["schema"] == "fairstep/written/1"
    assert document["kind"] == "policy"
    assert document["groups"] == ["white", "black"]


@pytest.mark.parametrize(
    ("words", "message", "hint"),
    [
        ([], "fairstep policy needs one of --uniform, --threshold,", "see fairstep policy --help"),
        (["--uniform", "1", "--accept-all"], "fairstep policy needs one of --uniform,", "see"),
        (["--uniform", "1.5"], "--uniform is 1.5, expected a probability between 0 and 1", ""),
        (["--threshold", "x=6"], '--threshold has "x=6", expected a feature: by number, x=0 to x=4', "features: 0, 25"),
        (
            ["--threshold", "2"],
            '--threshold has "2", expected a feature: by number, x=0 to x=4, or by name',
            "--threshold x=2 takes it by number",
        ),
        (["--threshold", "blakc:x=1"], '--threshold has the group "blakc", which the model', "did you mean black?"),
        (["--threshold", "black:x=1"], "--threshold is missing for white", "--threshold white:x=..., or"),
        (["--threshold", "x=1", "--threshold", "x=2"], "--threshold is given twice for groups without", ""),
        (["--threshold", "black:x=1", "--threshold", "black:25"], "--threshold is given twice for black", ""),
        (["--threshold", "x=1", "--threshold", "black:25", "--group-independent"], "--group-independent and a", ""),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_cannot_be_made_is_explained(loans, words, message, hint):
    before = loans.files()
    run = loans("policy", "fico.json", *words, "-o", "p.json", code=2)
    assert run.err.startswith(f"error: {message}")
    assert hint in run.err
    assert loans.files() == before


def test_a_policy_file_is_no_model(loans):
    run = loans("policy", "from50.json", "--accept-all", code=2)
    assert run.err.startswith("error: the file holds a policy, expected a model\n  in from50.json")
