# SPDX-License-Identifier: Apache-2.0
"""A network adapter in Corundum's shape by a port map, in a real guest under its own driver.

24-bit AXI4-Lite, AXI4 to memory, AXI4-Streams to the wire, two BARs, two vectors (beam/beam.sv).
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from longhaul.topology import Scenario
from longhaul.types import plugins
from rig import wire
from rig.depth import depth
from rig.scenarios import Run, command, host, script, simulate

BEAM = Path(__file__).parent / "beam"
CHECKS = ("answers", "sizes", "there", "back", "quiet")
SERVE = (
    "head -c 400000 /dev/urandom >/tmp/f; (sha256sum </tmp/f; cat /tmp/f) >/tmp/g;"
    " nc -ll -p 7003 -e cat /tmp/g & exec nc -ll -p 7001 -e sha256sum"
)
HIGH = 0x100_0000_0000  # where BARs of 64 bits begin
LOW = range(0xF000_0000, 0xFEC0_0000)


@pytest.fixture(scope="module", params=depth(["MSI-X"], ["MSI", "MSI-X"]))
def mode(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module")
def run(mode: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    folder = tmp_path_factory.mktemp("beam")
    shutil.copytree(BEAM, folder / "beam")
    file = folder / "beam" / "beam.toml"
    if mode == "MSI-X":
        text = file.read_text()
        assert text.count("vectors = 2\n") == 1
        file.write_text(text.replace("vectors = 2\n", "msix_vectors = 2\nmsix_bar = 4\n"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(plugins.VARIABLE, str(file))
        scenario = Scenario("port-map-nic")
        modules = {"modules": (folder / "beam" / "driver",)}
        own = scenario.add(host("sender", adapter="beam", bus=modules))
        far = scenario.add(host("receiver", adapter="ixgb"))
        scenario.link(own.port("eth0"), far.port("eth0"), name="cable", phy="10gbase-r")
        text = script("port_map_nic.sh")
        yield simulate(scenario, command(own, far, text, SERVE), folder / "out", pcap=True)


@pytest.mark.parametrize("name", CHECKS)
def test_it_works(run: Run, name: str) -> None:
    assert run.checks[name] == ""


def test_the_kernel_placed_both_bars(run: Run) -> None:
    """The one of 64 bits above 4 GiB; the driver has written by one and read by the other."""
    starts = [int(line.split()[0], 16) for line in run.text("resources").splitlines()]
    assert starts[0] >= HIGH and starts[0] % (16 << 20) == 0
    assert starts[2] in LOW


def test_each_vector_has_its_interrupts(run: Run, mode: str) -> None:
    lines = run.text("interrupts").splitlines()
    taken = {
        name: int(re.findall(r"\d+", next(line for line in lines if name in line))[1])
        for name in ("beam-sent", "beam-received")
    }
    assert re.search(rf"beam 0000:00:0\d\.0: BAR 0 at .*, {re.escape(mode)}\n", run.text("dmesg"))
    counts = {
        name: run.until_end(f"sender.eth0.mac.stream.{name}")
        for name in ("tx_frames", "rx_frames", "rx_overruns")
    }
    # The counters are read at the end of the window, a moment after the script's.
    assert 300 < taken["beam-sent"] <= counts["tx_frames"]
    assert 300 < taken["beam-received"] <= counts["rx_frames"] - counts["rx_overruns"]
    assert run.until_end("sender.eth0.interrupts_lost") == 0
    assert run.until_end("sender.eth0.dma_failures") == 0


def test_writes_that_had_no_room_were_retried(run: Run) -> None:
    """The driver's probe writes faster than the block takes; it looks at what has arrived."""
    assert run.until_end("sender.pcix.retries") > 0


def test_no_frame_is_damaged(run: Run) -> None:
    assert wire.wrong(run.folder / "cable.pcapng") == []
    assert run.complaints() == []
