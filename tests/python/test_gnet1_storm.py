# SPDX-License-Identifier: Apache-2.0
"""gnet1_storm: what the box is told, and what its counters and the guests' come to."""

import json
from pathlib import Path
from typing import Any

from longhaul import registry, schema
from support.topology import config_for

STORM = registry.find("gnet1_storm")
READS = ("0x178", "0x17c", "0x198", "0x194", "0x1a8", "0x184")  # as the scenario reads them


def box(*assignments: str) -> schema.Box:
    (found,) = config_for(STORM.build(STORM.parse(assignments), 1)).boxes
    return found


def outcome(
    folder: Path, rows: list[tuple[int, ...]], *, retransmits: int, bad_fcs: int
) -> dict[str, Any]:
    """Evaluate a run whose registers had these values, a row every millisecond."""
    lines = ["time_ps,box,address,access,value,by"]
    for ms, row in enumerate(rows):
        for address, value in zip(READS, row, strict=True):
            lines.append(f"{ms * 10**9},gnet1,{address},read,{value},scenario")
    (folder / "control.csv").write_text("\n".join(lines) + "\n")
    for host, nstat in (("sender", {"TcpRetransSegs": retransmits}), ("receiver", {})):
        report = folder / "guests" / host / "report"
        report.mkdir(parents=True)
        (report / "nstat.json").write_text(json.dumps({"kernel": nstat}))
        (report / "ethtool-S.txt").write_text(f"NIC statistics:\n     rx_crc_errors: {bad_fcs}\n")
    return STORM.evaluate(STORM.parse([]), folder, folder)


def test_the_bottleneck_is_on_the_way_of_the_data_only() -> None:
    params = box().params
    assert params["rate_p0"] == "500Mb/s"
    assert params["delay_p1"] == "10ms"
    assert not [name for name in params if name.endswith("_p1") and not name.startswith("delay")]


def test_settings_become_the_boxs_parameters() -> None:
    params = box("error_rate=1e-7", "red_max=0s", "red_weight=4", "queue=5ms").params
    assert float(params["bit_error_rate_p0"]) == 1e-7
    assert (params["red_max_p0"], params["red_weight_p0"]) == ("0s", 4)
    assert params["queue_limit_p0"] == "5ms"


def test_what_was_lost_stands_beside_what_was_sent_again(tmp_path: Path) -> None:
    rows = [  # the box counts from its start, as the guests do
        (0, 0, 10, 0, 0, 0),
        (90_000, 61_000, 90, 1, 0, 0),  # 9 ms of queue: RED for good reason
        (19_000, 62_000, 110, 1, 1, 0),  # shorter than 2 ms now, but not throughout
        (9_000, 61_000, 140, 1, 1, 0),
        (8_000, 50_000, 140, 1, 2, 0),
    ]
    found = outcome(tmp_path, rows, retransmits=143, bad_fcs=2)
    assert found == {
        "red_drops": 140,
        "red_drops_in_short_queue": 30,
        "queue_drops": 1,
        "bits_flipped": 2,
        "came_with_bad_fcs": 0,
        "left_with_bad_fcs": 2,
        "sent_again": 143,
        "sent_again_per_lost": 1.0,
        "lost_again": 0,
        "timeouts": 0,
    }
    assert (tmp_path / "storm.csv").read_text().startswith("time_s,BACKLOG,RED_AVERAGE,RED_DROP")


def test_the_box_is_watched_until_all_that_the_sockets_hold_has_passed() -> None:
    def watched_ms(*assignments: str) -> int:
        built = STORM.build(STORM.parse(["duration=50ms", *assignments]), 1)
        return next(step.times for step in built.steps if step.every == "1ms")

    assert watched_ms() > 50 + 2 * 16e6 * 8 / 500e6 * 1e3
    assert watched_ms("bottleneck=10Mb/s") > 50 + 2 * 16e6 * 8 / 10e6 * 1e3


def test_figures_that_are_not_of_the_window_say_so() -> None:
    assert STORM.own_of == "the whole connection"
    assert registry.find("gnet1_discard").own_of == ""


def test_without_a_loss_there_is_no_ratio(tmp_path: Path) -> None:
    found = outcome(tmp_path, [(0,) * 6, (0,) * 6], retransmits=0, bad_fcs=0)
    assert (found["red_drops"], found["sent_again_per_lost"]) == (0, None)
