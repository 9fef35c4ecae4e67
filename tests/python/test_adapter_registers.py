# SPDX-License-Identifier: Apache-2.0
"""`longhaul registers ADAPTER`: what the simulator tells of an adapter's registers, as a table."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from longhaul.cli import register_listing
from longhaul.cli.main import main
from longhaul.errors import LonghaulError, UsageError
from longhaul.types import adapter_registers, plugins
from rich.console import Console
from rig.stand_in import says

FIELDS: list[dict[str, Any]] = [
    {"name": "BSIZE", "lsb": 16, "width": 2, "meaning": "size of a buffer", "modelled": True},
    {"name": "EN", "lsb": 1, "width": 1, "meaning": "the unit receives", "modelled": True},
    {"name": "XLE", "lsb": 5, "width": 1, "meaning": "", "modelled": False},
]


def register(name: str, offset: int, **changes: Any) -> dict[str, Any]:
    plain: dict[str, Any] = {"access": "RW", "reset": 0, "writable": 0xFFFFFFFF, "fields": []}
    return {"name": name, "offset": offset} | plain | changes


DOCUMENT: dict[str, Any] = {
    "name": "mynic",
    "title": "a NIC with three registers",
    "bytes": 0x400,
    "revision": 0,
    "class_code": 0x020000,
    "subsystem_vendor": 0x1AF4,
    "subsystem": 1,
    "bars": [{"index": 0, "bytes": 0x400, "wide": False}],
    "registers": [
        register("RCTL", 0x100, access="RO", reset=2, fields=FIELDS),
        register("RAL", 0x180),
        register("RAH", 0x184, writable=0x8003FFFF),
        register("RAL", 0x188),
        register("RAH", 0x18C, writable=0x8003FFFF),
        register("MODE", 0x200),
        register("MODE", 0x204, fields=FIELDS[1:2]),
    ],
}


@pytest.fixture
def simulator(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a program that stands in for the simulator and prints DOCUMENT."""
    program = tmp_path / "longhaul-sim"
    monkeypatch.setenv("LONGHAUL_SIMULATOR", str(program))
    monkeypatch.setenv(plugins.VARIABLE, "")
    says(program, json.dumps(DOCUMENT))
    return program


def shown(document: dict[str, Any]) -> list[str]:
    said = io.StringIO()
    console = Console(file=said, width=140)
    register_listing.show(console, adapter_registers.Registers.model_validate(document))
    return [" ".join(line.split()) for line in said.getvalue().splitlines()]


def test_the_simulator_is_asked_for_one_adapter(simulator: Path) -> None:
    found = adapter_registers.of("mynic")
    assert Path(f"{simulator}.args").read_text() == "--registers mynic\n"
    assert (found.name, found.bytes) == ("mynic", 0x400)
    assert [field.bits for field in found.registers[0].fields] == ["17:16", "1", "5"]


def test_the_simulators_word_on_an_unknown_adapter_is_the_users(simulator: Path) -> None:
    wrong = "registers: no adapter of type 'mynik'; nearest is 'mynic'"
    says(simulator, "", f"longhaul: {wrong}", 2)
    with pytest.raises(UsageError) as refused:
        adapter_registers.of("mynik")
    assert str(refused.value) == wrong


def test_a_simulator_that_answers_otherwise_is_named(simulator: Path) -> None:
    says(simulator, "{}")
    with pytest.raises(LonghaulError, match=r"longhaul-sim --registers mynic: Field required"):
        adapter_registers.of("mynic")


def test_fields_stand_below_their_register_by_bit() -> None:
    lines = shown(DOCUMENT)
    assert lines[:3] == ["adapter mynic", DOCUMENT["title"], "0x400 bytes, 32-bit registers"]
    at = lines.index("0x0100 RCTL RO 0x00000002")
    assert lines[at + 1 : at + 4] == [
        "1 EN the unit receives",
        "5 XLE -",
        "17:16 BSIZE size of a buffer",
    ]


def test_registers_that_are_alike_share_a_row() -> None:
    lines = shown(DOCUMENT)
    assert "0x0180 to 0x0188 RAL x 2 RW 0x00000000" in lines
    assert "0x0184 to 0x018c RAH x 2 RW 0x00000000" in lines
    at = lines.index("0x0200 MODE RW 0x00000000")
    assert lines[at + 1 : at + 3] == ["0x0204 MODE RW 0x00000000", "1 EN the unit receives"]


def test_the_command_prints_the_table_or_json(
    simulator: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["registers", "mynic", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == DOCUMENT
    assert main(["registers", "mynic"]) == 0
    assert "17:16  BSIZE  size of a buffer" in capsys.readouterr().out


def test_a_value_is_shown_field_by_field(
    simulator: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["registers", "mynic", "RCTL=0x30002", "0x180=7"]) == 0
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert lines == [
        "RCTL (0x0100) = 0x00030002",
        "1 EN 1 the unit receives",
        "5 XLE 0 -",
        "17:16 BSIZE 3 size of a buffer",
        "RAL (0x0180) = 0x00000007",
    ]
    assert main(["registers", "mynic", "0x0100=0x80020000", "--json"]) == 0
    fields = {"EN": 0, "XLE": 0, "BSIZE": 2}
    assert json.loads(capsys.readouterr().out) == [{"register": "RCTL", "fields": fields}]
    assert main(["registers", "mynic", "RCTL=0x80020000"]) == 0
    assert capsys.readouterr().out.endswith("0x80000000 is in no field\n")


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        ("gnet1", "gnet1 is a box; its registers: longhaul gnet1 registers"),
        ("ixgb --check", "--check is for the tree's registers; leave the adapter out"),
        ("mynic RCTK=1", "mynic has no register RCTK; did you mean RCTL?"),
        ("mynic RCTL", "RCTL: wants REGISTER=VALUE, 32 bits, such as 0x100=0x4028002"),
        ("mynic RCTL=-1", "RCTL=-1: wants REGISTER=VALUE, 32 bits, such as 0x100=0x4028002"),
        ("--json", "--json is for an adapter's registers; name an adapter, such as ixgb"),
    ],
)
def test_words_that_do_not_go_together_are_refused(
    simulator: Path, words: str, wrong: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["registers", *words.split()]) == 2
    said = capsys.readouterr().err.replace("'", "")
    assert said == "longhaul: " + wrong.replace("'", "") + "\n"
