# SPDX-License-Identifier: Apache-2.0
"""What --waves takes, and what it says otherwise."""

from pathlib import Path

import pytest
from longhaul import waves
from longhaul.errors import LonghaulError, UsageError
from longhaul.simdata import Waves
from longhaul.units import Time, ms, us


def test_what_is_drawn_from_when_and_for_how_long() -> None:
    drawn = waves.check(["pcix,tcp", "pcix"], "20ms", length="1ms")
    assert drawn == waves.Drawn(("tcp", "pcix"), ms(20), ms(1))
    assert waves.check(["tcp"], "20ms", until="50ms").length == ms(30)


def test_all_is_everything_and_nothing_is_nothing() -> None:
    assert waves.check(["all"]).what == waves.DRAWABLE
    assert waves.check([]) == waves.NOTHING_DRAWN


def test_pins_are_drawn_for_a_millisecond_and_all_else_for_the_whole_window() -> None:
    assert waves.check(["tcp", "pcix"]).length == ms(1)
    assert waves.check(["tcp"], "5ms").length_in(ms(30)) == ms(25)
    assert waves.check(["tcp"], "50ms").length_in(ms(30)) == Time(1)


def test_a_trigger_brings_history_and_who_sees_it() -> None:
    drawn = waves.check(["link"], trigger="retransmit")
    assert drawn == waves.Drawn(("link", "tcp"), Time(0), ms(5), "retransmit", ms(5))
    drawn = waves.check(["nic"], trigger="drop:3", history="700us", length="2ms")
    assert drawn == waves.Drawn(("nic",), Time(0), ms(2), "drop:3", us(700))


@pytest.mark.parametrize("register", ["p0.DISCARD_CTRL", "0x11C", "284"])
def test_a_write_to_a_box_is_seen_without_a_guest(register: str) -> None:
    drawn = waves.check(["rtl"], trigger=f"register:gnet1+{register}")
    assert drawn.what == ("rtl",)
    assert drawn.trigger == "register:gnet1+0x11c"


@pytest.mark.parametrize(
    ("what", "begin", "options", "said"),
    [
        (
            ["pcx"],
            "0s",
            {},
            "--waves: 'pcx' cannot be drawn, only link, tcp, core, box, nic, rtl, pcix or all; "
            "did you mean pcix?",
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
        (["tcp"], "0s", {"until": "1ms", "length": "1ms"}, "--waves-length and --waves-until say"),
        (["tcp"], "0s", {"trigger": "loss"}, "--waves-trigger: 'loss' is none; wants retransmit"),
        (["tcp"], "0s", {"trigger": "drop:0"}, "--waves-trigger: 'drop:0' is none"),
        (
            ["rtl"],
            "0s",
            {"trigger": "register:gnet1+p0.DISCARD"},
            "no register 'p0.DISCARD'; did you mean p0.DISCARDS?",
        ),
        (["rtl"], "0s", {"trigger": "register:gnet1+0xz"}, "--waves-trigger: '0xz' is no whole"),
        (["tcp"], "0s", {"history": "1ms"}, "--waves-history wants --waves-trigger"),
        ([], "0s", {"trigger": "retransmit"}, "--waves-trigger wants --waves"),
        (["pcix"], "20", {}, "--waves-from=20: a time needs its unit; did you mean"),
    ],
)
def test_what_cannot_be_drawn_is_one_line(
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


def test_a_trigger_that_did_not_come_is_told() -> None:
    drawn = waves.check(["tcp"], trigger="retransmit")
    nothing = Waves(from_ps=None, until_ps=None, trigger_ps=None)
    assert waves.outcome(drawn, nothing) == [
        "waves: nothing drawn, retransmit did not come in the measured window"
    ]
    came = Waves(from_ps=1, until_ps=2, trigger_ps=3_500_000_000, trigger="sender retransmits")
    assert waves.outcome(drawn, came) == [
        "waves: sender retransmits at 3.500000 ms of simulated time"
    ]
    assert waves.outcome(waves.NOTHING_DRAWN, None) == []


def test_a_run_without_waveforms_says_how_to_get_them(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="run the scenario with --waves"):
        waves.show(tmp_path)


def test_without_a_display_the_command_for_one_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "waves.fst").touch()
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.setattr(waves.shutil, "which", lambda name: name)  # pyright: ignore
    with pytest.raises(LonghaulError, match="DISPLAY is not set.*gtkwave .*waves.gtkw"):
        waves.show(tmp_path)
