# SPDX-License-Identifier: Apache-2.0
"""How the programs of the user's in real guests ran: when, with which status, what they said."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from longhaul.errors import LonghaulError
from longhaul.topology import Programs

_NOTE = re.compile(r"(\d+) (\S+) program (\d+) (begin|end)(?: (\d+))?")
NOTES = "notes.txt"


def listed(workload: Programs, folder: Path) -> list[dict[str, Any]]:
    """Return a row for each program of a run in `folder`: times in simulated seconds.

    `ended_by_run` is of a server that was ended after the last client.
    """
    file = folder / "raw" / NOTES
    said = map(_NOTE.fullmatch, file.read_text().splitlines() if file.is_file() else [])
    notes = {(m[2], int(m[3]), m[4]): m for m in said if m}
    rows: list[dict[str, Any]] = []
    for host in workload.hosts():
        for number, program in enumerate(workload.on(host.name), 1):
            begin = notes.get((host.name, number, "begin"))
            if begin is None:
                raise LonghaulError(f"{host.name} did not run its program {program.command!r}")
            end = notes.get((host.name, number, "end"))
            output = f"guests/{host.name}/report/program-{number:03}.txt"
            rows.append(
                {
                    "host": host.name,
                    "command": program.command,
                    "wait_port": program.wait_port,
                    "begin_s": int(begin[1]) / 1e12,
                    "end_s": int(end[1]) / 1e12 if end else None,
                    "status": int(end[5]) if end else None,
                    "output": output if (folder / output).is_file() else None,
                }
            )
    last = max((row["end_s"] or 0.0 for row in rows if row["wait_port"] is None), default=0.0)
    for row in rows:
        serves = row["wait_port"] is not None
        row["ended_by_run"] = serves and (row["end_s"] is None or row["end_s"] > last)
    return rows
