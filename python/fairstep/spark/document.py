"""A counts document as text, to the byte as the command `fairstep` writes it."""

import json
import math
from collections.abc import Callable, Sequence


def number_text(value: int | float) -> str:
    """The fewest digits that read back as the same number; whole numbers without a point."""
    if isinstance(value, int):
        return str(value)
    return repr(value).removesuffix(".0")


def text(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)


def one_line(value) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(one_line(entry) for entry in value) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{text(key)}: {one_line(entry)}" for key, entry in value.items()) + "}"
    return text(value) if isinstance(value, str) else number_text(value)


def table(value: list, axes: int, per_line: int, indent: int) -> str:
    """Nested lists; the last `per_line` axes share a line."""
    if axes <= per_line:
        return one_line(value)
    inner = " " * (indent + 2)
    rows = (",\n" + inner).join(table(entry, axes - 1, per_line, indent + 2) for entry in value)
    return f"[\n{inner}{rows}\n{' ' * indent}]"


def fill(lengths: Sequence[int], value: Callable, index: tuple = ()) -> list:
    """A nested list of the given lengths; `value` gets the index of each entry."""
    if len(index) + 1 == len(lengths):
        return [value((*index, i)) for i in range(lengths[-1])]
    return [fill(lengths, value, (*index, i)) for i in range(lengths[len(index)])]


def exact_sum(terms: Sequence[tuple[float, int]]) -> int:
    """The sum of value times count, in units of 2^-1074, which holds every double exactly."""
    total = 0
    for value, times in terms:
        numerator, denominator = value.as_integer_ratio()
        total += numerator * times * ((1 << 1074) // denominator)
    return total


def rounded(units: int) -> float:
    """Rounded once; Python divides whole numbers correctly rounded."""
    return units / (1 << 1074)


def counts_document(counts: dict) -> str:
    """Keys in the order of the file; `tables` are (name, nested list, axes, axes per line)."""
    lines = [
        '  "schema": "fairstep/counts/1"',
        f'  "horizon": {counts["horizon"]}',
        *(f'  "{key}": {one_line(counts[key])}' for key in ("groups", "features", "labels", "actions")),
    ]
    for name, axes, per_line in (
        ("first", 3, 2),
        ("visits", 5, 3),
        ("transitions", 6, 2),
        ("reward_sum", 4, 2),
        ("reward_squares", 4, 2),
    ):
        lines.append(f'  "{name}": {table(counts[name], axes, per_line, 2)}')
    log = counts["log"]
    inside = [f'"files": {one_line(log["files"])}', f'"columns": {one_line(log["columns"])}']
    if log["bins"]:
        inside.append(f'"bins": {one_line(log["bins"])}')
    inside += [f'"first_step": {log["first_step"]}', f'"rows": {log["rows"]}']
    findings = ",\n      ".join(one_line(finding) for finding in log["findings"])
    inside.append('"findings": ' + (f"[\n      {findings}\n    ]" if findings else "[]"))
    inside.append(f'"censored": {text(log["censored"])}')
    if log["imputed"]:
        inside.append(f'"imputed": {log["imputed"]}')
    if log["unlabelled"]:
        inside.append(f'"unlabelled": {table(log["unlabelled"], 4, 2, 4)}')
    lines.append('  "log": {\n    ' + ",\n    ".join(inside) + "\n  }")
    history = [
        f'"{name}": {table(counts["history"][name], axes, per_line, 4)}'
        for name, axes, per_line in (
            ("departures", 5, 3),
            ("arrivals", 4, 2),
            ("pairs", 7, 3),
            ("after_pairs", 6, 2),
            ("unseen", 5, 3),
        )
        if name in counts["history"]
    ]
    lines.append('  "history": {' + ("\n    " + ",\n    ".join(history) + "\n  " if history else "") + "}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def bin_names(bins: Sequence[float]) -> list[str]:
    ends = [number_text(edge) for edge in bins]
    return [f"[{low},{high})" for low, high in zip(ends, [*ends[1:], "inf"], strict=True)]


def read_number(name: str) -> float | None:
    try:
        value = float(name)
    except ValueError:
        return None
    return value if math.isfinite(value) and not set(name.strip(" ")) - set("0123456789+-.eE") else None


def in_order(names: Sequence[str]) -> list[str]:
    """Numbers by size if all are, anything else by its bytes."""
    values = {name: read_number(name) for name in names}
    if all(value is not None for value in values.values()):
        return sorted(names, key=lambda name: (values[name], name.encode()))
    return sorted(names, key=str.encode)
