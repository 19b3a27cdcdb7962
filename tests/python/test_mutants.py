"""scripts/mutants.py finds the mistakes it is to make, and no others; its list of equivalents is up to date."""

import os
import subprocess
import sys

import pytest
from conftest import ROOT

sys.path.insert(0, str(ROOT / "scripts"))
import mutants
from mutation import mutations, schemata

SNIPPET = """\
// a < b in a comment
#if 1 > 0
template <class T>
int least(const T* p, int n) {
  assert(n > 0);
  int low = p[0];
  for (int i = 1; i < n; ++i)
    if (p[i] < low && true) low = p[i];
  log("a < b + 1");
  return low * 2;
}
"""


def made(text):
    """Every mutant as the line it changes."""
    found = []
    for mutation in mutations.mutations_of(text):
        before, after = text.split("\n"), mutation.apply(text).split("\n")
        [(_, line)] = [(a, b) for a, b in zip(before, after, strict=True) if a != b]
        found.append(line.strip())
    return found


def test_every_kind_of_mistake_is_found():
    assert set(made(SNIPPET)) >= {
        "for (int i = 1; i <= n; ++i)",
        "for (int i = 1; i >= n; ++i)",
        "for (int i = 0; i < n; ++i)",
        "if (p[i] <= low && true) low = p[i];",
        "if (p[i] < low || true) low = p[i];",
        "if (p[i] < low && false) low = p[i];",
        "if (p[i] < high && true) low = p[i];",
        "if ( !(p[i] < low && true)) low = p[i];",
        "if ( false && (p[i] < low && true)) low = p[i];",
        "if (p[i] < low && true) ;",
        ";",  # the call of log
        "return low / 2;",
        "return low * 3;",
    }


def test_comments_texts_directives_templates_and_assertions_are_left_alone():
    for line in made(SNIPPET):
        assert not any(word in line for word in ("comment", "#if", "template", "assert", "a <= b", "const T/"))


def test_a_loop_is_not_turned_round():
    assert "for (int i = 1; i < n; --i)" not in made(SNIPPET)
    assert "--found;" in made("void f() {\n  ++found;\n}\n")


@pytest.mark.parametrize(
    "statement", ["double x = 1;", "const auto y = f(2);", "return x;", "Interval sum = 0;", "std::vector<int> list;"]
)
def test_a_declaration_is_not_dropped(statement):
    text = f"void f() {{\n  {statement}\n}}\n"
    assert not [m for m in mutations.mutations_of(text) if m.kind == "dropped"]


def test_a_sample_is_the_same_each_time_and_another_for_another_seed():
    found = mutants.mutants_of("check")
    names = [m.name for m in found]
    assert len(set(names)) == len(names) > 500
    assert mutants.sample(found, 20, 1) == mutants.sample(found[::-1], 20, 1)
    assert mutants.sample(found, 20, 1) != mutants.sample(found, 20, 2)


def test_the_list_of_equivalents_names_mutants_that_exist_each_with_a_reason():
    listed = mutants.equivalents()
    existing = {m.name for room in mutants.TESTS for m in mutants.mutants_of(room)}
    assert set(listed) <= existing
    assert all(len(why.split()) >= 4 for why in listed.values())


PROGRAM = """\
#include <algorithm>
#include <cstdio>
#include <vector>
struct Ends {
  int low;
  int high;
};
int main() {
  const std::vector<int> seen{3, 1, 2};
  const Ends ends{1, 9};
  int sum = 0;
  for (std::size_t i = 0; i < seen.size(); ++i)
    if (seen[i] > 1 && seen[i] != 3 || i == 1) sum += seen[i] * 10 - ends.low;
  std::printf("%d", std::max(sum, 5));
}
"""


# By hand: the second and the third count, 1 * 10 - 1 and 2 * 10 - 1: 28.
def test_a_program_with_all_mutants_in_it_makes_the_one_it_is_told_to(tmp_path):
    numbered = list(enumerate(mutations.mutations_of(PROGRAM), 1))
    made = schemata.Schemata(PROGRAM, numbered)
    assert not made.left_out
    (tmp_path / "all.cpp").write_text(made.render())
    support = ROOT / "tests/mutants"
    command = [
        "c++",
        "-std=c++20",
        f"-I{support}",
        tmp_path / "all.cpp",
        support / "schemata.cpp",
        "-o",
        tmp_path / "all",
    ]
    subprocess.run(command, check=True)

    def printed(old, new):
        index = [mutation.apply(PROGRAM) for _, mutation in numbered].index(new.join(PROGRAM.rsplit(old, 1)))
        environment = os.environ | {"FAIRSTEP_MUTANT": str(index + 1)}
        return subprocess.run([tmp_path / "all"], env=environment, capture_output=True, text=True).stdout

    environment = os.environ | {"FAIRSTEP_MUTANT": "0"}
    assert subprocess.run([tmp_path / "all"], env=environment, capture_output=True, text=True).stdout == "28"
    assert printed("seen[i] * 10 -", "seen[i] * 10 +") == "32"
    assert printed("10 - ends.low", "10 - ends.high") == "12"
    assert printed("10", "11") == "31"
    assert printed("sum += ", "sum -= ") == "5"
    assert printed("std::max", "std::min") == "5"
    assert printed("&&", "||") == "57"  # all three: 29 + 9 + 19
    assert printed("||", "&&") == "5"  # none
    assert printed("!= 3", "== 3") == "38"  # the first and the second
    assert printed("(seen[i] > 1 && seen[i] != 3 || i == 1)", "( !(seen[i] > 1 && seen[i] != 3 || i == 1))") == "29"
