"""`show` and `compare`: what is in a file on one screen, and policies side by side."""

import csv
import json
import os
import pty
import re
import subprocess

import pytest
from conftest import BINARY, PATIENCE, Fairstep

LINES = """\
fairstep env fico --horizon 4 -o model.json
fairstep policy model.json --threshold x=2 -o usual.json
fairstep policy model.json --threshold x=2 --group-independent -o blind.json
fairstep solve model.json --fairness dp --limit 0.05 --no-proof --json > solution.json
fairstep pareto model.json --fairness dp --limits 0,0.1 --no-proof --json -o frontier.json > frontier.txt
fairstep simulate model.json usual.json --people-per-group 20000 -o counts.json
fairstep certify counts.json usual.json --fairness dp -o certificate.json > certified.txt
fairstep fit counts.json --radii radii.json -o fitted.json > fitted.txt
fairstep learn model.json --fairness dp --schedule 8,16 --no-proof -o run > learned.txt
"""
# White: 0.25 is refused in the middle at steps 0 and 1. Black: the same at all steps.
FALLING = {
    "schema": "fairstep/policy/1",
    "groups": ["white", "black"],
    "accept": [[[0.5, 0.25, 1], [0.5, 0.25, 1], [0, 0, 1]], [[0, 0, 1]] * 3],
}


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    fairstep = Fairstep(tmp_path_factory.mktemp("show"))
    for line in LINES.splitlines():
        done = fairstep.line(line)
        assert done.code == 0, done.err
    (fairstep.folder / "falling.json").write_text(json.dumps(FALLING))
    return fairstep


def columns(text, caption):
    """Heads and rows of the table below a caption."""
    lines = text[text.index(caption) :].splitlines()[1:]
    table = [line.split() for line in lines[: lines.index("") if "" in lines else None]]
    return table[0], table[1:]


def test_a_policy_is_a_table_of_steps_that_are_alike(files):
    text = files("show", "falling.json", code=0).out
    # Tables of both groups have the same features and stand side by side: white's steps 0-1 and 2, black's 0-2.
    rows = [line.split() for line in text.splitlines() if line.startswith("x=")]
    assert rows == [["x=0", "0.5000", "0", "0"], ["x=1", "0.2500", "0", "0"], ["x=2", "1", "1", "1"]]
    assert ["feature", "0-1", "2", "0-2"] in [line.split() for line in text.splitlines()]
    assert "acceptance falls as the feature rises 2 of 12 times" in " ".join(text.split())
    assert "most for white at step 0, from 0.5000 at x=0 to 0.2500 at x=1" in " ".join(text.split())


def test_groups_that_are_treated_alike_share_a_table_and_the_model_names_features(files):
    text = files("show", "usual.json", "--model", "model.json", code=0).out
    heads, rows = columns(text, "white, black: share accepted at step")
    assert heads == ["feature", "0-3"]
    assert rows == [["0", "0"], ["25", "0"], ["50", "1"], ["75", "1"], ["100", "1"]]
    assert "monotone: acceptance never falls" in text
    assert "any group: share accepted" in files("show", "blind.json", code=0).out


def test_the_sentence_about_falls_is_that_of_evaluate(files):
    files.line("fairstep solve model.json --fairness dp --limit 0.05 --no-proof -o fair.json")
    shown = " ".join(files("show", "fair.json", "--model", "model.json", code=0).out.split())
    evaluated = " ".join(files("evaluate", "model.json", "fair.json", code=0).out.split())
    sentence = re.search(r"(not )?monotone: .*? at step \d, from [0-9.]+ at \d+ to [0-9.]+ at \d+", evaluated).group()
    assert sentence in shown


def test_json_has_the_whole_table(files):
    document = files("show", "falling.json", "--json", code=0).json
    assert document["schema"] == "fairstep/shown/1"
    assert document["kind"] == "policy"
    assert document["accept"] == FALLING["accept"]
    assert document["monotone"]["falls"] == 2


@pytest.mark.parametrize(
    ("name", "kind", "said"),
    [
        ("model.json", "model", ["a model", "who comes", "of them qualified", "0.0956"]),
        ("counts.json", "counts", ["counts", "20,000", "share accepted"]),
        ("certificate.json", "certificate", ["it holds", "delta: 0.05", "One kernel; ", "gap at most", "SHA-256"]),
        ("solution.json", "solution", ["outcome: feasible", "share accepted at step"]),
        ("frontier.json", "frontier", ["The best value under each limit", "0.1"]),
        ("radii.json", "radii", ['of the kind "radii" (fairstep/radii/1)', "delta: 0.1"]),
        ("run", "run", ["finished, 2 updates", "fairstep show run/updates/0001.policy.json"]),
        ("run/result.json", "run", ["finished, 2 updates"]),
    ],
)
def test_every_kind_of_file_is_one_screen_and_one_document(files, name, kind, said):
    text = files("show", name, code=0).out
    for words in said:
        assert words in text
    assert len(text.splitlines()) <= 50
    assert max(map(len, text.splitlines())) <= 100
    assert files("show", name, "--json", code=0).json["kind"] == kind


def test_a_document_that_nobody_knows_yet_says_what_it_is(files):
    files.write("new.json", '{"schema": "fairstep/invention/3", "claim": "x", "steps": [1, 2]}')
    text = files("show", "new.json", code=0).out
    assert 'a document of the kind "invention" (fairstep/invention/3)' in text
    assert 'claim: "x"' in text
    assert "steps: a list of 2" in text


def test_a_certificate_that_does_not_hold_is_not_shown_as_if_it_did(files):
    document = json.loads((files.folder / "certificate.json").read_text())
    document["certified_gap"]["dp"][0] /= 2
    files.write("false.json", json.dumps(document))
    run = files("show", "false.json", code=1)
    assert "IT DOES NOT HOLD" in run.out
    assert files("show", "false.json", "--json", code=1).json["holds"] is False


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["missing.json"], "there is no such file"),
        (["usual.json", "-o", "page.txt"], "expected a name that ends in .html or .md"),
        ([".", "--json"], "a folder without result.json or experiment.json"),
        (["falling.json", "--model", "model.json"], "the policy has 3 steps, the model has horizon 4"),
    ],
)
def test_what_cannot_be_shown_is_an_error(files, words, said):
    run = files("show", *words, code=2)
    assert said in run.err + run.out


def in_terminal(folder, words, **more):
    """stdout of a terminal of 100 columns."""
    ours, theirs = pty.openpty()
    environment = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    environment |= {"TERM": "xterm-256color", "COLUMNS": "100"} | more
    done = subprocess.run([BINARY, *words], cwd=folder, stdout=theirs, env=environment, timeout=PATIENCE)
    os.close(theirs)
    out = b""
    try:
        while part := os.read(ours, 1 << 16):
            out += part
    except OSError:  # the other end is closed, and all is read
        pass
    os.close(ours)
    assert done.returncode == 0
    return out.decode().replace("\r\n", "\n")


def test_shares_are_shaded_on_a_terminal_only(files):
    coloured = in_terminal(files.folder, ["show", "falling.json"])
    assert "\x1b[48;5;" in coloured
    without = re.sub(r"\x1b\[[0-9;]*m", "", coloured)
    assert without == in_terminal(files.folder, ["show", "falling.json"], NO_COLOR="1")
    assert without == in_terminal(files.folder, ["show", "falling.json"], TERM="dumb")
    assert "\x1b" not in files("show", "falling.json", code=0).out
    # Neither 0 nor 1 has the shade of anything between: 0, 0.25, 0.5 and 1 are four shades.
    assert len(set(re.findall(r"48;5;(\d+)", coloured))) == 4


def test_names_cannot_paint_a_terminal(files):
    """An escape in a name is refused by the reader of policies; in a model's text it is written out."""
    document = json.loads((files.folder / "model.json").read_text())
    document["description"] = "red \u202e text"
    files.write("painted.json", json.dumps(document))
    assert "\u202e" not in in_terminal(files.folder, ["show", "painted.json"])


def test_pages_have_tables_with_shades_and_pictures_and_ask_for_nothing(files):
    files("show", "falling.json", "-o", "falling.html", code=0)
    page = (files.folder / "falling.html").read_text()
    assert '<td class="k8">1</td>' in page
    assert '<td class="k2">0.2500</td>' in page
    assert "<svg" in page
    assert "http" not in page.replace("http-equiv", "")
    files("compare", "model.json", "usual.json", "blind.json", "--html", "both.html", code=0)
    assert "<svg" in (files.folder / "both.html").read_text()
    files("show", "falling.json", "-o", "falling.md", code=0)
    assert "| x=1 | 0.2500 | 0 |" in (files.folder / "falling.md").read_text()


def test_compared_policies_have_the_numbers_of_the_referee(files):
    files.line("fairstep policy model.json --uniform 0.5 -o half.json")
    document = files("compare", "model.json", "usual.json", "half.json", "--json", code=0).json
    for policy in document["policies"]:
        alone = files("evaluate", "model.json", policy["file"], "--json", code=0).json
        assert policy["value"] == alone["value"]
        assert policy["gap"] == alone["gap"]
        assert policy["rates"]["accept"] == alone["rates"]["accept"]
        assert policy["monotone"] == alone["monotone"]
    usual, half = document["policies"]
    assert usual["differs"] == [] and usual["changed_share"] == 0
    # 0 and 1 against 0.5 everywhere: half of all decisions change, and all 2 x 4 x 5 cells differ.
    assert half["changed_share"] == pytest.approx(0.5, abs=1e-12)
    assert half["changed"] == pytest.approx([0.5] * 4, abs=1e-12)
    assert len(half["differs"]) == 40
    shares = files("evaluate", "model.json", "usual.json", "--json", code=0).json
    for cell in half["differs"]:
        g, x = document["groups"].index(cell["group"]), shares["features"].index(cell["feature"])
        there = shares["share"][g] * shares["feature"][g][cell["step"]][x]
        assert cell["people"][0] == pytest.approx(there, abs=1e-15)


def test_policies_that_are_the_same_are_said_to_be(files):
    text = files("compare", "model.json", "usual.json", "blind.json", code=0).out
    assert "blind decides everywhere as usual does" in text
    assert "expected two or more" in files("compare", "model.json", "usual.json", code=2).err


def test_files_of_one_name_go_by_their_paths(files):
    (files.folder / "other").mkdir(exist_ok=True)
    (files.folder / "other" / "usual.json").write_text((files.folder / "blind.json").read_text())
    text = files("compare", "model.json", "usual.json", "other/usual.json", code=0).out
    assert "other/usual.json decides everywhere as usual.json does" in text


def test_quiet_with_a_file_prints_nothing(files):
    for words in (
        ["simulate", "model.json", "usual.json", "--people", "50", "-o", "few.json"],
        ["solve", "model.json", "--fairness", "dp", "--no-proof", "-o", "fair.json"],
        ["fit", "counts.json", "-o", "fitted.json"],
        ["show", "usual.json", "-o", "usual.html"],
    ):
        run = files(*words, "--quiet", code=0)
        assert (run.out, run.err) == ("", "")
        assert files(*words, "--quiet", "--json", code=0).json
    assert "value" in files("evaluate", "model.json", "usual.json", "--quiet", code=0).out


def test_rates_go_into_a_csv_file(files):
    files("evaluate", "model.json", "usual.json", "--csv", "rates.csv", code=0)
    lines = (files.folder / "rates.csv").read_text().splitlines()
    assert lines[0] == "step,group,accept,tpr,fpr,qualified"
    assert len(lines) == 1 + 4 * 2
    alone = files("evaluate", "model.json", "usual.json", "--json", code=0).json
    assert lines[2].split(",")[:2] == ["0", "black"]
    assert float(lines[2].split(",")[2]) == alone["rates"]["accept"][1][0]


def test_a_file_in_the_wrong_place_is_told_where_it_belongs(files):
    assert "given the other way round" in files("evaluate", "usual.json", "model.json", code=2).err
    assert "fairstep fit estimates a model" in files("solve", "counts.json", "--fairness", "dp", code=2).err
    assert "this is a JSON document, expected a log" in files("count", "model.json", code=2).err
    files.folder.joinpath("wide.json").write_bytes((files.folder / "usual.json").read_text().encode("utf-16"))
    assert "the document is UTF-16, expected UTF-8" in files("show", "wide.json", code=2).err
    refused = files("policy", "model.json", "--threshold", "51", code=2).err
    assert "features: 0, 25, 50, 75, 100" in refused
    assert files("-V", code=0).out == files("--version", code=0).out


def test_every_verb_has_a_role_in_help_but_those_about_the_command(files):
    sections = re.split(r"\n([a-z ]+):\n", files("--help", code=0).out)
    last = sections[sections.index("the command itself") + 1]
    assert re.findall(r"^  (\S+)", last, re.M) == ["completion", "manual"]


def test_fish_is_offered_what_the_others_are(files):
    script = files("completion", "fish", code=0).out
    assert "complete -c fairstep -n '__fairstep_is' -f -a 'solve'" in script
    assert "complete -c fairstep -n '__fairstep_is solve' -l limit -x" in script
    assert "-n '__fairstep_is env' -f -a 'fico'" in script


def test_bounds_of_a_solution_are_rounded_to_the_safe_side(files):
    document = json.loads((files.folder / "solution.json").read_text())
    # To six digits the nearest are 0.123457 and 0.654321, each on the wrong side of its bound.
    document["bounds"] = {"lower": 0.1234566, "upper": 0.6543211}
    files.write("bounds.json", json.dumps(document))
    assert "the best is from 0.123456 to 0.654322" in files("show", "bounds.json", code=0).out
    document["bounds"]["upper"] = None
    files.write("bounds.json", json.dumps(document))
    assert "the best is 0.123456 or more" in files("show", "bounds.json", code=0).out


@pytest.fixture(scope="module")
def hidden(files):
    """Counts of a log in which the refused have no label, and its rows."""
    files("simulate", "model.json", "usual.json", "--people", "500", "-o", "log.csv", code=0)
    with (files.folder / "log.csv").open() as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        row["y"] = row["y"] if row["a"] == "1" else ""
    with (files.folder / "hidden.csv").open("w") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)
    files("count", "hidden.csv", "--like", "model.json", "--censored", "drop", "-o", "hidden.json", code=0)
    return rows


def test_decisions_without_a_label_are_in_the_shares_and_what_was_left_out_is_said(files, hidden):
    document = files("show", "hidden.json", "--json", code=0).json
    shares = document["tables"][1]["rows"]
    for step in range(4):
        for g, group in enumerate(["white", "black"]):
            decided = [row["a"] for row in hidden if row["group"] == group and row["step"] == str(step)]
            assert shares[step][1 + g] == decided.count("1") / len(decided) < 1
    assert document["unlabelled"] == sum(row["a"] == "0" for row in hidden)
    assert any("decisions without a label are left out (--censored drop)" in line for line in document["warnings"])
    assert document["warnings"][0].startswith("missing y: ")
    assert "are left out (--censored drop)" in files("show", "hidden.json", code=0).err
    files("show", "hidden.json", "-o", "hidden.md", code=0)
    assert "are left out (--censored drop)" in (files.folder / "hidden.md").read_text()
    assert files("show", "counts.json", "--json", code=0).json["unlabelled"] == 0


def test_rows_that_could_not_be_used_are_said(files, hidden):
    lines = (files.folder / "log.csv").read_text().splitlines()
    place = lines[0].split(",").index("x")
    lines[1] = ",".join("lost" if i == place else field for i, field in enumerate(lines[1].split(",")))
    files.write("lossy.csv", "\n".join(lines) + "\n")
    files("count", "lossy.csv", "--like", "model.json", "-o", "lossy.json", code=0)
    # 500 people with four decisions each, of which one has no feature: 1 of 2000 is 0.05 %, rounded up to 0.1 %.
    assert "1 of 2,000 rows (0.1 %) could not be used" in files("show", "lossy.json", code=0).err


def test_a_certificate_is_shown_with_all_that_check_says_is_certified(files):
    words = ["certify", "counts.json", "usual.json", "--fairness", "dp,dp-ratio", "--reference", "white"]
    files(*words, "--aggregate-dp", "1", "-o", "ratios.json", code=0)
    certified = files("check", "ratios.json", "--json", code=0).json["certified"]
    assert "beside white at least" in certified and "over the whole episode" in certified
    assert certified in " ".join(files("show", "ratios.json", code=0).out.split())
    shown = files("show", "ratios.json", "--json", code=0).json
    document = json.loads((files.folder / "ratios.json").read_text())
    assert shown["certified"] == certified
    for key in ("certified_ratio", "estimated_ratio", "certified_aggregate_gap", "estimated_aggregate_gap"):
        assert shown[key] == document[key]
    assert shown["reference"] == "white"


def test_a_certificate_of_labels_that_follow_features_says_the_rule(files, hidden):
    words = ["certify", "hidden.json", "usual.json", "--fairness", "dp,eqopt", "--labels", "follow-features"]
    files(*words, "--refused", "odds=2", "-o", "rule.json", code=0)
    assert "labels: follow-features; of those not seen: odds 2" in files("show", "rule.json", code=0).out
    shown = files("show", "rule.json", "--json", code=0).json
    assert (shown["labels"], shown["refused"], shown["odds"]) == ("follow-features", "odds", 2)
    # The gap between accepted shares needs no label, and no rule about those that were not seen.
    files(*words[:4], "dp", *words[5:], "-o", "no-rule.json", code=0)
    assert "labels: follow-features\n" in files("show", "no-rule.json", code=0).out


def test_warnings_of_a_model_stay_with_what_was_made_of_it(files, hidden):
    files("fit", "hidden.json", "--unvisited", "stay", "-o", "half-seen.json", code=0)
    said = "all that involves labels is about those whose label was seen"
    solved = files("solve", "half-seen.json", "--fairness", "dp", "--limit", "0.1", "--no-proof", "--json", code=0)
    files.write("warned.json", solved.out)
    words = ["pareto", "half-seen.json", "--fairness", "dp", "--limits", "0.1,0.2", "--no-proof"]
    files(*words, "--json", "-o", "warned-frontier.json", code=0)
    for name in ("warned.json", "warned-frontier.json"):
        shown = files("show", name, "--json", code=0).json
        assert shown["warnings"] == solved.json["warnings"]
        assert said in files("show", name, code=0).err
        files("show", name, "-o", "warned.md", code=0)
        assert said in (files.folder / "warned.md").read_text()
    assert files("show", "warned.json", "--json", code=0).json["rests_on"] == solved.json["rests_on"]
    files("compare", "half-seen.json", "usual.json", "blind.json", "-o", "warned-both.md", code=0)
    assert said in (files.folder / "warned-both.md").read_text()
    files("show", "half-seen.json", "-o", "half-seen.md", code=0)
    assert (files.folder / "half-seen.md").read_text().count(said) == 1


def test_a_power_of_two_updates_is_not_shown(files):
    assert "k^" not in files("show", "run", code=0).out
    files("learn", "model.json", "--fairness", "dp", "--schedule", "8,16,32", "--no-proof", "-o", "longer", code=0)
    assert re.search(r"regret: about k\^-?\d+\.\d{3}, over 3 updates", files("show", "longer", code=0).out)


def test_the_state_of_a_monitor_is_told_from_other_folders(files, hidden):
    files("monitor", "state", "log.csv", "--limit", "0.9", code=0)
    text = files("show", "state", code=0).out
    assert "this is the state of a monitor" in text
    assert "fairstep monitor state" in text
    assert files("show", "state", "--json", code=0).json["kind"] == "monitor"
    assert "fairstep monitor state" in files("show", "state/monitor.json", code=0).out


def test_a_proof_says_what_it_claims_and_that_it_was_not_checked(files):
    files("solve", "model.json", "--fairness", "dp", "--limit", "0.05", "--proof", "proof.json", code=0)
    text = " ".join(files("show", "proof.json", code=0).out.split())
    statement = files("check", "proof.json", "--model", "model.json", "--json", code=0).json["statement"]
    assert f"nothing of it was checked here: {statement}" in text
    assert "fairstep check proof.json --model MODEL" in text
    shown = files("show", "proof.json", "--json", code=0).json
    assert (shown["kind"], shown["checked"], shown["statement"]) == ("proof", False, statement)


def test_validate_says_what_another_file_is_and_who_checks_it(files, hidden):
    files("solve", "model.json", "--fairness", "dp", "--limit", "0.05", "--proof", "proof.json", code=0)
    files("monitor", "validated", "log.csv", "--limit", "0.9", code=0)
    for name, is_a, verb in (
        ("certificate.json", "holds a certificate", "fairstep check"),
        ("proof.json", "holds a proof of a bound", "fairstep check"),
        ("validated/monitor.json", "is of the state of a monitor", "fairstep monitor"),
        ("validated/000001.json", "is of the state of a monitor", "fairstep monitor"),
    ):
        run = files("validate", name, code=2)
        assert run.out == f"{name}: not a file that validate reads\n"
        assert f"the file {is_a}, expected a model, a policy or counts" in run.err
        assert verb in run.err
        assert "did you mean" not in run.err
