# SPDX-License-Identifier: Apache-2.0
"""The NIC of the template rtl-nic in real guests: its driver, and what an administrator does to it.

Its frames come from RTL. The far end is an e1000.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from longhaul.boxes.delay_box import DelayBox
from longhaul.topology import Scenario
from longhaul.types import plugins
from longhaul.units import us
from longhaul.validation import catalog
from longhaul.workspace import creation, current, kinds
from rig import wire
from rig.scenarios import Run, command, counted, host, net_dev, script, simulate

FCS = 4
MARKS = (701, 702)  # bytes of the echoes around the counters' window
MTUS = (68, 1500, 9000)
COALESCING = (0, 20, 500)  # us
CHECKS = [
    *("answers", *(f"mark-{number}" for number in (1, 2)), "both", "udp", "out", "in", "ping6"),
    *(f"coalescing-{each}" for each in (*COALESCING, "back")),
    *("self-test-online", "answers-after", "strange-group"),
    *(f"{what}-{mtu}" for mtu in MTUS for what in ("sizes", "out", "in")),
    *("far-jumbo", "resets-at-full-rate", "far-back", "mtu-back"),
    *("all-groups", "promiscuous-group", "tagged"),
]
UNDER_LOAD = [
    *("starts", *(f"ethtool-{option}" for option in "Sicg")),
    *("rings-few", "rings-many", "rings-back", "promiscuous", "groups", "down-up"),
    *("self-test-busy", "far-flap", "unbind-bind", "unbind-bind-again", "quiet"),
]
SERVE = (
    "ip link add link eth0 name eth0.5 type vlan id 5 && ip address add 10.5.0.2/24 dev eth0.5"
    " && ip link set dev eth0.5 up; nc -ll -p 7002 -e sh & iperf -s -u -p 5002 & exec iperf -s"
)
SERVE_FILES = (
    "head -c 400000 /dev/urandom >/tmp/f; (sha256sum </tmp/f; cat /tmp/f) >/tmp/g;"
    " nc -ll -p 7003 -e cat /tmp/g & exec nc -ll -p 7001 -e sha256sum"
)
DAMAGE = {
    f"{what}_{port}": value
    for port in ("west", "east")
    for what, value in (("loss", 0.01), ("bit_error_rate", 2e-6))
}


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Make a workspace, as `longhaul new mynic --kind rtl-nic` does, and take it."""
    folder = creation.check("mynic", tmp_path_factory.mktemp("workspaces"))
    creation.make(kinds.find("rtl-nic"), "mynic", folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(current.VARIABLE, str(folder))
        patch.setenv(plugins.VARIABLE, str(folder / "mynic.toml"))
        yield folder


@pytest.fixture(scope="module", params=["MSI", "INTx"])
def mode(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module")
def run(mode: str, workspace: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    args = ("pci=nomsi",) if mode == "INTx" else ()
    modules = {"modules": (workspace / "driver",)}
    scenario = Scenario("rtl-nic")
    own = scenario.add(host("sender", adapter="mynic", bus=modules, kernel_args=args))
    far = scenario.add(host("receiver", adapter="e1000"))
    scenario.link(own.port("eth0"), far.port("eth0"), name="cable", phy="1000base-x")
    out = tmp_path_factory.mktemp(mode) / "out"
    return simulate(
        scenario, command(own, far, script("rtl_nic.sh", catalog.SHARED), SERVE), out, pcap=True
    )


def test_the_module_owns_the_interface(run: Run, mode: str) -> None:
    said = run.text("driver")
    assert "driver: mynic\n" in said and "firmware-version: 1.0\n" in said
    assert re.search(r"bus-info: 0000:00:01\.0\n", said)
    assert mode in run.text("interrupts")
    assert re.search(rf"mynic 0000:00:01\.0 eth0: mynic 0x10000, .*, {mode}\n", run.text("dmesg"))


@pytest.mark.parametrize("name", CHECKS)
def test_it_works(run: Run, name: str) -> None:
    assert run.checks[name] == ""


@pytest.mark.parametrize("step", UNDER_LOAD)
def test_it_works_under_load_and_traffic_goes_on(run: Run, step: str) -> None:
    assert run.checks[step] == ""


def test_the_script_checks_nothing_else(run: Run) -> None:
    assert set(run.checks) == {*CHECKS, *UNDER_LOAD}


def test_the_self_test_passes(run: Run) -> None:
    said = run.text("self-test")
    assert said.startswith("The test result is PASS\n"), said
    results = re.findall(r"^(\w+) +\(offline\)\t *(\d+)$", said, re.M)
    assert results == [("registers", "0"), ("loopback", "0")]


def test_counters_are_what_the_cable_carried(run: Run) -> None:
    """Between two marks, in both directions; the kernel's count of bytes leaves out the FCS."""
    first, second = (counted(run.text(f"counters-{number}")) for number in (1, 2))
    grown = {name: value - first[name] for name, value in second.items()}
    before, after = (net_dev(run.text(f"net-dev-{number}")) for number in (1, 2))
    capture = run.folder / "cable.pcapng"
    # Of each mark the request and the reply.
    begin, end = (wire.rows(capture, f"icmp && data.len == {size}")[1][0] for size in MARKS)
    between = f"frame.number > {begin} && frame.number <= {end}"
    ((own,),) = wire.rows(capture, f"icmp.type == 8 && data.len == {MARKS[0]}", "eth.src")
    sent = wire.rows(capture, f"{between} && eth.src == {own}", "frame.len")
    came = wire.rows(capture, f"{between} && eth.src != {own}", "frame.len")
    assert grown["tx_good"] == after["tx_packets"] - before["tx_packets"] == len(sent) > 300
    assert grown["rx_good"] + grown["rx_filtered"] == len(came) > 300
    assert grown["rx_good"] == after["rx_packets"] - before["rx_packets"]
    others = {name: value for name, value in grown.items() if value and "good" not in name}
    assert set(others) == {"rx_filtered"}
    if grown["rx_filtered"] == 0:
        octets = sum(int(row[0]) - FCS for row in came)
        assert after["rx_bytes"] - before["rx_bytes"] == octets


def test_coalescing_lowers_the_rate_of_interrupts(run: Run) -> None:
    notes = counted("".join(f" {line}\n" for line in run.text("notes").splitlines()))
    rates = [notes[f"interrupts-{each}"] for each in COALESCING]
    assert 0 < 3 * rates[2] < rates[1] and 0 < 3 * rates[2] < rates[0]


def test_groups_of_others_are_filtered_unless_all_are_wanted(run: Run) -> None:
    notes = counted("".join(f" {line}\n" for line in run.text("notes").splitlines()))
    assert notes["filtered-none"] >= 3
    assert notes["filtered-allmulticast"] == notes["filtered-promisc"] == 0


def test_every_interrupt_is_the_nics(run: Run) -> None:
    """INTx is withdrawn before the handler ends, or it would be taken twice."""
    assert re.search(r"^unhandled 0$", run.text("spurious"), re.M)


def test_no_frame_of_the_nic_is_damaged(run: Run) -> None:
    """Not in the driver's resets either; sums are right, and the block broke no rule."""
    assert wire.wrong(run.folder / "cable.pcapng") == []
    for probe in ("mac.gmii.tx_bad_fcs", "mac.gmii.tx_fragments", "dma_failures"):
        assert run.until_end(f"sender.eth0.{probe}") == 0, probe
    assert run.until_end("sender.eth0.mac.gmii.tx_frames") > 3000


def test_no_kernel_complains(run: Run) -> None:
    assert run.complaints() == []


@pytest.fixture(scope="module")
def lossy(workspace: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A path that loses and damages one frame of some hundred, both ways."""
    scenario = Scenario("rtl-nic-loss")
    modules = {"modules": (workspace / "driver",)}
    own = scenario.add(host("sender", adapter="mynic", bus=modules))
    far = scenario.add(host("receiver", adapter="e1000"))
    box = scenario.add(DelayBox(name="box", one_way_delay=us(20), params=DAMAGE))
    scenario.link(own.port("eth0"), box.port("west"), name="near", phy="1000base-x")
    scenario.link(box.port("east"), far.port("eth0"), name="far", phy="1000base-x")
    out = tmp_path_factory.mktemp("loss") / "out"
    text = script("rtl_nic_loss.sh", catalog.SHARED)
    return simulate(scenario, command(own, far, text, SERVE_FILES), out, pcap=True)


def test_files_arrive_whole_over_a_path_that_loses_frames(lossy: Run) -> None:
    assert lossy.checks == {"there": "", "back": "", "quiet": ""}
    assert lossy.complaints() == []
    assert lossy.until_end("box.west_to_east.lost") > 0
    assert lossy.until_end("box.east_to_west.lost") > 0


def test_damaged_frames_are_counted_and_kept_from_the_host(lossy: Run) -> None:
    found = counted(lossy.text("ethtool-S"))
    assert found["rx_fcs"] == lossy.until_end("sender.eth0.mac.rx_bad_fcs") > 0
    assert wire.wrong(lossy.folder / "near.pcapng") == []
    assert lossy.until_end("sender.eth0.mac.gmii.tx_bad_fcs") == 0
