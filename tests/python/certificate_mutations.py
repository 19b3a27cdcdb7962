"""Certificates with something changed: every field, in every way that we could think of, and damaged text.

`mutants(text, seed, number)` yields (what was done, bytes): every field of the certificate and of its documents in
turn, each changed in a way that is drawn, and every eighth time damaged text. The same seed, the same mutants.
"""

import hashlib
import json
import random

DEEP = 100_000


class Raw(float):
    """A number that is written as these characters."""

    def __new__(cls, text):
        made = super().__new__(cls, 0.5)
        made.text = text
        return made

    def __repr__(self):
        return self.text


def dump(value):
    return json.dumps(value, ensure_ascii=False) if not contains_raw(value) else raw_dump(value)


def contains_raw(value):
    if isinstance(value, dict):
        return any(map(contains_raw, value.values()))
    return any(map(contains_raw, value)) if isinstance(value, list) else isinstance(value, Raw)


def raw_dump(value):
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)}: {raw_dump(part)}" for key, part in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(raw_dump, value)) + "]"
    return value.text if isinstance(value, Raw) else json.dumps(value)


def nodes(value, path=()):
    """Paths to everything in it."""
    yield path
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        yield from nodes(part, (*path, key))


def at(value, path):
    for key in path:
        value = value[key]
    return value


def replaced(document, path, new):
    """A copy with something else at the path."""
    if not path:
        return new
    copy = json.loads(json.dumps(document))
    at(copy, path[:-1])[path[-1]] = new
    return copy


ODD = [None, True, False, 0, 1, -1, 2, 0.5, -0.999999, 1.0, 1e-9, 1e300, "", "text", "0.5", [], {}, [0], [[]], {"a": 1}]
LITERALS = ["NaN", "Infinity", "-Infinity", "1e400", "-1e400", "1e-400", "-0", "-0.0", "01", "1.", ".5", "+1", "0x1"]
LITERALS += ["9223372036854775807", "9223372036854775808", "18446744073709551616", "1" * 400, "1E2", "tru", "1_000"]
TEXTS = ["\u0000", "\u001b[31m", "\u202e", "\u2028", "\ud800", "é", "\ufeff", "x" * 3000]


def variants(value):
    """What may stand there instead."""
    yield from ODD
    yield from map(Raw, LITERALS)
    if isinstance(value, bool) or value is None:
        return
    if isinstance(value, int):
        yield from (
            value + 1,
            value - 1,
            -value,
            value * 2,
            float(value),
            value + 0.5,
            value + 2**53,
            Raw(f"{value}e0"),
        )
    if isinstance(value, float):
        yield from (value * (1 + 1e-6), value * (1 - 1e-6), value + 1e-7, value - 1e-7, value + 0.1, -value, 1 - value)
        yield from (value + 1e-5, value - 1e-5, value / 2 + 0.3, round(value, 3), str(value), [value])
    if isinstance(value, str):
        yield from (value + " ", value[:-1], value.upper(), value[::-1], *(value + text for text in TEXTS), [value])
    if isinstance(value, list):
        yield from (value[:-1], value[1:], value + value[-1:], value[::-1], [*value, None], [value], value * 2)
        yield dict(enumerate(map(str, value)))
        if len(value) > 1:
            yield [*value[1:], value[0]]
    if isinstance(value, dict):
        for key in value:
            yield {name: part for name, part in value.items() if name != key}
            yield {name.upper() if name == key else name: part for name, part in value.items()}
            yield {"?" + name if name == key else name: part for name, part in value.items()}
        yield value | {"more": 0.5}
        yield value | {"": 1}
        yield value | {"*": "text"}
        yield list(value.values())


def doubled(text, luck):
    """A key of some object said twice."""
    places = [i for i in range(len(text)) if text[i] == '"' and text.find('":', i) == text.find('"', i + 1) > 0]
    place = luck.choice(places)
    key = text[place : text.index('"', place + 1) + 1]
    return (text[:place] + f"{key}: 0, " + text[place:]).encode()


TAILS = [b"\0", b"\0{}", b" ", b"\n\n", b"\r\n\t", b"}", b"x", b",", b"\xff", b"\xc2\xa0", b"//", b"{}", b"\x0c"]
FRONTS = [b"\0", b" ", b"x", b"\xff", b"//\n", b"\xfe\xff", b"[", b"\x0c", b"\xef\xbb\xbf", b"\xef\xbb\xbf\xef\xbb\xbf"]
INSTEAD = [b"", b"[" * DEEP, b"[" * DEEP + b"]" * DEEP, b'{"a":' * DEEP, b"null", b"{}", b"0"]


def damaged(text, luck):
    """Text that was changed without a thought of what it says."""
    content = text.encode()
    i, k, byte = luck.randrange(len(content)), luck.randrange(200), bytes([luck.randrange(256)])
    depth = luck.choice([1, 28, 29, 30, 31, 32, 33, 900])
    colon = luck.choice([j for j, c in enumerate(text) if c == ":"])
    ways = {
        "followed": lambda: content + luck.choice(TAILS),
        "led by": lambda: luck.choice(FRONTS) + content,
        "instead": lambda: luck.choice(INSTEAD),
        "deep inside": lambda: (
            text[: colon + 1] + "[" * depth + "]" * depth + ', "more":' + text[colon + 1 :]
        ).encode(),
        "utf-16": lambda: text.encode("utf-16"),
        "in an array": lambda: b"[" + content + b"]",
        "twice": lambda: content + content,
        "a key twice": lambda: doubled(text, luck),
        "byte changed": lambda: content[:i] + byte + content[i + 1 :],
        "byte left out": lambda: content[:i] + content[i + 1 :],
        "byte twice": lambda: content[:i] + content[i : i + 1] + content[i:],
        "byte put in": lambda: content[:i] + byte + content[i:],
        "cut": lambda: content[:i],
        "bytes left out": lambda: content[:i] + content[i + k :],
    }
    way = luck.choice(list(ways))
    return f"{way}, at {i}", ways[way]()


def with_document(certificate, name, text, luck):
    """With another text inside, and the hash that goes with it; sometimes with the hash as it was."""
    changed = replaced(certificate, ("inputs", name, "text"), text)
    if luck.random() < 0.9:
        changed["inputs"][name]["sha256"] = hashlib.sha256(text.encode()).hexdigest()
    return changed


def encoded(value):
    """As UTF-8 if it can be; half of a surrogate pair is written as an escape."""
    try:
        return dump(value).encode()
    except UnicodeEncodeError:
        return json.dumps(value).encode()


def mutants(text, seed, number):
    luck = random.Random(seed)
    certificate = json.loads(text)
    documents = {name: json.loads(entry["text"]) for name, entry in certificate["inputs"].items()}
    places = [(name, path) for name, document in documents.items() for path in nodes(document)]
    places += [(None, path) for path in nodes(certificate)] * 2
    luck.shuffle(places)
    for i in range(number):
        name, path = places[i % len(places)]
        if i % 8 == 7:
            what, content = damaged(text if name is None else certificate["inputs"][name]["text"], luck)
            if name is not None:
                content = encoded(with_document(certificate, name, content.decode(errors="replace"), luck))
            yield f"{name or 'certificate'}: {what}", content
            continue
        document = certificate if name is None else documents[name]
        new = luck.choice(list(variants(at(document, path))))
        changed = replaced(document, path, new)
        if name is not None:
            changed = with_document(certificate, name, encoded(changed).decode(), luck)
        shown = str(new) if len(str(new)) < 60 else str(new)[:60] + "..."
        yield f"{name or 'certificate'}: /{'/'.join(map(str, path))} became {shown}", encoded(changed)
