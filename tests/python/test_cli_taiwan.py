"""Card holders of a bank, from the table as it was published to a certificate, and the counts by plain Python."""

import csv
import gzip
import time

from conftest import ROOT

TABLE = ROOT / "data/taiwan/default-of-credit-card-clients.csv.gz"
STATUS = {"-2": "no use", "-1": "in full", "0": "revolving"}
GROUPS, FEATURES = ["men", "women"], ["no use", "in full", "revolving", "late"]
# Status, number of the bill, of the one before, and of the payment in between: May to September.
MONTHS = [("PAY_5", 5, 6), ("PAY_4", 4, 5), ("PAY_3", 3, 4), ("PAY_2", 2, 3), ("PAY_0", 1, 2)]
MEANING = [
    *("--map", "group=sex,x=status,y=good,a=drew", "--recode", "sex:1=men,2=women"),
    *("--recode", "status:-2=no use,-1=in full,0=revolving,*=late", "--features", ",".join(FEATURES)),
]


def query():
    """That of the guide."""
    page = (ROOT / "docs/how-to/real-tables.md").read_text()
    lines = page.split("cat > months.sql <<'END'\n")[1].split("> END\n")[0].splitlines()
    return "\n".join(line.removeprefix("> ") for line in lines)


def recount():
    """first[g][x][y], visits[g][h][x][y][a] and transitions[g][x][y][a][x1][y1]."""
    g_n, x_n = range(len(GROUPS)), range(len(FEATURES))
    first = [[[0, 0] for _ in x_n] for _ in g_n]
    visits = [[[[[0, 0] for _ in (0, 1)] for _ in x_n] for _ in MONTHS] for _ in g_n]
    moves = [[[[[[0, 0] for _ in x_n] for _ in (0, 1)] for _ in (0, 1)] for _ in x_n] for _ in g_n]
    with gzip.open(TABLE, "rt", newline="") as table:
        for row in csv.DictReader(table):
            g, y, before = int(row["SEX"]) - 1, 1 - int(row["default payment next month"]), None
            for h, (status, bill, last) in enumerate(MONTHS):
                x = FEATURES.index(STATUS.get(row[status], "late"))
                a = int(int(row[f"BILL_AMT{bill}"]) > int(row[f"BILL_AMT{last}"]) - int(row[f"PAY_AMT{bill}"]))
                visits[g][h][x][y][a] += 1
                if before is None:
                    first[g][x][y] += 1
                else:
                    moves[g][before[0]][y][before[1]][x][y] += 1
                before = x, a
    return first, visits, moves


def test_from_the_raw_table_to_a_certificate(fairstep):
    begin = time.monotonic()
    count = ["count", TABLE, "--query", query(), *MEANING]
    fairstep(*count, "-o", "counts.json", code=0)
    fairstep("audit", "counts.json", "--fairness", "dp", "--format", "html", "-o", "audit.html", code=0)
    fairstep(*count, "--split", 0.3, "--seed", 2005, "-o", "design.json", "--audit", "audit.json", code=0)
    fairstep("fit", "design.json", "--reward", "y1a1=1,y0a1=-4", "-o", "model.json", code=0)
    solve = ["solve", "model.json", "--fairness", "dp", "--limit", 0.02, "--floor", 0.1, "-o", "policy.json", "--json"]
    solved = fairstep(*solve, code=0).json
    assert solved["outcome"] == "optimal"
    assert solved["value"] > 0
    certify = ["certify", "audit.json", "policy.json", "--design", "design.json", "--fairness", "dp"]
    fairstep(*certify, "-o", "certificate.json", code=0)
    fairstep("check", "certificate.json", code=0)
    assert time.monotonic() - begin < 60

    counts = fairstep.read("counts.json")
    assert (counts["groups"], counts["features"], counts["log"]["findings"]) == (GROUPS, FEATURES, [])
    first, visits, moves = recount()
    assert counts["first"] == first
    assert counts["visits"] == visits
    assert counts["transitions"] == moves
    assert counts["log"]["shape"]["query"] == query()
    parts = [fairstep.read(f"{name}.json") for name in ("design", "audit")]
    both = [
        [[sum(pair) for pair in zip(*xs, strict=True)] for xs in zip(*gs, strict=True)]
        for gs in zip(*(part["first"] for part in parts), strict=True)
    ]
    assert both == first
    assert (fairstep.folder / "audit.html").read_text().startswith("<!doctype html>")
