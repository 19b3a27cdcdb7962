"""fairstep explore: its server, and its page in a real browser."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess

import pytest
from conftest import BINARY, PATIENCE, ROOT, Fairstep
from explorer_page import Page, listening
from small import hand

BROWSER_TEST = ROOT / "report" / "tests" / "explore.test.mjs"
HOSTILE = "</script><img src=x onerror=alert(1)>\"'&"
LONG = "very long names " * 19  # 304 characters
TURNED = "\u202eabc\u202c"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = Fairstep(tmp_path_factory.mktemp("explore"))
    made("env", "fico", "-o", "fico.json", code=0)
    made("policy", "fico.json", "--threshold", "x=2", "-o", "from50.json", code=0)
    made("simulate", "fico.json", "from50.json", "--people", 20_000, "-o", "counts.json", code=0)
    return made


@pytest.fixture(scope="module")
def page(folder):
    served = Page(folder.folder, "fico.json")
    yield served
    assert served.end()[0] == 0


def test_it_listens_on_this_machine_alone(page):
    assert listening(page.process.pid) == [("tcp", "0100007F", page.port)]  # 127.0.0.1, bytes reversed


def test_the_address_has_a_token_that_is_another_each_time(page, folder):
    assert page.said["schema"] == "fairstep/explore/1"
    pattern = r"http://127\.0\.0\.1:\d+/[0-9a-f]{32}/"
    assert re.fullmatch(pattern, page.address)
    other = Page(folder.folder, "fico.json")
    assert re.fullmatch(pattern, other.address)
    assert other.path != page.path
    assert page.ask(full_path=other.path)[0] == 404
    assert other.end()[0] == 0


def test_in_text_the_address_is_all_of_stdout(folder):
    run = folder("explore", "fico.json", "--time-limit", 0.1, code=0)
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/[0-9a-f]{32}/\n", run.out)
    assert run.err == "open this address in a browser; Ctrl-C ends it\n"
    assert folder("explore", "fico.json", "--time-limit", 0.1, "--quiet", code=0).err == ""


def test_the_page_may_load_its_own_files_and_nothing_else(page):
    status, headers, text = page.ask()
    assert status == 200
    assert headers["Content-Type"] == "text/html; charset=utf-8"
    policy = dict(part.split(" ", 1) for part in headers["Content-Security-Policy"].split("; "))
    assert policy == {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "connect-src": "'self'",
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
    }
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cache-Control"] == "no-store"
    for name in re.findall(r'(?:src|href)="([\w.]+)"', text):
        assert page.ask(name)[0] == 200


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ({"full_path": "/"}, 404),
        ({"full_path": "/" + "0" * 32 + "/"}, 404),
        ({"path": "nothing"}, 404),
        ({"path": "../"}, 404),
        ({"path": "..%2f"}, 404),
        ({"headers": {"Host": "localhost:1"}}, 421),
        ({"headers": {"Host": "evil.example"}}, 421),
        ({"headers": {"Host": None}}, 421),
        ({"headers": {"Origin": "https://evil.example"}}, 403),
        ({"headers": {"Origin": "null"}}, 403),
        ({"method": "PUT"}, 405),
        ({"method": "HEAD"}, 405),
        ({"method": "OPTIONS", "headers": {"Access-Control-Request-Method": "GET"}}, 405),
        ({"method": "POST"}, 405),
        ({"method": "POST", "path": "proof?", "body": b"x"}, 413),
        ({"method": "POST", "path": "proof?", "body": b"x" * 3_000_000}, 413),
        ({"method": "POST", "path": "proof?", "headers": {"Transfer-Encoding": "chunked"}}, 413),
        ({"path": "answer?fairness=dp&limit=0.1&x=" + "9" * 9000}, 431),
        ({"path": "answer?fairness=dp&limit=2"}, 400),
        ({"path": "answer?fairness=dp"}, 400),
    ],
    ids=str,
)
def test_what_the_page_does_not_ask_is_refused(page, asked, status):
    try:
        found, headers, text = page.ask(**asked)
    except (BrokenPipeError, ConnectionResetError):
        assert len(asked.get("body", "")) > 1_000_000  # cut off in the middle of its body
        return
    assert found == status, text
    assert "Access-Control-Allow-Origin" not in headers
    assert page.path.strip("/") not in text
    assert page.ask("about")[0] == 200


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"\n",
        b"\0" * 100,
        b"GET",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET  HTTP/1.1\r\n\r\n",
        b"A" * 100_000,
        b"\x16\x03\x01",
    ],
    ids=lambda sent: repr(sent[:20]),
)
def test_what_is_no_request_ends_its_connection_alone(page, sent):
    try:
        received = page.raw(sent)
    except ConnectionResetError:
        received = b""
    assert b"200" not in received[:20]
    assert page.ask("about")[0] == 200


def test_many_who_say_nothing_do_not_keep_the_page_away(page):
    silent = [socket.create_connection(("127.0.0.1", page.port), timeout=PATIENCE) for _ in range(40)]
    assert page.ask("about")[0] == 200
    for peer in silent:
        peer.close()


def test_a_port_that_is_taken_is_told(page, folder):
    refused = folder("explore", "fico.json", "--port", page.port, code=2)
    assert refused.err.startswith(f"error: --port {page.port} cannot be listened on: ")
    assert refused.out == ""


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("busy", [False, True], ids=["idle", "proving"])
def test_it_ends_at_once_when_it_is_told(folder, tmp_path, sent, busy):
    hard = Fairstep(tmp_path)
    hard("env", "random", "--features", 30, "--horizon", 20, "-o", "hard.json", code=0)
    served = Page(tmp_path, "hard.json")
    if busy:
        assert served.answer("proof?fairness=eqodds&limit=0.01", "POST") == {"number": 1}
    code, out, err = served.end(sent)
    assert (code, out, err) == (0, "", "")
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", served.port), timeout=PATIENCE)
    assert hard.files() == ["hard.json"]


def test_it_leaves_nothing_when_it_is_killed(folder, tmp_path):
    shutil.copy(folder.folder / "fico.json", tmp_path)
    served = Page(tmp_path, "fico.json")
    assert served.ask("answer?fairness=dp&limit=0.1")[0] == 200
    assert served.end(signal.SIGKILL)[0] == -signal.SIGKILL
    assert [path.name for path in tmp_path.iterdir()] == ["fico.json"]


QUESTIONS = [
    "fairness=none",
    "fairness=dp&limit=0.05",
    "fairness=eqopt&limit=0.1&capacity=0.6&floor=0.02",
    "fairness=dp&limit=0.01&monotone=1",
    "fairness=dp-ratio&limit=0.8&group_independent=1",
]


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_command_that_is_copied_makes_the_policy_that_is_saved(page, folder, question):
    for answer in (page.answer(f"answer?{question}"), page.proven(question)):
        run = folder.line(answer["command"])
        assert run.code == 0, run.err
        assert (folder.folder / "policy.json").read_text() == answer["file"]
        evaluated = folder("evaluate", "fico.json", "policy.json", "--json", code=0).json
        assert evaluated["value"] == answer["effect"]["value"]
        assert evaluated["gap"]["dp"] == answer["effect"]["gaps"]["dp"]


def test_counts_are_explored_as_fit_has_them(folder, tmp_path):
    shutil.copy(folder.folder / "counts.json", tmp_path / "my counts'.json")
    served = Page(tmp_path, "my counts'.json")
    answer = served.answer("answer?fairness=dp&limit=0.05")
    run = Fairstep(tmp_path).line(answer["command"])
    assert run.code == 0, run.err
    assert (tmp_path / "policy.json").read_text() == answer["file"]
    # Nobody below the threshold was accepted, so that much is a guess: the page says so before and with each answer.
    about = served.answer("about")
    assert about["rests_on"] == served.said["warnings"]
    assert about["rests_on"][0].startswith("estimated from 20,000 people, ")
    assert any("of this policy's visits rest on rows that nobody saw" in remark for remark in answer["remarks"])
    assert served.end()[0] == 0


def test_a_baseline_is_what_others_are_compared_with(folder):
    served = Page(folder.folder, "fico.json", "--baseline", "from50.json")
    baseline = served.answer("about")["baseline"]
    evaluated = folder("evaluate", "fico.json", "from50.json", "--json", code=0).json
    assert baseline["name"] == "from50.json"
    assert baseline["value"] == evaluated["value"]
    assert served.end()[0] == 0


def test_what_cannot_be_explored_is_told(folder):
    refused = folder("explore", "from50.json", code=2)
    assert refused.err.splitlines()[0] == "error: the file holds a policy, expected a model or counts"
    refused = folder("explore", "fico.json", "--baseline", "fico.json", code=2)
    assert "fico.json" in refused.err
    assert folder("explore", "fico.json", "--time-limit", 0, code=2).err.startswith("error: --time-limit is 0")
    assert folder("explore", "fico.json", "--port", 70000, code=2).err.startswith('error: --port is "70000"')


@pytest.mark.needs("a browser")
def test_the_page_in_a_browser(page, folder, tmp_path):
    hostile = hand() | {"groups": [HOSTILE, LONG], "features": [TURNED, HOSTILE + LONG], "description": HOSTILE}
    (tmp_path / "hostile.json").write_text(json.dumps(hostile))
    shutil.copy(folder.folder / "counts.json", tmp_path)
    attacked = Page(tmp_path, "hostile.json")
    counted = Page(tmp_path, "counts.json")
    addresses = {"EXPLORE": page.address, "HOSTILE": attacked.address, "COUNTED": counted.address}
    files = {"COMMAND": str(BINARY), "MODEL": str(folder.folder / "fico.json")}
    done = subprocess.run(
        ["node", "--test", BROWSER_TEST],
        env=os.environ | addresses | files,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    ended = [attacked.end()[0], counted.end()[0]]
    assert done.returncode == 0, done.stdout + done.stderr
    assert ended == [0, 0]
