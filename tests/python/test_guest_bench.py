# SPDX-License-Identifier: Apache-2.0
"""A frame's cost by part: CPU time of the window over the frames that both ends sent."""

import pytest
from longhaul.devtools import guest_bench
from longhaul.results.simdata import SimData


def sim() -> SimData:
    def cpu(user: float, system: float) -> dict[str, float]:
        return {"user": user, "system": system}

    def frames(count: int) -> dict[str, object]:
        return {"kind": "counter", "unit": "1", "begin": 5, "end": 5 + count, "delta": count}

    return SimData.model_validate(
        {
            "window": {"begin_ps": 0, "end_ps": 10**12},
            "wall_s": 9.0,
            "simulated_s": 2.0,
            "probes": {
                "sender.eth0.mac.tx_frames": frames(80_000),
                "receiver.eth0.mac.tx_frames": frames(20_000),
                "sender.eth0.mac.rx_frames": frames(20_000),
                "xg1200.p0.mac.tx_frames": frames(20_000),  # a switch passes them on
            },
            "host_s": {
                "simulator": cpu(1.0, 0.5),
                "guests": {
                    "sender": {"kernel": cpu(0.7, 1.0), "programs": cpu(0.1, 0.2)},
                    "receiver": {"kernel": cpu(0.3, 0.6), "programs": cpu(0.1, 0.1)},
                },
            },
        }
    )


def test_parts_are_of_the_frames_of_both_ends() -> None:
    assert guest_bench.parts_us(sim()) == pytest.approx(
        {
            "models": 10,
            "simulator's host": 5,
            "guests' code": 10,
            "guests' host": 16,
            "programs": 5,
        }
    )


def test_each_part_is_explained() -> None:
    assert list(guest_bench.parts_us(sim())) == list(guest_bench.COLUMNS)
    assert all(guest_bench.COLUMNS.values())
