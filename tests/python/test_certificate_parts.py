"""Both checkers on certificates of two parts: what is claimed of them, which parts belong together, every number."""

import hashlib
import json

import certificate_mutations
import pytest
from test_certificate_checkers import both, certificate, edited, put

# What was changed, in the certificate or in a document inside, and the exit code that it has by docs/certify.md.
CHANGED = [
    ("two parts", lambda whole: whole.pop("bound_by"), None, 2),
    ("two parts", lambda whole: whole["inputs"].pop("design"), None, 2),
    ("two parts", lambda whole: whole["inputs"].update(design=whole["inputs"]["counts"]), None, 2),
    ("two parts", lambda whole: whole["delta_split"].pop("path"), None, 2),
    ("two parts", put("inputs", "design", "sha256", "0" * 64), None, 1),
    ("two parts", put("inputs", "design", "file", "another"), None, 0),
    ("two parts", put("bound_by", "value", "worst-case"), None, 1),
    ("two parts", put("bound_by", "value", None), None, 1),
    ("two parts", put("bound_by", "dp", 0, "worst-case"), None, 1),
    ("two parts", put("bound_by", "dp", 0, "both"), None, 1),
    ("two parts", put("delta_split", "directions", 0.05), None, 1),
    ("two parts", put("delta_split", "question", 0.001), None, 1),
    ("two parts", put("delta_split", "path", 0.001), None, 1),
    ("two parts", lambda counts: counts.pop("part"), "counts", 2),
    ("two parts", lambda counts: counts.pop("part"), "design", 2),
    ("two parts", put("part", "role", "design"), "counts", 2),
    ("two parts", put("part", "role", "audit"), "design", 2),
    ("two parts", put("part", "share", 0.5), "design", 2),
    ("two parts", put("part", "share", 0), "design", 2),
    ("two parts", put("part", "seed", 8), "design", 2),
    ("two parts", put("part", "logs", ["a" * 64]), "design", 2),
    ("two parts", put("part", "logs", ["a" * 64, "0" * 64]), "design", 2),
    ("two parts", put("part", "logs", ["0" * 63, "a" * 64]), "design", 2),
    ("two parts", put("groups", ["b", "a"]), "design", 2),
    ("two parts", put("features", ["high", "low"]), "design", 2),
    ("two parts", put("horizon", 3), "design", 2),
    ("two parts", put("transitions", 0, 0, 0, 0, 0, 0, 10**9), "design", 1),
    ("two parts", put("log", "censored", "assume-ignorable"), "design", 0),
    ("two parts", put("first", 0, 0, 0, 0), "design", 1),
    ("two parts", put("log", "lost", "first", 0, 9), "design", 0),
    ("two parts, counted rewards, lost rows", put("reward_sum", 0, 1, 1, 1, 1), "design", 1),
    ("two parts, lost rows", lambda whole: whole["if_nothing_lost"]["certified_gap"]["dp"].reverse(), None, 1),
]


@pytest.mark.parametrize("kind", sorted({kind for kind, *_ in CHANGED}))
def test_what_is_changed_is_refused_with_the_code_of_the_rule(fairstep, kind):
    text = certificate(fairstep, kind)
    for of_kind, change, name, code in CHANGED:
        if of_kind == kind:
            content = edited(text, change, name)
            assert both(fairstep, content)[:2] == (code, code), (content[:2000], both(fairstep, content))


def numbers(value, path=()):
    """Paths to all numbers that are claimed about the data."""
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inside in parts:
        if key not in ("inputs", "diagnosis", "delta", "discount", "reward_range"):
            yield from numbers(inside, (*path, key))
    if isinstance(value, float):
        yield path


@pytest.mark.parametrize("kind", ["two parts, counted rewards, lost rows", "two parts, followed"])
def test_both_find_every_number_that_was_changed(fairstep, kind):
    text = certificate(fairstep, kind)
    whole = json.loads(text)
    paths = list(numbers(whole))
    assert len(paths) > 80
    for i, path in enumerate(paths):
        changed = certificate_mutations.at(whole, path) + (1e-7 if i % 2 else -1e-7)
        assert both(fairstep, edited(text, put(*path, changed)))[:2] == (1, 1), (path, changed)


# Cause: the tool took any number for a seed, and compared seeds as doubles; the command took any text for a
# fingerprint.
@pytest.mark.parametrize(
    ("audit", "design", "code"),
    [
        ("18446744073709551615", "18446744073709551615", 0),
        ("-0", "0", 0),
        ("7.0", "7.0", 2),
        ("-1", "-1", 2),
        ("18446744073709551616", "18446744073709551616", 2),
        ("7", "7e0", 2),
        ("9007199254740993", "9007199254740992", 2),
    ],
)
def test_seeds_are_whole_numbers_and_the_same_to_the_last_digit(fairstep, audit, design, code):
    text = certificate(fairstep, "two parts")
    for name, seed in (("counts", audit), ("design", design)):
        text = edited(text, put("part", "seed", 0.5), name).decode()
        text = text.replace('\\"seed\\": 0.5', f'\\"seed\\": {seed}')
        whole = json.loads(text)
        inside = whole["inputs"][name]
        inside["sha256"] = hashlib.sha256(inside["text"].encode()).hexdigest()
        text = json.dumps(whole)
    assert both(fairstep, text.encode())[:2] == (code, code)


@pytest.mark.parametrize("logs", [["A" * 64], ["a" * 63], ["b" * 64, "a" * 64], ["\uff10" * 64], ["a" * 64 + "\n"]])
def test_logs_are_fingerprints_in_order(fairstep, logs):
    text = certificate(fairstep, "two parts")
    for name in ("counts", "design"):
        text = edited(text, put("part", "logs", logs), name).decode()
    assert both(fairstep, text.encode())[:2] == (2, 2)


# Cause: the audit part itself, called a design part, was taken for its own design part.
def test_the_design_part_is_the_one_that_the_audit_part_names(fairstep):
    text = certificate(fairstep, "two parts, history")
    assert both(fairstep, text.encode())[:2] == (0, 0)
    assert both(fairstep, edited(text, lambda design: None, "design"))[:2] == (0, 0)  # written otherwise

    def become_the_audit_part(whole):
        counts = json.loads(whole["inputs"]["counts"]["text"])
        counts["part"]["role"] = "design"
        inside = json.dumps(counts)
        whole["inputs"]["design"] |= {"text": inside, "sha256": hashlib.sha256(inside.encode()).hexdigest()}

    assert both(fairstep, edited(text, become_the_audit_part))[:2] == (2, 2)
    assert both(fairstep, edited(text, put("visits", 0, 0, 0, 0, 0, 10**6), "design"))[:2] == (2, 2)
    assert both(fairstep, edited(text, put("reward_sum", 0, 0, 0, 0, 1e-3), "design"))[:2] == (2, 2)
    fairstep.write("forged.json", fairstep.read("counts.json") | {"part": fairstep.read("design.json")["part"]})
    run = fairstep("certify", "counts.json", "policy.json", "--design", "forged.json")
    assert run.code == 2 and "the fingerprint of these tables" in run.err, run.err


# Cause: the fingerprint is of people without a label, too, and both checkers left them out: every certificate of such a
# log was refused.
def test_people_without_a_label_have_a_say_in_the_fingerprint(fairstep):
    fairstep("env", "fico", "-o", "fico.json", code=0)
    fairstep("policy", "fico.json", "--uniform", "0.5", "-o", "half.json", code=0)
    fairstep("simulate", "fico.json", "half.json", "--people", "400", "--seed", "1", "-o", "full.csv", code=0)
    head, *rows = (fairstep.folder / "full.csv").read_text().splitlines()
    columns = head.split(",")
    label, action = columns.index("y"), columns.index("a")
    cells = [row.split(",") for row in rows]
    hidden = [[*row[:label], "" if row[action] == "0" else row[label], *row[label + 1 :]] for row in cells]
    (fairstep.folder / "log.csv").write_text("\n".join([head, *map(",".join, hidden)]) + "\n")
    split = ("--split", "0.3", "--seed", "2", "-o", "design.json", "--audit", "counts.json")
    fairstep("count", "log.csv", "--like", "fico.json", "--censored", "drop", *split, code=0)
    parts = ("counts.json", "half.json", "--design", "design.json", "--fairness", "dp")
    fairstep("certify", *parts, "-o", "certificate.json", code=0)
    text = (fairstep.folder / "certificate.json").read_text("utf-8")
    assert both(fairstep, text.encode())[:2] == (0, 0)
    for table in (("unlabelled", 0, 0, 0, 0), ("unlabelled_rows", "first", 0, 0)):
        changed = edited(text, put("log", *table, 10**6), "design")
        assert both(fairstep, changed)[:2] == (2, 2), table
    assert both(fairstep, edited(text, lambda design: design["log"].pop("unlabelled"), "design"))[:2] == (2, 2)


def test_both_parts_may_be_of_another_share_but_then_the_bounds_are_others(fairstep):
    text = certificate(fairstep, "two parts")
    for name in ("counts", "design"):
        text = edited(text, put("part", "share", 0.5), name).decode()
    assert both(fairstep, text.encode())[:2] == (1, 1)
    for name in ("counts", "design"):
        text = edited(text, put("part", "share", 0.25), name).decode()
        text = edited(text, put("part", "logs", ["b" * 64, "c" * 64]), name).decode()
    assert both(fairstep, text.encode())[:2] == (0, 0)


# Cause: so many people that both bounds are the same but for the 1e-12 by which certificates round up. The command
# takes either word there; the tool did not, and an honest certificate did not hold.
def test_where_both_bounds_are_the_same_but_for_rounding_either_may_be_named(fairstep):
    n = 10**14

    def part(role):
        """Everybody of group a is high and of group b low, for certain."""
        counts = {"schema": "fairstep/counts/1", "horizon": 1, "groups": ["a", "b"], "features": ["low", "high"]}
        counts |= {"part": {"role": role, "share": 0.5, "seed": 7, "logs": ["0" * 64, "a" * 64]}}
        counts |= {"first": [[[0, 0], [n, 0]], [[n, 0], [0, 0]]], "transitions": [[[[[[0, 0]] * 2] * 2] * 2] * 2] * 2}
        counts["visits"] = [[[[[0, 0]] * 2, [[n, 0], [0, 0]]]], [[[[n, 0], [0, 0]], [[0, 0]] * 2]]]
        return counts | {key: [[[[0.0] * 2] * 2] * 2] * 2 for key in ("reward_sum", "reward_squares")}

    for name, role in (("counts.json", "audit"), ("design.json", "design")):
        fairstep.write(name, part(role))
    fairstep.write("policy.json", {"schema": "fairstep/policy/1", "accept": [[[0.5, 0.0]], [[1e-9, 0.5]]]})
    words = ("--design", "design.json", "--fairness", "dp", "-o", "certificate.json")
    fairstep("certify", "counts.json", "policy.json", *words, code=0)
    text = (fairstep.folder / "certificate.json").read_text("utf-8")
    assert abs(json.loads(text)["certified_gap"]["dp"][0] - 1e-9) < 2e-12
    for word, code in (("split", 0), ("worst-case", 0), ("both", 1)):
        assert both(fairstep, edited(text, put("bound_by", "dp", 0, word)))[:2] == (code, code), word


# Cause: where one in two million is qualified each of them is paid so much that doubles were off by more than 1e-9, and
# an honest certificate did not hold. A gap may now be looser by as much, but not by more.
def test_a_gap_of_hardly_anybody_may_be_rounded_by_more(fairstep):
    def part(role, n, rare):
        counts = {"schema": "fairstep/counts/1", "horizon": 1, "groups": ["a", "b"], "features": ["low", "high"]}
        counts |= {"part": {"role": role, "share": 0.001, "seed": 7, "logs": ["0" * 64, "a" * 64]}}
        counts |= {"first": [[[n, n], [n, n]], [[4 * n, 0], [0, rare]]]}
        counts["visits"] = [[[[[n, 0]] * 2] * 2], [[[[4 * n, 0], [0, 0]], [[0, 0], [rare, 0]]]]]
        counts["transitions"] = [[[[[[0, 0]] * 2] * 2] * 2] * 2] * 2
        return counts | {key: [[[[0.0] * 2] * 2] * 2] * 2 for key in ("reward_sum", "reward_squares")}

    fairstep.write("design.json", part("design", 10**9, 2000))
    fairstep.write("counts.json", part("audit", 999 * 10**9, 2000 * 999))
    fairstep.write("policy.json", {"schema": "fairstep/policy/1", "accept": [[[0.25, 0.75]], [[0.5, 0.0]]]})
    words = ("--design", "design.json", "--fairness", "eqopt", "-o", "certificate.json")
    fairstep("certify", "counts.json", "policy.json", *words, code=0)
    text = (fairstep.folder / "certificate.json").read_text("utf-8")
    certificate = json.loads(text)
    assert certificate["bound_by"]["eqopt"] == ["split"]
    assert both(fairstep, text.encode())[:2] == (0, 0)
    gap = certificate["certified_gap"]["eqopt"][0]
    # 2e-13 (2 + 2,000,000) = 4e-7 for one step, and the label of half of group a.
    for more, code in ((1e-7, 0), (1e-6, 1), (-1e-6, 1)):
        changed = edited(text, put("certified_gap", "eqopt", 0, gap + more)).decode()
        assert both(fairstep, edited(changed, put("pairs", 0, "eqopt", 0, gap + more)))[:2] == (code, code), more
