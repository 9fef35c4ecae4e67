# SPDX-License-Identifier: Apache-2.0
"""Names what limited a run, from the shares that were measured, with the numbers that say so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from longhaul.reference import lookup

LIMIT_PCT = 95.0  # a serial resource this busy leaves its user waiting
WINDOW_PCT = 85.0  # slow start and ACK delay cost a window-limited flow up to this much


@dataclass(frozen=True)
class Verdict:
    """What limited the run, why, and the evidence."""

    what: str
    why: str
    evidence: dict[str, float]

    def as_json(self) -> dict[str, Any]:
        """Return the form of results.json."""
        return {"what": self.what, "why": self.why, "evidence": self.evidence}


_RESOURCES = {
    "sender's CPU": "sender.cpu_busy_pct",
    "receiver's CPU": "receiver.cpu_busy_pct",
    "sender's PCI-X bus": "sender.pcix_busy_pct",
    "receiver's PCI-X bus": "receiver.pcix_busy_pct",
    "sender's memory": "sender.mem_busy_pct",
    "receiver's memory": "receiver.mem_busy_pct",
    "sender's adapter": "sender.adapter_tx_busy_pct",
    "receiver's adapter": "receiver.adapter_rx_busy_pct",
}


def judge(measured: Mapping[str, Any], *, window_bytes: int | None, line_gbps: float) -> Verdict:
    """Weigh every shared resource, the window and the line; the fullest one is the answer.

    `window_bytes` is the socket buffer of all streams together, None where there is no TCP.
    """
    shares: dict[str, float] = {}
    for what, name in _RESOURCES.items():
        value = lookup(measured, name)
        if isinstance(value, int | float):
            shares[what] = float(value)
    wire = measured.get("wire_gbps")
    if isinstance(wire, int | float):
        shares["line"] = 100.0 * wire / line_gbps
    evidence = {name: round(value, 2) for name, value in shares.items()}
    if not shares:
        return Verdict("unknown", "nothing was measured", {})
    fullest = max(shares, key=lambda name: shares[name])
    if shares[fullest] >= LIMIT_PCT:
        return Verdict(
            fullest, f"busy {shares[fullest]:.1f} % of the time, the fullest of all", evidence
        )
    retransmits = measured.get("retransmits")
    rtt, goodput = measured.get("rtt_ms"), measured.get("goodput_gbps")
    if window_bytes and rtt and goodput:
        most = window_bytes * 8 / (rtt / 1e3) / 1e9
        filled = 100.0 * goodput / most
        evidence["window / RTT"] = round(filled, 2)
        if filled >= WINDOW_PCT:
            return Verdict(
                "TCP window",
                f"{window_bytes / 1e6:.1f} MB per {rtt:.3f} ms allow {most:.3f} Gb/s, "
                f"{filled:.0f} % of it was reached",
                evidence,
            )
    if retransmits:
        evidence["retransmits"] = float(retransmits)
        return Verdict(
            "loss",
            f"{retransmits} segments were sent again and nothing was full; "
            f"fullest: {fullest}, {shares[fullest]:.1f} %",
            evidence,
        )
    return Verdict(
        "none of the observed resources",
        f"fullest: {fullest}, {shares[fullest]:.1f} %; the rest is latency or start-up",
        evidence,
    )
