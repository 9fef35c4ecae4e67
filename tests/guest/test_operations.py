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
    *("rings-64", "rings-512", "pause-off", "pause-on", "mtu-other", "mtu-9198", "link-down-up"),
    *("promiscuous-on", "promiscuous-shown", "promiscuous-off", "allmulticast-on"),
    *("allmulticast-off", "multicast-group", "many-groups"),
    *("vlan-add", "vlan-ping", "vlan-jumbo-ping", "vlan-delete"),
    *("unbind-bind", "unbind-bind-again", "identify-after"),
]
SERVE = (
    "ip link add link eth0 name eth0.5 type vlan id 5 && ip address add 10.5.0.2/24 dev eth0.5"
    " && ip link set dev eth0.5 up && exec iperf -s"
)


@pytest.fixture(
    scope="module", params=[("sends", "1500"), ("receives", "16114")], ids=["sends", "receives"]
)
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Run:
    scenario, sender, receiver = pair("operations", mtu=9198)
    direction, other_mtu = request.param
    text = script("operations.sh", DIRECTION=direction, OTHER_MTU=other_mtu)
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
