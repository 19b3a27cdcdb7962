"""fairstep validate: what a file is, whether it is sound, and the code that says so."""

from small import hand, hand_policy


def test_a_model_is_described(loans):
    out = loans("validate", "fico.json", code=0).out
    assert out.startswith("fico.json: a sound model file\n")
    assert "white (" in out
    assert "0, 25, 50, 75, 100" in out
    assert "8 steps" in out


def test_every_kind_is_recognised(loans):
    loans("simulate", "fico.json", "from50.json", "--people", "1000", "-o", "counts.json", code=0)
    run = loans("validate", "fico.json", "from50.json", "counts.json", "--json", code=0)
    assert run.json["schema"] == "fairstep/validation/1"
    assert run.json["warnings"] == []
    files = run.json["files"]
    assert [entry["kind"] for entry in files] == ["model", "policy", "counts"]
    assert all(entry["sound"] for entry in files)
    assert files[0]["groups"] == ["white", "black"]
    assert files[0]["horizon"] == 8
    assert files[0]["reward_range"] == [-0.9, 0.9]
    assert files[1]["group_independent"] is False
    assert sum(files[2]["people"]) == 1000
    assert files[2]["decisions"] == 8000


def test_text_names_people_of_counts(loans):
    loans("simulate", "fico.json", "from50.json", "--people-per-group", "1000", "-o", "counts.json", code=0)
    out = loans("validate", "counts.json", code=0).out
    assert "2,000: white 1,000, black 1,000" in out
    assert "16,000" in out


def test_all_files_are_looked_at_and_one_bad_file_decides(fairstep):
    bad = hand()
    bad["share"] = [0.75, 0.35]
    fairstep.write("good.json", hand())
    fairstep.write("bad.json", bad)
    fairstep.write("policy.json", hand_policy([[[0, 1]] * 2] * 2))
    run = fairstep("validate", "bad.json", "good.json", "policy.json", code=2)
    assert "bad.json: not sound\n" in run.out
    assert "good.json: a sound model file\n" in run.out
    assert "policy.json: a sound policy file\n" in run.out
    assert run.err.startswith("error: share sums to 1.1, expected 1")
    assert "  in bad.json at /share\n" in run.err


def test_a_bad_file_in_json_has_its_error_in_place_and_at_the_top(fairstep):
    bad = hand()
    bad["horizn"] = bad.pop("horizon")
    fairstep.write("bad.json", bad)
    fairstep.write("good.json", hand())
    run = fairstep("validate", "good.json", "bad.json", "nowhere.json", "--json", code=2)
    assert run.err == ""
    document = run.json
    assert [entry["sound"] for entry in document["files"]] == [True, False, False]
    assert document["error"] == document["files"][1]["error"]
    assert document["error"]["code"] == 2
    assert document["error"]["file"] == "bad.json"
    assert "horiz" in document["error"]["message"]
    assert document["files"][2]["error"]["file"] == "nowhere.json"


def test_what_is_no_json_is_said_to_be_none(fairstep):
    fairstep.write("text.json", "people, people")
    run = fairstep("validate", "text.json", code=2)
    assert run.out == "text.json: not sound\n"
    assert run.err.startswith("error: ")
    assert "  in text.json" in run.err
