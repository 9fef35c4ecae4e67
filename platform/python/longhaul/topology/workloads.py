# SPDX-License-Identifier: Apache-2.0
"""Programs inside the guests; the scripts themselves are in sw/guest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from longhaul import schema
from longhaul.errors import UsageError
from longhaul.parts.machine import Machine
from longhaul.parts.part import ParamValue
from longhaul.units import Rate, Size, Time, s

PING_INTERVAL = s(1)  # ping's own
IPERF3_COOKIE = Size(37)  # iperf_api.h: COOKIE_SIZE
IPERF3_CONTROL = Size(1024)  # the parameters take 150 to 400 bytes, the first write of data 128 KiB
# A segment that is lost five times comes again 16 s after the time before.
PATIENCE = s(20)


@dataclass(frozen=True, kw_only=True)
class Workload:
    """Traffic from `sender` to `receiver` over `ip` ("v4" or "v6").

    It is measured for a simulated `duration` after a `warmup`. Its programs begin `start` after the
    simulation does, or when their hosts have a link; those of modelled hosts run on their processor
    `cpu`. PORT is where its server listens by itself; None where it needs no port.
    """

    KIND: ClassVar[str] = ""
    PORT: ClassVar[int | None] = None

    sender: Machine
    receiver: Machine
    duration: Time
    warmup: Time = Time(0)
    ip: str = "v4"
    cpu: int = 0
    start: Time = Time(0)

    @property
    def traffic(self) -> Time:
        """How long the workload's program is to send."""
        return self.warmup + self.duration

    def longest_silence(self) -> Time:
        """Return for how long no guest may say anything and no data arrive; 0 is forever."""
        return PATIENCE + self.traffic * 4

    def greeting(self) -> Size | None:
        """Return how much user data reaches the receiver before the traffic.

        None: the window is what the guest marks, the whole run of the workload's program.
        """
        return Size(0)

    def measured_window(self) -> schema.Window | None:
        """Return the measured window in the simulator's terms, None for the guests' marks."""
        greeting = self.greeting()
        if greeting is None:
            return None
        return schema.Window(
            opens_at=str(self.receiver.workload_port),
            greeting=str(greeting),
            warmup=str(self.warmup),
            length=str(self.duration),
        )

    def programs(self, role: str, peer: str) -> list[schema.Program]:
        """Return what a modelled host runs as "sender" or "receiver"; `peer` is an address.

        A UsageError says so where modelled hosts have no such program.
        """
        raise UsageError(f"workload {self.KIND} runs on real guests only, not on modelled hosts")

    def on_cpu(self) -> dict[str, ParamValue]:
        """Return the parameter that says where a modelled host's program runs."""
        return {"cpu": self.cpu} if self.cpu else {}

    def settings(self) -> dict[str, str]:
        """Return what the guests' scripts are told, as docs/guest-files.md lists it."""
        return {
            "LH_WORKLOAD": self.KIND,
            "LH_IP": self.ip,
            "LH_DURATION": decimal_seconds(self.traffic),
        }


@dataclass(frozen=True, kw_only=True)
class KernelTcp:
    """Defaults of the guests' kernel for sockets that ask for nothing (`sysctl`, `ip route`).

    `rmem` and `wmem` are least, default and most bytes of a socket's memory; a receive buffer stays
    at its default unless `moderate_rcvbuf`. `initcwnd` and `ssthresh` are segments; None leaves
    them to the kernel. Without `small_queues` a connection may fill the device's queue, as before
    Linux 3.6.
    """

    rmem: tuple[int, int, int]
    wmem: tuple[int, int, int]
    moderate_rcvbuf: bool = True
    initcwnd: int | None = None
    ssthresh: int | None = None
    small_queues: bool = True

    def settings(self) -> dict[str, str]:
        """Return what the guests' scripts are told."""
        told = {
            "LH_TCP_RMEM": " ".join(map(str, self.rmem)),
            "LH_TCP_WMEM": " ".join(map(str, self.wmem)),
            "LH_TCP_MODERATE_RCVBUF": str(int(self.moderate_rcvbuf)),
        }
        if not self.small_queues:
            told["LH_TCP_SMALL_QUEUES"] = "0"
        metrics = {"LH_INITCWND": self.initcwnd, "LH_SSTHRESH": self.ssthresh}
        return told | {name: str(value) for name, value in metrics.items() if value is not None}


@dataclass(frozen=True, kw_only=True)
class _Tcp(Workload):
    """`window` is the socket memory that the program asks for; None leaves it to `kernel`.

    With `window_of_sender` the receiver's program asks for none, on modelled hosts.
    """

    window: Size | None
    window_of_sender: bool = False
    streams: int = 1
    congestion: str = "cubic"
    adv_win_scale: int = 1
    kernel: KernelTcp | None = None

    def buffers(self) -> Size:
        """Return the memory of all streams' receiving sockets, as asked for or by default."""
        if self.window is not None:
            return self.window * self.streams
        return Size(self.kernel.rmem[1] if self.kernel else 0) * self.streams

    def settings(self) -> dict[str, str]:
        """Add window, streams, congestion control and the share of memory that is window."""
        told = super().settings() | {
            "LH_STREAMS": str(self.streams),
            "LH_CONGESTION": self.congestion,
            "LH_ADV_WIN_SCALE": str(self.adv_win_scale),
        }
        if self.window is not None:
            told["LH_WINDOW"] = str(self.window.bytes)
        return told | (self.kernel.settings() if self.kernel else {})


@dataclass(frozen=True, kw_only=True)
class Iperf(_Tcp):
    """TCP by iperf 2.

    `write` and `read` are the sender's and the receiver's user buffers (-l), None the program's
    own. A modelled sender's ping asks for `echoes` before the stream, and `nodelay` turns Nagle's
    algorithm off in modelled programs (-N).
    """

    KIND = "iperf"
    PORT = 5001
    CLIENT: ClassVar[str] = "iperf_client"
    SERVER: ClassVar[str] = "iperf_server"

    write: Size | None = None
    read: Size | None = None
    echoes: int = 0
    nodelay: bool = False

    def settings(self) -> dict[str, str]:
        """Add the user buffers."""
        buffers = {"LH_WRITE": self.write, "LH_READ": self.read}
        told = {name: str(size.bytes) for name, size in buffers.items() if size is not None}
        return super().settings() | told

    def programs(self, role: str, peer: str) -> list[schema.Program]:
        """Return a client for all streams, or a server that ends with the last of them."""
        params = self.on_cpu()
        if self.window is not None and not (self.window_of_sender and role == "receiver"):
            params["window"] = str(self.window)
        buffer = self.read if role == "receiver" else self.write
        if buffer is not None:
            params["length"] = str(buffer)
        if self.nodelay:
            params["nodelay"] = True
        if role == "receiver":
            params["streams"] = self.streams
            return [schema.Program(type=self.SERVER, params=params)]
        params |= {"peer": peer, "duration": str(self.traffic), "streams": self.streams}
        client = schema.Program(type=self.CLIENT, params=params | self.client())
        if not self.echoes:
            return [client]
        ping: dict[str, ParamValue] = {"peer": peer, "count": self.echoes}
        ping |= {"before": 1, "measured": False}
        return [schema.Program(type="ping", params=ping | self.on_cpu()), client]

    def client(self) -> dict[str, ParamValue]:
        """Return what else the client is told."""
        return {"start": str(PING_INTERVAL * (self.echoes + 2))} if self.echoes else {}


class Iperf3(_Tcp):
    """TCP by iperf 3, whose -t takes whole seconds: it sends on until the next one is full."""

    KIND = "iperf3"

    def greeting(self) -> Size:
        """Return what its control connection says: a cookie, parameters; a cookie a stream."""
        return IPERF3_CONTROL + IPERF3_COOKIE * self.streams


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

    def programs(self, role: str, peer: str) -> list[schema.Program]:
        """Return the sender's ping; the receiver's kernel answers."""
        if role == "receiver":
            return []
        count = max(1, self.duration.ps // PING_INTERVAL.ps)
        params = {"peer": peer, "count": count} | self.on_cpu()
        return [schema.Program(type="ping", params=params)]

    def greeting(self) -> None:
        """There is no user data."""


@dataclass(frozen=True, kw_only=True)
class Command(_Tcp):
    """A shell command line at the sender, and optionally one that serves it at the receiver.

    Both see the settings of docs/guest-files.md as environment variables ($LH_PEER, ...). With a
    `patience` the run is given up after so long without a word of a guest or data that arrive.
    """

    KIND = "command"

    command: str
    serve: str = ""
    patience: Time | None = None

    def longest_silence(self) -> Time:
        """Return its patience: a user's program may be silent for as long as it likes."""
        return self.patience or Time(0)

    def greeting(self) -> None:
        """The work of a command line is not known."""

    def settings(self) -> dict[str, str]:
        """Add the two command lines."""
        return super().settings() | {"LH_COMMAND": self.command, "LH_SERVE": self.serve}


def decimal_seconds(time: Time) -> str:
    """Return seconds with all twelve places that are not zero, exactly."""
    whole, rest = divmod(time.ps, 10**12)
    return f"{whole}.{rest:012d}".rstrip("0").rstrip(".")
