# SPDX-License-Identifier: Apache-2.0
"""Parts beside a block on its board: a Verilated block finds them at its pins."""

from __future__ import annotations

import json
from typing import Any

from longhaul.paths import ROOT
from rig.scripts import HEAD, start

MAP = ROOT / "tests" / "python" / "samples" / "portmap" / "board_box.toml"
COUNTERS = [
    *("block.failures", "block.violations", "block.board.prom.selections"),
    *(f"block.board.{bus}.{name}" for bus in ("bus", "pads") for name in ("frames", "unanswered")),
]
BODY = """
api.use_plugins("{map}")
def stream(a, b):
    return Iperf(sender=a, receiver=b, duration=ms(4), warmup=ms(1), window=Size(65536))
box = Box(name="box", type="board", one_way_delay=Time(0), params={params})
simulation = api.open(line(box, stream, nic=lambda: nics.e1000(), phy="1000base-x"))
simulation.run_until(lambda: False, limit=s(5))
counts = {{name: simulation.probe("box." + name).number for name in {counters}}}
tell(counts=counts)
simulation.finish()
"""


def ran(params: dict[str, Any], *, expect: int = 0) -> Any:
    """Run the box; return its counts, or what the run says if it is to fail."""
    text = HEAD + BODY.format(map=MAP, params=json.dumps(params), counters=COUNTERS)
    done = start(["-c", text])
    assert done.returncode == expect, done.stderr
    return json.loads(done.stdout.splitlines()[-1])["counts"] if expect == 0 else done.stderr


def words_in_one(words: list[int]) -> int:
    """Return what the box makes of an EEPROM's words."""
    found = 0
    for word in words:
        found = (found << 1 | found >> 15) & 0xFFFF ^ word
    return found


def test_the_parts_are_there_and_every_frame_is_counted() -> None:
    words = [0xFFFF] * 64
    words[:4] = [0x0001, 0x0203, 0x1234, 0xBEEF]
    words[0x20:0x23] = [0xA5A5, 0x5A5A, 0xC0DE]
    words[63] = 1
    words[62] = 0
    words[62] = (0xBABA - sum(words)) & 0xFFFF
    counts = ran({"expected_words": words_in_one(words)})
    for bus in ("bus", "pads"):  # one frame a step, and one more each time the link is not there
        assert counts.pop(f"block.board.{bus}.frames") > 4
    assert counts == {
        "block.failures": 0,
        "block.violations": 0,
        "block.board.prom.selections": 64,
        "block.board.bus.unanswered": 1,
        "block.board.pads.unanswered": 1,
    }


def test_a_parameter_of_a_device_reaches_the_pins() -> None:
    counts = ran({"phy_id": 0x00221430, "expected_id": 0x00221430})
    assert counts["block.failures"] == 0
    assert "AnswersAreRight" in ran({"phy_id": 0x00221430}, expect=1)
    assert "step 1 finds" in ran({"optics_vendor": "FINISAR"}, expect=1)


def test_mistakes_in_parameters_have_the_nearest_name() -> None:
    said = ran({"optics_vendro": "X"}, expect=1)
    assert "box.optics: no parameter 'vendro'; nearest is 'vendor'" in said
