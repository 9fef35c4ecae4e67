# SPDX-License-Identifier: Apache-2.0
import dataclasses

import pytest
from longhaul import registry
from longhaul.errors import UsageError
from longhaul.settings import RingPair, changed, values
from longhaul.units import Size, ms

REQUIRED = (
    "mtu ip duration window streams tso gso gro rx_int_delay tx_int_delay rings pcix_mhz mmrbc "
    "outstanding latency_timer processors cpu_ghz congestion workload"
).split()
UNUSED = "box=nistnet does not use it; it is for box=gnet1"
EVIDENCE = {"datasheet", "standard", "measured", "fitted", "assumed", "chosen"}


def refusal(scenario: str, *assignments: str) -> str:
    with pytest.raises(UsageError) as caught:
        registry.find(scenario).parse(assignments)
    return str(caught.value)


def test_both_scenarios_offer_what_the_bench_can_set() -> None:
    b2b, wan = registry.find("ixgb_b2b").settings, registry.find("ixgb_wan").settings
    assert set(REQUIRED) <= set(b2b)
    assert {*REQUIRED, "rtt", "loss"} <= set(wan)
    assert "rtt" not in b2b


@pytest.mark.parametrize("scenario", sorted(registry.scenarios()))
def test_every_setting_has_help_evidence_and_source_and_its_default_is_legal(scenario: str) -> None:
    for item in registry.find(scenario).settings.values():
        assert item.help and item.source
        assert item.evidence in EVIDENCE
        text = item.kind.show(item.default)
        assert item.kind.parse(text, item.name) == item.default


def test_later_assignments_win_and_only_changes_are_reported() -> None:
    settings = registry.find("ixgb_wan").parse(["rtt=1ms", "rtt=20ms", "mtu=9198", "tso=on"])
    assert settings.rtt == ms(20)
    assert changed(settings) == {"rtt": "20ms", "tso": "on"}


def test_values_are_typed() -> None:
    settings = registry.find("ixgb_wan").parse(["rings=256/512", "window=16MiB", "loss=0.1%"])
    assert settings.rings == RingPair(256, 512)
    assert settings.window == Size(16 * 2**20)
    assert settings.loss == pytest.approx(0.001)
    shown = values(settings)
    assert (shown["rings"], shown["window"], shown["mtu"]) == ("256/512", "16MiB", 9198)


@pytest.mark.parametrize(
    ("assignment", "line"),
    [
        ("rtt=10", "rtt=10: a time needs its unit; did you mean rtt=10ms?"),
        ("window=16", "window=16: a size needs its unit; did you mean window=16MiB?"),
        ("duration=1", "duration=1: a time needs its unit; did you mean duration=1s?"),
        ("rt=10ms", "ixgb_wan has no setting 'rt'; did you mean rtt?"),
        ("rtt", "--set rtt: write name=value, such as --set mtu=1500"),
        ("rtt=2s", "rtt=2s: must be 0s to 1600ms"),
        ("mtu=20000", "mtu=20000: must be 68 to 16114"),
        ("mtu=9198B", "mtu=9198B: a plain whole number is wanted, 68 to 16114"),
        ("mtu=١٥٠٠", "mtu=١٥٠٠: a plain whole number is wanted, 68 to 16114"),
        ("mmrbc=600", "mmrbc=600: must be adapter, 512, 1024, 2048 or 4096"),
        ("tso=maybe", "tso=maybe: must be on or off"),
        ("ip=v5", "ip=v5: no such value; there are v4, v6"),
        ("congestion=renno", "congestion=renno: no such value; did you mean reno?"),
        ("rings=512", "rings=512: write receive/transmit descriptors, such as 512/256"),
        ("rings=63/256", "rings=63/256: must be 64 to 512 / 64 to 4096, multiples of 8"),
        ("cpu_ghz=99", "cpu_ghz=99: must be 0.1 to 10"),
        ("loss=60%", "loss=60%: must be 0 to 50%"),
        (
            "workload=iperf4",
            "workload=iperf4: neither a workload nor a command line; did you mean iperf?",
        ),
    ],
)
def test_a_wrong_value_is_one_line_with_the_cure(assignment: str, line: str) -> None:
    assert refusal("ixgb_wan", assignment) == line


@pytest.mark.parametrize(
    ("assignments", "line"),
    [
        (["ip=v6", "mtu=1279"], "mtu=1279: IPv6 needs 1280 at least; or set ip=v4"),
        (["mtu=87"], "mtu=87: TCP needs 88 at least; or set workload=udp or ping"),
        (["rate=5Gb/s"], "rate=5Gb/s: workload iperf does not use it; it is for udp"),
        (
            ["workload=ping", "window=16MiB"],
            "window=16MiB: workload ping does not use it; it is for iperf, iperf3, udp, command",
        ),
    ],
)
def test_settings_that_do_not_go_together_are_refused(assignments: list[str], line: str) -> None:
    entry = registry.find("ixgb_wan")
    with pytest.raises(UsageError) as caught:
        entry.build(entry.parse(assignments), 1)
    assert str(caught.value) == line


def test_the_traffic_lasts_for_warm_up_and_window() -> None:
    entry = registry.find("ixgb_b2b")
    built = entry.build(entry.parse(["warmup=250ms", "duration=1500ms", "workload=iperf3"]), 1)
    workload = built.check()
    assert built.guest_settings()["sender"]["LH_DURATION"] == "1.75"
    window = workload.measured_window()
    assert window
    assert (window.opens_at, window.warmup, window.length) == ("receiver.eth0", "250ms", "1500ms")
    assert window.greeting == "1061B"
    ping = entry.build(entry.parse(["workload=ping"]), 1).check()
    assert ping.measured_window() is None


@pytest.mark.parametrize(
    ("assignments", "segments"),
    [
        (["tso=on", "gso=off"], None),
        (["tso=off", "gso=off"], "1"),
        (["tso=on", "gso=off", "ip=v6"], "1"),  # the adapter segments IPv4 only
        (["tso=off", "gso=on"], None),
    ],
)
def test_tcp_hands_down_single_segments_where_nothing_below_it_cuts(
    assignments: list[str], segments: str | None
) -> None:
    entry = registry.find("ixgb_b2b")
    told = entry.build(entry.parse(assignments), 1).guest_settings()["sender"]
    assert told.get("LH_GSO_MAX_SEGS") == segments


def test_a_setting_has_one_description_and_each_scenario_its_default() -> None:
    b2b, wan = registry.find("ixgb_b2b").settings, registry.find("ixgb_wan").settings
    for name in ("window", "tso"):
        assert (b2b[name].kind, b2b[name].help) == (wan[name].kind, wan[name].help)
        assert b2b[name].default != wan[name].default
        assert b2b[name].source != wan[name].source


def test_what_two_scenarios_have_alike_differs_only_in_what_is_said_anew() -> None:
    bare, table = (registry.find(name).settings["model"] for name in ("gnet1_fig4", "gnet1_table1"))
    assert (table.only, bare.only) == ({"box": ("gnet1",)}, {})
    assert dataclasses.replace(table, only={}, condition="") == bare


def test_a_command_line_is_a_workload() -> None:
    settings = registry.find("ixgb_b2b").parse(["workload=sh -c 'ping -c 3 $LH_PEER'"])
    scenario = registry.find("ixgb_b2b").build(settings, 1)
    guests = scenario.guest_settings()
    assert guests["sender"]["LH_WORKLOAD"] == "command"
    assert guests["sender"]["LH_COMMAND"] == "sh -c 'ping -c 3 $LH_PEER'"


@pytest.mark.parametrize(
    ("assignments", "line"),
    [
        (
            ["box=nistnet", "model=rtl"],
            f"model=rtl: {UNUSED}",
        ),
        (
            ["model=tlm", "box=nistnet"],
            f"model=tlm: {UNUSED}",
        ),
        (
            ["workload=ping", "congestion=reno"],
            "congestion=reno: workload=ping does not use it; it is for workload=iperf",
        ),
        (
            ["rcvbuf=64KiB", "workload=ping"],
            "rcvbuf=64KiB: workload=ping does not use it; it is for workload=iperf",
        ),
    ],
)
def test_a_setting_that_the_others_do_not_use_is_refused(assignments: list[str], line: str) -> None:
    assert refusal("gnet1_table1", *assignments) == line


def test_a_default_that_the_others_do_not_use_is_none_of_the_users_business() -> None:
    assert registry.find("gnet1_table1").parse(["box=nistnet", "workload=ping"]).model == "tlm"


def test_a_setting_of_many_other_scenarios_names_a_few_of_them() -> None:
    having = [name for name, entry in registry.scenarios().items() if "rtt" in entry.settings]
    first, rest = ", ".join(having[:4]), len(having) - 4
    assert rest > 0 and refusal("ixgb_b2b", "rtt=1ms") == (
        f"ixgb_b2b has no setting 'rtt'; it is a setting of {first} and {rest} more (longhaul list)"
    )


def test_a_condition_that_most_values_meet_names_those_that_do_not() -> None:
    settings = registry.find("ixgb_b2b").settings
    assert settings["processors"].condition == "any system but guest"
    assert settings["gro"].condition == "system=guest"
    assert refusal("ixgb_b2b", "processors=2") == (
        "processors=2: system=guest does not use it; it is for any system but guest"
    )


def test_a_condition_on_what_a_scenario_does_not_have_is_met() -> None:
    storm = registry.find("gnet1_storm").settings
    assert storm["model"].condition == ""  # it has no box to choose
    # declared again, with another default
    assert storm["tso"].condition == "workload=iperf, adapter=82545em"


def test_a_small_share_is_shown_without_a_percent_of_a_power_of_ten() -> None:
    item = registry.find("gnet1_storm").settings["error_rate"]
    assert item.kind.show(item.default) == "1e-08"
    assert item.kind.show(0.001) == "0.1%"
