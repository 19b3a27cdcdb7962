"""Monitoring: false alarms over a thousand looks, and the delay of true ones, beside tests at a fixed size."""

from typing import Any

from measure import Table, lines_of, program


def measure(full: bool) -> list[dict[str, Any]]:
    return lines_of(program("monitor_scenarios"))


def tables(rows: list[dict[str, Any]]) -> list[Table]:
    false = [
        [f"{row['looks']:,}", f"{row['monitor'] / row['runs']:.3f}", f"{row['daily'] / row['runs']:.3f}"]
        for row in rows
        if row["part"] == "false"
    ]
    delays = [
        [
            str(row["quiet"]),
            f"{row['gap']:g}",
            f"{row['planned']:.0f}",
            f"{row['median']:.0f}",
            f"{row['most']:.0f}",
        ]
        for row in rows
        if row["part"] == "delay"
    ]
    return [
        Table(
            "Share of 1,000 runs with a false alarm: rates 0.45 and 0.40 on every day, limit 0.05, delta 0.05, 100 "
            "people of each group a day.",
            ["looks, one a day", "`monitor`", "a test at 0.05, made anew every day"],
            false,
        ),
        Table(
            "Days until an alarm, of 200 runs, from the first day on which groups are the gap apart: rates 0.40 and so "
            "much more, the limit 0.05. On quiet days before, there was no gap.",
            [
                "quiet days before",
                "gap",
                "one test at 0.05, planned for power 0.9",
                "`monitor`, median",
                "`monitor`, 9 of 10",
            ],
            delays,
        ),
    ]
