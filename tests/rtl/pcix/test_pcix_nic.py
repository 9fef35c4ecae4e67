# SPDX-License-Identifier: Apache-2.0
"""The AXI pins of rtl/nic fit those of the core: names and widths, pin by pin.

It elaborates both as one design. No test bench runs them together.
"""

import re
import subprocess
from pathlib import Path

from harness import ROOT, rtl_files
from test_lint import WAIVERS

FOLDERS = ("common", "nic", "pcix")
JOINS = {"m_axi_": "s_axi_", "s_axil_": "m_axil_"}  # pins of nic_top, and of pcix_top
PORT = re.compile(r"^\s*(?:input |output) logic\s*(\[[^\]]+\])?\s*(\w+)", re.M)


def joined(width_of_id: int) -> str:
    """Return a module in which the NIC's memory and registers are the core's."""
    nic = PORT.findall((ROOT / "rtl" / "nic" / "nic_top.sv").read_text())
    nets, nic_pins, core_pins = [], [], []
    for width, name in nic:
        for ours, theirs in JOINS.items():
            if name.startswith(ours):
                net = f"net_{name}"
                nets.append(f"logic {width.replace('IdBits-1', str(width_of_id - 1))} {net};")
                nic_pins.append(f".{name}({net})")
                core_pins.append(f".{theirs}{name.removeprefix(ours)}({net})")
    assert len(nets) > 50
    return "\n".join((
        "module joined (input logic clk_i, input logic rst_ni);", *nets, "logic irq, rst_n;",
        f"nic_top u_nic (.bus_clk_i(clk_i), .rst_ni(rst_n), .irq_o(irq), {', '.join(nic_pins)});",
        "pcix_top u_core (.clk_i, .rst_pin_ni(rst_ni), .rst_no(rst_n), .irq_i(irq),",
        f"{', '.join(core_pins)});", "endmodule", ""))  # fmt: skip


def warnings(path: Path) -> list[str]:
    """Return Verilator's words about pins of AXI and about widths; other pins are open."""
    command = ["verilator", "--lint-only", "-Wall", "-Wno-fatal", "--assert", str(WAIVERS)]
    files = [*rtl_files(*FOLDERS), path]
    command += [*map(str, files), "--top-module", "joined"]
    said = subprocess.run(command, capture_output=True, text=True, check=False).stderr
    return [line for line in said.splitlines()
            if line.startswith("%Error") or "WIDTH" in line or "axi" in line]  # fmt: skip


def test_the_pins_fit(tmp_path: Path) -> None:
    """Each pin of either side has its fellow of the same width."""
    path = tmp_path / "joined.sv"
    path.write_text(joined(4))
    assert warnings(path) == []


def test_a_pin_that_does_not_fit_is_found(tmp_path: Path) -> None:
    """IDs of another width."""
    path = tmp_path / "joined.sv"
    path.write_text(joined(5))
    assert any("WIDTH" in line for line in warnings(path))
