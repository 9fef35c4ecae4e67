# SPDX-License-Identifier: Apache-2.0
"""The NIC in RTL and its TLM twin show software and wire the same, over random work.

nic_twin.py runs more seeds. A failing seed is run alone by the command that the failure names.
"""

import os

import pytest
from nic_twin import compare, goodput, lone

FIRST = int(os.environ.get("LONGHAUL_RTL_SEED", "1"))
SEEDS = 24


@pytest.mark.parametrize("seed", range(FIRST, FIRST + SEEDS))
def test_the_two_are_alike(seed: int) -> None:
    """Registers, frames, memory, descriptors, interrupts and counters at rest behind each phase."""
    verdict = compare(seed)
    again = f"./longhaul python tests/rtl/nic/nic_twin.py --seed {seed} --log FILE"
    assert verdict.alike, f"{verdict.text}\nalone: {again}"


@pytest.mark.parametrize(
    ("params", "seen"),
    [
        ({"rx_checksum_ipv6": False}, "receive ring"),
        ({"tso_cwr_first_only": True}, "on the wire"),
        ({"rx_fifo": "128KiB"}, 'phase "flood"'),
        ({"revision": 3}, "STATUS"),
        ({"rx_latency": "300ns"}, "written back"),
    ],
    ids=["sums", "segments", "buffer", "register", "instant"],
)
def test_a_difference_is_found(params: dict[str, object], seen: str) -> None:
    """A TLM model that does something else is told from the RTL within some seeds."""
    for seed in range(1, 40):
        verdict = compare(seed, params=params)
        if not verdict.alike:
            assert seen in verdict.text, verdict.text
            return
    pytest.fail(f"no seed finds {params}")


@pytest.mark.parametrize("timer", [0, 1, 7])
@pytest.mark.parametrize("octets", [60, 61, 256, 700, 1514, 2044])
def test_a_lone_frame_is_seen_within_the_bound(octets: int, timer: int) -> None:
    """When it is on the wire, in its descriptor, and when the timers RDTR and TIDV interrupt."""
    for offset_ps in (0, 2_113, 5_417):
        verdict = lone(octets, timer, offset_ps)
        assert verdict.alike, verdict.text


def test_a_late_frame_is_found() -> None:
    verdict = lone(256, 0, 0, tx_latency="200ns")
    assert not verdict.alike
    assert "the frame starts" in verdict.text, verdict.text


RTL_ENGINES = {"engines": "rtl"}


@pytest.mark.parametrize("direction", ["tx", "rx"])
@pytest.mark.parametrize(
    ("octets", "frames", "bound"),
    [(60, 200, 0.10), (256, 200, 0.04), (1514, 150, 0.04), (4000, 60, 0.10), (9014, 40, 0.04)],
)
def test_counted_engines_predict_the_goodput_of_the_rtl(
    direction: str, octets: int, frames: int, bound: float
) -> None:
    """The bounds are those of models/nic/ixgb/README.md, Engines of the RTL."""
    found = goodput(direction, octets, frames, RTL_ENGINES)
    assert abs(found.error) <= bound, found


def test_the_adapters_own_engines_are_slower() -> None:
    """The defaults fit Intel's adapter; their limit of jumbo frames is not the RTL's."""
    assert goodput("tx", 9014, 40).error < -0.12
