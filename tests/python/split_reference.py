"""Who goes to which part, in a few lines of Python, from the words of docs/logs.md ("Two parts of the people")."""

import hashlib
import struct
from typing import Any


def siphash(message: bytes, key: bytes) -> int:
    """SipHash-2-4."""
    words = struct.unpack("<2Q", key) * 2
    v = [a ^ b for a, b in zip(words, struct.unpack(">4Q", b"somepseudorandomlygeneratedbytes"), strict=True)]

    def half(a: int, b: int, left: int) -> None:
        v[a] = (v[a] + v[b]) % 2**64
        v[b] = (v[b] << left | v[b] >> 64 - left) % 2**64 ^ v[a]

    def mix(rounds: int) -> None:
        for _ in range(rounds):
            half(0, 1, 13), half(2, 3, 16)
            v[0] = (v[0] << 32 | v[0] >> 32) % 2**64
            half(2, 1, 17), half(0, 3, 21)
            v[2] = (v[2] << 32 | v[2] >> 32) % 2**64

    length = len(message)
    padded = message + bytes(7 - length % 8) + bytes([length % 256])
    for (word,) in struct.iter_unpack("<Q", padded):
        v[3] ^= word
        mix(2)
        v[0] ^= word
    v[2] ^= 0xFF
    mix(4)
    return v[0] ^ v[1] ^ v[2] ^ v[3]


def is_design(person: object, share: float, seed: int) -> bool:
    """Python compares a whole number and a float exactly, and share * 2^64 is exact."""
    return siphash(str(person).encode(), struct.pack("<Q", seed) + b"fairstep") < share * 2.0**64


def fingerprint(design: dict[str, Any]) -> str:
    """Of the counts of a design part, as json.load has them."""

    def flat(table: Any) -> list[Any]:
        return [entry for part in table for entry in flat(part)] if isinstance(table, list) else [table]

    lines = [str(design["horizon"])]
    labels = {"labels": ["unqualified", "qualified"], "actions": ["refuse", "accept"]}
    lines += ["\t".join((labels | design)[key]) for key in ("groups", "features", "labels", "actions")]
    lines += [",".join(map(str, flat(design[key]))) for key in ("first", "visits", "transitions")]
    for key in ("reward_sum", "reward_squares"):
        lines.append(",".join(struct.pack(">d", number + 0.0).hex() for number in flat(design[key])))
    log = design.get("log", {})
    if "unlabelled_rows" in log:
        rows = log["unlabelled_rows"]
        lines += [",".join(map(str, flat(table))) for table in (log["unlabelled"], rows["first"], rows["transitions"])]
    return hashlib.sha256("".join(line + "\n" for line in lines).encode()).hexdigest()
