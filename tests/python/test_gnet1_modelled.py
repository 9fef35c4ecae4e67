# SPDX-License-Identifier: Apache-2.0
"""GNET-1's testbed with modelled systems: what hosts and box are told, and which runs there are."""

from __future__ import annotations

from pathlib import Path

import pytest
from longhaul import registry, schema
from longhaul.errors import UsageError
from longhaul.parts.part import ParamValue
from longhaul.testbeds import gnet1_modelled, gnet1_watch
from longhaul.units import ms
from support.topology import config_for

FIGURES = tuple(f"gnet1_fig{number}" for number in range(4, 9))
TABLE = "gnet1_table1_modelled"


def config(name: str, *assignments: str) -> schema.SimConfig:
    entry = registry.find(name)
    return config_for(entry.build(entry.parse(assignments), 1))


def hosts(name: str, *assignments: str) -> list[schema.Host]:
    found = [machine.host for machine in config(name, *assignments).machines]
    assert all(found)
    return [host for host in found if host]


@pytest.mark.parametrize(
    ("name", "count"), list(zip((*FIGURES, TABLE), (3, 3, 10, 3, 6, 16), strict=True))
)
def test_every_case_can_be_built(name: str, count: int) -> None:
    entry = registry.find(name)
    rows = entry.cases([])
    assert len(rows) == count
    for row in rows:
        entry.build(entry.parse_case([], row), 1)


@pytest.mark.parametrize("name", FIGURES)
def test_each_figure_has_a_reference_for_each_of_its_systems(name: str) -> None:
    entry = registry.find(name)
    systems = {row[0] for row in entry.cases([])}
    with_reference = {
        row[0] for row in entry.cases([]) if entry.references.match(entry.parse_case([], row))
    }
    assert with_reference == systems


def test_a_figure_runs_the_ring_benchmark_on_the_last_processor() -> None:
    sender, receiver = hosts("gnet1_fig4", "system=freebsd-5.1")
    assert (sender.system, sender.processors) == ("freebsd-5.1", 2)
    ring: dict[str, ParamValue] = {
        "cpu": 1,
        "window": "2MB",
        "peer": "10.10.0.2",
        "duration": "2s",
        "streams": 1,
    }
    assert sender.programs == [schema.Program(type="ring_sender", params=ring)]
    server: dict[str, ParamValue] = {"cpu": 1, "window": "2MB", "streams": 1, "length": "1MiB"}
    assert receiver.programs == [schema.Program(type="iperf_server", params=server)]
    assert sender.interfaces[0].driver["version"] == "em"
    alone, _ = hosts("gnet1_fig4", "processors=1")
    assert "cpu" not in alone.programs[0].params


def test_a_case_has_time_to_recover_in_unless_the_user_says_how_long() -> None:
    entry = registry.find("gnet1_fig5")
    linux = ("system=linux-2.4.20", "discard_at=25s", "duration=40s")
    assert entry.cases(["system=linux-2.4.20"]) == [linux]
    assert entry.cases(["system=linux-2.4.20", "duration=30s"]) == [linux[:2]]
    points = registry.find("gnet1_fig6")
    assert points.cases(["delay=4.7ms", "system=solaris-9"]) == [
        ("system=solaris-9", "delay=4.7ms", "duration=10s")
    ]
    assert len(points.cases(["delay=3ms"])) == 2


def test_only_solaris_has_its_congestion_window_raised() -> None:
    assert hosts("gnet1_fig5", "system=solaris-9")[0].tcp == {"cwnd_limit": "2MB"}
    assert hosts("gnet1_fig5", "system=linux-2.4.20")[0].tcp == {}


def test_table_1_asks_three_echoes_before_its_stream() -> None:
    sender, receiver = hosts(TABLE)
    assert [program.type for program in sender.programs] == ["ping", "iperf_client"]
    assert sender.programs[0].params == {
        "peer": "10.10.0.2",
        "count": 3,
        "before": 1,
        "measured": False,
        "cpu": 1,
    }
    assert sender.programs[1].params["start"] == "5s"
    assert "window" not in sender.programs[1].params
    assert [program.type for program in receiver.programs] == ["iperf_server"]
    assert sender.interfaces[0].driver["version"] == "sk98lin"


def test_a_remembered_threshold_is_gnet1s_unless_it_is_set() -> None:
    def tcp(*assignments: str) -> dict[str, ParamValue]:
        return hosts(TABLE, *assignments)[0].tcp

    assert tcp() == {"initial_ssthresh": f"{22 * 1448}B"}
    assert tcp("box=nistnet") == tcp("remembered=off") == {}
    assert tcp("box=nistnet", "remembered=on") == tcp()


def test_the_box_discards_where_a_figure_has_it() -> None:
    def discards(*of: str) -> list[str]:
        return [step.at for step in config(*of).control if [0x11C, 1] in step.accesses]

    assert discards("gnet1_fig4") == ["300ms"]
    assert discards("gnet1_fig8") == ["100ms"]
    assert discards("gnet1_fig7") == []


def test_a_discard_after_the_end_is_refused() -> None:
    with pytest.raises(UsageError, match="^discard_at=2s: wants less than duration=1s$"):
        config("gnet1_fig4", "discard_at=2s")


def test_the_ring_benchmark_is_the_models_only() -> None:
    entry = registry.find("gnet1_fig4")
    workload = entry.build(entry.parse([]), 1).check()
    with pytest.raises(UsageError, match="^workload ring runs on modelled hosts only"):
        workload.settings()


def test_what_was_asked_of_the_box_is_read_back(tmp_path: Path) -> None:
    """Two readings before the loss and three after it, by hand."""
    # 0.1 s at 120 MB/s each; the third interval has half of it, the fourth is as before.
    total = [0, 12_000_000, 24_000_000, 30_000_000, 42_000_000]
    lines: list[str] = []
    for i, count in enumerate(total):
        at = i * 10**11
        reads = ((0x1B0, count), (0x180, count // 1500), (0x280, count // 12000))
        lines += [f"{at},gnet1,{address:#x},read,{value},scenario" for address, value in reads]
        if i == 2:
            lines.append(f"{at},gnet1,0x11c,write,1,scenario")
    (tmp_path / "control.csv").write_text(
        "time_ps,box,address,access,value,by\n" + "".join(f"{line}\n" for line in lines)
    )
    found = gnet1_watch.evaluate(None, tmp_path, tmp_path)
    assert found["frames_per_ack"] == pytest.approx(8)
    assert found["rate_before_mb_per_s"] == pytest.approx(120)
    assert found["rate_lowest_mb_per_s"] == pytest.approx(60)
    assert found["rate_after_100ms_pct"] == pytest.approx(100)
    assert found["recovery_s"] == pytest.approx(0.1)
    assert found["regained_s"] == pytest.approx(0.1)
    assert gnet1_watch.RATE_PERIOD == ms(100)
    assert set(gnet1_modelled.FIGURE_SYSTEMS) == {"solaris-9", "linux-2.4.20", "freebsd-5.1"}
