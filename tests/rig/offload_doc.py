# SPDX-License-Identifier: Apache-2.0
"""The figures and the picture of docs/tutorial_offload.md, read from a run of its own command.

`python -m rig.offload_doc FOLDER` makes the run, and writes table and picture again.
"""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path

from longhaul.paths import ROOT

from rig import front_door, waves_picture
from rig.fst import Waves
from rig.waves_doc import CA_STATES, MS, Fact, table, told

DOCUMENT = ROOT / "docs" / "tutorial_offload.md"
PICTURE = DOCUMENT.parent / "images" / "offload-tcb.png"
ENGINE = "sender.eth0"
WAITS = ("none", "host", "turn", "cwnd", "window")
_CONNECTION = re.compile(rf"{re.escape(ENGINE)}\.tcp\.(c\d+_\w+_5001)\.cwnd")
_TABLE = re.compile(
    r"(?<=^<!-- offload: tests/rig/offload_doc.py -->\n)(.*?)(?=^<!-- end -->$)",
    re.MULTILINE | re.DOTALL,
)
LATER_MS = 100  # behind the last retransmission: only the congestion window counts


def command() -> list[str]:
    """Return the words of the document's run, without its folder."""
    (line,) = re.findall(r"^longhaul run (.+) --out out/offload$", DOCUMENT.read_text(), re.M)
    return shlex.split(line)


def run(folder: Path) -> Path:
    """Make the document's run."""
    scenario, *options = command()
    return front_door.run(folder, scenario, options=tuple(options))


def written() -> str:
    """Return the table as the document has it."""
    (found,) = _TABLE.findall(DOCUMENT.read_text())
    return found.rstrip("\n")


def scope(drawn: Waves) -> str:
    """Return the scope of the connection that sends."""
    name = next(match[1] for each in drawn.names if (match := _CONNECTION.fullmatch(each)))
    return f"{ENGINE}.tcp.{name}."


def facts(folder: Path) -> list[Fact]:
    """Return what the rows say."""
    drawn = Waves(folder)
    tcb = drawn.below(scope(drawn))
    trigger, cause = told(folder)["trigger_ps"], told(folder)["cause"]
    una = tcb["snd_una"].number(trigger)
    frames = drawn.row("link.sender_link.from_sender_eth0")
    segment = re.compile(rf"TCP seq {una} ")
    sent = [at for at, text in zip(frames.times, frames.values, strict=True)
            if segment.match(str(text))]  # fmt: skip
    again = tcb["retransmit"].times
    thresholds = [value for at, value in tcb["ssthresh"].changes if at > cause["ps"]]
    later = again[-1] + LATER_MS * MS
    window, trip = tcb["cwnd"].number(later), tcb["srtt_us"].number(later)
    mss = 1448
    states = [CA_STATES[value] for at, value in tcb["ca_state"].changes if at > cause["ps"]][:2]
    duplicates = sum(at <= trigger for at in tcb["dup_ack"].times)
    waits = WAITS[tcb["waits_for"].number(later)]
    return [
        ("the marker", "`retransmit`", f"{_ms(trigger)}"),
        ("marker A", f"`{cause['place']}.lost`", f"{_ms(cause['ps'])}"),
        ("the segment", "`snd_una`, `from_sender_eth0`",
         f"{una}, sent at {_ms(sent[0])}, again at {_ms(sent[1])}"),
        ("duplicate ACKs before the marker", "`dup_ack`", f"{duplicates}"),
        ("recovery", "`ca_state`", " to ".join(states)),
        ("the timer", "`rto_us`, `backoff`",
         f"{tcb['rto_us'].number(trigger)} us, {tcb['backoff'].number(trigger)}: it does not run "
         "out" if not any(CA_STATES[v] == "Loss" for _, v in tcb["ca_state"].changes)
         else "it runs out"),
        ("retransmissions", "`retransmit`", ", ".join(f"{at / MS:.1f}" for at in again) + " ms"),
        ("the threshold after each", "`ssthresh`",
         ", ".join(map(str, thresholds)) + " segments"),
        (f"{LATER_MS} ms after the last", "`cwnd`, `srtt_us`", f"{window} segments, {trip} us"),
        ("the rate of that window", f"cwnd * {mss} B / srtt",
         f"{window * mss * 8 / trip / 1000:.3f} Gb/s"),
        ("the receiver's window then", "`snd_wnd`",
         f"{tcb['snd_wnd'].number(later) / 1e6:.1f} MB"),
        ("data in the engine then", "`unsent`", f"{tcb['unsent'].number(later) / 1e6:.1f} MB"),
        ("what they wait for", "`waits_for`", waits),
    ]  # fmt: skip


def _ms(ps: int) -> str:
    return f"{ps / MS:.3f} ms"


def rows(folder: Path) -> list[str]:
    """Return the rows of the picture."""
    drawn = Waves(folder)
    names = ("state", "ca_state", "retransmit", "dup_ack", "cwnd", "ssthresh", "snd_una", "rto_us",
             "waits_for", "unsent")  # fmt: skip
    return [
        "link.sender_link.from_sender_eth0",
        "anue.west_to_east.lost",
        *(scope(drawn) + name for name in names),
        f"{ENGINE}.path.toe.pipeline.state",
        f"{ENGINE}.path.toe.pm_tx_pages",
    ]


def picture(folder: Path, target: Path) -> None:
    """Draw the rows around all losses."""
    again = Waves(folder).below(scope(Waves(folder)))["retransmit"].times
    begin = told(folder)["cause"]["ps"] - 30 * MS
    waves_picture.draw(folder, target, (begin, again[-1] + LATER_MS * MS), rows(folder))


def main(folder: Path) -> None:
    """Make the run, the table and the picture again."""
    made = run(folder)
    DOCUMENT.write_text(_TABLE.sub(table(facts(made)) + "\n", DOCUMENT.read_text()))
    picture(made, PICTURE)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
