# SPDX-License-Identifier: Apache-2.0
"""Port maps of wires: the clock of an XGMII is that of 10 Gb/s at its width."""

from pathlib import Path

import pytest
from longhaul.errors import UsageError
from longhaul.portmap.binding import Binder
from longhaul.portmap.read import read
from longhaul.portmap.verilated import RtlPort

MAP = """
[block]
name = "wires"
top = "wires"
sources = ["wires.sv"]
[clocks.clk]
frequency = "{}"
[resets.rst_n]
clock = "clk"
[interfaces.left]
kind = "xgmii"
prefix = "left_"
tx_clock = "clk"
rx_clock = "clk"
[interfaces.right]
kind = "xgmii"
prefix = "right_"
tx_clock = "clk"
rx_clock = "clk"
[box]
ports = {{left = "left", right = "right"}}
"""


def bind(tmp_path: Path, bits: int, frequency: str) -> str:
    (tmp_path / "wires.sv").touch()
    file = tmp_path / "wires.toml"
    file.write_text(MAP.format(frequency))
    pins = {"txd": (bits, "output"), "txc": (bits // 8, "output")}
    pins |= {"rxd": (bits, "input"), "rxc": (bits // 8, "input")}
    ports = {
        f"{side}_{name}": RtlPort(f"{side}_{name}", f"{side}_{name}", width, direction)
        for side in ("left", "right")
        for name, (width, direction) in pins.items()
    }
    ports |= {name: RtlPort(name, name, 1, "input") for name in ("clk", "rst_n")}
    return str(Binder(read(file), ports, []).bind())


@pytest.mark.parametrize(("bits", "frequency"), [(32, "312.5MHz"), (64, "156.25MHz")])
def test_ten_gigabits_a_second_are_bound(tmp_path: Path, bits: int, frequency: str) -> None:
    assert "left_txd" in bind(tmp_path, bits, frequency)


@pytest.mark.parametrize(
    ("bits", "frequency", "right"),
    [(32, "156.25MHz", "312.5MHz"), (64, "312.5MHz", "156.25MHz")],
)
def test_another_rate_is_refused_with_the_clock_that_would_be_right(
    tmp_path: Path, bits: int, frequency: str, right: str
) -> None:
    said = rf":\d+: interfaces.left.tx_clock: clk has {frequency}; xgmii of {bits} bits has {right}"
    with pytest.raises(UsageError, match=said):
        bind(tmp_path, bits, frequency)
