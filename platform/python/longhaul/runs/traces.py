# SPDX-License-Identifier: Apache-2.0
"""Files of a run for trace viewers: packets as FTR, spans and packets as a timeline."""

from __future__ import annotations

from longhaul.outdir import OutDir
from longhaul.packets.names import NAME, TRACE
from longhaul.results import simdata


def write(out: OutDir, sim: simdata.SimData) -> None:
    """Make packets.ftr and timeline.pftrace, of what the simulator has left for them."""
    found = None
    if (out.partial / NAME).exists():
        from longhaul.packets import ftr  # with NumPy
        from longhaul.packets.file import Packets  # likewise

        found = Packets.read(out.partial)
        ftr.write(found, out.partial / TRACE)
    spans = out.raw / "spans.bin"
    if spans.exists():
        from longhaul.results import timeline  # with Protocol Buffers, which few runs need

        window = (sim.window.begin_ps, sim.window.end_ps) if sim.window_marked else None
        timeline.convert(spans, out.partial / "timeline.pftrace", window, found)
        spans.unlink()
