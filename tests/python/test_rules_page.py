# SPDX-License-Identifier: Apache-2.0
"""The page of protocol rules: it has every rule of every header, with what the header says."""

import subprocess

import pytest
from longhaul.docs import rules_page
from longhaul.docs.rules_page import Rule
from longhaul.errors import LonghaulError
from longhaul.paths import GIT, ROOT
from longhaul.portmap.kinds import KINDS


def test_every_declared_rule_is_on_the_page() -> None:
    pattern = r"constexpr Rule k[A-Z][A-Za-z]*"
    command = [*GIT, "grep", "-hoE", pattern, "--", "platform/*.h", "platform/*.cc"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    found = rules_page.rules()
    assert len(found) == len(done.stdout.splitlines()) > 40
    assert len({rule.name for rule in found}) == len(found)
    page = rules_page.page()
    assert all(f"| `{rule.name}` |" in page for rule in found)


def test_a_rule_has_sentence_and_clause() -> None:
    line = "| `axi.boundary_4k` | A burst does not cross a 4 KiB boundary. | IHI 0022E A3.4.1 |"
    assert line in rules_page.page()
    assert all(rule.text.endswith(".") and rule.clause for rule in rules_page.rules())


def test_every_kind_is_one_of_port_maps_and_has_rules() -> None:
    assert {kind for kinds in rules_page.KINDS.values() for kind in kinds} <= set(KINDS)
    assert {rule.group for rule in rules_page.rules()} == set(rules_page.KINDS)


def test_texts_side_by_side_are_one_sentence() -> None:
    text = 'inline constexpr Rule kA{\n    "axi.a", "1.2",\n    "One, two "\n    "three."};\n'
    assert rules_page.declared(text) == [Rule("axi.a", "1.2", "One, two three.")]


def test_a_rule_without_a_clause_is_refused() -> None:
    with pytest.raises(LonghaulError, match="kA"):
        rules_page.declared('constexpr Rule kA{"axi.a", "One."};')
