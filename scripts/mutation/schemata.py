"""A source with all of its mutants in it, to be compiled once.

Every mutation has a number, and the program makes the mistake whose number it is given (tests/mutants/schemata.hpp).
Not every mutation can be written so: a number in a constant expression, a declaration in a condition. Those are left
out and have to be compiled one at a time.
"""

import re
from dataclasses import dataclass, field

from mutation.mutations import Mutation, masked

KINDS = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge", "==": "eq", "!=": "ne"}
KINDS |= {"+": "add", "-": "sub", "*": "mul", "/": "div", "%": "mod"}
FUNCTIONS = ("min", "max", "min_element", "max_element", "floor", "ceil")
OPEN, CLOSE = "([{", ")]}"


@dataclass
class Site:
    """A piece of the text that is rewritten, and the mutations it then has in it."""

    start: int
    end: int
    kind: str
    mutations: list[tuple[int, Mutation]] = field(default_factory=list)


def chain_around(code: str, at: int) -> tuple[int, int]:
    """The operands of a && or ||, with those of its neighbours."""
    stops = {"&&": ("||",), "||": ()}[code[at : at + 2]]
    depth, left = 0, at
    while left > 0:
        char = code[left - 1]
        depth += (char in CLOSE) - (char in OPEN)
        pair = code[max(0, left - 2) : left]
        is_assigned = char == "=" and code[left - 2] == " " and code[left] == " "
        is_colon = char == ":" and pair != "::" and code[left] != ":"
        if depth < 0 or (depth == 0 and (char in ";,?" or is_assigned or is_colon or pair in stops)):
            break
        if depth == 0 and re.search(r"\breturn $", code[max(0, left - 7) : left]):
            break
        left -= 1
    depth, right = 0, at
    while right < len(code):
        char = code[right]
        depth += (char in OPEN) - (char in CLOSE)
        is_colon = char == ":" and "::" not in code[right - 1 : right + 2]
        if depth < 0 or (depth == 0 and (char in ";,?" or is_colon or code[right : right + 2] in stops)):
            break
        right += 1
    while code[left].isspace():
        left += 1
    while code[right - 1].isspace():
        right -= 1
    return left, right


def object_before(code: str, dot: int) -> int:
    """Where the expression in front of a `.` or `->` begins."""
    at = dot
    while at > 0:
        char = code[at - 1]
        if char in ")]":
            depth = 0
            while at > 0:
                at -= 1
                depth += (code[at] in CLOSE) - (code[at] in OPEN)
                if depth == 0:
                    break
        elif char.isalnum() or char in "_." or code[at - 2 : at] in ("->", "::"):
            at -= 1 if char.isalnum() or char in "_." else 2
        else:
            break
    return at


def site_of(code: str, mutation: Mutation) -> Site | None:
    start, end = mutation.start, mutation.end
    old = code[start:end]
    if mutation.kind == "operator":
        if old in ("&&", "||"):
            return Site(*chain_around(code, start), "chain" + old)
        return Site(start, end, "assign" if old.endswith("=") and old not in KINDS else "operator")
    if mutation.kind == "number" or old in ("true", "false"):
        return Site(start, end, "number")
    if mutation.kind.startswith("if"):
        return Site(start, end, "condition")
    if mutation.kind == "dropped":
        return Site(start, end, "dropped")
    if mutation.kind != "word":
        return None
    if old in FUNCTIONS:
        return Site(start - 5, end, "function") if code[start - 5 : start] == "std::" and code[end] == "(" else None
    if old in ("up", "down"):
        return Site(start, end, "named")
    arrow = 2 if code[start - 2 : start] == "->" else 1 if code[start - 1] == "." else 0
    call = code[end : end + 2] == "()"
    if arrow:
        return Site(object_before(code, start - arrow), end + 2 * call, "member")
    return None if call or old in ("begin", "end", "front", "back") else Site(start, end, "variable")


class Schemata:
    """One source. `numbered` are its mutations, each with the number that makes it."""

    def __init__(self, text: str, numbered: list[tuple[int, Mutation]]):
        self.code = masked(text)
        # Comments go, as copies are put on one line.
        self.text = re.sub(r"//[^\n\"]*$", lambda m: " " * len(m.group()), text, flags=re.MULTILINE)
        self.sites: dict[tuple[int, int, str], Site] = {}
        self.left_out = set()
        for number, mutation in numbered:
            site = site_of(self.code, mutation)
            if site is None:
                self.left_out.add(number)
            else:
                key = (site.start, site.end, site.kind)
                self.sites.setdefault(key, site).mutations.append((number, mutation))

    def render(self) -> str:
        order = {"dropped": 0, "condition": 1, "chain||": 2, "chain&&": 3, "member": 4}
        sites = []
        for site in self.sites.values():
            left = [(n, m) for n, m in site.mutations if n not in self.left_out]
            if left:
                sites.append(Site(site.start, site.end, site.kind, left))
        sites.sort(key=lambda s: (s.start, -s.end, order.get(s.kind, 9)))
        return '#include "schemata.hpp"\n#line 1\n' + self.rendered(0, len(self.text), sites)

    def rendered(self, start: int, end: int, sites: list[Site]) -> str:
        out, at, i = "", start, 0
        while i < len(sites):
            site = sites[i]
            i += 1
            if site.start < at or site.end > end:  # across another: compiled on its own
                self.left_out |= {n for n, _ in site.mutations}
                continue
            inside = []
            while i < len(sites) and sites[i].start < site.end:
                inside.append(sites[i])
                i += 1
            out += self.text[at : site.start] + self.rewritten(site, inside)
            at = site.end
        return out + self.text[at:end]

    def rewritten(self, site: Site, inside: list[Site]) -> str:
        numbers = [n for n, _ in site.mutations]
        news = [m.new for _, m in site.mutations]
        old = self.text[site.start : site.end]
        match site.kind:
            case "operator":
                pairs = ", ".join(f"{n}, fsm::{KINDS[new]}" for n, new in zip(numbers, news, strict=True))
                return f"{old} fsm::Op<fsm::{KINDS[old]}, {pairs}>{{}} {old}"
            case "assign":
                return f"{old} fsm::Assign<{numbers[0]}>{{}} {old}"
            case "number":
                return f"fsm::num<{', '.join(map(str, numbers))}>({old}, {', '.join(news)})"
            case "function":
                return f"fsm::{old[5:]}<{numbers[0]}>"
            case "named":
                return f"(fsm::on({numbers[0]}) ? {news[0]} : {old})"
            case "variable":
                return f"(*(fsm::on({numbers[0]}) ? &{news[0]} : &{old}))"
            case "condition":
                by_kind = {m.kind: n for n, m in site.mutations}
                numbers = [by_kind.get("if not", -1), by_kind.get("if never", -1)]
                inner = self.rendered(site.start, site.end, inside)
                return f" fsm::cond<{numbers[0]}, {numbers[1]}>(static_cast<bool>({inner}))"
            case "dropped":
                return f"if (fsm::on({numbers[0]})) {{}} else {self.rendered(site.start, site.end, inside)}"
            case "member":
                [(number, mutation)] = site.mutations
                before = self.rendered(site.start, mutation.start, inside)
                after = self.text[mutation.end : site.end]
                other = flat(before) + mutation.new + after
                return f"(fsm::on({number}) ? {other} : {before}{self.text[mutation.start : mutation.end]}{after})"
            case _:
                return self.rewritten_chain(site, inside)

    def rewritten_chain(self, site: Site, inside: list[Site]) -> str:
        """`a && b && c`: all ways of having one `||` in it, then as it was."""

        def with_change(changed: Mutation | None) -> str:
            out, at = "", site.start
            for _, mutation in sorted(site.mutations, key=lambda pair: pair[1].start):
                part = [s for s in inside if at <= s.start and s.end <= mutation.start]
                out += self.rendered(at, mutation.start, part)
                out += mutation.new if mutation == changed else self.text[mutation.start : mutation.end]
                at = mutation.end
            return out + self.rendered(at, site.end, [s for s in inside if s.start >= at])

        ways = [f"fsm::on({n}) ? ({flat(with_change(m))}) : " for n, m in site.mutations]
        return f"({''.join(ways)}({with_change(None)}))"

    def leave_out_lines(self, lines: set[int]) -> bool:
        """What is on these lines cannot be compiled this way: small pieces first. Whether that changed anything."""
        tiers = (("variable", "named"), ("number", "condition", "assign"), ("operator", "function", "member"), None)
        for kinds in tiers:
            found = set()
            for site in self.sites.values():
                first = self.code.count("\n", 0, site.start) + 1
                last = self.code.count("\n", 0, site.end) + 1
                if (kinds is None or site.kind in kinds) and any(first <= line <= last for line in lines):
                    found |= {n for n, _ in site.mutations}
            if not found <= self.left_out:
                self.left_out |= found
                return True
        return False


def flat(text: str) -> str:
    return text.replace("\n", " ")
