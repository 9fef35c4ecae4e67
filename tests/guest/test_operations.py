# SPDX-License-Identifier: Apache-2.0
"""What an administrator does to an adapter while TCP runs over it, sending and receiving."""

import re

import pytest
from rig.depth import depth
from rig.scenarios import Run, command, pair, script, simulate

INTELS = ("tso", "gso", "gro", "rx", "tx", "sg", "rxvlan")
STEPS = [
    "starts",
    *(f"ethtool-{option}" for option in "Sidkag"),
    *("rings-few", "rings-many", "pause-off", "pause-on", "mtu-other", "mtu-back", "link-down-up"),
    *("promiscuous-on", "promiscuous-shown", "promiscuous-off", "allmulticast-on"),
    *("allmulticast-off", "multicast-group", "many-groups"),
    *("vlan-add", "vlan-ping", "vlan-jumbo-ping", "vlan-delete"),
    *("unbind-bind", "unbind-bind-again", "identify-after"),
]
SERVE = (
    "ip link add link eth0 name eth0.5 type vlan id 5 && ip address add 10.5.0.2/24 dev eth0.5"
    " && ip link set dev eth0.5 up && exec iperf -s"
)


# Descriptors and pauses as each driver takes them. With autonegotiation e1000 sets pauses as its
# EEPROM says, whatever it is told. Its e1000_down() stops the queue, sleeps, and only then stops
# NAPI, which wakes the queue for each packet that was sent meanwhile. Then e1000_set_ringparam()
# shows the transmit path a ring that has no memory yet. skge_down() has the same fault: between
# netif_tx_disable() and napi_disable() a poll's skge_tx_done() wakes the queue. A frame that is
# sent after skge_tx_clean() lies in a ring that is freed, and the queue's byte limit waits for it
# until the watchdog of 5 s. Whether it happens hangs on the phase. skge's buffers for jumbo frames
# have no room for a tag, and the chip has none of the Intels' offloads. cxgb takes descriptors only
# before it is opened for the first time. Its t1_sge_stop() frees an ARP request each time that the
# interface is closed, without forgetting it: after the second time memory is damaged.
DRIVERS = {
    "ixgb": {
        "FEW_RINGS": "64 64",
        "MANY_RINGS": "512 4096",
        "PAUSE_WORDS": "",
        "AT_REST": "",
        "FEATURES": " ".join(INTELS),
        "TAG_ROOM": "0",
        "LEFT_OUT": "",
    },
    "e1000": {
        "FEW_RINGS": "80 80",
        "MANY_RINGS": "4096 4096",
        "PAUSE_WORDS": "autoneg off",
        "AT_REST": "rings",
        "FEATURES": " ".join(INTELS),
        "TAG_ROOM": "0",
        "LEFT_OUT": "",
    },
    "genesis": {
        "FEW_RINGS": "16 24",
        "MANY_RINGS": "4096 1024",
        "PAUSE_WORDS": "",
        "AT_REST": "rings pause mtu link",
        "FEATURES": "gro",
        "TAG_ROOM": "4",
        "LEFT_OUT": "",
    },
    "n110": {
        "FEW_RINGS": "",
        "MANY_RINGS": "",
        "PAUSE_WORDS": "",
        "AT_REST": "",
        "FEATURES": "gso gro rx tx sg",
        "TAG_ROOM": "0",
        "LEFT_OUT": "rings-few rings-many link-down-up",
    },
}
SOME = [
    ("ixgb", "receives", 9198, "16114"),
    ("e1000", "sends", 9198, "1500"),
    ("genesis", "receives", 1500, "9000"),
    ("n110", "sends", 9000, "1500"),
]
OTHERS = [
    ("ixgb", "sends", 9198, "1500"),
    ("e1000", "receives", 9198, "16110"),
    ("genesis", "sends", 9000, "1500"),
    ("n110", "receives", 9000, "9582"),
]
CASES = depth(SOME, SOME + OTHERS)


def features(adapter: str) -> list[str]:
    """Return the steps that only some drivers have."""
    names = DRIVERS[adapter]["FEATURES"].split()
    again = ["tso-again"] if "tso" in names else []
    return [f"{name}-{state}" for name in names for state in ("off", "on")] + again


@pytest.fixture(scope="module", params=CASES, ids=["-".join(case[:2]) for case in CASES])
def case(request: pytest.FixtureRequest) -> tuple[str, str, int, str]:
    return request.param


@pytest.fixture(scope="module")
def run(case: tuple[str, str, int, str], tmp_path_factory: pytest.TempPathFactory) -> Run:
    adapter, direction, mtu, other_mtu = case
    scenario, sender, receiver = pair("operations", adapter=adapter, mtu=mtu)
    text = script("operations.sh", DIRECTION=direction, OTHER_MTU=other_mtu, **DRIVERS[adapter])
    out = tmp_path_factory.mktemp("operations") / "out"
    return simulate(scenario, command(sender, receiver, text, SERVE), out)


def left_out(adapter: str) -> list[str]:
    return DRIVERS[adapter]["LEFT_OUT"].split()


@pytest.mark.parametrize("step", STEPS)
def test_it_works_under_load_and_traffic_goes_on(
    run: Run, case: tuple[str, str, int, str], step: str
) -> None:
    if step not in left_out(case[0]):
        assert run.checks[step] == ""


def test_offloads_are_switched_under_load(run: Run, case: tuple[str, str, int, str]) -> None:
    steps = features(case[0])
    assert {step: run.checks[step] for step in steps} == dict.fromkeys(steps, "")


def test_the_script_checks_nothing_else(run: Run, case: tuple[str, str, int, str]) -> None:
    assert set(run.checks) == {*STEPS, *features(case[0])} - {*left_out(case[0])}


def test_no_kernel_complains(run: Run) -> None:
    assert run.complaints() == []


def test_the_transmitter_never_timed_out(run: Run) -> None:
    """Those that count it say so; of others the kernel would complain."""
    counts = re.findall(r"tx_timeout_count: (\d+)", run.text("ethtool-S"))
    assert set(counts) <= {"0"}
