# SPDX-License-Identifier: Apache-2.0
"""Congestion windows of the modelled TCP beside the real kernel's: one link, one loss pattern.

The delay box draws its losses by the number of the frame, so the same frames of both streams are
lost as long as both send alike.
"""

import json
import re
from pathlib import Path

import pytest
from rig import front_door
from rig.fst import Row, Waves

SETS = ("duration=800ms", "loss=0.05%", "rtt=2ms", "window=16MiB")
OPTIONS = ("--seed", "3", "--waves", "tcp")
STEP_PS = 10**9
CONNECTION = re.compile(r"sender\.tcp\.(c\d+_10_\d+_\d+_\d+_5001)\.cwnd")


class Windows:
    """The sender's congestion window over a run."""

    def __init__(self, run: Path) -> None:
        drawn = Waves(run)
        (name,) = [match[1] for n in drawn.names if (match := CONNECTION.fullmatch(n))]
        rows = drawn.below(f"sender.tcp.{name}.")
        told = json.loads((run / "raw" / "sim.json").read_text())["waves"]
        self.begin, self.end = told["from_ps"], told["until_ps"]
        self.cwnd: Row = rows["cwnd"]
        self.thresholds = [value for _, value in rows["ssthresh"].changes]
        self.retransmits = len(rows["retransmit"].times)

    def mean(self) -> float:
        first = max(self.begin, self.cwnd.times[0])
        sampled = [int(self.cwnd.at(at)) for at in range(first, self.end, STEP_PS)]
        return sum(sampled) / len(sampled)


def windows(out: Path, system: str, congestion: str) -> Windows:
    sets = (*SETS, f"system={system}", f"congestion={congestion}")
    return Windows(front_door.run(out, "ixgb_wan", *sets, options=OPTIONS))


# How many losses in a row bring both to the same threshold, and by how many segments it may differ.
# Reno depends on nothing but the losses; CUBIC on their times, too, by the third power.
@pytest.mark.parametrize(("congestion", "alike", "within"), [("reno", 8, 3), ("cubic", 3, 12)])
def test_the_same_losses_bring_the_same_windows(
    congestion: str, alike: int, within: int, tmp_path: Path
) -> None:
    guest = windows(tmp_path / "guest", "guest", congestion)
    model = windows(tmp_path / "model", "linux-6.1", congestion)
    assert min(guest.retransmits, model.retransmits) > 8
    assert guest.thresholds[0] == model.thresholds[0] == 0x7FFFFFFF  # slow start
    # The end of slow start depends on the moment of the first loss: it doubles in a round trip.
    assert model.thresholds[1] == pytest.approx(guest.thresholds[1], rel=0.15)
    pairs = list(zip(guest.thresholds, model.thresholds, strict=False))[2 : 2 + alike]
    assert len(pairs) == alike
    for theirs, ours in pairs:
        assert abs(theirs - ours) <= within, pairs
    assert model.mean() == pytest.approx(guest.mean(), rel=0.10)
