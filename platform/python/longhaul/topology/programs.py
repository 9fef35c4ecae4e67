# SPDX-License-Identifier: Apache-2.0
"""Workloads that only modelled hosts have (models/host/workloads/README.md)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from longhaul import schema
from longhaul.errors import UsageError
from longhaul.parts.part import ParamValue
from longhaul.topology.workloads import Iperf, Workload
from longhaul.units import Size

SMB_HEADERS = Size(63)  # [MS-CIFS] 2.2.4.42.2: READ_ANDX answer with header and NetBIOS length


class _OnModels:
    """A workload that the scripts of real guests know nothing of."""

    KIND: ClassVar[str]

    def settings(self) -> dict[str, str]:
        """Refuse real guests."""
        raise UsageError(f"workload {self.KIND} runs on modelled hosts only")


@dataclass(frozen=True, kw_only=True)
class NetperfStream(_OnModels, Iperf):
    """TCP by netperf's TCP_STREAM; `window` is what it asks for at both ends (-s, -S).

    Without a `write` or `read`, calls are as long as the sockets' buffers, as netperf has them.
    """

    KIND = "netperf_stream"
    PORT = 12865
    CLIENT = "netperf_stream"
    SERVER = "netserver_stream"

    window: Size | None = None


@dataclass(frozen=True, kw_only=True)
class Ring(NetperfStream):
    """GNET-1's benchmark: 1 MB writes that go round in 128 MB of user memory."""

    KIND = "ring"
    PORT = 5001
    CLIENT = "ring_sender"
    SERVER = "iperf_server"


@dataclass(frozen=True, kw_only=True)
class _Asking(_OnModels, Workload):
    """Requests and responses on each of `streams` connections, `outstanding` at once.

    Endless ones go on until what is measured has been. Others begin before the measured window
    does, by half a round trip, and may end before it. `nodelay` turns Nagle's algorithm off.
    """

    CLIENT: ClassVar[str]
    SERVER: ClassVar[str]
    ASKS: ClassVar[str]  # the role that does

    window: Size | None = None
    streams: int = 1
    request: Size | None = None
    response: Size | None = None
    outstanding: int = 1
    endless: bool = False
    nodelay: bool = False

    def programs(self, role: str, peer: str) -> list[schema.Program]:
        """Return who asks, or who answers."""
        params: dict[str, ParamValue] = {"streams": self.streams} | self.on_cpu()
        for name in ("window", "request", "response"):
            size: Size | None = getattr(self, name)
            if size is not None:
                params[name] = str(size)
        if self.nodelay:
            params["nodelay"] = True
        if role != self.ASKS:
            return [schema.Program(type=self.SERVER, params=params)]
        duration = "0s" if self.endless else str(self.traffic)
        params |= {"peer": peer, "duration": duration, "outstanding": self.outstanding}
        return [schema.Program(type=self.CLIENT, params=params)]


@dataclass(frozen=True, kw_only=True)
class NetperfRr(_Asking):
    """netperf's TCP_RR: the sender asks, the receiver answers; 1 byte each unless they say more."""

    KIND = "netperf_rr"
    PORT = 12866
    CLIENT = "netperf_rr"
    SERVER = "netserver_rr"
    ASKS = "sender"


@dataclass(frozen=True, kw_only=True)
class Smb(_Asking):
    """A file that the receiver reads from the sender block by block, `file` bytes of it."""

    KIND = "smb"
    PORT = 445
    CLIENT = "smb_client"
    SERVER = "smb_server"
    ASKS = "receiver"

    file: Size | None = None

    def programs(self, role: str, peer: str) -> list[schema.Program]:
        """Return the reader, or the server."""
        (program,) = super().programs(role, peer)
        more: dict[str, ParamValue] = {}
        if role == self.ASKS and self.file is not None:
            more["file"] = str(self.file)
        return [program.model_copy(update={"params": program.params | more})]


@dataclass(frozen=True, kw_only=True)
class Connect(_OnModels, Workload):
    """Connections opened and closed one after the other, by `clients` programs at once."""

    KIND = "connect"
    PORT = 5002

    clients: int = 1

    def programs(self, role: str, peer: str) -> list[schema.Program]:
        """Return the clients, or who accepts."""
        if role == "receiver":
            return [schema.Program(type="connect_server", params=self.on_cpu())]
        params: dict[str, ParamValue] = {
            "peer": peer,
            "duration": str(self.traffic),
            "programs": self.clients,
        } | self.on_cpu()
        return [schema.Program(type="connect_client", params=params)]

    def greeting(self) -> None:
        """There is no user data."""
