# SPDX-License-Identifier: Apache-2.0
"""What an administrator does to an adapter while TCP runs over it, sending and receiving."""

import pytest
from rig.bench import Run, command, pair, script, simulate

FEATURES = ("tso", "gso", "gro", "rx", "tx", "sg", "rxvlan")
STEPS = [
    "starts",
    *(f"ethtool-{option}" for option in "Sidkag"),
    *(f"{feature}-{state}" for feature in FEATURES for state in ("off", "on")),
    "tso-again",
    *("rings-few", "rings-many", "pause-off", "pause-on", "mtu-other", "mtu-9198", "link-down-up"),
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
# NAPI, which wakes the queue for each packet that was sent meanwhile; e1000_set_ringparam() then
# shows the transmit path a ring that has no memory yet.
DRIVERS = {
    "ixgb": {
        "FEW_RINGS": "64 64",
        "MANY_RINGS": "512 4096",
        "PAUSE_WORDS": "",
        "RINGS_AT_REST": "no",
    },
    "e1000": {
        "FEW_RINGS": "80 80",
        "MANY_RINGS": "4096 4096",
        "PAUSE_WORDS": "autoneg off",
        "RINGS_AT_REST": "yes",
    },
}
CASES = [
    ("ixgb", "sends", "1500"),
    ("ixgb", "receives", "16114"),
    ("e1000", "sends", "1500"),
    ("e1000", "receives", "16110"),
]


@pytest.fixture(scope="module", params=CASES, ids=["-".join(case[:2]) for case in CASES])
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Run:
    adapter, direction, other_mtu = request.param
    scenario, sender, receiver = pair("operations", adapter=adapter, mtu=9198)
    text = script("operations.sh", DIRECTION=direction, OTHER_MTU=other_mtu, **DRIVERS[adapter])
    out = tmp_path_factory.mktemp("operations") / "out"
    return simulate(scenario, command(sender, receiver, text, SERVE), out)


@pytest.mark.parametrize("step", STEPS)
def test_it_works_under_load_and_traffic_goes_on(run: Run, step: str) -> None:
    assert run.checks[step] == ""


def test_the_script_checks_nothing_else(run: Run) -> None:
    assert set(run.checks) == set(STEPS)


def test_no_kernel_complains(run: Run) -> None:
    assert run.complaints() == []


def test_the_transmitter_never_timed_out(run: Run) -> None:
    assert "tx_timeout_count: 0" in run.text("ethtool-S")
