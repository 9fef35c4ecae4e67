# SPDX-License-Identifier: Apache-2.0
"""Reads what the guests' own programs reported (docs/guest-files.md)."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from longhaul.errors import LonghaulError
from longhaul.results import program_reports as programs

_IPERF_LINE = re.compile(
    r"^\[\s*(SUM|\d+)\]\s+([\d.]+)-\s*([\d.]+)\s+sec\s+(\d+) Bytes\s+(\d+) bits/sec", re.M
)
_PING_RTT = re.compile(r"^rtt min/avg/max/mdev = ([\d.]+)/([\d.]+)/([\d.]+)/([\d.]+) ms", re.M)
_SS_RTT = re.compile(r"\brtt:([\d.]+)/")
_SS_BUSY = re.compile(r"\bbusy:(\d+)ms")
_SS_HELD = {name: re.compile(rf"\b{name}_limited:(\d+)ms") for name in ("rwnd", "sndbuf")}
_SS_WINDOW = re.compile(r"\bsnd_wnd:(\d+)")
_SS_CONGESTION = re.compile(r"\bmss:(\d+)\b.*\bcwnd:(\d+)")
_SS_SENT = re.compile(r"\bbytes_sent:(\d+)")
BY_CHIP = "tcp-ulp-toe"
TIMEOUTS = "TcpExtTCPTimeouts"  # of nstat: retransmission timers that expired


@dataclass(frozen=True)
class Transfer:
    """Received data: bytes and bits per second, as the receiving program says."""

    bytes: int
    bits_per_s: float


def iperf(text: str) -> Transfer | None:
    """Read `iperf -e -f b`: the sum line of the whole test, or the sum over the streams."""
    rows = [(who, float(begin), float(end), int(n), float(r)) for who, begin, end, n, r in
            cast(list[tuple[str, str, str, str, str]], _IPERF_LINE.findall(text))]  # fmt: skip
    whole: dict[str, tuple[float, int, float]] = {}
    for who, begin, end, count, rate in rows:
        longest = whole.get(who)
        if begin == 0 and (longest is None or end >= longest[0]):
            whole[who] = (end, count, rate)
    chosen = [whole["SUM"]] if "SUM" in whole else list(whole.values())
    if not chosen:
        return None
    return Transfer(sum(c for _, c, _ in chosen), sum(r for _, _, r in chosen))


def iperf3(text: str) -> Transfer | None:
    """Read the received rate from `iperf3 -J`."""
    data = cast(dict[str, Any], json.loads(text))
    if data.get("error"):
        raise LonghaulError(f"iperf3 says: {data['error']}")
    received = data.get("end", {}).get("sum_received") or data.get("end", {}).get("sum")
    if not received:
        return None
    return Transfer(int(received["bytes"]), float(received["bits_per_second"]))


def ping_rtt_ms(text: str) -> float | None:
    """Return ping's average round-trip time."""
    match = _PING_RTT.search(text)
    return float(match[2]) if match else None


def ss_rtt_ms(text: str) -> float | None:
    """Return the smoothed round-trip time in `ss -ti`, weighed by what each connection sent."""
    weighted = total = 0.0
    for line in text.splitlines():
        rtt, sent = _SS_RTT.search(line), _SS_SENT.search(line)
        if rtt:
            weight = float(sent[1]) if sent else 1.0
            weighted, total = weighted + weight * float(rtt[1]), total + weight
    return weighted / total if total else None


def ss_limits(text: str) -> dict[str, float] | None:
    """Return what held TCP back, by `ss -ti` a little before the end, all connections together.

    `*_limited_pct` are what it waited for, in percent of the time in which it had data to send;
    `snd_wnd_bytes` is the window that its peers offer, `cwnd_bytes` its congestion window. Those of
    a socket whose TCP a T110 runs say nothing (sw/drivers/toe), and are left out.
    """
    text = "\n".join(line for line in text.splitlines() if BY_CHIP not in line)
    busy_ms = sum(int(ms) for ms in _SS_BUSY.findall(text))
    if not busy_ms:
        return None
    held = {
        f"{name}_limited_pct": round(100.0 * sum(map(int, times.findall(text))) / busy_ms, 2)
        for name, times in _SS_HELD.items()
    }
    offered = [int(window) for window in _SS_WINDOW.findall(text)]
    congestion = [int(mss) * int(segments) for mss, segments in _SS_CONGESTION.findall(text)]
    sums = {"snd_wnd_bytes": offered, "cwnd_bytes": congestion}
    return held | {name: float(sum(each)) for name, each in sums.items() if each}


def retransmits(nstat: str) -> int | None:
    """Return TcpRetransSegs of `nstat --json`; nstat leaves out counters that stayed zero."""
    kernel = json.loads(nstat).get("kernel")
    return None if kernel is None else int(kernel.get("TcpRetransSegs", 0))


def kernel_counters(nstat: str) -> dict[str, int]:
    """Return the counters of `nstat --json`; those that stayed zero are left out."""
    return cast(dict[str, int], json.loads(nstat).get("kernel") or {})


def adapter_counters(text: str) -> dict[str, int]:
    """Return the counters of `ethtool -S`."""
    pairs = (line.partition(":") for line in text.splitlines())
    return {name.strip(): int(count) for name, _, count in pairs if count.strip().isdecimal()}


def udp_share(nstat: str) -> float:
    """Return the share of datagrams that a program took, of those that came to the kernel."""
    kernel = kernel_counters(nstat)
    taken = sum(int(kernel.get(f"{udp}InDatagrams", 0)) for udp in ("Udp", "Udp6"))
    lost = sum(int(kernel.get(f"{udp}InErrors", 0)) for udp in ("Udp", "Udp6"))
    return taken / (taken + lost) if taken else 1.0 if not lost else 0.0


def ethtool_info(text: str) -> dict[str, str]:
    """Read `ethtool -i` as {"driver": ..., "version": ...}."""
    pairs = (line.partition(":") for line in text.splitlines())
    return {key.strip(): value.strip() for key, colon, value in pairs if colon}


class Reports:
    """The reports of all guests of a run, read from `guests/NAME/report/*`."""

    def __init__(self, guests: Path) -> None:
        self._guests = guests

    def names(self, host: str) -> list[str]:
        """Return the names of a host's reports."""
        folder = self._guests / host / "report"
        return sorted(p.name for p in folder.iterdir()) if folder.is_dir() else []

    def text(self, host: str, name: str) -> str | None:
        """Return a report, or None where the guest wrote none."""
        path = self._guests / host / "report" / name
        return path.read_text(errors="replace") if path.is_file() else None

    def counters(self, host: str) -> dict[str, int]:
        """Return what a guest's kernel and its adapter counted over the whole connection."""
        kernel, adapter = self.text(host, "nstat.json"), self.text(host, "ethtool-S.txt")
        try:
            counted = kernel_counters(kernel) if kernel else {}
        except (json.JSONDecodeError, AttributeError):
            raise LonghaulError(f"{host}'s nstat.json cannot be read") from None
        return counted | (adapter_counters(adapter) if adapter else {})

    def udp_share(self, receiver: str) -> float:
        """Return the share of datagrams that the receiver's program took."""
        text = self.text(receiver, "nstat.json")
        try:
            return udp_share(text) if text else 1.0
        except (json.JSONDecodeError, AttributeError, ValueError):
            raise LonghaulError(f"{receiver}'s nstat.json cannot be read") from None

    def _programs(
        self, host: str, kind: str, form: type[programs.ReportT]
    ) -> list[programs.ReportT]:
        """Return what a modelled host's programs of a kind reported.

        They are called so, and _N or N if there are several.
        """
        names = [name for name in self.names(host) if re.match(rf"{kind}[\d_]*\.json", name)]
        texts = {name: self.text(host, name) for name in names}
        return [
            programs.read(form, text, f"{host}'s {name}") for name, text in texts.items() if text
        ]

    def _streams(self, sender: str) -> list[programs.Stream]:
        """Return what a modelled host's sending programs reported."""
        return [
            each
            for kind in programs.SENDERS
            for each in self._programs(sender, kind, programs.Stream)
        ]

    def transfer(self, receiver: str) -> Transfer | None:
        """Return what the receiver's programs of a TCP workload say they received."""
        modelled = [
            each
            for kind in programs.RECEIVERS
            for each in self._programs(receiver, kind, programs.Received)
        ]
        if modelled:
            rates = (each.bytes * 8 / each.seconds for each in modelled if each.seconds)
            return Transfer(sum(each.bytes for each in modelled), sum(rates))
        for name, reader in (("iperf3.json", iperf3), ("iperf.txt", iperf)):
            text = self.text(receiver, name)
            if text:
                try:
                    return reader(text)
                except (json.JSONDecodeError, KeyError, TypeError) as error:
                    raise LonghaulError(f"{receiver}'s {name} cannot be read: {error}") from None
        return None

    def rates(self, host: str) -> dict[str, float]:
        """Return transactions and connections a second of a modelled host's programs together."""
        asked = [
            each.transactions_per_s
            for kind in programs.ASKERS
            for each in self._programs(host, kind, programs.Asked)
        ]
        opened = [
            each.connections_per_s
            for each in self._programs(host, "connect_client", programs.Connected)
        ]
        found = {"transactions_per_s": asked, "connections_per_s": opened}
        return {name: sum(rates) for name, rates in found.items() if rates}

    def rtt_ms(self, sender: str) -> float | None:
        """Return the sender's round-trip time, from ping or else from ss."""
        echoes = self._programs(sender, "ping", programs.Echoes)
        if echoes:
            mean_us = echoes[0].rtt_mean_us
            return None if mean_us is None else mean_us / 1e3
        streams = self._streams(sender)
        if streams:
            return programs.rtt_ms(streams)
        ping, sockets = self.text(sender, "ping.txt"), self.text(sender, "ss.txt")
        from_ping = ping_rtt_ms(ping) if ping else None
        return from_ping if from_ping is not None else ss_rtt_ms(sockets) if sockets else None

    def tcp_limits(self, sender: str) -> dict[str, float] | None:
        """Return what the sender's TCP waited for; None where there was none."""
        streams = self._streams(sender)
        if streams:
            return programs.limits(streams)
        sockets = self.text(sender, "ss.txt")
        held = ss_limits(sockets) if sockets else None
        if held is None or self.text(sender, "nstat.json") is None:
            return held
        return held | {"timeouts": float(self.counters(sender).get(TIMEOUTS, 0))}

    def guest(self, host: str, workload_files: tuple[str, ...]) -> dict[str, Any]:
        """Return kernel, drivers, their versions and the workload's own report of one host."""
        own = {name: self.text(host, name) for name in workload_files}
        said: dict[str, Any] = {
            "kernel": (self.text(host, "uname.txt") or "").strip() or None,
            **self._driver(host, "ethtool-i.txt"),
            "report": {name: text for name, text in own.items() if text is not None},
        }
        others = (re.fullmatch(r"ethtool-i-(.+)\.txt", name) for name in self.names(host))
        adapters = {found[1]: self._driver(host, found[0]) for found in others if found}
        return said | ({"adapters": adapters} if adapters else {})

    def _driver(self, host: str, report: str) -> dict[str, str | None]:
        info = ethtool_info(self.text(host, report) or "")
        return {"driver": info.get("driver"), "driver_version": info.get("version")}


WORKLOAD_FILES = ("iperf.txt", "iperf3.json", "ping.txt", "command.txt", "serve.txt")
