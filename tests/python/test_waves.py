# SPDX-License-Identifier: Apache-2.0
"""The words that --waves takes, and the messages for others."""

from dataclasses import make_dataclass
from pathlib import Path

import pytest
from longhaul import boxes, registry, schema
from longhaul.errors import LonghaulError, UsageError
from longhaul.parts.box import Box
from longhaul.registers import Block, Field, Register, RegisterMap
from longhaul.results import waves, waves_viewer
from longhaul.results.simdata import SimData, Waves, Window
from longhaul.runs import runner
from longhaul.units import Time, ms, us


def test_what_is_traced_from_when_and_for_how_long() -> None:
    traced = waves.check(["pcix,tcp", "pcix"], "20ms", length="1ms")
    assert traced == waves.Traced(("tcp", "pcix"), ms(20), ms(1))
    assert waves.check(["tcp"], "20ms", until="50ms").length == ms(30)


def test_all_is_everything_and_nothing_is_nothing() -> None:
    assert waves.check(["all"]).what == waves.TRACEABLE and waves.check(["all"]).all
    assert waves.check([]) == waves.NOTHING_TRACED


def test_pins_are_traced_for_a_millisecond_and_all_else_for_the_whole_window() -> None:
    assert waves.check(["tcp", "pcix"]).length == ms(1)
    assert waves.check(["tcp"], "5ms").length_in(ms(30)) == ms(25)
    assert waves.check(["tcp"], "50ms").length_in(ms(30)) == Time(1)


def test_a_trigger_brings_history_and_who_sees_it() -> None:
    traced = waves.check(["link"], trigger="retransmit")
    assert traced == waves.Traced(("link", "tcp"), Time(0), ms(5), "retransmit", None)
    traced = waves.check(["nic"], trigger="drop:3", history="700us", length="2ms")
    assert traced == waves.Traced(("nic",), Time(0), ms(2), "drop:3", us(700))


def test_a_violation_is_seen_by_the_rtl_that_is_traced() -> None:
    traced = waves.check(["link"], trigger="violation")
    assert traced == waves.Traced(("link", "rtl"), Time(0), ms(5), "violation", None)


@pytest.mark.parametrize("register", ["p0.DISCARD_CTRL", "0x11C", "284"])
def test_a_write_to_a_box_is_seen_without_a_guest(register: str) -> None:
    traced = waves.check(["rtl"], trigger=f"register:gnet1+{register}")
    assert traced.what == ("rtl",)
    assert traced.trigger == "register:gnet1+0x11c"


@pytest.mark.parametrize(
    ("what", "begin", "options", "said"),
    [
        (
            ["pcx"],
            "0s",
            {},
            "--waves: 'pcx' cannot be traced, only link, tcp, core, box, nic, rtl, pcix or all; "
            "did you mean pcix?",
        ),
        (
            ["smoke"],
            "0s",
            {},
            "--waves: 'smoke' cannot be traced, only link, tcp, core, box, nic, rtl, pcix or all",
        ),
        (
            ["pcix"],
            "0s",
            {"length": "1s"},
            "--waves-length: 1s is out of range, wants up to 100ms",
        ),
        (
            ["tcp"],
            "0s",
            {"length": "101s"},
            "--waves-length: 101s is out of range, wants up to 100s",
        ),
        (["pcix"], "0s", {"length": "0s"}, "--waves-length: 0s is out of range"),
        (["tcp"], "2ms", {"until": "1ms"}, "--waves-until: 1ms is not after --waves-from, 2ms"),
        (
            ["tcp"],
            "0s",
            {"until": "1ms", "length": "1ms"},
            "--waves-length and --waves-until both set the end",
        ),
        (["tcp"], "0s", {"trigger": "loss"}, "--waves-trigger: 'loss' is none; wants retransmit"),
        (["tcp"], "0s", {"trigger": "drop:0"}, "--waves-trigger: 'drop:0' is none"),
        (
            ["rtl"],
            "0s",
            {"trigger": "register:gnet1+p0.DISCARD"},
            "no register 'p0.DISCARD'; did you mean p0.DISCARDS?",
        ),
        (["rtl"], "0s", {"trigger": "register:gnet1+0xz"}, "--waves-trigger: '0xz' is no whole"),
        (
            ["box"],
            "0s",
            {"trigger": "register:gnet1+p0.FRAMES"},
            "--waves-trigger: p0.FRAMES can only be read, no write will come",
        ),
        (["tcp"], "0s", {"history": "1ms"}, "--waves-history wants --waves-trigger"),
        (
            ["tcp"],
            "0s",
            {"trigger": "drop", "history": "101s"},
            "--waves-history: 101s is out of range, wants up to 100s",
        ),
        (
            ["pcix"],
            "0s",
            {"trigger": "drop", "history": "1s"},
            "--waves-history: 1s is out of range, wants up to 100ms",
        ),
        ([], "0s", {"trigger": "retransmit"}, "--waves-trigger wants --waves"),
        ([], "0s", {"history": "1ms"}, "--waves-history wants --waves"),
        ([], "1ms", {}, "--waves-from wants --waves"),
        (["pcix"], "20", {}, "--waves-from=20: a time needs its unit; did you mean"),
    ],
)
def test_what_cannot_be_traced_is_one_line(
    what: list[str], begin: str, options: dict[str, str], said: str
) -> None:
    with pytest.raises(UsageError) as error:
        waves.check(what, begin, **options)
    assert str(error.value).startswith(said)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["run", "x", "--waves"], ["run", "x", "--waves=all"]),
        (["run", "x", "--waves", "--pcap"], ["run", "x", "--waves=all", "--pcap"]),
        (["run", "--waves", "ixgb_b2b"], ["run", "--waves=all", "ixgb_b2b"]),
        (["run", "x", "--waves", "pcix"], ["run", "x", "--waves", "pcix"]),
        (["run", "x", "--waves=tcp"], ["run", "x", "--waves=tcp"]),
    ],
)
def test_waves_alone_means_all(words: list[str], expected: list[str]) -> None:
    assert waves.split_option(words) == expected


def config_of(scenario: str, traced: waves.Traced, *sets: str) -> schema.SimConfig:
    entry = registry.find(scenario)
    request = runner.RunRequest(entry, entry.parse(sets), Path("o"), waves=traced)
    built = entry.build(request.settings, 1)
    return runner.configuration(request, built, runner.UNKNOWN_PARTS, None)


def test_all_is_all_that_the_run_has() -> None:
    traced = waves.check(["all"])
    rest = [name for name in waves.TRACEABLE if name != "rtl"]
    assert config_of("gnet1_storm", traced).observe.waves == rest
    assert config_of("gnet1_storm", traced, "model=rtl").observe.waves == [*waves.TRACEABLE]
    assert "box" in config_of("ixgb_b2b", traced).observe.waves  # switches


@pytest.mark.parametrize(
    ("traced", "sets", "said"),
    [
        (
            waves.check(["link,rtl"]),
            (),
            "--waves: this run has no RTL to trace (rtl); these boxes have it: gnet1 (model=rtl)",
        ),
        (
            waves.check(["tcp"], "500ms"),
            (),
            "--waves-from: the measured window ends after 500ms; wants less, or a --waves-length "
            "to trace beyond it",
        ),
    ],
)
def test_what_this_run_cannot_trace_is_refused(
    traced: waves.Traced, sets: tuple[str, ...], said: str
) -> None:
    with pytest.raises(UsageError) as error:
        config_of("gnet1_storm", traced, *sets)
    assert str(error.value).startswith(said)


def test_what_comes_after_the_window_can_be_asked_for() -> None:
    traced = waves.check(["tcp"], "600ms", length="10ms")
    assert config_of("gnet1_storm", traced).observe.waves_length == "10ms"


def test_a_retransmit_of_what_is_not_tcp_is_refused() -> None:
    traced = waves.check(["link"], trigger="retransmit")
    with pytest.raises(UsageError, match="--waves-trigger: ping has no TCP"):
        config_of("gnet1_table1", traced, "workload=ping")


def test_drops_that_a_trigger_sees_late_are_told_before() -> None:
    traced = waves.check(["link"], trigger="drop:3")
    assert waves.warnings(config_of("gnet1_storm", traced)) == []
    (line,) = waves.warnings(config_of("gnet1_storm", traced, "model=rtl"))
    assert line.startswith("waves: a frame that gnet1 loses counts for drop:3 when the next frame")


def test_without_the_guests_kernel_only_what_needs_it_goes() -> None:
    traced = waves.check(["link,tcp"], trigger="retransmit")
    observe = waves.without_guest(config_of("gnet1_storm", traced)).observe
    assert (observe.waves, observe.waves_trigger) == (["link"], "")
    traced = waves.check(["link"], trigger="register:gnet1+p0.DELAY")
    observe = waves.without_guest(config_of("gnet1_storm", traced)).observe
    assert observe.waves_trigger == "register:gnet1+0x108"


def test_a_triggers_register_is_that_of_the_boxs_own_type(monkeypatch: pytest.MonkeyPatch) -> None:
    delay = Register("DELAY", 8, "RW", "Delay.", (Field("VALUE", 0, 32, "rw"),))
    other = RegisterMap("abox", "ABOX", 64, (Block("p0", "port", 0),), {"port": (delay,)})
    part = make_dataclass("ABox", [("type", str, "abox")], bases=(Box,), kw_only=True, frozen=True)
    known = {"abox": boxes.BoxType(part, other), **boxes.types()}
    monkeypatch.setattr(boxes, "types", lambda: known)
    traced = waves.check(["link"], trigger="register:gnet1+p0.DELAY")
    assert config_of("gnet1_storm", traced).observe.waves_trigger == "register:gnet1+0x108"
    traced = waves.check(["link"], trigger="register:abox+p0.DELAY")
    assert config_of("gnet1_storm", traced).observe.waves_trigger == "register:abox+0x8"


def sim_of(marked: bool = True, **found: object) -> SimData:
    return SimData(
        window=Window(begin_ps=10**12, end_ps=2 * 10**12),
        window_marked=marked,
        probes={},
        wall_s=1,
        simulated_s=3,
        waves=Waves.model_validate(
            {"from_ps": None, "until_ps": None, "trigger_ps": None, **found}
        ),
    )


def test_what_came_of_a_trigger_is_told() -> None:
    traced = waves.check(["tcp"], trigger="retransmit")
    assert waves.outcome(traced, sim_of()) == [
        "waves: nothing traced, retransmit did not come from the measured window (its begin) to "
        "the run's end"
    ]
    later = waves.check(["tcp"], "3ms", trigger="drop:2")
    assert "window (3ms after its begin) to" in waves.outcome(later, sim_of())[0]
    assert waves.outcome(traced, sim_of(marked=False)) == [
        "waves: nothing traced, the measured window never opened"
    ]
    traced = waves.check(["tcp"], trigger="drop")
    came = {"from_ps": 1, "until_ps": 2, "trigger": "sender retransmits"}
    assert waves.outcome(traced, sim_of(trigger_ps=1_500_000_000_000, **came)) == [
        "waves: sender retransmits at 1500.000000 ms of simulated time"
    ]
    assert waves.outcome(traced, sim_of(trigger_ps=2_500_000_000_000, **came)) == [
        "waves: sender retransmits at 2500.000000 ms of simulated time, after the measured "
        "window, which ended at 2000.000000 ms"
    ]
    assert waves.outcome(waves.NOTHING_TRACED, sim_of()) == []


@pytest.mark.parametrize(
    ("cause", "said"),
    [
        (1_490.25, "waves: it was lost at 1490.250000 ms, by anue.west_to_east (random loss)"),
        (
            1_280,
            "waves: it was lost at 1280.000000 ms, by anue.west_to_east (random loss); that is "
            "before the picture, --waves-history 221ms shows it",
        ),
        (None, "waves: no part has dropped what is sent again; look for a late or lost ACK"),
    ],
)
def test_the_loss_that_a_retransmission_repairs_is_told(cause: float | None, said: str) -> None:
    traced = waves.check(["tcp"], trigger="retransmit")
    ps = 10**9
    lost = cause and {"ps": round(cause * ps), "place": "anue.west_to_east", "why": "random loss"}
    sim = sim_of(from_ps=1480 * ps, until_ps=1505 * ps, trigger_ps=1500 * ps, cause=lost)
    assert waves.outcome(traced, sim)[1:] == [said]


@pytest.mark.parametrize(
    ("scenario", "sets", "trip"),
    [
        ("ixgb_wan", ("rtt=10ms",), ms(10)),
        ("gnet1_discard", ("delay=4ms",), ms(8)),  # of two of its four ports
        ("booster_table3", ("km=200", "edge_delay=1ms"), ms(6)),
    ],
)
def test_a_round_trip_is_that_of_boxes_and_cables(
    scenario: str, sets: tuple[str, ...], trip: Time
) -> None:
    found = waves.round_trip(config_of(scenario, waves.NOTHING_TRACED, *sets))
    assert trip.ps <= found.ps < trip.ps + us(2).ps


def test_history_is_two_round_trips_unless_it_is_said_or_the_path_is_short() -> None:
    traced = waves.check(["link"], trigger="retransmit")
    config = config_of("ixgb_wan", traced, "rtt=10ms")
    history = Time.parse(config.observe.waves_history, where="history")
    assert history.ps == 2 * waves.round_trip(config).ps >= ms(20).ps
    assert waves.warnings(config) == []
    assert config_of("ixgb_wan", traced, "rtt=1ms").observe.waves_history == "5ms"
    said = waves.check(["link"], trigger="retransmit", history="3ms")
    config = config_of("ixgb_wan", said, "rtt=10ms")
    assert config.observe.waves_history == "3ms"
    (line,) = waves.warnings(config)
    assert line.startswith("waves: 3ms before the trigger are kept; a loss may lie two round trips")
    assert line.endswith(": --waves-history can ask for that")


def test_pins_keep_no_longer_history_than_they_may_be_traced() -> None:
    traced = waves.check(["pcix"], trigger="retransmit")
    config = config_of("ixgb_wan", traced, "rtt=400ms")
    assert config.observe.waves_history == "100ms"
    (line,) = waves.warnings(config)
    assert line.endswith(": no more than 100ms can be kept of what is traced")


def test_a_begin_that_the_run_did_not_live_to_see_is_told() -> None:
    traced = waves.check(["tcp"], "20s", length="1ms")
    assert waves.outcome(traced, sim_of(from_ps=21 * 10**12, until_ps=3 * 10**12)) == [
        "waves: nothing traced, the run ended before --waves-from (20s after its begin)"
    ]


def test_a_run_without_waveforms_says_how_to_get_them(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="run the scenario with --waves"):
        waves_viewer.show(tmp_path)


def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="out: there is no such folder$"):
        waves_viewer.show(tmp_path / "out")


def test_without_a_display_the_command_for_one_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "waves.fst").touch()
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.setattr(waves_viewer.shutil, "which", lambda name: name)  # pyright: ignore
    with pytest.raises(LonghaulError, match="DISPLAY is not set.*gtkwave .*waves.gtkw"):
        waves_viewer.show(tmp_path)
