"""Nothing asks for the network: every verb and the Python package run with a library that ends whoever does. One verb
is not of them: `explore` listens, for a browser on the same machine, and asks nobody."""

import os
import subprocess
import sys

import pytest
from conftest import BINARY, MODULE, PATIENCE
from explorer_page import Page, listening
from faults import compiled

EXPERIMENT = """\
schema = "fairstep/experiment/1"
environments = ["fico"]
fairness = "dp"
schedule = "2^8..2^9"
repeats = 2
evaluation_episodes = 10
certificate = "off"

[[method]]
method = "constrained"
"""
LINES = """\
env fico -o m.json
policy m.json --threshold x=2 -o p.json
validate m.json p.json
show p.json
compare m.json p.json p.json
evaluate m.json p.json
simulate m.json p.json --people 1000 -o log.csv
simulate m.json p.json --people 1000 -o c.json
count log.csv --like m.json -o counted.json
simulate m.json p.json --people 1000 --seed 2 -o d.json
merge c.json d.json -o merged.json
fit c.json -o fitted.json
diagnose log.csv
certify c.json p.json -o certificate.json
check certificate.json
certificate certificate.json -o certificate.html
audit log.csv --format html -o audit.html
monitor state log.csv --limit 0.9 --certificate certificate.json
solve m.json --fairness dp --limit 0.05 --effort 100
pareto m.json --fairness dp --limits 0.1,0.2 --no-proof
alternative m.json p.json --effort 100
export m.json --fairness dp --limit 0.1 -o program.lp
learn m.json --schedule 8,16 --no-proof -o run
experiment e.toml -o experiment
report experiment -o report.html
completion bash
manual
"""


LISTENS = {"explore"}


@pytest.fixture(scope="session")
def library(tmp_path_factory):
    return compiled("no_network", tmp_path_factory.mktemp("faults"))


def run(library, folder, *words):
    environment = os.environ | {"LD_PRELOAD": str(library)}
    return subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, timeout=PATIENCE)


def test_whoever_asks_is_ended(library, tmp_path):
    for asking in (
        "socket.socket()",
        "socket.getaddrinfo('localhost', 80)",
        "os.environ['LISTENING'] = ''; socket.socket().connect(('127.0.0.1', 9))",
        "os.environ['LISTENING'] = ''; socket.socket().bind(('0.0.0.0', 0))",
        "os.environ['LISTENING'] = ''; socket.socket(type=socket.SOCK_DGRAM).sendto(b'', ('127.0.0.1', 9))",
    ):
        asked = run(library, tmp_path, sys.executable, "-c", f"import os, socket; {asking}")
        assert asked.returncode < 0
        assert "the network was asked for" in asked.stderr


def test_no_verb_asks(library, fairstep):
    fairstep.write("e.toml", EXPERIMENT)
    verbs = {line.split()[0] for line in LINES.splitlines()}
    page = fairstep("--help", code=0).out
    listed = {line.split()[0] for line in page.splitlines() if line.startswith("  ") and line[2:3].isalpha()}
    # `plot` draws with a program of its own, Node.js, which test_report.py runs.
    assert listed - {"plot", "fairstep", *LISTENS} <= verbs
    for line in LINES.splitlines():
        done = run(library, fairstep.folder, BINARY, *line.split())
        assert done.returncode in (0, 3), (line, done.stderr)


def test_the_one_verb_that_listens_does_so_on_this_machine_alone_and_asks_nobody(library, fairstep):
    """Where it listens is what the kernel says; that it connects to nobody, that it is not ended."""
    fairstep("env", "fico", "-o", "m.json", code=0)
    ended = run(library, fairstep.folder, BINARY, "explore", "m.json", "--time-limit", "1")
    assert "the network was asked for by socket()" in ended.stderr
    page = Page(fairstep.folder, "m.json", env=os.environ | {"LD_PRELOAD": str(library), "LISTENING": "yes"})
    assert page.ask("answer?fairness=dp&limit=0.1")[0] == 200
    assert page.proven("fairness=dp&limit=0.1")["solution"]["outcome"] == "optimal"
    assert listening(page.process.pid) == [("tcp", "0100007F", page.port)]  # 127.0.0.1
    assert page.end()[0] == 0


def test_the_python_package_does_not_ask(library, tmp_path):
    pytest.importorskip("fairstep._core")
    program = (
        f"import sys; sys.path.insert(0, {str(MODULE)!r}); import fairstep as fs; m = fs.env('fico'); "
        "p = fs.solve(m, fairness='dp', limit=0.1, no_proof=True).policy; c = fs.simulate(m, p, people=1000); "
        "fs.certify(c, p); fs.learn(m, schedule=[8], no_proof=True); fs.evaluate(m, p)._repr_html_()"
    )
    done = run(library, tmp_path, sys.executable, "-c", program)
    assert done.returncode == 0, done.stderr
