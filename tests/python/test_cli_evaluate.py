"""fairstep evaluate: keys, hand-worked numbers, undefined rates, and the page for people."""

import pytest
from small import hand, hand_policy


@pytest.fixture
def worked(fairstep):
    """The hand model under "accept the high".

    a, step 0: masses (low,0) 3/8, (low,1) 1/8, (high,0) 1/8, (high,1) 3/8. Accepted 1/2; of the qualified 3/4, of the
    others 1/4; reward 3/8 - 1/16 = 5/16. The high and unqualified fall to (low,0), the others stay.
    a, step 1: (low,0) 1/2, (low,1) 1/8, (high,1) 3/8. Accepted 3/8; of the qualified 3/4, of the others 0; reward 3/8.
    b is low for good: nobody accepted, half of them qualified.
    """
    fairstep.write("model.json", hand())
    fairstep.write("policy.json", hand_policy([[[0, 1]] * 2] * 2))
    return fairstep


def test_json_has_the_hand_worked_numbers(worked):
    document = worked("evaluate", "model.json", "policy.json", "--json", code=0).json
    assert document["schema"] == "fairstep/evaluation/1"
    assert document["warnings"] == []
    assert document["model"] == "model.json"
    assert document["policy"] == "policy.json"
    assert document["groups"] == ["a", "b"]
    assert document["value"] == pytest.approx(3 / 4 * (5 / 16 + 3 / 8))
    assert document["value_per_step"] == pytest.approx([15 / 64, 18 / 64])
    assert document["value_per_group"] == pytest.approx([11 / 16, 0])
    rates = document["rates"]
    assert rates["accept"] == [pytest.approx([1 / 2, 3 / 8]), [0, 0]]
    assert rates["tpr"] == [pytest.approx([3 / 4, 3 / 4]), [0, 0]]
    assert rates["fpr"] == [pytest.approx([1 / 4, 0]), [0, 0]]
    assert rates["qualified"] == [pytest.approx([1 / 2, 1 / 2]), pytest.approx([1 / 2, 1 / 2])]
    assert document["gap"]["dp"] == pytest.approx([1 / 2, 3 / 8])
    assert document["gap"]["eqopt"] == pytest.approx([3 / 4, 3 / 4])
    assert document["gap"]["eqodds"] == pytest.approx([3 / 4, 3 / 4])
    assert document["worst_pair"] == {key: [["a", "b"]] * 2 for key in ("dp", "eqopt", "eqodds")}
    assert document["worst"]["dp"] == {"gap": pytest.approx(1 / 2), "step": 0, "pair": ["a", "b"]}
    assert document["aggregate_dp"] == pytest.approx([7 / 16, 0])  # (1/2 + 3/8) / 2
    assert document["aggregate_dp_gap"] == pytest.approx(7 / 16)
    assert document["aggregate_dp_pair"] == ["a", "b"]
    assert document["aggregate_eqopt"] == pytest.approx([3 / 4, 0])
    assert document["aggregate_eqopt_gap"] == pytest.approx(3 / 4)
    assert document["feature"][0] == [pytest.approx([1 / 2, 1 / 2]), pytest.approx([5 / 8, 3 / 8])]
    assert "q" not in document
    assert "v" not in document


def test_values_are_given_on_request(worked):
    document = worked("evaluate", "model.json", "policy.json", "--json", "--values", code=0).json
    # From (high,1) at step 0: accepted twice, 1 + 1. Refusing at step 0 leaves the 1 of step 1.
    assert document["v"][0][0][1][1] == pytest.approx(2)
    assert document["q"][0][0][1][1] == [pytest.approx(1), pytest.approx(2)]
    assert document["v"][0][1][0] == [0, 0]


PAGE = """\
model.json under policy.json
monotone: acceptance never falls as the feature rises
value 0.515625 per person: a 0.6875, b 0

        accepted          of qualified      of unqualified    share qualified
step         a       b         a       b         a       b         a       b
   0    0.5000  0.0000    0.7500  0.0000    0.2500  0.0000    0.5000  0.5000
   1    0.3750  0.0000    0.7500  0.0000    0.0000  0.0000    0.5000  0.5000

                  gap between groups
step     value        dp   eqopt  eqodds
   0    0.2344    0.5000  0.7500  0.7500
   1    0.2812    0.3750  0.7500  0.7500

accepted over all steps: a 0.4375, b 0.0000, gap 0.4375
accepted of the qualified over all steps: a 0.7500, b 0.0000, gap 0.7500
worst gap: 0.7500, equal opportunity at step 0, a against b
least ratio: dp-ratio 0.0000 (step 0, b beside a), eqopt-ratio 0.0000 (step 0, b
beside a)
"""


def test_the_page_for_people(worked):
    run = worked("evaluate", "model.json", "policy.json", code=0)
    assert run.out == PAGE
    assert run.err == ""


def test_an_undefined_rate_is_null_with_a_reason(fairstep):
    model = hand()
    model["initial"][1] = [[1.0, 0.0], [0.0, 0.0]]  # nobody of b is ever qualified
    fairstep.write("model.json", model)
    fairstep.write("policy.json", hand_policy([[[0, 1]] * 2] * 2))
    document = fairstep("evaluate", "model.json", "policy.json", "--json", code=0).json
    assert document["rates"]["tpr"][1] == [None, None]
    assert document["gap"]["eqopt"] == [None, None]
    assert document["worst_pair"]["eqopt"] == [None, None]
    assert document["worst"]["eqopt"] is None
    assert document["aggregate_eqopt"][1] is None
    assert document["aggregate_eqopt_gap"] is None
    assert document["gap"]["eqodds"] == pytest.approx([1 / 4, 0])
    assert document["warnings"] == [
        "rates.tpr[g=b] is undefined at steps 0-1: nobody of b is qualified there",
        "aggregate_eqopt[g=b] is undefined: nobody of b is ever qualified",
        "gap.eqopt is undefined at steps 0-1: fewer than two groups have the rate there",
    ]
    run = fairstep("evaluate", "model.json", "policy.json", code=0)
    assert run.err.startswith("warning: rates.tpr[g=b] is undefined at steps 0-1")
    assert "nan" not in run.out


def test_three_groups_name_the_worst_pair(fairstep):
    fairstep("env", "fico", "--groups", "white,black,asian", "-o", "m.json", code=0)
    fairstep("policy", "m.json", "--threshold", "x=2", "-o", "p.json", code=0)
    document = fairstep("evaluate", "m.json", "p.json", "--json", code=0).json
    accept = document["rates"]["accept"]
    for h in range(8):
        pairs = {(i, j): abs(accept[i][h] - accept[j][h]) for i in range(3) for j in range(i + 1, 3)}
        first, second = max(pairs, key=pairs.get)
        assert document["gap"]["dp"][h] == pytest.approx(pairs[first, second])
        assert document["worst_pair"]["dp"][h] == [document["groups"][first], document["groups"][second]]
    out = fairstep("evaluate", "m.json", "p.json", code=0).out
    assert "black - asian" in out


@pytest.mark.parametrize("columns", [60, 80, 120, 200])
@pytest.mark.parametrize("groups", ["white,black", "white,black,hispanic,asian"])
def test_the_page_fits_the_width(fairstep, columns, groups):
    fairstep("env", "fico", "--groups", groups, "-o", "m.json", code=0)
    fairstep("policy", "m.json", "--threshold", "x=2", "-o", "p.json", code=0)
    out = fairstep("evaluate", "m.json", "p.json", env={"COLUMNS": str(columns)}, code=0).out
    assert max(map(len, out.splitlines())) <= columns


def test_a_policy_that_does_not_fit_is_refused_with_its_file(worked):
    worked.write("long.json", hand_policy([[[0, 1]] * 3] * 2))
    run = worked("evaluate", "model.json", "long.json", code=2)
    assert run.err.startswith("error: the policy has 3 steps, the model has horizon 2\n  in long.json at /accept\n")
    worked.write("others.json", hand_policy([[[0, 1]] * 2] * 2, groups=("a", "c")))
    run = worked("evaluate", "model.json", "others.json", code=2)
    assert run.err.startswith("error: the policy is for the groups a, c, the model has a, b\n")


def test_a_file_may_come_through_a_pipe(worked):
    run = worked.line("cat model.json | fairstep evaluate /dev/stdin policy.json | tail -n 3 | head -n 1")
    assert run.out == "worst gap: 0.7500, equal opportunity at step 0, a against b\n"


def test_swapped_arguments_are_noticed(worked):
    run = worked("evaluate", "policy.json", "model.json", code=2)
    assert run.err.startswith("error: the file holds a policy, expected a model\n  in policy.json")
