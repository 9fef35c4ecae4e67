# SPDX-License-Identifier: Apache-2.0
"""Figures, bars and plots of a TCP offload engine, from made-up probes."""

from typing import Any

import pytest
from longhaul.report.figures import state_bars
from longhaul.results import measures, offload, offload_plots
from longhaul.results.offload import Waits, engine_measures
from longhaul.results.simdata import SimData

SECOND = 10**12
ENGINE = "sender.eth0.path.toe"
OCCUPANCY = {
    "idle": 30, "receive": 20, "message": 10, "modulation": 15, "timer": 1, "separated": 4,
    "tx_fifo": 8, "replies": 2, "payload": 7, "memory": 3,
}  # fmt: skip


def sim(occupancy: dict[str, int] | None = None, **more: Any) -> SimData:
    shares = occupancy or OCCUPANCY
    assert sum(shares.values()) == 100
    states = {state: share * SECOND // 100 for state, share in shares.items()}
    lane = f"{ENGINE}.pipeline"
    probes: dict[str, Any] = {
        f"{lane}.occupancy": {"states": states},
        f"{lane}.work_ps": {"delta": SECOND // 4},
        f"{lane}.context_ps": {"delta": SECOND // 100},
        f"{lane}.payload_ps": {"delta": SECOND // 5},
        f"{ENGINE}.send_waits_host": {"mean": 1.0},
        f"{ENGINE}.send_waits_turn": {"mean": 0.5},
        f"{ENGINE}.send_waits_cwnd": {"mean": 2.0},
        f"{ENGINE}.send_waits_window": {"mean": 0.5},
        f"{ENGINE}.data_waits_pm": {"mean": 0.25},
        f"{ENGINE}.cm_connections": {"mean": 4.0},
        f"{ENGINE}.pm_tx_pages": {"mean": 12.5},
        f"{ENGINE}.pm_rx_pages": {"mean": 0.0},
    }
    return SimData.model_validate(
        {
            "window": {"begin_ps": SECOND, "end_ps": 2 * SECOND},
            "probes": probes | more,
            "wall_s": 1.0,
            "simulated_s": 2.0,
        }
    )


def test_a_lanes_time_is_told_by_event_by_stall_and_by_what_it_goes_for() -> None:
    found = engine_measures(sim(), "sender.eth0")
    assert found["toe_pipeline_busy_pct"] == 46.0
    each = {state: found[f"toe_pipeline_{state}_pct"] for state in OCCUPANCY if state != "idle"}
    assert each == {state: float(share) for state, share in OCCUPANCY.items() if state != "idle"}
    assert [found[f"toe_pipeline_{part}_pct"] for part in ("work", "cm", "pm")] == [25, 1, 20]


def test_waits_are_shares_of_the_time_of_all_connections() -> None:
    found = engine_measures(sim(), "sender.eth0")
    waits = Waits.of(found)
    assert waits is not None
    assert (waits.host, waits.turn, waits.cwnd, waits.window) == (25.0, 12.5, 50.0, 12.5)
    assert waits.memory == 25.0
    assert (found["toe_connections"], found["toe_pm_tx_pages"]) == (4.0, 12.5)


def test_an_engine_without_events_and_an_adapter_without_engine_have_no_figures() -> None:
    assert engine_measures(sim(dict.fromkeys(OCCUPANCY, 0) | {"idle": 100}), "sender.eth0") == {}
    assert engine_measures(sim(), "receiver.eth0") == {}
    assert Waits.of({"cpu_busy_pct": 50.0}) is None


def test_a_bar_of_a_lane_shows_its_stalls() -> None:
    figures = engine_measures(sim(), "sender.eth0")
    assert offload.lanes(figures) == ["pipeline"]
    bars = {bar.title: bar for bar in state_bars(figures | {"cpu_busy_pct": 1.0})}
    bar = bars["Offload engine, pipeline lane"]
    shown = {segment.label: segment.pct for segment in bar.segments}
    assert bar.busy_pct == 46.0
    assert shown["tx fifo"] == 8.0
    assert shown["idle"] == pytest.approx(30.0)


def test_plots_are_of_columns_that_the_series_has() -> None:
    columns = [
        column
        for plot in offload_plots.plots({"sender": "sender.eth0"})
        for column in plot.columns.values()
    ]
    states = set(OCCUPANCY) - {"idle"}
    assert {f"{ENGINE}.pipeline.occupancy:{state}" for state in states} <= set(columns)
    assert f"{ENGINE}.send_waits_cwnd" in columns


def test_pause_is_counted_by_mac() -> None:
    def mac(name: str, sent: int, received: int, stopped_ps: int) -> dict[str, Any]:
        counts = {"tx_xoff": sent, "rx_xoff": received, "tx_paused_ps": stopped_ps}
        return {f"{name}.{probe}": {"delta": count} for probe, count in counts.items()}

    quiet, sends, stopped = (
        mac("a.eth0.mac", 0, 0, 0),
        mac("switch.p0.mac", 3, 0, 0),
        mac("b.eth0.mac", 0, 3, SECOND // 4),
    )
    assert measures.pauses(sim(**quiet)) == {}
    assert measures.pauses(sim(**quiet, **sends, **stopped)) == {
        "switch.p0.mac": {"sent": 3, "received": 0, "stopped_pct": 0.0},
        "b.eth0.mac": {"sent": 0, "received": 3, "stopped_pct": 25.0},
    }
