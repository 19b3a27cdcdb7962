"""fairstep monitor: days that are added to a state, alarms that stay, and a state that nothing tears or changes."""

import hashlib
import json
import shutil
import signal
import subprocess

import pytest
from conftest import BINARY, PATIENCE, ROOT
from faults import compiled, faults, stopped
from jsonschema import Draft202012Validator
from small import hand
from test_cli_experiment import tree


def day(fairstep, name, accepted, people=200, start=0, steps=1):
    """Of each group so many people, of whom so many are accepted at every step: {"black": 120}."""
    lines = ["person,step,group,x,y,a"]
    for g, (group, number) in enumerate(accepted.items()):
        for i in range(people):
            for step in range(steps):
                lines.append(f"{start + g * people + i},{step},{group},{i % 2},{i % 3 % 2},{int(i < number)}")
    fairstep.write(name, "\n".join(lines) + "\n")


@pytest.fixture
def week(fairstep):
    """Five days: on the first four groups are alike, on the fifth 150 of 200 of white are accepted, and 60 of black."""
    for i in range(1, 5):
        day(fairstep, f"{i}.csv", {"black": 100 + i, "white": 101 + i}, start=1000 * i)
    day(fairstep, "5.csv", {"black": 60, "white": 150}, start=5000)
    return fairstep


def standing(fairstep, *words, code):
    return json.loads(fairstep("monitor", *words, "--json", code=code).out)


def test_an_alarm_names_day_step_and_pair_and_stays(week):
    for i in range(1, 5):
        words = ("--limit", "0.1") if i == 1 else ()
        found = standing(week, "state", f"{i}.csv", *words, "--date", f"2026-11-0{i}", code=0)
        assert (found["added"], found["days"], found["alarms"]) == (i, i, [])
    found = standing(week, "state", "5.csv", "--date", "2026-11-05", code=1)
    (alarm,) = found["alarms"]
    assert (alarm["day"], alarm["date"], alarm["step"]) == (5, "2026-11-05", 0)
    assert (alarm["group"], alarm["above"], alarm["at_most"], alarm["claim"]) == ("white", "black", 0.1, "limit")
    assert alarm["sentence"] == "step 0: white was accepted more often than black, by more than 0.1"
    # 101 + 102 + 103 + 104 + 60 of black; 102 + 103 + 104 + 105 + 150 of white.
    assert [group[0]["accepted"] for group in found["rates"]["accept"]] == [470, 564]
    assert [group[0]["decisions"] for group in found["rates"]["accept"]] == [1000, 1000]
    # Looking adds nothing, and ten more good days take nothing away.
    assert standing(week, "state", code=1)["fingerprint"] == found["fingerprint"]
    for i in range(6, 16):
        day(week, f"{i}.csv", {"black": 150, "white": 100}, start=1000 * i)
        found = standing(week, "state", f"{i}.csv", code=1)
    assert found["alarms"][0] == alarm
    assert "ALARM on day 5 (2026-11-05): step 0: white" in week("monitor", "state", code=1).out


def test_the_same_log_again_is_recognised_by_its_content_and_a_part_of_a_day_is_refused(week):
    week("monitor", "state", "1.csv", "2.csv", "--limit", "0.1", code=0)
    before = tree(week.folder / "state")
    shutil.copy(week.folder / "1.csv", week.folder / "copy.csv")
    done = week("monitor", "state", "copy.csv", "2.csv", code=0)
    assert "copy.csv 2.csv was added before, as day 1: nothing was added now" in done.err
    refused = week("monitor", "state", "3.csv", "copy.csv", code=2)
    assert "it was added before, as part of day 1, and people would count twice" in refused.err
    assert "copy.csv" in refused.err
    assert {k: v for k, v in tree(week.folder / "state").items() if k != ".lock"} == {
        k: v for k, v in before.items() if k != ".lock"
    }


def test_what_was_asked_at_the_start_stands(week):
    week("monitor", "state", "1.csv", "--limit", "0.1", "--map", "x=x", code=0)
    for words, said in {
        ("--limit", "0.2"): "--limit is 0.2, and the state was begun with 0.1",
        ("--delta", "0.1"): "--delta is 0.1, and the state was begun with 0.05",
        ("--fairness", "eqopt"): "--fairness is eqopt, and the state was begun with dp",
        ("--map", "x=y"): "how logs are read is --map x=y, and the state was begun with --map x=x",
        ("--certificate", "1.csv"): "--certificate is 1.csv, and the state was begun with none",
    }.items():
        assert said in " ".join(week("monitor", "state", "2.csv", *words, code=2).err.split()), words
    week("monitor", "state", "2.csv", "--limit", "0.1", "--map", "x=x", "--fairness", "dp", code=0)
    # How logs are read need not be said again.
    assert standing(week, "state", "3.csv", code=0)["days"] == 3


def test_names_steps_and_bins_of_like_hold_for_later_days(week):
    week("count", "1.csv", "--bins", "x=0,1", "--features", "low,high", "-o", "named.json", code=0)
    week("monitor", "state", "2.csv", "--like", "named.json", "--limit", "0.1", code=0)
    (week.folder / "named.json").unlink()
    assert standing(week, "state", "3.csv", code=0)["days"] == 2
    asked = json.loads((week.folder / "state" / "monitor.json").read_text())
    assert (asked["reading"], asked["steps_given"]) == ({"bins": ["x=0,1"]}, True)


def test_mistakes_are_told_and_leave_nothing(week):
    assert "a new state needs --limit, --certificate or both" in week("monitor", "new", "1.csv", code=2).err
    assert "there is no state in it" in week("monitor", "new", code=2).err
    assert "--limit" in week("monitor", "new", "1.csv", "--limit", "1.5", code=2).err
    assert "without --limit" in week("monitor", "new", "1.csv", "--fairness", "dp", "--certificate", "x", code=2).err
    assert "--date" in week("monitor", "new", "1.csv", "--limit", "0.1", "--date", "monday", code=2).err
    week("monitor", "new", "none.csv", "--limit", "0.1", code=2)
    assert not (week.folder / "new").exists()
    week.write("model.json", hand())
    assert "certificate" in week("monitor", "new", "1.csv", "--certificate", "model.json", code=2).err
    assert not (week.folder / "new").exists()
    # A step that the first day did not have, and a group.
    week("monitor", "state", "1.csv", "--limit", "0.1", code=0)
    day(week, "later.csv", {"black": 100, "white": 100}, start=9000, steps=2)
    assert "has a step that is none of the first day's, 0 to 0" in week("monitor", "state", "later.csv", code=2).err
    day(week, "other.csv", {"black": 100, "green": 100}, start=9000)
    assert "unknown" in week("monitor", "state", "other.csv", code=2).err
    assert standing(week, "state", code=0)["days"] == 1
    week("monitor", "wide", "1.csv", "--limit", "0.1", "--horizon", "1", code=0)
    assert standing(week, "wide", "later.csv", code=0)["days"] == 2


def test_the_rules_of_count_hold_for_every_day(week):
    """Rows that contradict each other are lost, whatever they would have said; a double counts once."""
    week("monitor", "state", "1.csv", "--limit", "0.1", code=0)
    text = (week.folder / "2.csv").read_text()
    text += "2000,0,black,0,0,1\n" + "2001,0,black,1,1,0\n"  # the row of person 2000 again; 2001 was accepted
    week.write("dirty.csv", text)
    done = week("monitor", "state", "dirty.csv", code=0)
    assert "duplicate: 1 row" in done.err and "conflict: 2 rows" in done.err
    kept = json.loads((week.folder / "state" / "000002.json").read_text())["rates"]["accept"]
    # Of 102 of black one is in conflict, and one decision is missing at most of each of its rows.
    assert (kept["accepted"][0], kept["decisions"][0], kept["missing"][0]) == ([101], [199], [2])
    assert (kept["accepted"][1], kept["decisions"][1], kept["missing"][1]) == ([103], [200], [0])


def test_labels_that_are_not_seen_prove_nothing_of_rates_that_need_them(week):
    day(week, "seen.csv", {"black": 120, "white": 300}, people=400)
    lines = (week.folder / "seen.csv").read_text().splitlines()
    hidden = [lines[0]] + [row if row.endswith(",1") else ",".join([*row.split(",")[:4], "", "0"]) for row in lines[1:]]
    week.write("hidden.csv", "\n".join(hidden) + "\n")
    found = standing(week, "state", "hidden.csv", "--limit", "0.1", "--fairness", "dp,eqopt", code=1)
    assert {alarm["rate"] for alarm in found["alarms"]} == {"accept"}
    # Each of those refused may have had label 1: 280 of black, 100 of white.
    assert [group[0]["missing"] for group in found["rates"]["tpr"]] == [280, 100]
    # With all labels the gap is proven of those with label 1 as well.
    found = standing(week, "other", "seen.csv", "--limit", "0.1", "--fairness", "dp,eqopt", code=1)
    assert {alarm["rate"] for alarm in found["alarms"]} == {"accept", "tpr"}
    week(
        "monitor", "drawn", "hidden.csv", "--limit", "0.1", "--fairness", "eqopt", "--censored", "assume-ignorable",
        code=2,
    )  # fmt: skip


def test_any_changed_byte_and_a_missing_day_are_named(week):
    for i in range(1, 4):
        week("monitor", "state", f"{i}.csv", "--limit", "0.1", code=0)
    for name in ("monitor.json", "000001.json", "000002.json", "000003.json"):
        path = week.folder / "state" / name
        whole = path.read_bytes()
        for at in range(0, len(whole), 97):
            path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
            assert name in week("monitor", "state", code=2).err, (name, at)
        path.write_bytes(whole)
    (week.folder / "state" / "000002.json").unlink()
    assert "000002.json" in week("monitor", "state", code=2).err


def test_a_certificate_is_watched(week):
    day(week, "past.csv", {"black": 10000, "white": 10100}, people=20000)
    week("count", "past.csv", "-o", "counts.json", code=0)
    week.write(
        "half.json",
        {"schema": "fairstep/policy/1", "groups": ["black", "white"], "accept": [[[0.5, 0.5]]] * 2},
    )
    week("certify", "counts.json", "half.json", "--fairness", "dp", "-o", "certificate.json", code=0)
    week("monitor", "state", "1.csv", "--certificate", "certificate.json", code=0)
    found = standing(week, "state", "2.csv", code=0)
    assert found["certificate"]["file"] == "certificate.json" and found["limit"] is None
    (week.folder / "certificate.json").unlink()  # the state has its own
    found = standing(week, "state", "5.csv", code=1)
    kinds = {alarm["claim"] for alarm in found["alarms"]}
    assert "certified-policy" in kinds and "certified-gap" in kinds
    kept = week.folder / "state" / "certificate.json"
    text = kept.read_text()
    assert "0.05" in text
    kept.write_text(text.replace("0.05", "0.06"))
    assert "it is not the certificate that is watched" in week("monitor", "state", code=2).err
    week.write("forged.json", text.replace('"delta": 0.05', '"delta": 0.04', 1))
    assert (
        "the certificate does not hold" in week("monitor", "new", "1.csv", "--certificate", "forged.json", code=2).err
    )


def sealed(text):
    """With the fingerprint that it has now."""
    body = text[: text.rindex(',\n  "sha256": "')]
    return f'{body},\n  "sha256": "{digest(body)}"\n}}\n'


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()


@pytest.fixture
def certified(week):
    """A state of one day that watches a certificate."""
    day(week, "past.csv", {"black": 10000, "white": 10100}, people=20000)
    week("count", "past.csv", "-o", "counts.json", code=0)
    week.write("half.json", {"schema": "fairstep/policy/1", "groups": ["black", "white"], "accept": [[[0.5, 0.5]]] * 2})
    week("certify", "counts.json", "half.json", "--fairness", "dp", "-o", "certificate.json", code=0)
    week("monitor", "state", "1.csv", "--certificate", "certificate.json", code=0)
    return week


def put_certificate(place, text):
    """In the state, as if it had been there from the first day: each file names the one before anew."""
    folder = place.folder / "state"
    question, first = ((folder / name).read_text() for name in ("monitor.json", "000001.json"))
    kept = (folder / "certificate.json").read_text()
    assert text != kept
    asked = sealed(question.replace(digest(kept), digest(text)))
    (folder / "certificate.json").write_text(text)
    (folder / "monitor.json").write_text(asked)
    (folder / "000001.json").write_text(sealed(first.replace(digest(question), digest(asked))))


def test_the_certificate_that_a_state_keeps_is_checked_at_every_look(certified):
    text = (certified.folder / "certificate.json").read_text()
    put_certificate(certified, text.replace('"delta": 0.05', '"delta": 0.04', 1))
    for words in (["state"], ["state", "2.csv"]):
        told = certified("monitor", *words, code=2).err
        assert "the certificate does not hold" in told and "state/certificate.json" in told
    assert not (certified.folder / "state" / "000002.json").exists()


def test_a_certificate_of_other_groups_or_steps_than_its_counts_is_an_error(certified):
    kept = (certified.folder / "certificate.json").read_text()
    document = json.loads(kept)
    document["pairs"][0]["groups"][1] = "green"
    put_certificate(certified, json.dumps(document))
    told = certified("monitor", "state", code=2).err
    assert "it compares a group that it does not have" in told and "state/certificate.json" in told
    for groups, steps, features, said in (
        (["black", "white"], 2, 2, "the policy has 2 steps and 2 features, and the counts have 1 and 2"),
        (["black", "white"], 1, 1, "the policy has 1 steps and 1 features, and the counts have 1 and 2"),
        (["black", "white", "green"], 1, 2, "the policy has 3 groups, and the counts have 2"),
        (["black", "green"], 1, 2, "the policy has other groups than the counts"),
    ):
        document = json.loads(kept)
        accept = [[[0.5] * features] * steps] * len(groups)
        policy = {"schema": "fairstep/policy/1", "groups": groups, "accept": accept}
        document["inputs"]["policy"]["text"] = json.dumps(policy)
        put_certificate(certified, json.dumps(document))
        assert said in " ".join(certified("monitor", "state", code=2).err.split())


def test_groups_or_steps_that_are_not_those_of_the_certificate_are_an_error(certified):
    asked = certified.folder / "state" / "monitor.json"
    kept = asked.read_text()
    for old, new in {'["black", "white"]': '["black", "green"]', '"horizon": 1': '"horizon": 2'}.items():
        assert old in kept
        asked.write_text(sealed(kept.replace(old, new, 1)))
        told = certified("monitor", "state", code=2).err
        assert "the groups or steps that are watched are not those of the certificate" in told
        assert "state/monitor.json" in told


def test_a_file_and_a_name_too_long_are_no_states(week):
    told = week("monitor", "1.csv", "state", code=2).err
    assert "this is a file, expected the folder of a state" in told
    assert "the state comes first: fairstep monitor STATE LOG" in told
    assert "too long" in week("monitor", "n" * 300, "1.csv", "--limit", "0.1", code=2).err


@pytest.mark.parametrize("date", ["2026-02-29", "2026-13-01", "2026-00-10", "2026-04-31", "2026-11-1", "20261119"])
def test_a_date_is_a_day_that_there_is(week, date):
    assert "expected a day such as" in week("monitor", "new", "1.csv", "--limit", "0.1", "--date", date, code=2).err


def test_a_leap_day_is_a_day(week):
    week("monitor", "state", "1.csv", "--limit", "0.1", "--date", "2028-02-29", code=0)


def test_the_text_says_what_is_lost_where_steps_begin_and_what_is_assumed(week):
    rows = (week.folder / "1.csv").read_text().replace(",0,black", ",7,black").replace(",0,white", ",7,white")
    lines = rows.splitlines()
    # Of 400 rows 3 have no action.
    week.write("7.csv", "\n".join(lines[:4] + [line[:-1] for line in lines[4:7]] + lines[7:]) + "\n")
    week("monitor", "state", "7.csv", "--limit", "0.1", "--censored", "drop", code=0)
    said = " ".join(week("monitor", "state", code=0).out.split())
    assert "3 of 400 rows cannot be used, or lack a label" in said
    assert "steps count from 0: step 0 is 7 in the log" in said
    assert "no alarm; the closest claim has 0 % of the evidence an alarm needs" in said
    assert said.endswith(
        "assumed: Independent people; Nobody twice; Rates may change from day to day; Taking part "
        "(--json has them in full)"
    )


def test_a_rate_that_only_the_certificate_bounds_has_evidence_in_the_table(week):
    day(week, "past.csv", {"black": 10000, "white": 10100}, people=20000)
    week("count", "past.csv", "-o", "counts.json", code=0)
    week.write("half.json", {"schema": "fairstep/policy/1", "groups": ["black", "white"], "accept": [[[0.5, 0.5]]] * 2})
    week("certify", "counts.json", "half.json", "--fairness", "dp,eqopt", "-o", "certificate.json", code=0)
    week("monitor", "state", "5.csv", "--certificate", "certificate.json", "--limit", "0.9", code=1)
    # 150 and 60 of 200 are 0.45 apart: half of the limit on dp, and far more than the certificate has for eqopt.
    row = next(line for line in week("monitor", "state", code=1).out.splitlines() if line.split()[:1] == ["0"])
    assert row.split()[:6] == ["0", "0.4500", "white", "black", "0", "%"]
    assert row.endswith("day 1")


def test_files_of_a_state_pass_their_schemas(week):
    day(week, "past.csv", {"black": 10000, "white": 10100}, people=20000)
    week("count", "past.csv", "-o", "counts.json", code=0)
    week.write("half.json", {"schema": "fairstep/policy/1", "groups": ["black", "white"], "accept": [[[0.5, 0.5]]] * 2})
    week("certify", "counts.json", "half.json", "-o", "certificate.json", code=0)
    week("monitor", "state", "1.csv", "--certificate", "certificate.json", "--limit", "0.1", "--map", "x=x", code=0)
    week("monitor", "state", "5.csv", "--date", "2026-11-19", code=1)
    for name, kind in {"monitor.json": "monitor", "000001.json": "monitor-day", "000002.json": "monitor-day"}.items():
        schema = json.loads((ROOT / "schemas" / f"{kind}.schema.json").read_text())
        document = json.loads((week.folder / "state" / name).read_text())
        Draft202012Validator(schema).validate(document)
        for key in document:
            if key not in ("date", "by_feature"):
                less = {k: v for k, v in document.items() if k != key}
                assert not Draft202012Validator(schema).is_valid(less), key
        assert not Draft202012Validator(schema).is_valid(document | {"more": 1})


@pytest.fixture(scope="session")
def library(tmp_path_factory):
    return compiled("fault_at", tmp_path_factory.mktemp("faults"))


def run(place, words, library=None, **chosen):
    environment = faults(library, **chosen) if library else None
    return subprocess.run(
        [BINARY, *words, "--quiet"], cwd=place.folder, env=environment, capture_output=True, text=True, timeout=PATIENCE
    )


def files(place):
    return {name: text for name, text in tree(place.folder / "state").items() if name != ".lock"}


@pytest.mark.parametrize("fault", ["kill", "torn", "full"])
@pytest.mark.parametrize("begun", [False, True])
def test_ended_at_any_write_the_state_is_as_before_or_as_after(week, library, begun, fault):
    first = ["monitor", "state", "1.csv", "--limit", "0.1"]
    words = ["monitor", "state", "2.csv"] if begun else first

    def start():
        shutil.rmtree(week.folder / "state", ignore_errors=True)
        if begun:
            assert run(week, first).returncode == 0

    start()
    before = files(week) if begun else None
    count = week.folder / "touches"
    assert run(week, words, library, FAULT_COUNT=count).returncode == 0
    after = files(week)
    writes = int(count.read_text())
    assert writes >= 3
    seen = set()
    for at in range(1, writes + 1):
        start()
        ended = run(week, words, library, FAULT=fault, FAULT_AT=at)
        assert ended.returncode == -signal.SIGKILL if fault != "full" else ended.returncode in (0, 2, 4), at
        looked = run(week, ["monitor", "state", "--json"])
        days = json.loads(looked.stdout)["days"] if looked.returncode == 0 else 0
        assert days in ((1, 2) if begun else (0, 1)), (at, looked.stderr)
        seen.add(days)
        if begun and days == 1:
            assert {name: files(week)[name] for name in before} == before
        again = run(week, words)
        assert again.returncode == 0, (at, again.stderr)
        assert files(week) == after, at
    assert len(seen) == 2


def test_two_at_a_time_are_refused(week, library):
    week("monitor", "state", "1.csv", "--limit", "0.1", code=0)
    process = stopped(library, 6, [BINARY, "monitor", "state", "2.csv"], cwd=week.folder, stdout=subprocess.PIPE)
    try:
        assert f"in use by process {process.pid}" in week("monitor", "state", "3.csv", code=2).err
        assert standing(week, "state", code=0)["days"] == 1  # to look takes no lock
    finally:
        process.send_signal(signal.SIGCONT)
        process.communicate(timeout=PATIENCE)
    assert standing(week, "state", code=0)["days"] == 2
