"""Whether the documents and settings of a certificate can be true together, for check_certificate.py.

`need_sound` ends in NoCertificate with the first reason why not.
"""

import hashlib
import re
import struct
from decimal import Decimal as D

from certificate_diagnosis import need_sound_history
from certificate_features import feature_losses, need_rule, need_sound_features
from certificate_form import NOTIONS, TOLERANCE, flat, kernels, need, starts
from certificate_ratios import need_sound_ratios

LOSSES = ["malformed", "missing", "unreadable", "unknown", "conflict", "group-change"]  # findings: a row was lost
HARMLESS = ["out-of-range", "out-of-order", "duplicate", "gap"]


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
        tables = kernels(counts, g)
        rows = [flat(table[x][y][a]) for table in tables for x, y, a in cells]
        came = [sum(column) for column in zip(*rows, strict=True)]
        ends = [*starts(counts)[1:], last]
        for x, y, a in cells:
            n, at = sum(visits[x, y, a]), f"of group {name}, x={x}, y={y}, a={a}"
            left = sum(sum(flat(table[x][y][a])) for table in tables)
            for table, first, end in zip(tables, starts(counts), ends, strict=True):
                there = sum(visits[x, y, a][first:end])
                need(sum(flat(table[x][y][a])) <= there, f"transitions {at} are more than visits in their period")
            need(left <= n - visits[x, y, a][last], f"transitions {at} are more than visits before the last step")
            total, squares = counts["reward_sum"][g][x][y][a], counts["reward_squares"][g][x][y][a]
            need(n > 0 or total == squares == 0, f"rewards {at} come without visits")
            most = n * squares * D("1.000001") + n * n * D("1e-300")
            need(total * total <= most, f"reward_sum {at} is more than reward_squares allows")
        for x, y, _ in cells[::2]:
            there = sum(visits[x, y, 0]) + sum(visits[x, y, 1])
            arrived = counts["first"][g][x][y] + came[2 * x + y]
            need(arrived <= there, f"visits of group {name}, x={x}, y={y} are fewer than arrivals")


def need_sound_log(counts, by_features):
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
    lost = any(f["kind"] in LOSSES for f in log["findings"])
    if by_features:
        need("unlabelled_rows" in log or "unlabelled" not in log, "nobody wrote down where people without a label went")
        known = "lost" in log["unlabelled_rows"] if "unlabelled_rows" in log else "lost" in log or not lost
    else:
        known = "lost" in log or not (lost or sum(flat(log.get("unlabelled", []))) > 0)
    need(known, "rows were left out of the counts, and nobody wrote down where: count the log anew")


def need_sound_part(counts):
    """A part must be one that a split of people can make."""
    if "part" not in counts:
        return
    part = counts["part"]
    need(part["role"] in ("design", "audit"), "part.role of the counts is neither design nor audit")
    need(0 < part["share"] < 1, "part.share of the counts leaves nothing to one of the parts")
    digits = all(re.fullmatch("[0-9a-f]{64}", log) for log in part["logs"])
    need(part["logs"] and digits and part["logs"] == sorted(part["logs"]), "part.logs are no fingerprints in order")


def fingerprint(design):
    """By which the audit part knows its design part: docs/logs.md says of what it is the hash."""
    words = {"labels": ["unqualified", "qualified"], "actions": ["refuse", "accept"]} | design
    lines = [str(int(design["horizon"]))]
    lines += ["\t".join(words[key]) for key in ("groups", "features", "labels", "actions")]
    if "periods" in design:
        lines += ["\t".join(period["name"] for period in design["periods"]), ",".join(map(str, starts(design)))]
    lines += [",".join(str(int(n)) for n in flat(design[key])) for key in ("first", "visits", "transitions")]
    for key in ("reward_sum", "reward_squares"):
        lines.append(",".join(struct.pack(">d", float(number) + 0.0).hex() for number in flat(design[key])))
    log = design.get("log", {})
    if "unlabelled_rows" in log:
        tables = log["unlabelled"], log["unlabelled_rows"]["first"], log["unlabelled_rows"]["transitions"]
        lines += [",".join(str(int(n)) for n in flat(table)) for table in tables]
    return hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()


def need_sound_design(design, counts):
    """The design part must be that of the audit part. Nothing else follows from its tables: they only say where to
    look. Of a sum of several logs no fingerprint is known."""
    for key in ("groups", "features", "horizon"):
        need(design[key] == counts[key], f"{key} of the design part are not those of the counts")
    need(design.get("periods") == counts.get("periods"), "periods of the design part are not those of the counts")
    ours, theirs = counts.get("part"), design.get("part")
    need(ours and ours["role"] == "audit", "the counts are no audit part, as they must be beside a design part")
    need(theirs and theirs["role"] == "design", "the design part is none by its own words")
    for key in ("share", "seed", "logs"):
        need(ours[key] == theirs[key], f"part.{key} of the design part is not that of the counts")
    log, logs = design.get("log", {}), theirs["logs"]
    need(
        "unlabelled" in log or "unlabelled_rows" not in log,
        "log.unlabelled_rows of the design part is without log.unlabelled",
    )
    need(len(logs) > 1 or logs == [fingerprint(design)], "part.logs of the design part is no fingerprint of its tables")


def need_sound_rewards(certificate, counts, design, model):
    """Rewards that are known must be of these groups; those that were counted must lie within their range."""
    if model:
        same = all(model[key] == counts[key] for key in ("groups", "features", "horizon"))
        need(same, "groups, features or horizon of the model are not those of the counts")
        need("rests_on" not in model, "the model is an estimate, expected one whose rewards and shares are known")
        need(model.get("discount", 1) > 0, "discount of the model is 0")
        need(all(w >= 0 for w in flat(model.get("reward_noise", []))), "reward_noise of the model is below 0")
        rows = [model["share"], *map(flat, model["initial"])]
        periods = model.get("periods", counts.get("periods"))
        need(periods == counts.get("periods"), "periods of the model are not those of the counts")
        for g in range(len(model["groups"])):
            rows += [flat(a) for table in kernels(model, g) for x in table for y in x for a in y]
        rows += model.get("participation", {}).get("first_step", [])
        need(all(abs(sum(row) - 1) <= TOLERANCE for row in rows), "a distribution of the model does not sum to 1")
        shares = zip(model["share"], counts["first"], strict=True)
        need(all(share > 0 or sum(flat(n)) == 0 for share, n in shares), "a group without a share has people")
    if "reward_range" not in certificate:
        return
    low, high = certificate["reward_range"]
    need(low <= high, "reward_range is not in order")
    people = sum(flat((design or counts)["first"]))
    need(people > 0, "nobody was counted, so that shares are not known")
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


def need_sound_labels(certificate, counts, others):
    """Exactly the keys that go with labels that follow features, and rules that there are. Their parts of delta."""
    follow, notions = "labels" in certificate, certificate["certified_gap"].keys() - {"dp"}
    needed = follow and notions
    for key in ("refused", "label_shares", "if_refused"):
        need((key in certificate) == bool(needed), f"/{key} goes with rates where labels follow features")
    need(needed or not {"odds", "break_even"} & certificate.keys(), "/break_even goes with labels that follow features")
    if not follow:
        return set()
    need(certificate["labels"] == "follow-features", "/labels is no such word")
    need("periods" not in counts, "/labels goes with one kernel for all steps")
    need(not others and not certificate["followed"], "/labels goes with no followers, design part or rewards")
    if not needed:
        return set()
    need_rule(certificate, "")
    rates = {rate for notion in notions for rate in NOTIONS[notion]}
    for i, other in enumerate(certificate["if_refused"]):
        need_rule(other, f"/if_refused/{i}")
        need(
            set(other["certified_gap"]) == set(notions) and set(other["rates"]) == rates, f"/if_refused/{i} has others"
        )
    even = certificate.get("break_even")
    if even and even["refused"] is not None:
        need_rule(even, "/break_even")
    need(not even or even["refused"] is not None or "odds" not in even, "/break_even/odds goes with the rule odds")
    return {"labels", "label"}


def need_sound_settings(certificate, counts, design, policy, model):
    """Settings within their ranges, and exactly the keys that go with them."""
    need(0 < certificate["delta"] < 1, "/delta is not between 0 and 1")
    need(policy.get("groups", counts["groups"]) == counts["groups"], "groups of the policy are not those of the counts")
    counted = "reward_range" in certificate
    need(counted == ("discount" in certificate), "reward_range and discount go together")
    need(not (counted and model), "rewards are both known and counted")
    lost, _ = feature_losses(counts) if "labels" in certificate else losses(counts)
    lacking = any(n > 0 for table in lost.values() for n in flat(table))
    need(lacking == ("if_nothing_lost" in certificate), "/if_nothing_lost goes with counts that lost rows")
    if certificate["followed"]:
        for people, missing, group in zip(counts["first"], lost["first"], counts["visits"], strict=True):
            there = max(sum(flat(step)) for step in group)
            need(there <= sum(flat(people)) + missing, "more decisions at a step than people: they were not followed")
    split = {"rows", "row", "ball", "interval"} | ({"followed", "tail"} if certificate["followed"] else set())
    split |= {"rewards", "reward"} if counted else set()
    split |= {"directions", "question", "path"} if design else set()
    split |= need_sound_labels(certificate, counts, counted or design or model)
    need_sound_ratios(certificate, counts["groups"])
    need(("bound_by" in certificate) == bool(design), "/bound_by goes with a design part")
    notions = certificate["certified_gap"].keys()
    need(notions, "/certified_gap has no notion")
    rates = {rate for notion in notions for rate in NOTIONS[notion]}
    bounds = certificate.get("if_nothing_lost", {"certified_gap": notions, "rates": rates})
    keys = [(certificate["delta_split"], split), (certificate["estimated_gap"], notions)]
    keys += [(certificate["rates"], rates | ({"qualified"} if rates - {"accept"} else set()))]
    keys += [(bounds["certified_gap"], notions), (bounds["rates"], rates)]
    keys += [(certificate["bound_by"], notions | {"value"})] if design else []
    keys += [(pair, notions | {"groups"}) for pair in certificate["pairs"]]
    for found, expected in keys:
        need(set(found) == set(expected), f"the keys are {', '.join(found)}, expected {', '.join(sorted(expected))}")
    groups = len(counts["groups"])
    need(len(certificate["pairs"]) == groups * (groups - 1) // 2, "/pairs are not all pairs of groups")


def need_sound(certificate, documents):
    counts, policy = documents["counts"], documents["policy"]
    design, model = documents.get("design"), documents.get("model")
    need_sound_counts(counts)
    need_sound_features(counts)
    need_sound_log(counts, "labels" in certificate)
    need_sound_part(counts)
    need_sound_history(counts)
    if design:
        need_sound_part(design)
        need_sound_design(design, counts)
    need_sound_settings(certificate, counts, design, policy, model)
    need_sound_rewards(certificate, counts, design, model)
