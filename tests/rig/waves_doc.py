# SPDX-License-Identifier: Apache-2.0
"""The figures of docs/tutorial_retransmits.md, read from runs of its own commands.

`python -m rig.waves_doc hunt out/hunt` writes the table of a run into the document again.
"""

from __future__ import annotations

import json
import re
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from longhaul.paths import ROOT

from rig import timeline, wire
from rig.fst import Waves

DOCUMENT = ROOT / "docs" / "tutorial_retransmits.md"
CA_STATES = ("Open", "Disorder", "CWR", "Recovery", "Loss")
_CONNECTION = re.compile(r"sender\.tcp\.(c\d+_[\w]+_5001)\.cwnd")
_CELLS = re.compile(r"^\| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)
BACK = "anue.east_to_west.last_lost"  # the way of the ACKs
MS = 10**9  # picoseconds

Fact = tuple[str, str, str]


def command(out: str) -> list[str]:
    """Return the words of the document's run into this folder, without the folder."""
    pattern = rf"^longhaul run (.+) --out {re.escape(out)}$"
    (line,) = re.findall(pattern, DOCUMENT.read_text(), re.MULTILINE)
    return shlex.split(line)


def written(name: str) -> list[Fact]:
    """Return the rows of one of the document's tables."""
    text = _block(name).search(DOCUMENT.read_text())
    assert text, f"docs/tutorial_retransmits.md has no block {name}"
    return _CELLS.findall(text[2])[1:]


def told(run: Path) -> dict[str, Any]:
    """Return what the run says of its waves."""
    return json.loads((run / "raw" / "sim.json").read_text())["waves"]


def hunt(run: Path) -> list[Fact]:
    """Return what the rows of the retransmission's example say."""
    trigger, cause = told(run)["trigger_ps"], told(run)["cause"]
    drawn = Waves(run)
    name = next(match[1] for each in drawn.names if (match := _CONNECTION.fullmatch(each)))
    connection = drawn.below(f"sender.tcp.{name}.")

    def at(row: str, ps: int) -> int:
        return connection[row].number(ps)

    states = [(ps, CA_STATES[value]) for ps, value in connection["ca_state"].changes]
    path = " to ".join(
        f"{state} ({_ms(ps)})" for ps, state in states if cause["ps"] < ps <= trigger
    )
    una = at("snd_una", trigger)
    segment = re.compile(rf"TCP seq {una} len (\d+) ")
    frames = drawn.row("link.sender_link.from_sender_eth0")
    sent = [ps for ps, text in zip(frames.times, frames.values, strict=True)
            if segment.match(str(text))]  # fmt: skip
    lost = drawn.row(f"{cause['place']}.last_lost").at(cause["ps"])
    ahead = sum(
        trigger < ps < sent[1] for ps in frames.times if frames.at(ps).startswith("TCP seq")
    )
    back = drawn.row(BACK)
    acks = [(ps, str(text)) for ps, text in zip(back.times, back.values, strict=True)
            if "TCP ack" in str(text)]  # fmt: skip
    comment = 'frame.comment contains "dropped later"'
    (packet, *_) = wire.rows(
        run / "sender_link.pcapng", f"{comment} && tcp.seq == {una}", "frame.number"
    )
    marks = next(
        row for row in timeline.read(run / "timeline.pftrace") if row.name == "lost frames"
    )
    (mark, *_) = [each for each in marks.instants if each.begin_ns == cause["ps"] // 1000]
    return [
        ("the marker", "group `trigger`", f"{told(run)['trigger']}, {_ms(trigger)}"),
        ("TCP", "`ca_state`", path),
        ("the window", "`cwnd`", f"{at('cwnd', cause['ps'])} at the loss, "
         f"{at('cwnd', trigger)} at the marker, "
         f"{min(v for ps, v in connection['cwnd'].changes if ps >= trigger)} at the least"),
        ("what the receiver waits for", "`snd_una`", f"{una}"),
        ("marker A", f"`{cause['place']}.lost`", f"{_ms(cause['ps'])}, "
         f"{(trigger - cause['ps']) / MS:.3f} ms before the marker"),
        ("the frame", f"`{cause['place']}.last_lost`", f"`{lost.split(' ack ')[0]}`"),
        ("its way", "`from_sender_eth0`", f"sent at {_ms(sent[0])}, again at {_ms(sent[1])}"),
        ("between marker and packet", "`from_sender_eth0`",
         f"{(sent[1] - trigger) / MS:.3f} ms, {ahead} other frames"),
        ("the cost", "marker A to the second packet", f"{(sent[1] - cause['ps']) / MS:.3f} ms"),
        ("another loss", f"`{BACK}`", f"{_ms(acks[0][0])}, an ACK"),
        ("the capture", "`sender_link.pcapng`", f"packet {packet[0]}"),
        ("the timeline", "`lost frames`", f"{mark.begin_ns / 1e6:.6f} ms, {mark.label}"),
    ]  # fmt: skip


def storm(run: Path) -> list[Fact]:
    """Return what the rows and the summary of the storm's example say."""
    measured = json.loads((run / "results.json").read_text())["cases"][0]["measured"]
    trigger = told(run)["trigger_ps"]
    box = Waves(run).below("gnet1.p0.")

    def tenths(row: str, ps: int = trigger) -> str:
        return f"{box[row].number(ps) / 10_000:.2f} ms"

    top = max(value for _, value in box["backlog"].changes) / 10_000
    drops = [at for at, _ in box["red_drops"].changes[1:]]
    shortest = min(drops, key=box["backlog"].number)
    return [
        ("sent again", "summary", f"{measured['sent_again']} segments"),
        ("dropped by RED", "summary", f"{measured['red_drops']} frames"),
        ("sent again per lost", "summary", f"{measured['sent_again_per_lost']:.2f}"),
        ("the queue at the marker", "`backlog`", tenths("backlog")),
        ("the queue at its top", "`backlog`", f"{top:.2f} ms"),
        ("its average at the marker", "`red_average`", tenths("red_average")),
        ("the shortest queue of which a frame was dropped", "`backlog`",
         tenths("backlog", shortest)),
        ("the average then", "`red_average`", tenths("red_average", shortest)),
    ]  # fmt: skip


def figure(fact: Fact) -> float:
    """Return the number of a fact that has one."""
    return float(fact[2].split()[0])


def _ms(ps: int) -> str:
    return f"{ps / MS:.6f} ms"


TABLES: dict[str, Callable[[Path], list[Fact]]] = {"hunt": hunt, "storm": storm}


def _block(name: str) -> re.Pattern[str]:
    begin = rf"<!-- {name}: tests/rig/waves_doc.py -->\n"
    return re.compile(rf"({begin})((?:(?!<!--).)*)(<!-- end -->)", re.DOTALL)


def table(facts: list[Fact]) -> str:
    """Return facts as the document has them."""
    rows = [("", "row or file", "says"), ("---", "---", "---"), *facts]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in rows)


def filled(text: str, name: str, made: str) -> str:
    """Return the document's text with a block's table replaced, and nothing else."""
    return _block(name).sub(lambda match: match[1] + made + "\n" + match[3], text)


def main(name: str, run: str) -> None:
    """Write a table again."""
    made = table(TABLES[name](Path(run)))
    DOCUMENT.write_text(filled(DOCUMENT.read_text(), name, made))


if __name__ == "__main__":
    main(*sys.argv[1:])
