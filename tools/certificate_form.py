"""The form of a certificate and of the documents in it: what must be so before anything can be checked.

`read` takes the text apart: JSON, keys, kinds, lengths, ranges. `need_sound` asks whether documents and settings can be
true together. Whatever is not so ends in NoCertificate with the first reason. check_certificate.py does the rest.
"""

import json
import math
from decimal import Decimal as D

TOLERANCE = D("1e-9")
NOTIONS = {"dp": ["accept"], "eqopt": ["tpr"], "eqodds": ["fpr", "tpr"]}  # the rates that each notion compares


class NoCertificate(ValueError):
    """The first thing that is not as it must be."""


# The keys of each document: "?" may be missing, "*" is any. Entries are of a kind, in arrays of these lengths (g
# groups, h steps, x features, * any). Nothing reads what is "anything".
FORMS = {
    "certificate": {
        "schema": "text",
        "statement": "text",
        "assumptions": "text *",
        "diagnosis": [{"test": "text", "p_value": "number?", "effect": "number?", "sentence": "text"}],
        "delta": "number",
        "delta_split": {
            "rows": "number",
            "row": "number",
            "ball": "number",
            "interval": "number",
            "?followed": "number",
            "?tail": "number",
            "?rewards": "number",
            "?reward": "number",
        },
        "followed": "flag",
        "?reward_range": "reward 2",
        "?discount": "probability",
        "groups": "text g",
        "certified_gap": {"?dp": "number h", "?eqopt": "number h", "?eqodds": "number h"},
        "estimated_gap": {"?dp": "number? h", "?eqopt": "number? h", "?eqodds": "number? h"},
        "certified_value": "number?",
        "estimated_value": "number?",
        "pairs": [{"groups": "text 2", "?dp": "number h", "?eqopt": "number h", "?eqodds": "number h"}],
        "rates": {
            "?accept": {"low": "number g h", "high": "number g h", "estimate": "number? g h"},
            "?tpr": {"low": "number g h", "high": "number g h", "estimate": "number? g h"},
            "?fpr": {"low": "number g h", "high": "number g h", "estimate": "number? g h"},
            "?qualified": {"low": "number g h", "high": "number g h", "estimate": "number? g h"},
        },
        "?if_nothing_lost": {
            "certified_gap": {"?dp": "number h", "?eqopt": "number h", "?eqodds": "number h"},
            "certified_value": "number?",
            "rates": {
                "?accept": {"low": "number g h", "high": "number g h"},
                "?tpr": {"low": "number g h", "high": "number g h"},
                "?fpr": {"low": "number g h", "high": "number g h"},
            },
        },
        "inputs": {
            "counts": {"file": "text", "sha256": "text", "text": "text"},
            "policy": {"file": "text", "sha256": "text", "text": "text"},
            "?model": {"file": "text", "sha256": "text", "text": "text"},
        },
    },
    "counts": {
        "schema": "text",
        "horizon": "count",
        "groups": "name *",
        "features": "name *",
        "?labels": "name 2",
        "?actions": "name 2",
        "?part": {"role": "text", "share": "probability", "seed": "number", "logs": "text *"},
        "first": "count g x 2",
        "visits": "count g h x 2 2",
        "transitions": "count g x 2 2 x 2",
        "reward_sum": "number g x 2 2",
        "reward_squares": "square g x 2 2",
        "?log": {
            "files": "text *",
            "columns": {"*": "text"},
            "?bins": "number *",
            "first_step": "whole",
            "rows": "count",
            "findings": [{"kind": "text", "?column": "text", "rows": "count", "file": "text", "row": "count"}],
            "censored": "text",
            "?imputed": "count",
            "?unlabelled": "count g h x 2",
            "?lost": {
                "first": "count g",
                "first_in_doubt": "count g",
                "decisions": "count g h",
                "cells": "count g x 2 2",
                "transitions": "count g x 2 2",
            },
            "?excluded": [{"group": "text", "rows": "count"}],
            "?unrecorded_people": "count",
            "?window": "text",
            "?windows": [{"from": "text", "decisions": "count g 2 2", "unlabelled": "count g 2"}],
        },
        "?history": {
            "?departures": "count g h x 2 2",
            "?arrivals": "count g h x 2",
            "?pairs": "count g x 2 2 x 2 2",
            "?after_pairs": "count g x 2 2 x 2",
            "?unseen": "count g 5 x 2 2",
            "?windows": [{"from": "text", "departures": "count g x 2 2", "arrivals": "count g x 2"}],
        },
    },
    "policy": {"schema": "text", "?groups": "name g", "?group_independent": "flag", "accept": "probability g h x"},
    "policy for all": {"schema": "text", "group_independent": "flag", "accept": "probability h x"},
    "model": {
        "schema": "text",
        "?description": "text",
        "horizon": "count",
        "groups": "name g",
        "features": "name x",
        "?labels": "name 2",
        "?actions": "name 2",
        "share": "probability g",
        "initial": "probability g x 2",
        "transition": "probability g x 2 2 x 2",
        "reward": "reward g x 2 2",
        "?reward_noise": "reward g x 2 2",
        "?discount": "probability",
        "?participation": {"leave": "probability g x 2 2", "first_step": "probability g h"},
        "?rests_on": "anything",
    },
}
RANGES = {"probability": (0, 1), "reward": (-1e100, 1e100), "square": (0, math.inf)}
LARGEST = 2**63 - 1
DEEPEST = 32
LOSSES = ["malformed", "missing", "unreadable", "unknown", "conflict", "group-change"]  # findings: a row was lost
HARMLESS = ["out-of-range", "out-of-order", "duplicate", "gap"]


def flat(nested):
    return [x for part in nested for x in flat(part)] if isinstance(nested, list) else [nested]


def need(ok, sentence):
    if not ok:
        raise NoCertificate(sentence)


def parse(text):
    """JSON, more strictly than the library: no key twice, no NaN, no number beyond a double, nothing too deep."""

    def once(pairs):
        need(len(dict(pairs)) == len(pairs), "a key appears twice")
        return dict(pairs)

    def number(word):
        need(math.isfinite(float(word)), f"{word[:20]} is no number")
        return D(float(word))

    need(not text.startswith("\ufeff"), "the document begins with a byte order mark")
    try:
        document = json.loads(text, parse_float=number, parse_constant=number, object_pairs_hook=once)
    except RecursionError:
        raise NoCertificate("the document is nested too deep") from None
    open_values = [(document, 0)]
    while open_values:
        value, depth = open_values.pop()
        if isinstance(value, str):
            value.encode()  # half of a surrogate pair is no text
        elif isinstance(value, dict | list):
            need(depth < DEEPEST, f"the document is nested more than {DEEPEST} deep")
            parts = [*value, *value.values()] if isinstance(value, dict) else value
            open_values += [(part, depth + 1) for part in parts]
    return document


def fit(value, form, sizes, place=""):
    """The value, with its numbers as decimals, if it has the form."""
    if isinstance(form, dict):
        need(type(value) is dict, f"{place} is no object")
        known = {key.removeprefix("?"): part for key, part in form.items()}
        for key in form:
            need(key[0] in "?*" or key in value, f"{place} has no {key}")
        for key in value:
            need(key in known or "*" in known, f"{place} has an unknown key {key[:40]}")
        return {key: fit(value[key], known.get(key, known.get("*")), sizes, f"{place}/{key}") for key in value}
    if isinstance(form, list):
        need(type(value) is list, f"{place} is no array")
        return [fit(part, form[0], sizes, f"{place}/{i}") for i, part in enumerate(value)]
    kind, *lengths = form.split()
    if not lengths:
        return fit_entry(value, kind, place)
    need(type(value) is list, f"{place} is no array")
    length = len(value) if lengths[0] == "*" else sizes.get(lengths[0]) or int(lengths[0])
    need(len(value) == length, f"{place} has {len(value)} entries, expected {length}")
    parts = [fit(part, " ".join([kind, *lengths[1:]]), sizes, f"{place}/{i}") for i, part in enumerate(value)]
    need(kind != "name" or len(set(parts)) == len(parts), f"{place} has a name twice")
    need(kind != "count" or sum(flat(parts)) <= LARGEST, f"{place} adds up to more than {LARGEST}")
    return parts


def fit_entry(value, kind, place):
    if kind == "anything" or (kind == "number?" and value is None):
        return value
    if kind in ("text", "name"):
        need(type(value) is str, f"{place} is no text")
        control = any(c < " " or c == "\x7f" for c in value)
        need(kind == "text" or (value and not control), f"{place} is no name")
        return value
    if kind == "flag":
        need(type(value) is bool, f"{place} is neither true nor false")
        return value
    if kind in ("count", "whole"):
        least = 0 if kind == "count" else -LARGEST - 1
        need(type(value) is int and least <= value <= LARGEST, f"{place} is no {kind} of at most {LARGEST}")
        return D(value)
    need(type(value) in (int, D), f"{place} is no number")
    value = D(float(value))
    low, high = RANGES.get(kind, (-math.inf, math.inf))
    need(low <= value <= high, f"{place} is {value}, expected {low} to {high}")
    return value


def read(text):
    """The certificate and the documents in it, all of the right form."""
    certificate = parse(text)
    need(type(certificate) is dict, "the file holds no certificate")
    schema = certificate.get("schema")
    need(
        schema != "fairstep/certificate/1",
        "the certificate is of version 1, which did not account for rows left out of the counts: certify the counts "
        "anew",
    )
    need(schema == "fairstep/certificate/2", "the file holds no certificate of version 2")
    documents = {}
    for name, entry in fit(certificate.get("inputs"), FORMS["certificate"]["inputs"], {}, "/inputs").items():
        documents[name] = parse(entry["text"])
        need(type(documents[name]) is dict, f"/inputs/{name}/text is no document")
        schema = documents[name].get("schema")
        need(schema == f"fairstep/{name}/1", f"/inputs/{name}/text is no document of schema fairstep/{name}/1")
    counts = documents["counts"]
    groups, features, steps = (
        fit(counts.get(key), FORMS["counts"][key], {}, f"{key} of the counts")
        for key in ("groups", "features", "horizon")
    )
    need(len(groups) >= 2 and features and steps > 0, "the counts have fewer than two groups, no features or no steps")
    sizes = {"g": len(groups), "h": int(steps), "x": len(features)}
    for name, document in documents.items():
        alike = name == "policy" and document.get("group_independent") is True
        form = FORMS["policy for all" if alike else name]
        documents[name] = fit(document, form, sizes, f"/inputs/{name}/text")
    return fit(certificate, FORMS["certificate"], sizes), documents


# --- Soundness: documents and settings that can be true together


def losses(counts):
    """What may be missing from the counts; nothing without a record of a log."""
    groups, steps, features = len(counts["groups"]), int(counts["horizon"]), len(counts["features"])
    cells = [[[[D(0)] * 2] * 2] * features] * groups
    nothing = {"first": [D(0)] * groups, "first_in_doubt": [D(0)] * groups, "decisions": [[D(0)] * steps] * groups}
    nothing |= {"cells": cells, "transitions": cells}
    return counts.get("log", {}).get("lost", nothing), nothing


def need_sound_counts(counts):
    last = int(counts["horizon"]) - 1
    for g, name in enumerate(counts["groups"]):
        cells = [(x, y, a) for x in range(len(counts["features"])) for y in (0, 1) for a in (0, 1)]
        visits = {(x, y, a): [step[x][y][a] for step in counts["visits"][g]] for x, y, a in cells}
        came = [
            sum(column) for column in zip(*(flat(counts["transitions"][g][x][y][a]) for x, y, a in cells), strict=True)
        ]
        for x, y, a in cells:
            n, at = sum(visits[x, y, a]), f"of group {name}, x={x}, y={y}, a={a}"
            left = sum(flat(counts["transitions"][g][x][y][a]))
            need(left <= n - visits[x, y, a][last], f"transitions {at} are more than visits before the last step")
            total, squares = counts["reward_sum"][g][x][y][a], counts["reward_squares"][g][x][y][a]
            need(n > 0 or total == squares == 0, f"rewards {at} come without visits")
            most = n * squares * D("1.000001") + n * n * D("1e-300")
            need(total * total <= most, f"reward_sum {at} is more than reward_squares allows")
        for x, y, _ in cells[::2]:
            there = sum(visits[x, y, 0]) + sum(visits[x, y, 1])
            arrived = counts["first"][g][x][y] + came[2 * x + y]
            need(arrived <= there, f"visits of group {name}, x={x}, y={y} are fewer than arrivals")


def need_sound_log(counts):
    """What a log's record says must be known, and be no more than the theorem takes."""
    if "log" not in counts:
        return
    log = counts["log"]
    need(log["censored"] in ("no", "drop", "assume-ignorable"), "log.censored of the counts is no such word")
    drawn = log["censored"] == "assume-ignorable" or log.get("imputed", 0) > 0
    need(not drawn, "labels of the counts were drawn, not seen: nothing is proven")
    for finding in log["findings"]:
        need(finding["kind"] in LOSSES + HARMLESS and finding["rows"] > 0, "log.findings has one of no known kind")
    need(all(entry["rows"] > 0 for entry in log.get("excluded", [])), "log.excluded has a group without rows")
    if "lost" in log:
        doubt = zip(log["lost"]["first"], log["lost"]["first_in_doubt"], strict=True)
        need(all(m >= d for m, d in doubt), "log.lost has more people in doubt than are missing")
        return
    lost = any(f["kind"] in LOSSES for f in log["findings"]) or sum(flat(log.get("unlabelled", []))) > 0
    need(not lost, "rows were left out of the counts, and nobody wrote down where: count the log anew")


def need_sound_rewards(certificate, counts, model):
    """Rewards that are known must be of these groups; those that were counted must lie within their range."""
    if model:
        same = all(model[key] == counts[key] for key in ("groups", "features", "horizon"))
        need(same, "groups, features or horizon of the model are not those of the counts")
        need("rests_on" not in model, "the model is an estimate, expected one whose rewards and shares are known")
        need(model.get("discount", 1) > 0, "discount of the model is 0")
        need(all(w >= 0 for w in flat(model.get("reward_noise", []))), "reward_noise of the model is below 0")
        rows = [model["share"], *map(flat, model["initial"])]
        rows += [flat(a) for group in model["transition"] for x in group for y in x for a in y]
        rows += model.get("participation", {}).get("first_step", [])
        need(all(abs(sum(row) - 1) <= TOLERANCE for row in rows), "a distribution of the model does not sum to 1")
        shares = zip(model["share"], counts["first"], strict=True)
        need(all(share > 0 or sum(flat(n)) == 0 for share, n in shares), "a group without a share has people")
    if "reward_range" not in certificate:
        return
    low, high = certificate["reward_range"]
    need(low <= high, "reward_range is not in order")
    need(sum(flat(counts["first"])) > 0, "nobody was counted, so that shares are not known")
    need("reward" in counts.get("log", {"columns": ["reward"]})["columns"], "the log has no rewards")
    size = max(abs(low), abs(high))
    sums, squares = flat(counts["reward_sum"]), flat(counts["reward_squares"])
    visits = [sum(cell) for group in counts["visits"] for cell in zip(*map(flat, group), strict=True)]
    for n, total, square in zip(visits, sums, squares, strict=True):
        off = TOLERANCE * n * size
        need(n * low - off <= total <= n * high + off, "counted rewards lie outside of reward_range")
        need(
            square <= (low + high) * total - n * low * high + off * size, "counted rewards lie outside of reward_range"
        )


def need_sound_settings(certificate, counts, policy, model):
    """Settings within their ranges, and exactly the keys that go with them."""
    need(0 < certificate["delta"] < 1, "/delta is not between 0 and 1")
    need(policy.get("groups", counts["groups"]) == counts["groups"], "groups of the policy are not those of the counts")
    counted = "reward_range" in certificate
    need(counted == ("discount" in certificate), "reward_range and discount go together")
    need(not (counted and model), "rewards are both known and counted")
    lost, _ = losses(counts)
    lacking = any(n > 0 for table in lost.values() for n in flat(table))
    need(lacking == ("if_nothing_lost" in certificate), "/if_nothing_lost goes with counts that lost rows")
    if certificate["followed"]:
        for people, missing, group in zip(counts["first"], lost["first"], counts["visits"], strict=True):
            there = max(sum(flat(step)) for step in group)
            need(there <= sum(flat(people)) + missing, "more decisions at a step than people: they were not followed")
    split = {"rows", "row", "ball", "interval"} | ({"followed", "tail"} if certificate["followed"] else set())
    split |= {"rewards", "reward"} if counted else set()
    notions = certificate["certified_gap"].keys()
    need(notions, "/certified_gap has no notion")
    rates = {rate for notion in notions for rate in NOTIONS[notion]}
    bounds = certificate.get("if_nothing_lost", {"certified_gap": notions, "rates": rates})
    keys = [(certificate["delta_split"], split), (certificate["estimated_gap"], notions)]
    keys += [(certificate["rates"], rates | ({"qualified"} if rates - {"accept"} else set()))]
    keys += [(bounds["certified_gap"], notions), (bounds["rates"], rates)]
    keys += [(pair, notions | {"groups"}) for pair in certificate["pairs"]]
    for found, expected in keys:
        need(set(found) == set(expected), f"the keys are {', '.join(found)}, expected {', '.join(sorted(expected))}")
    groups = len(counts["groups"])
    need(len(certificate["pairs"]) == groups * (groups - 1) // 2, "/pairs are not all pairs of groups")


def need_sound(certificate, counts, policy, model):
    need_sound_counts(counts)
    need_sound_log(counts)
    need_sound_settings(certificate, counts, policy, model)
    need_sound_rewards(certificate, counts, model)
