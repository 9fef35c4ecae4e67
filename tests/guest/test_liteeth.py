# SPDX-License-Identifier: Apache-2.0
"""LiteEth's MAC, a platform device by the port map of examples/liteeth, under Linux' own driver.

Its RTL is generated here, with LiteEth from PyPI.
"""

import hashlib
import json
import re
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from longhaul.guest import kernel
from longhaul.paths import ROOT
from longhaul.topology import Scenario
from longhaul.types import plugins
from longhaul.workspace import current
from rig import wire
from rig.depth import deep_only
from rig.scenarios import SERVE_TRAFFIC, Run, command, host, net_dev, script, simulate
from rig.scripts import longhaul

DRIVER = "drivers/net/ethernet/litex"
# The fixture builds a kernel, and the run takes as long: ten minutes each on a slow machine.
pytestmark = [deep_only, pytest.mark.timeout(2400)]
CHECKS = [
    *("ping4", "ping6", "largest-ping4", "fragmented-ping4", "iperf4", "iperf4-back", "iperf6"),
    *("iperf3-4", "iperf3-4-back", "iperf3-6", "udp4", "file4"),
    *(f"mtu-{mtu}" for mtu in (68, 576, 1280, "too-large")),
    *("unbind-and-bind", "unbind-and-bind-again", "quiet"),
]


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Copy the example, as its README says, generate the core, and take the workspace."""
    folder = tmp_path_factory.mktemp("workspaces") / "liteeth"
    ignored = shutil.ignore_patterns("build", "out", "__pycache__")
    shutil.copytree(ROOT / "examples" / "liteeth", folder, ignore=ignored)
    subprocess.run([sys.executable, folder / "generate.py"], check=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(current.VARIABLE, str(folder))
        patch.setenv(plugins.VARIABLE, str(folder / "liteeth.toml"))
        yield folder


@pytest.fixture(scope="module")
def run(workspace: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """LiteEth's host, and an e1000 at the other end of a cable."""
    assert workspace.is_dir()
    scenario = Scenario("liteeth")
    own = scenario.add(host("sender", adapter="liteeth"))
    far = scenario.add(host("receiver", adapter="e1000"))
    scenario.link(own.port("eth0"), far.port("eth0"), name="cable", phy="1000base-x")
    out = tmp_path_factory.mktemp("liteeth") / "out"
    work = command(own, far, script("liteeth.sh"), SERVE_TRAFFIC)
    return simulate(scenario, work, out, pcap=True)


@pytest.mark.parametrize("name", CHECKS)
def test_it_works(run: Run, name: str) -> None:
    assert run.checks[name] == ""


def test_the_script_checks_nothing_else(run: Run) -> None:
    assert set(run.checks) == set(CHECKS)


def test_linux_finds_it_by_the_device_tree(run: Run) -> None:
    assert run.text("driver") == "/sys/bus/platform/drivers/liteeth\n"
    assert run.text("device") == "/sys/devices/platform/e1001000.ethernet\n"
    assert run.text("compatible") == "litex,liteeth\n"
    assert run.text("address") == "02:4c:48:00:01:00\n"
    assert "e1020000-e102ffff : e1001000.ethernet buffer" in run.text("iomem")
    assert re.search(r"eth0: irq \d+ slots: tx 16 rx 16 size 2048", run.text("dmesg"))
    assert "dtb=" not in run.text("command-line")


def test_its_interrupt_is_a_level_that_its_handler_ends(run: Run) -> None:
    before, after = (run.text(f"interrupts-{when}") for when in ("before", "after"))
    assert "INTx" in before
    # The second look is after unbinding, which began the count again.
    assert int(re.findall(r"\d+", after)[1]) > 100
    assert run.until_end("sender.platform_bus.unclaimed") == 0
    assert run.until_end("sender.eth0.bus_errors") == 0


def test_no_frame_is_damaged_and_no_rule_broken(run: Run) -> None:
    assert wire.wrong(run.folder / "cable.pcapng") == []
    for probe in ("mac.gmii.tx_bad_fcs", "mac.gmii.tx_fragments", "block.violations"):
        assert run.until_end(f"sender.eth0.{probe}") == 0, probe
    assert run.until_end("sender.eth0.mac.gmii.tx_frames") > 3000
    for way in ("a_to_b", "b_to_a"):  # before the window some met no carrier
        lost = run.sim.probes[f"cable.{way}.lost"]
        assert lost.begin == lost.end


def test_the_driver_counts_what_the_cable_carried(run: Run) -> None:
    """Since it was bound again; the core has no counters of frames."""
    counts = net_dev(run.text("net-dev"))
    assert counts["tx_packets"] > 100 and counts["rx_packets"] > 100
    assert counts["tx_errs"] == counts["tx_drop"] == 0


def test_no_kernel_complains(run: Run) -> None:
    assert run.complaints() == []


def test_the_driver_is_linuxs_own_and_unmodified(run: Run) -> None:
    """Its sources, of which the manifest has the checksum, are those of the Debian package."""
    digest = hashlib.sha256()
    with tarfile.open(kernel.TARBALL, "r|xz") as package:
        files = {
            member.name.split("/", 1)[-1]: content.read()
            for member in package
            if f"/{DRIVER}/" in member.name and (content := package.extractfile(member))
        }
    for name, content in sorted(files.items()):
        if name.endswith((".c", ".h")):
            digest.update(name.encode() + b"\0" + content + b"\0")
    manifest = json.loads((run.folder / "manifest.json").read_text())
    own = manifest["guest_software"]["sender"]["kernel"]
    assert own["drivers"]["litex_liteeth"]["sources_sha256"] == digest.hexdigest()
    assert own["options"] == ["OF=y"]
    assert own["sha256"] != manifest["checksums"]["guest_kernel"]


def test_a_stream_from_behind_a_switch_fills_the_processor(workspace: Path, tmp_path: Path) -> None:
    """The workspace's own scenario, as its README has it: an ixgb sends faster than LiteEth can."""
    words = ["workload=iperf", "direction=in", "peer=ixgb", "duration=30ms", "warmup=10ms"]
    settings = [word for each in words for word in ("--set", each)]
    longhaul(workspace, "run", "--out", str(tmp_path / "out"), "--pcap", *settings)
    run = Run(tmp_path / "out")
    assert wire.wrong(run.folder / "line.pcapng") == []
    # A frame of 1514 B is 379 reads, of two times 50 ns and the core's clocks each.
    assert 0.03 < run.measured["goodput_gbps"] < 1514 * 8 / (379 * 100)
    assert run.measured["receiver"]["cpu_busy_pct"] > 90
