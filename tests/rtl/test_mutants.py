# SPDX-License-Identifier: Apache-2.0
"""Mutants of RTL: which there are, in which order; reasons of survivors are of mutants."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from pathlib import Path

import pytest
from harness import ROOT
from mutants import hand, rules
from mutants.mutant import Mutant
from mutants.reasons import reasons
from suites import suites_of

MODULE = """\
module sample (input logic clk_i, input logic rst_ni, output logic [3:0] q_o);
  // q_o == 4'd3 in a comment
  always_ff @(posedge clk_i) begin
    if (!rst_ni) q_o <= '0;
    else if (q_o == 4'd9) begin
      q_o <= q_o + 4'd2;
    end
  end
  Small: assert property (@(posedge clk_i) q_o != 4'd15);
endmodule
"""


def by_rule(block: str) -> list[Mutant]:
    """Return all mutants by rule of a block."""
    modules = [module for suite in suites_of(block) for module in suite.modules]
    paths = [ROOT / "rtl" / block / f"{module}.sv" for module in modules]
    return [mutant for path in paths for mutant in rules.mutants(path)]


def test_rules_change_hardware_alone(tmp_path: Path) -> None:
    """Neither ports nor comments nor assertions; each mutant has its line."""
    path = tmp_path / "sample.sv"
    path.write_text(MODULE)
    found = {mutant.name: mutant for mutant in rules.mutants(path)}
    assert sorted(found) == [
        "sample:4:enable", "sample:4:negation", "sample:4:reset", "sample:5:constant",
        "sample:5:enable", "sample:5:equality", "sample:6:constant", "sample:6:dropped",
        "sample:6:sum",
    ]  # fmt: skip
    dropped, equality = found["sample:6:dropped"], found["sample:5:equality"]
    assert dropped.line == "q_o <= q_o + 4'd2;" and dropped.line not in dropped.applied(MODULE)
    assert "else if (q_o != 4'd9) begin" in equality.applied(MODULE)
    assert equality.what == "equality: `==` is `!=`"


def test_mutants_are_even_over_modules_and_rules() -> None:
    """Each module has one before any has two; no rule has most of them; a seed gives the same."""
    every = by_rule("nic")
    modules = len({mutant.file for mutant in every})
    taken = list(islice(rules.in_turn(every, 1), modules))
    assert len({mutant.file for mutant in taken}) == modules > 30
    counts = Counter(mutant.rule for mutant in taken)
    assert set(counts) == set(rules.RULES) and max(counts.values()) - min(counts.values()) <= 3
    assert taken == list(islice(rules.in_turn(every, 1), modules))
    assert taken != list(islice(rules.in_turn(every, 2), modules))
    assert len(list(rules.in_turn(every, 1))) == len(every)


@pytest.mark.parametrize("block", ["nic", "pcix"])
def test_every_reason_is_of_a_mutant(block: str) -> None:
    """Mutants by hand are in their files once; a survivor's line is in its file."""
    every = [*hand.mutants(block), *by_rule(block)]
    for reason in reasons(block):
        assert any(reason.is_of(mutant) for mutant in every), reason
