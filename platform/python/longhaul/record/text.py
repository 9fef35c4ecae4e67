# SPDX-License-Identifier: Apache-2.0
"""An item of a record in words: its fields by name, as guests and probes mean them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from longhaul.record.file import FRAME_TCP, Kind, Lines, Record, Stream

# In the order of sw/linux/longhaul_abi.h.
OPERATIONS = (
    *("", "attach", "sync", "elapse", "idle", "read", "write", "memory", "message", "blocks"),
)
STATES = ("user", "system", "softirq", "hardirq")
WORK = (
    *("delay_ps", "executed", "user_syscall", "syscall", "byte_copied", "byte_checksummed"),
    *("packet_tx", "packet_rx", "napi_poll", "interrupt", "context_switch", "clock_read"),
)
MESSAGES = ("", "phase", "report", "panic", "symbols")
FATES = ("sent", "received", "dropped")
FLAGS = ("FIN", "SYN", "RST", "PSH", "ACK", "URG", "ECE", "CWR")

_NEVER = 2**64 - 1
_PLACE_SHIFT = 56
_FRAME_DAMAGED, _FRAME_IPV6 = 0x80, 0x20


@dataclass(frozen=True)
class Item:
    """One item of a stream; its fields are texts by name."""

    number: int  # in its stream, from 0
    time_ps: int
    fields: dict[str, str]

    def text(self) -> str:
        """Return the item in a line."""
        said = ", ".join(f"{name} {value}" if name else value for name, value in self._named())
        return f"{self.number:>9}  {seconds(self.time_ps)}  {said}"

    def _named(self) -> list[tuple[str, str]]:
        heading = ("request", "what", "segment")  # need no name
        return [("" if name in heading else name, value) for name, value in self.fields.items()]

    def differences(self, other: Item) -> list[str]:
        """Return the fields that differ: NAME, this one's and the other's value."""
        ours = {"time": seconds(self.time_ps), **self.fields}
        theirs = {"time": seconds(other.time_ps), **other.fields}
        return [
            f"{name} {ours.get(name, 'none')} | {theirs.get(name, 'none')}"
            for name in dict.fromkeys([*ours, *theirs])
            if ours.get(name) != theirs.get(name)
        ]


def seconds(ps: int) -> str:
    """Return a time with all its picoseconds."""
    return f"{ps // 10**12}.{ps % 10**12:012d} s"


def item(record: Record, stream: Stream, lines: Lines, number: int) -> Item:
    """Return an item: its own line is the last of `lines`."""
    line = lines[-1]
    match Kind(int(line["kind"])):
        case Kind.FRAME:
            fields = _frame(record, line)
        case Kind.EVENT:
            fields = _event(record, stream, line)
        case _:
            fields = _exchange(record, stream, line) | _work(lines[:-1])
    return Item(number, int(line["time_ps"]), fields)


def _values(line: Any) -> list[int]:
    return [int(value) for value in line["value"]]


def _halves(value: int) -> tuple[int, int]:
    return value & 0xFFFFFFFF, value >> 32


def _named(names: tuple[str, ...], number: int) -> str:
    return names[number] if number < len(names) and names[number] else f"number {number}"


def _exchange(record: Record, stream: Stream, line: Any) -> dict[str, str]:
    address, data, answered, due, interrupts, rest = _values(line)
    operation, size = _named(OPERATIONS, int(line["code"])), int(line["size"])
    fields: dict[str, str] = {"request": operation}
    match operation:
        case "read" | "write":
            machine = stream.name.rpartition(".")[0]
            fields["request"] = f"{operation} {size} B"
            fields["at"] = record.place(machine, address)
            fields["data"] = f"{data:#x}"
        case "elapse":
            fields["state"] = _named(STATES, size & 0xFF)
            fields["interruptible"] = "yes" if size >> 8 else "no"
        case "memory":
            fields["RAM from"] = f"{address:#x}"
        case "message":
            fields["request"] = f"message ({_named(MESSAGES, address)}), {size} B"
            fields["digest"] = f"{data:016x}"
        case "blocks":
            fields["request"] = f"{size} blocks of a module, from number {address}"
            fields["digest"] = f"{data:016x}"
        case _:
            pass
    if operation in ("elapse", "idle"):
        fields["due"] = "never" if due == _NEVER else seconds(due)
    level, messages = _halves(interrupts)
    unmasked, touches = _halves(rest)
    fields["answered"] = seconds(answered)
    fields["INTx"] = f"{level:#x}"
    fields["MSI"] = f"{messages:#x}"
    fields["unmasked"] = f"{unmasked:#x}"
    if touches:
        fields["touched memory, digest"] = f"{touches:08x}"
    return fields


def _work(lines: Lines) -> dict[str, str]:
    fields: dict[str, str] = {}
    for line in lines:
        for value in _values(line)[: int(line["size"])]:
            state, kind = divmod(value >> _PLACE_SHIFT, len(WORK))
            name = f"{_named(STATES, state)} {_named(WORK, kind)}"
            fields[name] = str(value & (1 << _PLACE_SHIFT) - 1)
    return fields


def _frame(record: Record, line: Any) -> dict[str, str]:
    code = int(line["code"])
    digest, cause, *_ = _values(line)
    what = _named(FATES, code & 0x0F)
    if why := record.labels[cause]:
        what += f" ({why})"
    if code & _FRAME_DAMAGED:
        what += ", damaged"
    return {
        "what": what,
        "octets": str(int(line["size"])),
        "segment": _segment(record, line, code),
        "digest": f"{digest:016x}",
    }


def _segment(record: Record, line: Any, code: int) -> str:
    _, _, ends, ports, numbers, payload = _values(line)
    if not code & FRAME_TCP:
        return record.labels[ends]
    port, rest = _halves(ports)
    flags = " ".join(name for bit, name in enumerate(FLAGS) if rest >> bit & 1)
    sequence, acknowledged = _halves(numbers)
    ipv6 = bool(code & _FRAME_IPV6)
    source, destination = (
        f"{_address(address, ipv6)}:{each}"
        for address, each in zip(_halves(ends), (port & 0xFFFF, port >> 16), strict=True)
    )
    return (
        f"TCP {source}>{destination} seq {sequence} ack {acknowledged} len {payload} "
        f"win {rest >> 16} {flags}"
    )


def _address(address: int, ipv6: bool) -> str:
    if ipv6:
        return f"[..:{address >> 16:x}:{address & 0xFFFF:x}]"
    return ".".join(str(byte) for byte in address.to_bytes(4, "big"))


def _event(record: Record, stream: Stream, line: Any) -> dict[str, str]:
    until, label, *numbers = _values(line)
    machine = stream.name.partition(".")[0]
    fields = {"what": record.labels[label], "until": seconds(until)}
    for name, number in zip(("arg0", "arg1"), numbers, strict=False):
        fields[name] = record.place(machine, number) if name == "arg0" else f"{number:#x}"
    return fields
