"""fairstep.explore: the command's page, from Python."""

import json
import os
import subprocess
import sys
import urllib.error
import urllib.request

import pytest
from conftest import BINARY, MODULE, PATIENCE

import fairstep as fs


@pytest.fixture(autouse=True)
def command(monkeypatch, tmp_path):
    """The program under test is the one on PATH."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "fairstep").symlink_to(BINARY)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")


def ask(page, path):
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(page.url + path, timeout=PATIENCE) as reply:
        return json.load(reply)


def test_a_model_is_explored_until_it_is_stopped():
    model = fs.env("fico")
    with fs.explore(model) as page:
        assert page.running
        assert repr(page) == f"<fairstep.explore at {page.url}>"
        assert f'href="{page.url}"' in page._repr_html_()
        assert "iframe" not in page._repr_html_()
        answer = ask(page, "answer?fairness=dp&limit=0.05")
        solved = fs.solve(model, fairness="dp", limit=0.05, no_proof=True)
        assert answer["effect"]["value"] == solved.value
        assert answer["file"] == solved.policy.to_json()
    assert not page.running
    assert page._repr_html_() == "<p>fairstep.explore: stopped</p>"
    page.stop()  # once more is no harm
    with pytest.raises(urllib.error.URLError):
        ask(page, "about")


def test_counts_files_and_a_baseline_are_taken_too(tmp_path):
    model = fs.env("fico")
    half = fs.policy(model, uniform=0.5)
    counts = fs.simulate(model, half, people=2000)
    with fs.explore(counts) as page:
        assert page.warnings[0].startswith("estimated from 2,000 people, ")
    model.save(tmp_path / "m.json")
    with fs.explore(tmp_path / "m.json", baseline=half) as page:
        about = ask(page, "about")
        assert about["name"] == str(tmp_path / "m.json")
        assert about["baseline"]["value"] == fs.evaluate(model, half).value


def test_what_the_command_refuses_is_a_value_error(tmp_path):
    with pytest.raises(ValueError, match="there is no such file") as refused:
        fs.explore(tmp_path / "nowhere.json")
    assert refused.value.__notes__ == [f"in {tmp_path / 'nowhere.json'}"]
    with fs.explore(fs.env("fico")) as page, pytest.raises(ValueError, match="cannot be listened on"):
        fs.explore(fs.env("fico"), port=int(page.url.split(":")[2].split("/")[0]))


def test_without_the_command_it_is_said_what_is_missing(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(FileNotFoundError, match=r"runs the command fairstep, which is not on PATH"):
        fs.explore(fs.env("fico"))


def test_the_page_ends_with_python():
    program = (
        f"import sys; sys.path.insert(0, {str(MODULE)!r}); import fairstep as fs; "
        "print(fs.explore(fs.env('fico'))._process.pid)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    with pytest.raises(ProcessLookupError):
        os.kill(int(done.stdout), 0)
