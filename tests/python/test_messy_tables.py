"""Tables as people have them: each gets exactly the message that tests/corpus/tables.txt has."""

import messy_tables
import pytest


@pytest.mark.parametrize("name", [name for name, _, _ in messy_tables.TABLES])
def test_a_messy_table_gets_exactly_this_message(name):
    [table] = [table for table in messy_tables.TABLES if table[0] == name]
    found = messy_tables.said(*table)
    assert found == messy_tables.expected()[name], "if this is meant: tests/python/messy_tables.py --update"


def test_every_message_is_of_one_of_at_least_thirty_tables():
    names = [name for name, _, _ in messy_tables.TABLES]
    assert len(names) == len(set(names)) >= 30
    assert sorted(names) == sorted(messy_tables.expected())
