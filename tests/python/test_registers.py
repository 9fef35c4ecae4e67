# SPDX-License-Identifier: Apache-2.0
"""Registers as data: from SystemRDL to the files of the tree, and what a description says."""

from __future__ import annotations

from pathlib import Path

import pytest
from longhaul import boxes, cli
from longhaul.errors import LonghaulError, UsageError
from longhaul.paths import ROOT
from longhaul.registers import cpp_adapter, generate, load, rdl, stored
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
    compiled = {path.stem: rdl.compile_file(path) for path in generate.sources()}
    assert {name: each.adapter is not None for name, each in compiled.items()} == {
        "gnet1": False,
        "nic": True,
    }
    for name, each in compiled.items():
        assert each.adapter or load(name) == each.described


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


CARD = """
reg causes { field_set = "Cause"; default sw = rw;
  field { desc = "Sent."; is_shared; } TXDW[0:0] = 0; field { without_effect; } AUTO[9:9] = 0; };
regfile table { reg { desc = "Words."; field { sw = rw; } VALUE[31:0] = 0; } MTA @0x0; };
addrmap card {
  name = "CARD-1"; map_bytes = 0x1000; model_header = "models/nic/card/registers.h";
  model_namespace = "a::card"; shared_header = "models/nic/maker/regs.h";
  shared_namespace = "a::maker"; default regwidth = 32;
  causes ICS @0x8; ICS->desc = "Sets."; ICS->action = true; ICS->only_fields = true;
  causes IMC @0x10; IMC->desc = "Clears."; IMC->action = true;
  reg { desc = "Head."; only_fields = true; field { sw = rw; } VALUE[15:0] = 3; } RDH @0x20;
  reg { desc = "Pins."; field { sw = r; name = "10G"; desc = "On."; } CAN_10G[4:3]; } PINS @0x24;
  reg { desc = "Length."; field { sw = rw; is_shared; desc = "In \\"eights\\"."; } LEN[19:7] = 1;
  } LEN @0x28;
  table TABLE[4] @0x100;
};
"""


def test_an_adapters_model_has_the_registers_as_described(tmp_path: Path) -> None:
    path = tmp_path / "card.rdl"
    path.write_text(CARD)
    compiled = rdl.compile_file(path)
    assert compiled.adapter is not None
    own = cpp_adapter.text(compiled, compiled.adapter, "card.rdl")
    _, _, lines = own.partition("namespace a::card {\n")
    assert (
        lines
        == """
struct CauseFields : maker::CauseFields {
  RegisterField auto = unmodelled("AUTO", 9);
};
inline constexpr CauseFields kCauseFields;

struct PinsFields : RegisterFields {
  RegisterField can_10g = bits("10G", 3, 2, "On.");
};
inline constexpr PinsFields kPinsFields;

using maker::kLenFields;

/// Bytes that the bus addresses.
constexpr std::uint32_t kBar0Bytes = 0x1000;

constexpr RegisterSpec kIcs{"ICS", 0x008, kCauseFields, Access::kAction, 0x0, 0x201};
constexpr RegisterSpec kImc{"IMC", 0x010, kCauseFields, Access::kAction};
constexpr RegisterSpec kRdh{"RDH", 0x020, Access::kReadWrite, 0x3, 0xffff};
constexpr RegisterSpec kPins{"PINS", 0x024, kPinsFields, Access::kReadOnly};
constexpr RegisterSpec kLen{"LEN", 0x028, kLenFields, Access::kReadWrite, 0x80};
constexpr std::uint32_t kMta = 0x100;  // 4 of them, 4 bytes apart

}  // namespace a::card
"""
    )
    _, _, lines = cpp_adapter.shared_text(compiled, compiled.adapter, "card.rdl").partition(
        "namespace a::maker {\n"
    )
    assert (
        lines
        == """
struct CauseFields : RegisterFields {
  RegisterField txdw = bit("TXDW", 0, "Sent.");
};
inline constexpr CauseFields kCauseFields;

struct LenFields : RegisterFields {
  RegisterField len = bits("LEN", 7, 13, "In \\"eights\\".");
};
inline constexpr LenFields kLenFields;

}  // namespace a::maker
"""
    )
    package = generate.systemverilog.text(compiled, "card.rdl")
    assert package.count("CauseTxdwLsb") == 1, "two registers have the same fields"
    assert "MtaOffset" in package and "TableCount = 4" in package


def test_registers_that_disagree_on_a_set_of_fields_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "card.rdl"
    path.write_text(
        CARD.replace('reg { desc = "Length.";', 'reg { desc = "L."; field_set = "Cause";')
    )
    with pytest.raises(LonghaulError, match="LEN: its fields are not those of Cause"):
        rdl.compile_file(path)


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
