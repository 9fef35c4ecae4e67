# SPDX-License-Identifier: Apache-2.0
"""A lone question with TCP in software and in the adapter (docs/offload.md, Latency)."""

from rig.points import Point, point

HOLD_OFF_US = 50  # cxgb's rx_coalesce_usecs
ASK = ("card=t110", "mtu=1500", "window=4MB", "warmup=250ms", "duration=20ms")
NO_HOLD_OFF = "*.host.eth0.rx_coalesce=1us"


def asked(toe: str, response: str, *params: str, mhz: int = 133) -> Point:
    rest = ("workload=netperf_rr", f"response={response}", f"toe={toe}", f"pcix_mhz={mhz}")
    return point("offload", *ASK, *rest, options=tuple(f"--param={param}" for param in params))


def without_hold_off(toe: str, response: str, *params: str, mhz: int = 133) -> float:
    """Return the microseconds of a question."""
    return asked(toe, response, NO_HOLD_OFF, *params, mhz=mhz).measured["question_us"]


def test_the_hold_off_decides_how_long_a_lone_question_takes() -> None:
    """Interrupts come as often as the hold-off lets them, whichever way TCP goes."""
    took = {}
    for response in ("8KiB", "16KiB"):
        for toe in ("on", "off"):
            run = asked(toe, response)
            apart_us = 1e6 * run.sim.window.seconds / run.count("receiver.eth0.moderator.raised")
            assert HOLD_OFF_US < apart_us < HOLD_OFF_US * 1.25, (response, toe)
            took[response, toe] = run.measured["question_us"]
    assert took["8KiB", "on"] < took["8KiB", "off"]
    assert took["16KiB", "on"] > took["16KiB", "off"]


def test_without_hold_off_offload_is_sooner_until_an_answer_is_large() -> None:
    assert without_hold_off("on", "1B") < without_hold_off("off", "1B")
    assert without_hold_off("on", "16KiB") > without_hold_off("off", "16KiB")


def test_the_receivers_gathering_holds_a_large_answer() -> None:
    whole = without_hold_off("on", "16KiB")
    assert without_hold_off("on", "16KiB", "*.eth0.coalesce_size=4096B") < whole - 10


def test_the_bus_that_moves_a_whole_answer_twice_holds_it() -> None:
    saved = {
        toe: without_hold_off(toe, "16KiB") - without_hold_off(toe, "16KiB", mhz=266)
        for toe in ("on", "off")
    }
    assert saved["on"] > 3 * saved["off"] > 0
