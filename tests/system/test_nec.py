# SPDX-License-Identifier: Apache-2.0
"""NEC-TOE end to end: behaviours that the slides tell, and that come out of mechanisms."""

from typing import Any

import pytest
from rig.points import point

SHORT = ("duration=100ms", "warmup=100ms")


HOST_KEEPS_ERRORS = ("--param", "toe.host.eth0.host_keeps_errors=true")


def measured(scenario: str, *sets: str) -> dict[str, Any]:
    return point(scenario, *SHORT, *sets).measured


@pytest.mark.parametrize("engine", ["parallel", "pipeline"])
def test_one_connection_is_bound_by_the_measuring_host(engine: str) -> None:
    run = measured("nec_send", f"engine={engine}", "connections=1")
    assert run["receiver"]["cpu_busy_pct"] > 90
    assert run["toe_cpu_busy_pct"] < 50
    # Copies and TCP of a Pentium III of 933 MHz: "1 GHz handles about 1 Gb/s".
    assert 0.5 < run["toe_sent_gbps"] < 0.95


@pytest.mark.parametrize("engine", ["parallel", "pipeline"])
def test_the_engine_takes_load_off_the_cpu(engine: str) -> None:
    on, off = (
        measured("nec_send", f"engine={engine}", f"toe={toe}", "connections=3")
        for toe in ("on", "off")
    )
    assert on["toe_gbps_per_cpu"] > 1.3 * off["toe_gbps_per_cpu"]


def test_below_an_mss_of_512_the_cpu_does_it_all() -> None:
    small, least = (
        measured("nec_mss", "engine=pipeline", f"mtu={size + 40}") for size in (511, 512)
    )
    assert least["toe_cpu_busy_pct"] < 50
    assert small["toe_cpu_busy_pct"] > 90
    assert small["toe_gbps_per_cpu"] < 0.5 * least["toe_gbps_per_cpu"]


def test_a_small_receive_buffer_holds_one_connection_back() -> None:
    large, small = (
        measured("nec_receive", f"engine={engine}", "connections=1")
        for engine in ("parallel", "pipeline")
    )
    assert small["toe_received_gbps"] < 0.6 * large["toe_received_gbps"]


def test_a_host_that_keeps_errors_uses_the_bottleneck_badly() -> None:
    alone, kept = (
        point(
            "nec_bottleneck",
            *("engine=parallel", "rate=10Mb/s", "warmup=2s", "duration=4s"),
            options=options,
        ).measured
        for options in ((), HOST_KEEPS_ERRORS)
    )
    assert 5 < kept["link_used_pct"] < 0.5 * alone["link_used_pct"]


def test_sending_squeezes_receiving_on_the_pipeline_alone() -> None:
    pipeline, parallel = (
        measured("nec_both", f"engine={engine}") for engine in ("pipeline", "parallel")
    )
    assert pipeline["toe_sent_gbps"] > 1.2 * pipeline["toe_received_gbps"]
    # The slides say it of both engines (docs/nec_toe.md, Both directions).
    assert parallel["toe_received_gbps"] > 1.2 * parallel["toe_sent_gbps"]


def test_only_the_pipeline_keeps_its_window_through_losses() -> None:
    parallel, pipeline = (
        point("nec_rate_control", f"engine={engine}", "warmup=2s", "duration=2s").measured
        for engine in ("parallel", "pipeline")
    )
    assert parallel["losses"] > 0 == parallel["window_not_cut"]
    assert pipeline["window_not_cut_pct"] > 90
    assert pipeline["sent_each"] > 10 > parallel["sent_each"]


def test_the_pipeline_sends_again_what_the_bottleneck_would_have_carried() -> None:
    runs = {
        engine: point(
            "nec_bottleneck",
            *(f"engine={engine}", "rate=10Mb/s", "warmup=2s", "duration=2s"),
        ).measured
        for engine in ("parallel", "pipeline")
    }
    assert runs["pipeline"]["toe_sent_again_pct"] > 50
    assert runs["pipeline"]["link_used_pct"] < 50 < runs["parallel"]["link_used_pct"]


@pytest.mark.parametrize("engine", ["parallel", "pipeline"])
def test_an_engine_takes_connections_for_less_cpu(engine: str) -> None:
    on, off = (
        measured("nec_connections", "warmup=0s", f"engine={engine}", f"toe={toe}")
        for toe in ("on", "off")
    )
    for run in (on, off):
        assert run["toe_connections_per_s"] > 1000
        assert run["toe_failed_connections"] == run["toe_refused_syns"] == 0
    assert on["toe_connections_per_cpu_s"] > 1.2 * off["toe_connections_per_cpu_s"]
