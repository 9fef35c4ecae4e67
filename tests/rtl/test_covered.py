# SPDX-License-Identifier: Apache-2.0
"""Coverage of a block's test benches: fields of registers, reasons, and what is without one."""

from __future__ import annotations

from pathlib import Path

import pytest
from covered.fields import Fields
from covered.never import Never
from covered.waivers import Waivers
from harness import ROOT, in_tests
from longhaul.coverage import page
from longhaul.coverage.figures import Tally
from longhaul.coverage.kept import Design, Source
from longhaul.coverage.merge import Merged
from longhaul.coverage.points import Point

RAH, STATUS = 0x184, 0x10
SOURCE = """\
module some;
  case (state_q)
    StIdle:  state_d = StData;
    default: state_d = StIdle;
  endcase
  Seen: cover property (@(posedge clk) high);
endmodule
"""


@pytest.fixture
def fields() -> Fields:
    """The fields of the NIC's registers."""
    return Fields(ROOT / "rtl", "nic")


def missed(fields: Fields, name: str) -> list[str]:
    """Return what was not done with a field."""
    (field,) = (each for each in fields.all if each.name == name)
    return field.missed()


def test_a_field_is_written_when_all_its_bits_had_both_values(fields: Fields) -> None:
    """In whichever entry of a table; only bytes with a strobe are written."""
    assert missed(fields, "EXACT.RAH.RAH") == ["written with 0", "written with 1", "read"]
    fields.add([f"{RAH:#x} w 0xffff 15", f"{RAH + 8:#x} w 0x00f0 1"], "first")
    assert missed(fields, "EXACT.RAH.RAH") == ["written with 0", "read"]
    fields.add([f"{RAH + 8:#x} w 0x000f 3", f"{RAH + 16:#x} r 0xffff"], "second")
    assert missed(fields, "EXACT.RAH.RAH") == []
    bins = fields.bus().bins
    assert bins["EXACT.RAH.RAH written with 1"].first == "first"
    assert bins["EXACT.RAH.RAH read as 1"].count == 1
    assert bins["EXACT.RAH.RAH read as 0"].count == 0


def test_a_field_that_software_cannot_write_is_read(fields: Fields) -> None:
    """An address without a register counts nothing."""
    before = fields.tallies()
    fields.add(["0x1fffc w 0xffffffff 15", "0x1fffc r 0x0"], "a claim")
    assert fields.tallies() == before
    assert missed(fields, "STATUS.LU") == ["read"]
    fields.add([f"{STATUS:#x} r 0x2"], "a claim")
    assert missed(fields, "STATUS.LU") == []
    assert fields.tallies()["read"].hit > before["read"].hit == 0


def some(covered: int) -> page.View:
    """Return coverage of a module with a way that no claim took, and a cover."""
    merged = Merged(Design("some", Path("/rtl"), {"some.sv": Source("some.sv", "", SOURCE)}))
    ways = {3: 7, 4: 0}
    counts = {
        Point("some.sv", line, 5, "v_line/some", "case", "b.some", str(line)): count
        for line, count in ways.items()
    }
    counts[Point("some.sv", 6, 3, "v_user/some", "Seen", "b.some")] = covered
    merged.add_counts(counts, "a claim")
    return page.view(merged)


def test_what_is_not_reached_wants_a_reason(tmp_path: Path) -> None:
    """A reason is of lines by their text, or of a cover; a reason of nothing is told, too."""
    path = tmp_path / "uncovered.toml"
    never = Never(some(0), None, Waivers(path))
    assert [each.what for each in never.unexplained] == [
        "some.sv:4: default: state_d = StIdle;",
        "some.Seen",
    ]
    assert "lines: 1 of 2; 0 with a reason, 1 without" in never.sum()
    path.write_text(
        '[[uncovered]]\nline = "default: *"\nwhy = "there is no such state"\n'
        '[[uncovered]]\ncover = "some.Seen"\nwhy = "it cannot be"\n'
    )
    assert Never(some(0), None, Waivers(path)).unexplained == []
    (needless,) = Never(some(1), None, Waivers(path)).unexplained
    assert (needless.kind, needless.what) == ("reason", "some.Seen")
    assert (
        "line: some.sv:4: default: state_d = StIdle; (there is no such state)"
        in Never(some(0), None, Waivers(path)).text()
    )


def test_fields_that_are_not_reached_want_a_reason(fields: Fields, tmp_path: Path) -> None:
    """All of them, of a block whose test benches access nothing."""
    found = Never(some(1), fields, Waivers(tmp_path / "none"))
    names = {each.what.split()[0] for each in found.unexplained if each.kind == "field"}
    assert {"CTRL0.RST", "STATUS.LU", "EXACT.RAH.AV"} <= names
    assert fields.tallies()["read"] == Tally(0, sum(each.readable for each in fields.all))


@pytest.mark.parametrize("block", ["gnet1", "nic", "pcix"])
def test_every_reason_is_one(block: str) -> None:
    """It says why, and of what: lines, a cover or a field."""
    path = in_tests("suites.py").parent / block / "uncovered.toml"
    for each in Waivers(path).needless:  # nothing was looked for
        assert each.why and sum(map(bool, (each.line, each.cover, each.field))) == 1, each
