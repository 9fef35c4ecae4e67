# SPDX-License-Identifier: Apache-2.0
"""Registers as data: from SystemRDL to the files of the tree, and what a description says."""

from __future__ import annotations

from pathlib import Path

import pytest
from longhaul import boxes, cli
from longhaul.errors import LonghaulError, UsageError
from longhaul.paths import ROOT
from longhaul.registers import generate, load, rdl, stored
from longhaul.units import ps, us

ONE = """
addrmap pump {
  name = "PUMP-1"; map_bytes = 0x100;
  cpp_header = "pump.h"; cpp_namespace = "pump";
  default regwidth = 32;
  reg { desc = "Stroke."; field { sw = rw; hw = r; unit = "20 ns"; } VALUE[9:0] = 5; } STROKE @0x4;
  regfile { reg { desc = "Level."; field { sw = r; hw = w; } VALUE[7:0] = 0; } LEVEL @0x0;
  } tank[2] @0x40;
};
"""


def described(tmp_path: Path, text: str = ONE) -> rdl.Compiled:
    """Compile a description."""
    path = tmp_path / "pump.rdl"
    path.write_text(text)
    return rdl.compile_file(path)


def test_what_is_made_from_the_registers_is_current() -> None:
    stale = [path.relative_to(ROOT).as_posix() for path in generate.stale()]
    assert not stale, f"{', '.join(stale)}: made from rtl/*/*.rdl; run: ./longhaul registers"


def test_what_runs_read_is_what_the_description_says() -> None:
    sources = generate.sources()
    assert [path.stem for path in sources] == ["gnet1"]
    for path in sources:
        assert load(path.stem) == rdl.compile_file(path).described


def test_an_array_of_blocks_lies_as_described(tmp_path: Path) -> None:
    pump = described(tmp_path).described
    assert {each.name: each.address for each in pump.registers.values()} == {
        "STROKE": 0x04, "tank0.LEVEL": 0x40, "tank1.LEVEL": 0x44,
    }  # fmt: skip
    stroke = pump.find("STROKE")
    assert (stroke.reset, stroke.most, stroke.unit) == (5, 1023, "20 ns")
    assert pump.write("STROKE", us(1)).value == 50
    assert stroke.decode(3) == ps(60_000)
    with pytest.raises(UsageError, match="STROKE=10ns: counts in steps of 20 ns"):
        pump.write("STROKE", ps(10_000))


def test_a_map_is_read_as_it_was_stored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pump = described(tmp_path).described
    (tmp_path / "pump.json").write_text(stored.text(pump))
    monkeypatch.setattr(stored, "MAPS", tmp_path)
    assert load("pump") == pump


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (('desc = "Level.";', ""), "LEVEL has no desc"),
        (("} STROKE", "} LEVEL"), "two kinds of blocks have a register LEVEL"),
        (("[9:0] = 5", "[9:0] = 2000"), "pump.rdl:6: "),
        (('unit = "20 ns"', "unti = 3"), "pump.rdl:6: "),
    ],
)
def test_a_wrong_description_is_refused(tmp_path: Path, change: tuple[str, str], said: str) -> None:
    with pytest.raises(LonghaulError) as refused:
        described(tmp_path, ONE.replace(*change))
    assert said in str(refused.value)


def test_a_readme_without_place_for_a_table_is_refused(tmp_path: Path) -> None:
    compiled = described(tmp_path)
    with pytest.raises(ValueError, match="<!-- pump.rdl: box --> and <!-- end of box -->, once"):
        generate.markdown.filled("# PUMP-1\n", compiled, "pump.rdl")


def test_the_command_names_stale_files_and_makes_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert cli.main(["registers", "--check"]) == 0
    assert capsys.readouterr().out == ""
    made = {ROOT / "rtl" / "x.sv": "package x;\n"}
    monkeypatch.setattr(generate, "stale", lambda: made)
    assert cli.main(["registers", "--check"]) == 1
    assert capsys.readouterr().out == (
        "rtl/x.sv is not what its registers make it; run: ./longhaul registers\n"
    )
    monkeypatch.setattr(generate, "stale", lambda: {tmp_path / "x.sv": "package x;\n"})
    assert generate.write() == [tmp_path / "x.sv"]
    assert (tmp_path / "x.sv").read_text() == "package x;\n"


def test_a_type_of_box_is_found_by_its_name() -> None:
    gnet1 = boxes.register_maps()["gnet1"]
    assert (gnet1.title, boxes.titles()) == ("GNET-1", "GNET-1")
    assert boxes.registers_called("TIME", "gnet1") == [gnet1.find("TIME")]
    with pytest.raises(UsageError, match="no register 'TIM'; did you mean TIME"):
        boxes.registers_called("TIM")
