# SPDX-License-Identifier: Apache-2.0
"""The table [rings] of a port map: its text for the simulator, one line for each mistake."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from longhaul.errors import UsageError
from longhaul.paths import ROOT
from longhaul.portmap import rings
from longhaul.portmap.read import read

SAMPLE = Path(__file__).parent / "samples" / "portmap"
TEMPLATE = ROOT / "platform/python/longhaul/workspace/templates/rtl_nic/mynic.toml"

TABLES = """
[rings]
cause_register = 0x10

[rings.transmit]
base = 0x40
length = 0x48
tail = 0x4c
bytes = "79:64"
end = "95"

[rings.receive]
base = 0x60
length = 0x68
tail = 0x6c
bytes = "79:64"
end = "95"
"""

WRONG = {
    "no bits": ('bytes = "79:64"', 'bytes = "64:79"', "wants bits, the highest first"),
    "a word": ('end = "95"', 'end = "last"', "wants bits"),
    "beyond the descriptor": ('end = "95"', 'end = "128"', 'transmit.end: "128": there are 128'),
    "a wide field": ('end = "95"', 'address = "95:0"\nend = "95"', "has 64 bits at most"),
    "beyond the register": ("tail = 0x4c", 'tail = 0x4c\ntail_bits = "32:1"', "there are 32 bits"),
    "beyond the BAR": ("base = 0x40", "base = 0x10000", "wants a multiple of 4 below the BAR"),
    "within a word": ("length = 0x68", "length = 0x6a", "0x6a: wants a multiple of 4"),
    "another key": ("tail = 0x6c", "tall = 0x6c", "no such key; did you mean tail?"),
    "no tail": ("tail = 0x6c\n", "", "rings.receive.tail: is missing"),
    "odd descriptors": ("base = 0x60", "descriptor = 24\nbase = 0x60", "wants a power of two"),
    "no size": ("base = 0x60", 'buffer = "2k"\nbase = 0x60', "2k"),
    "the cause": ("cause_register = 0x10", "cause_register = 0x11", "rings.cause_register: 0x11"),
    "one ring": (TABLES[TABLES.index("[rings.receive]") :], "", "rings.receive: is missing"),
}


def written(folder: Path, tables: str) -> Path:
    shutil.copytree(SAMPLE, folder / "little")
    file = folder / "little" / "little.toml"
    file.write_text(file.read_text() + tables)
    return file


@pytest.mark.parametrize("name", WRONG)
def test_each_wrong_table_is_refused_in_one_line(name: str, tmp_path: Path) -> None:
    old, new, wanted = WRONG[name]
    assert old in TABLES
    file = written(tmp_path, TABLES.replace(old, new, 1))
    with pytest.raises(UsageError) as refused:
        read(file)
    told = str(refused.value)
    assert "\n" not in told
    assert re.match(re.escape(f"{file}:") + r"\d+: rings", told), told
    assert wanted in told, told


def test_a_table_has_defaults(tmp_path: Path) -> None:
    found = read(written(tmp_path, TABLES)).map.rings
    assert found
    told = rings.document(found)
    assert told["transmit"]["tail_bits"] == [0, 32]
    assert told["transmit"]["address"] == [0, 64]
    assert told["transmit"]["segment"] == [0, 0]
    assert told["receive"]["buffer"] == 2048
    assert told["receive"]["buffer_register"] is None


def test_the_templates_rings_are_those_of_its_registers() -> None:
    """Offsets and bits of the map against the driver's header, which has them by name."""
    found = read(TEMPLATE).map.rings
    assert found
    header = (TEMPLATE.parent / "driver" / "mynic.h").read_text()
    defined = dict(re.findall(r"#define MYNIC_(\w+)\t+(0x[0-9a-f]+|BIT\(\d+\))", header))
    for name, ring in (("TX", found.transmit), ("RX", found.receive)):
        for key in ("BASE_LOW", "BASE_HIGH", "SIZE_LOG2", "TAIL"):
            mine = {"BASE_LOW": "base", "SIZE_LOG2": "length"}.get(key, key.lower())
            assert getattr(ring, mine) == int(defined[f"REG_{name}_{key}"], 16)
    assert found.receive.buffer_register == int(defined["REG_RX_BUF_SIZE"], 16)
    assert found.cause_register == int(defined["REG_CAUSE"], 16)
    assert f"BIT({int(found.transmit.end) - 64})" == defined["TX_EOP"]
    assert f"BIT({int(found.receive.end) - 96})" == defined["DONE"]
    assert json.dumps(rings.document(found))
