# SPDX-License-Identifier: Apache-2.0
"""What runs inside the guests; the scripts themselves are in sw/guest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from longhaul.errors import UsageError
from longhaul.topology.parts import Machine
from longhaul.units import Rate, Size, Time


@dataclass(frozen=True, kw_only=True)
class Workload:
    """Traffic from `sender` to `receiver` over `ip` ("v4" or "v6"), for a simulated `duration`."""

    KIND: ClassVar[str] = ""

    sender: Machine
    receiver: Machine
    duration: Time
    ip: str = "v4"

    def settings(self) -> dict[str, str]:
        """Return what the guests' scripts are told, as docs/guest-files.md lists it."""
        return {
            "LH_WORKLOAD": self.KIND,
            "LH_IP": self.ip,
            "LH_DURATION": decimal_seconds(self.duration),
        }


@dataclass(frozen=True, kw_only=True)
class _Tcp(Workload):
    window: Size
    streams: int = 1
    congestion: str = "cubic"

    def settings(self) -> dict[str, str]:
        """Add window, streams and congestion control."""
        return super().settings() | {
            "LH_WINDOW": str(self.window.bytes),
            "LH_STREAMS": str(self.streams),
            "LH_CONGESTION": self.congestion,
        }


class Iperf(_Tcp):
    """TCP by iperf 2."""

    KIND = "iperf"


@dataclass(frozen=True, kw_only=True)
class Iperf3(_Tcp):
    """TCP by iperf 3, whose -t takes whole seconds."""

    KIND = "iperf3"

    def __post_init__(self) -> None:
        whole, rest = divmod(self.duration.ps, 10**12)
        if rest:
            raise UsageError(
                f"duration={self.duration}: iperf3 takes whole seconds; did you mean {whole + 1}s?"
            )


@dataclass(frozen=True, kw_only=True)
class Udp(Workload):
    """UDP by iperf 2 at a set rate."""

    KIND = "udp"

    rate: Rate
    window: Size

    def settings(self) -> dict[str, str]:
        """Add the rate and the socket buffers."""
        return super().settings() | {
            "LH_RATE": str(self.rate.count),
            "LH_WINDOW": str(self.window.bytes),
        }


@dataclass(frozen=True, kw_only=True)
class Ping(Workload):
    """ICMP echoes for the workload's duration."""

    KIND = "ping"


@dataclass(frozen=True, kw_only=True)
class Command(_Tcp):
    """A shell command line at the sender, and optionally one that serves it at the receiver.

    Both see the settings of docs/guest-files.md as environment variables ($LH_PEER, ...).
    """

    KIND = "command"

    command: str
    serve: str = ""

    def settings(self) -> dict[str, str]:
        """Add the two command lines."""
        return super().settings() | {"LH_COMMAND": self.command, "LH_SERVE": self.serve}


def decimal_seconds(time: Time) -> str:
    """Return seconds with all twelve places that are not zero, exactly."""
    whole, rest = divmod(time.ps, 10**12)
    return f"{whole}.{rest:012d}".rstrip("0").rstrip(".")
