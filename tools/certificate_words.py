"""What a certificate says in words: the statement and the assumptions, from its contents."""

from certificate_form import flat, starts

ABOUT_THE_PARTS = [
    "Two parts: the people of the log were split into a design part and an audit part by a hash of the person and a "
    "seed that was chosen before anybody looked. The counts are the audit part, which proves; the design part only "
    "says where to look.",
    "Apart: nothing about the design part followed from what became of people of the audit part: not who came and who "
    "stayed, not how they were treated, not what was lost of it, and not when it ended.",
    "Chosen apart: the policy was made without the audit part: from the design part, in any way whatever, or before "
    "both. If the audit part was looked at to choose it, this certificate does not hold, and one without a design part "
    "is needed. All else that was chosen (delta, notions, rewards; names, steps and periods that are counted) was "
    "chosen without it, too.",
]


def statement(value, lost, ratios=None, aggregate=False):
    """`ratios` is what the rates are measured by, "best" or "reference", if ratios are certified."""
    below = "rate of the reference" if ratios == "reference" else "greatest rate of any group"
    return (
        "If the assumptions hold, then with probability at least 1 - delta over the data, at every step and for every "
        "pair of groups at once, the gap between the groups under the true population is at most certified_gap"
        + (
            f", and where certified_ratio has a number no group's rate is less than that times the {below}"
            if ratios
            else ""
        )
        + (
            ", and over all steps together the gap between accepted shares is at most certified_aggregate_gap"
            if aggregate
            else ""
        )
        + (", and the value of the policy is at least certified_value" if value else "")
        + (", whatever the rows that were left out would have said" if lost else "")
        + "."
    )


ABOUT_LABELS_NOT_SEEN = {
    "like-accepted": (
        "Labels not seen are like those seen: at every decision, given all that happened before, group and feature, "
        "whether the label is seen does not depend on the label. That is so by design if decisions used features and "
        "chance alone, and labels are missing through decisions only."
    ),
    "odds": (
        "Labels not seen: at every decision, given all that happened before, group and feature, the odds of the label "
        "1 if it is not seen are between 1/odds and odds times those if it is seen."
    ),
    "anything": "Labels not seen: nothing is assumed about them.",
}


def about_features(rule):
    yield (
        "Features follow features: given all that happened before, a person's group and feature and the decision, the "
        "next feature has a distribution that is the same at all steps and for all people of the group, those in the "
        "data and those under the policy. Where decisions in the data used more than the feature, what they used tells "
        "nothing more about the next feature."
    )
    yield (
        "Independent people: given all that happened before, what becomes of one person does not depend on what "
        "becomes of others at the same time. A shock that hits many at once breaks this."
    )
    yield (
        "First features: given all that happened before, the first feature seen of a person of a group has a "
        "distribution that is the same for all people of the group."
    )
    yield (
        "Seeing is blind: whether a person leaves, joins late or is away for a while may depend on the past, on the "
        "feature and on the decision, not on the label or on the next feature itself."
    )
    if rule == "none":
        yield "Labels: demographic parity needs none, and nothing is assumed about them."
        return
    yield (
        "Labels follow features: given all that happened before a decision, the chance that the label is 1 depends on "
        "group and feature alone and is the same at all steps. Labels that are seen are true."
    )
    yield ABOUT_LABELS_NOT_SEEN[rule]
    yield (
        "Other rules: each entry of if_refused holds if its own rule for labels not seen does, at once with all others."
    )


def about_the_kernel(counts):
    if "periods" not in counts:
        return (
            "One kernel: given a person's group, state (x,y) and the decision, the next state has a distribution that "
            "is the same at all steps, for all people of the group, and does not depend on anything else that happened "
            "before."
        )
    first = starts(counts)
    ends = [*first[1:], int(counts["horizon"]) - 1]
    periods = []
    for period, start, end in zip(counts["periods"], first, ends, strict=True):
        steps = f"step {start}" if end == start + 1 else f"steps {start} to {end - 1}"
        periods.append(f"{period['name']} ({steps})")
    return (
        "One kernel for each period: given a person's group, state (x,y) and the decision, the next state has a "
        "distribution that is the same at all steps of a period, for all people of the group, and does not depend on "
        f"anything else that happened before. Periods: {', '.join(periods)}. They were chosen without looking at the "
        "people counted."
    )


def about_states(counts):
    yield about_the_kernel(counts)
    yield (
        "Independent people: given all that happened before, what becomes of one person does not depend on what "
        "becomes of others at the same time. A shock that hits many at once breaks this."
    )
    yield (
        "First states: given all that happened before, the first state seen of a person of a group has a distribution "
        "that is the same for all people of the group."
    )
    yield (
        "Seeing is blind: whether a person leaves, joins late or is away for a while may depend on the past and on the "
        "decision, not on the next state itself."
    )
    yield "Labels are seen: the counts have the true x, y and decision of everybody counted, also of those refused."


def assumptions(counts, lost, followed, rewards, in_parts=False, rule=None):
    """`rewards` is known, counted or none; `in_parts` whether there is a design part; `rule` what is assumed of labels
    not seen where labels follow features, "none" if no rate needs a label."""
    yield from about_features(rule) if rule else about_states(counts)
    yield from about_the_log(counts.get("log"), lost, rule)
    if in_parts:
        yield from ABOUT_THE_PARTS
    if followed:
        yield (
            "Followed: the people counted were treated by this very policy at every step, are independent of each "
            "other, and their number was fixed before the data."
        )
        yield (
            "Chosen before: the policy was fixed before these data. If it was chosen by them, as the best of several, "
            "say, this certificate does not hold, and one without followed is needed."
        )
    elif in_parts:
        yield "Any treatment: beyond that nothing is assumed about how people in the data were treated."
    else:
        yield (
            "Any policy: nothing is assumed about how people in the data were treated, when the data ended, or how the "
            "policy was made. It may come from these very data."
        )
    yield "Staying: gaps and values are those of people who stay for all steps."
    if rewards == "none":
        yield "Rewards: nothing was said about them, so nothing is certified about the value."
    if rewards == "known":
        yield (
            "Rewards: mean rewards, shares of groups and the discount are those of the model file, which are taken as "
            "true."
        )
    if rewards == "counted":
        yield (
            "Rewards: every single reward lies within reward_range, and its mean, given all that happened before, "
            "depends only on group, state and decision."
        )
        yield (
            "Shares: the value is that of a population whose groups have the shares of the people counted"
            + (" in the design part" if in_parts else "")
            + ". That these are the true shares is not certified."
        )
    yield (
        "Together: all numbers here hold at once with probability 1 - delta. What is said elsewhere, by an audit's "
        "bands, other data or a certificate with followed, may fail with a delta of its own."
    )


def about_the_log(log, lost, by_features):
    if log is None:
        yield (
            "Complete: the counts came without the record of a log. That no row was left out of them is assumed, not "
            "known."
        )
        return
    if lost:
        yield (
            "Left out: rows of the log that could not be used. Nothing is assumed about what they would have said, "
            "only that they are no more than the record of the log says (log.lost)."
        )
    else:
        yield "Complete: by the record of the log no row was left out."
    if people := log.get("unrecorded_people"):
        yield (
            f"Unrecorded: {people} of the people counted came without the record of a log. That no row of theirs was "
            "left out is assumed, not known."
        )
    if decisions := sum(flat(log.get("unlabelled", []))):
        rest = "They are among the rows left out, and nothing is assumed about their labels."
        rest = "Their features are counted with all others." if by_features else rest
        yield f"Unlabelled: {decisions} decisions have no label. {rest}"
    if log["findings"]:
        kinds = (f"{' '.join(filter(None, (f['kind'], f.get('column'))))} ({f['rows']})" for f in log["findings"])
        yield f"Found in the log: {', '.join(kinds)}."
    if log.get("excluded"):
        groups = ", ".join(f"{entry['group']} ({entry['rows']})" for entry in log["excluded"])
        yield (
            f"Outside of the study: groups that were excluded by name, {groups}. Nothing is said about these people."
        )
