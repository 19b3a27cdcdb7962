"""Small mistakes that could be in a C++ source, found by the shape of its text.

The sources are formatted by clang-format, which tells apart what a parser would: a comparison has spaces around it and
a template's brackets have none, a product has them and a pointer has not. What is no C++ after all does not compile and
is not counted.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

OPERATORS = {
    "<": ["<=", ">="],
    "<=": ["<", ">"],
    ">": [">=", "<="],
    ">=": [">", "<"],
    "==": ["!="],
    "!=": ["=="],
    "+": ["-"],
    "-": ["+"],
    "*": ["/"],
    "/": ["*"],
    "%": ["/"],
    "+=": ["-="],
    "-=": ["+="],
    "*=": ["/="],
    "/=": ["*="],
    "&&": ["||"],
    "||": ["&&"],
}
WORDS = {
    "min": "max",
    "min_element": "max_element",
    "low": "high",
    "initial_low": "initial_high",
    "least": "greatest",
    "up": "down",
    "floor": "ceil",
    "true": "false",
    "begin": "end",
    "front": "back",
}
WORDS |= {new: old for old, new in WORDS.items()}

# How statements begin that cannot be dropped: declarations, and what would leave a function without a result.
NOT_DROPPED = re.compile(
    r"(return|using|const|constexpr|auto|struct|class|enum|namespace|static|template|case|default|typedef|inline|assert"
    r"|public|private|else|do|friend|explicit|\[\[|#|~)\b|\W*$"
)
DECLARATION = re.compile(r"[\w:]+(<[^;]*>)?(::\w+)*[&*]*\s+[&*]*\w+\s*([;={(\[,:]|$)")
BLOCK = re.compile(r"\b(else|do|try|const|noexcept|override|namespace(\s+[\w:]+)?|(struct|class|enum)\s+[^;]*)$")
CONTROL = re.compile(r"\s*(else\s+)?(if|for|while)\s*(constexpr\s*)?\(|\s*else\b")


@dataclass(frozen=True)
class Mutation:
    start: int
    end: int
    new: str
    kind: str

    def apply(self, text: str) -> str:
        return text[: self.start] + self.new + text[self.end :]


def masked(text: str) -> str:
    """The same text with blanks for comments, strings, characters, directives and assertions, newlines kept."""
    pattern = re.compile(
        r'//[^\n]*|/\*.*?\*/|R"(?P<mark>\w*)\(.*?\)(?P=mark)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|^[ \t]*#[^\n]*'
        r"|\bassert\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\);|\bstatic_assert\([^;]*;|\[\[[a-z]+\]\]",
        re.DOTALL | re.MULTILINE,
    )
    return pattern.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), text)


def close_of(code: str, start: int) -> int:
    """Where the bracket that opens at `start` closes."""
    depth = 0
    for i in range(start, len(code)):
        depth += (code[i] in "([{") - (code[i] in ")]}")
        if depth == 0:
            return i
    return len(code) - 1


def operators(code: str) -> Iterator[Mutation]:
    for found in re.finditer(r"(?<=[\s])(<=|>=|==|!=|\+=|-=|\*=|/=|&&|\|\||[<>+\-*/%])(?=\s)", code):
        if found.group() == "<" and code[: found.start()].rstrip().endswith("template"):
            continue
        for new in OPERATORS[found.group()]:
            yield Mutation(found.start(), found.end(), new, "operator")


def steps(code: str) -> Iterator[Mutation]:
    """++ and --, but not those that drive a loop, which would never end."""
    loops = [(m.end() - 1, close_of(code, m.end() - 1)) for m in re.finditer(r"\bfor \(", code)]
    for found in re.finditer(r"\+\+|--", code):
        if not any(begin < found.start() < end for begin, end in loops):
            yield Mutation(found.start(), found.end(), "--" if found.group() == "++" else "++", "step")


def numbers(code: str) -> Iterator[Mutation]:
    for found in re.finditer(r"(?<![\w.])(\d[\d']*\.?\d*(?:[eE][+-]?\d+)?)([uUlLfF]*)(?![\w.'>])", code):
        digits, suffix = found.groups()
        if re.search(r"[eE.]", digits):
            new = f"({digits}{suffix} + 1)"
        else:
            new = {"0": "1", "1": "0"}.get(digits, str(int(digits.replace("'", "")) + 1)) + suffix
        yield Mutation(found.start(), found.end(), new, "number")
        if digits == "1":
            yield Mutation(found.start(), found.end(), "2" + suffix, "number")


def words(code: str) -> Iterator[Mutation]:
    for found in re.finditer(r"\b(" + "|".join(WORDS) + r")\b", code):
        before = code[max(0, found.start() - 40) : found.start()]
        declared = re.search(r"[\w>][&*]* $", before) and not re.search(r"\b(return|else|case) $", before)
        called = code[found.end()] == "("
        if declared or (called and found.group() in ("low", "high", "least", "greatest")):
            continue
        yield Mutation(found.start(), found.end(), WORDS[found.group()], "word")


def conditions(code: str) -> Iterator[Mutation]:
    """An `if` that asks the opposite, and one that never happens."""
    for found in re.finditer(r"\bif (constexpr )?\(", code):
        begin, end = found.end(), close_of(code, found.end() - 1)
        last = code.rfind(";", begin, end) + 1 or begin
        condition = code[last:end].strip()
        if "{" in condition:
            last, condition = begin, code[begin:end].strip()
        yield Mutation(last, end, f" !({condition})", "if not")
        yield Mutation(last, end, f" false && ({condition})", "if never")


def statements(code: str) -> Iterator[tuple[int, int]]:
    """Begin and end (behind the semicolon) of everything between semicolons and the braces of blocks."""
    start = 0
    open_brackets: list[tuple[str, int]] = []
    for i, char in enumerate(code):
        if char in "([":
            open_brackets.append((char, start))
        elif char in ")]" and open_brackets:
            open_brackets.pop()
        elif char == "{":
            before = code[start:i].rstrip()
            inside = bool(open_brackets) and open_brackets[-1][0] in "(["
            is_lambda = re.search(r"\](\([^{}]*\))?(\s*->\s*[\w:<>]+)?$", before) is not None
            is_value = re.search(r"(=|,|\(|return|\w|>|\{)$", before) is not None and not BLOCK.search(before)
            open_brackets.append(("value" if is_lambda or is_value or inside else "block", start))
            if is_lambda or not (is_value or inside):
                start = i + 1
        elif char == "}" and open_brackets:
            kind, before_it = open_brackets.pop()
            start = before_it if kind == "value" else i + 1
        elif char == ";" and not (open_brackets and open_brackets[-1][0] in "(["):
            yield start, i + 1
            start = i + 1


def dropped(code: str) -> Iterator[Mutation]:
    """A statement that was forgotten: assignments, calls, `break` and `continue`."""
    for begin, end in statements(code):
        while control := CONTROL.match(code, begin, end):
            begin = close_of(code, control.end() - 1) + 1 if control.group().endswith("(") else control.end()
        begin += len(code[begin:end]) - len(code[begin:end].lstrip())
        text = code[begin:end]
        if NOT_DROPPED.match(text) or DECLARATION.match(text) or text.strip() == ";" or "}" in text.split("{")[0]:
            continue
        yield Mutation(begin, end, ";", "dropped")


def mutations_of(text: str) -> list[Mutation]:
    """All of them, in the order of the text."""
    code = masked(text)
    found = {
        mutation
        for find in (operators, steps, numbers, words, conditions, dropped)
        for mutation in find(code)
        if mutation.end > mutation.start
    }
    return sorted(found, key=lambda m: (m.start, m.end, m.new))
