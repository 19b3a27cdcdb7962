"""The form of a certificate and of the documents in it: what must be so before anything can be checked.

`read` takes the text apart: JSON, keys, kinds, lengths, ranges. Whatever is not so ends in NoCertificate with the
first reason. certificate_soundness.py asks whether what is there can be true together; check_certificate.py does the
rest.
"""

import json
import math
from decimal import Decimal as D

TOLERANCE = D("1e-9")
NOTIONS = {"dp": ["accept"], "eqopt": ["tpr"], "eqodds": ["fpr", "tpr"]}  # the rates that each notion compares
RATIOS = {"dp-ratio": "accept", "eqopt-ratio": "tpr"}  # the rate that each ratio is of
LABELS = {"accept": (0, 1), "tpr": (1,), "fpr": (0,)}  # the people that each rate is about, by y


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
            "?labels": "number",
            "?label": "number",
            "?directions": "number",
            "?question": "number",
            "?path": "number",
        },
        "followed": "flag",
        "?labels": "text",
        "?refused": "text",
        "?odds": "number",
        "?reward_range": "reward 2",
        "?discount": "probability",
        "groups": "text g",
        "certified_gap": {"?dp": "number h", "?eqopt": "number h", "?eqodds": "number h"},
        "estimated_gap": {"?dp": "number? h", "?eqopt": "number? h", "?eqodds": "number? h"},
        "?reference": "text",
        "?certified_ratio": {"?dp-ratio": "number? h", "?eqopt-ratio": "number? h"},
        "?estimated_ratio": {"?dp-ratio": "number? h", "?eqopt-ratio": "number? h"},
        "?certified_aggregate_gap": {"dp": "number"},
        "?estimated_aggregate_gap": {"dp": "number"},
        "certified_value": "number?",
        "estimated_value": "number?",
        "?bound_by": {"?dp": "text h", "?eqopt": "text h", "?eqodds": "text h", "value": "text?"},
        "pairs": [{"groups": "text 2", "?dp": "number h", "?eqopt": "number h", "?eqodds": "number h"}],
        "rates": {
            "?accept": {"low": "number g h", "high": "number g h", "estimate": "number? g h"},
            "?tpr": {"low": "number g h", "high": "number g h", "estimate": "number? g h"},
            "?fpr": {"low": "number g h", "high": "number g h", "estimate": "number? g h"},
            "?qualified": {"low": "number g h", "high": "number g h", "estimate": "number? g h"},
        },
        "?label_shares": {"low": "probability g x", "high": "probability g x"},
        "?if_refused": [
            {
                "refused": "text",
                "?odds": "number",
                "certified_gap": {"?eqopt": "number h", "?eqodds": "number h"},
                "rates": {
                    "tpr": {"low": "number g h", "high": "number g h"},
                    "?fpr": {"low": "number g h", "high": "number g h"},
                },
            },
        ],
        "?break_even": {"limit": "probability", "refused": "text?", "?odds": "number"},
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
            "?design": {"file": "text", "sha256": "text", "text": "text"},
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
        "?periods": [{"name": "name", "first_step": "count"}],
        "?part": {"role": "text", "share": "probability", "seed": "seed", "logs": "text *"},
        "first": "count g x 2",
        "visits": "count g h x 2 2",
        "transitions": "count g x 2 2 x 2",
        "reward_sum": "number g x 2 2",
        "reward_squares": "square g x 2 2",
        "?log": {
            "files": "text *",
            "columns": {"*": "text"},
            "?bins": "number *",
            "?shape": {
                "?query": "text",
                "?wide": [{"from": "text *", "column": "text"}],
                "?recodes": [{"column": "text", "values": {"*": "text"}, "?other": "text"}],
                "?bins": [{"column": "text", "edges": "number *"}],
                "?step": {"column": "text", "every": "text"},
                "?missing": "text *",
            },
            "first_step": "whole",
            "rows": "count",
            "findings": [{"kind": "text", "?column": "text", "rows": "count", "file": "text", "row": "count"}],
            "censored": "text",
            "?imputed": "count",
            "?unlabelled": "count g h x 2",
            "?unlabelled_rows": {
                "first": "count g x",
                "transitions": "count g x 2 x",
                "?lost": {
                    "first": "count g",
                    "first_in_doubt": "count g",
                    "decisions": "count g h",
                    "cells": "count g x 2",
                    "transitions": "count g x 2",
                },
            },
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
        "?periods": [{"name": "name", "first_step": "count"}],
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
# Of documents with periods, k of them, each of which has a kernel of its own.
BY_PERIOD = {"transitions": "count g k x 2 2 x 2", "transition": "probability g k x 2 2 x 2"}
RANGES = {"probability": (0, 1), "reward": (-1e100, 1e100), "square": (0, math.inf)}
LARGEST = 2**63 - 1
DEEPEST = 32


def flat(nested):
    return [x for part in nested for x in flat(part)] if isinstance(nested, list) else [nested]


def kernels(document, g):
    """A group's rows, counted or known, for each period; one for all steps if there are no periods."""
    rows = document["transitions" if "transitions" in document else "transition"][g]
    return rows if "periods" in document else [rows]


def starts(document):
    """The first steps of the periods."""
    return [int(period["first_step"]) for period in document.get("periods", [{"first_step": 0}])]


def period_of(document, t):
    """The period that step t is in, counted from 0."""
    return sum(start <= t for start in starts(document)) - 1


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


def places_in(document, groups, features):
    """Where groups and features stand that are known by their names; as they are, if these are others."""
    theirs = document["groups"], document.get("features", features)
    if any(sorted(ours) != sorted(now) for ours, now in zip((groups, features), theirs, strict=True)):
        return {"g": range(len(groups)), "x": range(len(features))}
    return {"g": [*map(theirs[0].index, groups)], "x": [*map(theirs[1].index, features)]}


def in_order(value, form, places):
    """A document of the form with what is under g and x moved to its place."""
    if isinstance(form, dict):
        return {key: in_order(part, form.get(key, form.get("?" + key)), places) for key, part in value.items()}
    if isinstance(form, list):
        return [in_order(part, form[0], places) for part in value]
    if form is None or " " not in form:
        return value
    kind, length, *rest = form.split()
    parts = [in_order(part, " ".join([kind, *rest]), places) for part in value]
    return [parts[i] for i in places[length]] if length in places else parts


def fit_entry(value, kind, place):
    if kind == "anything" or (kind in ("number?", "text?") and value is None):
        return value
    if kind in ("text", "text?", "name"):
        need(type(value) is str, f"{place} is no text")
        control = any(c < " " or c == "\x7f" for c in value)
        need(kind != "name" or (value and not control), f"{place} is no name")
        return value
    if kind == "flag":
        need(type(value) is bool, f"{place} is neither true nor false")
        return value
    if kind == "seed":
        need(type(value) is int and 0 <= value < 2**64, f"{place} is no whole number of 0 to 2^64 - 1")
        return D(value)
    if kind in ("count", "whole"):
        least = 0 if kind == "count" else -LARGEST - 1
        need(type(value) is int and least <= value <= LARGEST, f"{place} is no {kind} of at most {LARGEST}")
        return D(value)
    need(type(value) in (int, D), f"{place} is no number")
    value = D(float(value))
    low, high = RANGES.get(kind, (-math.inf, math.inf))
    need(low <= value <= high, f"{place} is {value}, expected {low} to {high}")
    return value


def need_periods(periods, steps, place):
    """They follow each other from step 0 on, up to the last step but one."""
    periods = fit(periods, FORMS["counts"]["?periods"], {}, place)
    need(periods, f"{place} is empty")
    need(len({period["name"] for period in periods}) == len(periods), f"{place} has a name twice")
    first = [period["first_step"] for period in periods]
    need(first[0] == 0 and first == sorted(set(first)) and first[-1] <= steps - 2, f"{place} do not cover the steps")


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
        kind = "counts" if name == "design" else name
        schema = documents[name].get("schema")
        need(schema == f"fairstep/{kind}/1", f"/inputs/{name}/text is no document of schema fairstep/{kind}/1")
    counts = documents["counts"]
    groups, features, steps = (
        fit(counts.get(key), FORMS["counts"][key], {}, f"{key} of the counts")
        for key in ("groups", "features", "horizon")
    )
    need(len(groups) >= 2 and features and steps > 0, "the counts have fewer than two groups, no features or no steps")
    sizes = {"g": len(groups), "h": int(steps), "x": len(features)}
    for name, document in documents.items():
        alike = name == "policy" and document.get("group_independent") is True
        form = FORMS["policy for all" if alike else "counts" if name == "design" else name]
        if "periods" in document:
            form = form | {key: table for key, table in BY_PERIOD.items() if key in form}
            need_periods(document["periods"], int(steps), f"/inputs/{name}/text/periods")
            sizes["k"] = len(document["periods"])
        documents[name] = fit(document, form, sizes, f"/inputs/{name}/text")
        if name in ("policy", "model") and "groups" in document:
            documents[name] = in_order(documents[name], form, places_in(documents[name], groups, features))
    return fit(certificate, FORMS["certificate"], sizes), documents
