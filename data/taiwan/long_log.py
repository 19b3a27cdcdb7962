"""The card holders as a log on stdout: person, group, step, x, y, a. README.md says what was chosen, and why."""

import csv
import gzip
import sys
from pathlib import Path

TABLE = Path(__file__).with_name("default-of-credit-card-clients.csv.gz")
MONTHS = [
    ("PAY_5", 5),
    ("PAY_4", 4),
    ("PAY_3", 3),
    ("PAY_2", 2),
    ("PAY_0", 1),
]  # May to September: status, number of the bill
STATUS = {-2: "0 no use", -1: "1 in full", 0: "2 revolving"}


def main() -> None:
    log = csv.writer(sys.stdout, lineterminator="\n")
    log.writerow(["person", "group", "step", "x", "y", "a"])
    with gzip.open(TABLE, "rt", newline="") as table:
        for row in csv.DictReader(table):
            sex = "men" if row["SEX"] == "1" else "women"
            repaid = 1 - int(row["default payment next month"])
            for step, (status, month) in enumerate(MONTHS):
                left = int(row[f"BILL_AMT{month + 1}"]) - int(row[f"PAY_AMT{month}"])
                drew = int(int(row[f"BILL_AMT{month}"]) > left)
                log.writerow([row["ID"], sex, step, STATUS.get(int(row[status]), "3 late"), repaid, drew])


if __name__ == "__main__":
    main()
