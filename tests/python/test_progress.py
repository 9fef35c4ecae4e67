# SPDX-License-Identifier: Apache-2.0
import io
import json
import time

import pytest
from longhaul.runs.progress import LiveDisplay, PlainDisplay, RunState, display_for
from rich.console import Console


def state(**news: object) -> RunState:
    made = RunState("ixgb_wan", duration_s=10.0, setup_s=2.0)
    made.update(json.dumps(news).encode())
    return made


def test_percent_and_time_left_come_from_the_expected_end() -> None:
    made = state(sim_s=5.0, wall_s=20.0, rate=0.25, guests={"sender": "iperf running"})
    assert made.expected_s == 12.0
    assert made.done_pct == pytest.approx(41.67, abs=0.01)
    assert made.left_s == 28.0
    assert made.line() == (
        "ixgb_wan: 5.000 s simulated  42 %  0.250 x real time  28 s left  sender: iperf running"
    )


def test_what_earlier_runs_did_after_their_window_is_to_come() -> None:
    made = RunState("gnet1_storm", duration_s=0.5, setup_s=2.0, after_s=1.5)
    made.update(json.dumps({"sim_s": 2.5, "rate": 0.01}).encode())
    assert made.done_pct == pytest.approx(62.5)
    assert "2 min 30 s left" in made.line()
    made.update(json.dumps({"sim_s": 4.5, "rate": 0.01}).encode())
    assert "99 %  0.010 x real time  ending" in made.line()


def test_the_real_begin_of_the_window_replaces_the_guess() -> None:
    assert state(sim_s=4.0, rate=1.0, window_begin_s=3.5).expected_s == 13.5


def test_a_run_that_takes_longer_than_expected_is_never_whole_before_its_end() -> None:
    assert state(sim_s=50.0, rate=1.0).done_pct == 99.0


@pytest.mark.parametrize("line", [b"", b"not json", b"[1, 2]", b'"text"', b'{"sim_s": 1'])
def test_lines_that_are_no_progress_change_nothing(line: bytes) -> None:
    made = state(sim_s=1.0)
    made.update(line)
    assert made.sim_s == 1.0


def test_long_waits_are_minutes() -> None:
    assert "2 min 05 s left" in state(sim_s=2.0, rate=0.08).line()


def test_off_a_terminal_lines_are_seconds_apart() -> None:
    file = io.StringIO()
    with PlainDisplay(Console(file=file), every_s=60.0) as display:
        for _ in range(5):
            display.show(state(sim_s=1.0, rate=1.0))
    assert file.getvalue().count("\n") == 1


def test_a_run_that_may_yet_be_refused_is_not_shown_at_once() -> None:
    file = io.StringIO()
    display = PlainDisplay(Console(file=file))
    display.show(RunState("x", 1.0, 0.0))
    assert file.getvalue() == ""
    display.show(RunState("x", 1.0, 0.0, started=time.monotonic() - 2))
    assert "starting" in file.getvalue()


def test_on_a_terminal_one_line_is_rewritten_and_removed() -> None:
    file = io.StringIO()
    console = Console(file=file, force_terminal=True, width=100)
    display = display_for(console)
    assert isinstance(display, LiveDisplay)
    with display:
        display.show(state(sim_s=1.0, rate=1.0))
        display.show(state(sim_s=2.0, rate=1.0))
    assert "2.000 s simulated" in file.getvalue()
    assert file.getvalue().rstrip().endswith("\x1b[2K")
