"""A model small enough to work out by hand, as a document."""

import copy

# Two groups, two features, two steps. Refused: stay. Accepted: the qualified go to (high, 1), the others to (low, 0).
HAND = {
    "schema": "fairstep/model/1",
    "horizon": 2,
    "groups": ["a", "b"],
    "features": ["low", "high"],
    "labels": ["unqualified", "qualified"],
    "actions": ["refuse", "accept"],
    "share": [0.75, 0.25],
    # a: P(high) = 1/2, P(y=1|low) = 1/4, P(y=1|high) = 3/4. b: everybody low, P(y=1) = 1/2.
    "initial": [[[0.375, 0.125], [0.125, 0.375]], [[0.5, 0.5], [0.0, 0.0]]],
    "transition": [
        [
            [
                [
                    [[float((x1, y1) == ((x, y) if a == 0 else (y, y))) for y1 in (0, 1)] for x1 in (0, 1)]
                    for a in (0, 1)
                ]
                for y in (0, 1)
            ]
            for x in (0, 1)
        ]
        for _ in range(2)
    ],
    # Accepting earns 1 from the qualified and costs 1/2 on the others.
    "reward": [[[[0.0, -0.5], [0.0, 1.0]] for _ in range(2)] for _ in range(2)],
}


def hand():
    return copy.deepcopy(HAND)


def hand_policy(accept, groups=("a", "b")):
    """accept[g][h][x]"""
    return {"schema": "fairstep/policy/1", "groups": list(groups), "accept": accept}
