# SPDX-License-Identifier: Apache-2.0
"""The kinds of interfaces that a port map can name, with their signals.

Names, directions and widths are those of the standards. AMBA: AXI and ACE (ARM IHI 0022E, chapters
A2 and B1), APB (IHI 0024E, chapter 2), AXI4-Stream (IHI 0051A, chapter 2). Others: WISHBONE B4,
chapter 2; PCI-X 1.0a, chapter 2; IEEE 802.3, clauses 22, 35, 45 and 46; the data sheet of Atmel's
AT93C46.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

TO_BLOCK, FROM_BLOCK, BOTH_WAYS = "input", "output", "inout"


@dataclass(frozen=True)
class Signal:
    """A signal of an interface, as the block with the interface's first role has it.

    `width` is in bits, or a name: signals with the same name have the same width, and NAME/8 is an
    eighth of it. An optional signal may be absent from the block.
    """

    name: str
    direction: str
    width: int | str = 1
    optional: bool = False


@dataclass(frozen=True)
class Kind:
    """A kind of interface.

    `roles` are what the block may be; the directions of `signals` are those of the first one.
    `widths` are those that a named width may have, `clocks` the clocks that it needs: of a kind
    with two clocks, the first is that of what the block sends. `hertz` are the frequencies that
    these may have; empty for any. `rate` is what the named width times a frequency has to be, in
    bit/s; 0 for any.
    """

    name: str
    title: str
    signals: tuple[Signal, ...]
    roles: tuple[str, ...] = ("",)
    widths: Mapping[str, tuple[int, ...]] | None = None
    clocks: tuple[str, ...] = ("clock",)
    hertz: tuple[int, ...] = ()
    rate: int = 0

    def frequencies(self) -> str:
        """Return the frequencies that its clocks may have, in words; empty for any."""
        words = [f"{hertz / 1e6:g}MHz" for hertz in self.hertz]
        if self.rate:
            widths = [self.rate // hertz for hertz in self.hertz]
            words = [f"{each} ({width} bits)" for each, width in zip(words, widths, strict=True)]
        return " or ".join(words)

    def signals_of(self, role: str) -> tuple[Signal, ...]:
        """Return the signals with the directions that they have for a block of that role."""
        if role == self.roles[0]:
            return self.signals
        other = {TO_BLOCK: FROM_BLOCK, FROM_BLOCK: TO_BLOCK, BOTH_WAYS: BOTH_WAYS}
        return tuple(
            Signal(each.name, other[each.direction], each.width, each.optional)
            for each in self.signals
        )


def _channel(direction: str, *signals: str, optional: str = "") -> tuple[Signal, ...]:
    """Return signals written NAME or NAME:WIDTH; a direction of `>` in front turns one round."""
    other = {TO_BLOCK: FROM_BLOCK, FROM_BLOCK: TO_BLOCK}[direction]
    made: list[Signal] = []
    for text in (*signals, *(f"?{text}" for text in optional.split())):
        may_lack, text = text.startswith("?"), text.removeprefix("?")
        turned, text = text.startswith(">"), text.removeprefix(">")
        name, _, width = text.partition(":")
        made.append(
            Signal(
                name,
                other if turned else direction,
                int(width) if width.isdigit() else width or 1,
                may_lack,
            )
        )
    return tuple(made)


def _axi_signals(*, lite: bool) -> tuple[Signal, ...]:
    burst = "" if lite else "{0}id:id {0}len:8 {0}size:3 {0}burst:2 {0}lock {0}cache:4 {0}qos:4 "
    last = "" if lite else " {0}last"
    ids = "" if lite else "{0}id:id "
    channels = (
        (TO_BLOCK, "{0}addr:address {0}valid >{0}ready", burst + "{0}prot:3", "aw ar"),
        (TO_BLOCK, "{0}data:data {0}valid >{0}ready", "{0}strb:data/8" + last, "w"),
        (FROM_BLOCK, "{0}valid >{0}ready", ids + "{0}resp:2", "b"),
        (FROM_BLOCK, "{0}data:data {0}valid >{0}ready", ids + "{0}resp:2" + last, "r"),
    )
    signals: tuple[Signal, ...] = ()
    for direction, needed, optional, names in channels:
        for name in names.split():
            signals += _channel(
                direction, *needed.format(name).split(), optional=optional.format(name)
            )
    return signals


def _wires(names: str, low: str = "") -> tuple[Signal, ...]:
    """Return an input, an output and an output enable for each wire; `low`: low when asserted."""
    signals: tuple[Signal, ...] = ()
    for text in names.split():
        name, _, width = text.partition(":")
        width = f":{width}" if width else ""
        signals += _channel(TO_BLOCK, f"{name}_{low}i{width}")
        signals += _channel(FROM_BLOCK, f"{name}_{low}o{width}", f"{name}_oe")
    return signals


_MASTERS = ("subordinate", "manager")
_ADDRESS = tuple(range(1, 65))

TEN_GIGABIT = 10_000_000_000  # bit/s

KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind(
            "axi4-lite",
            "AXI4-Lite",
            _axi_signals(lite=True),
            _MASTERS,
            {"address": _ADDRESS, "data": (32, 64)},
        ),
        Kind(
            "axi4",
            "AXI4",
            _axi_signals(lite=False),
            _MASTERS,
            {
                "address": _ADDRESS,
                "data": (32, 64, 128, 256, 512),
                "id": tuple(range(1, 33)),
            },
        ),
        Kind(
            "apb",
            "APB",
            _channel(
                TO_BLOCK,
                *("paddr:address", "psel", "penable", "pwrite", "pwdata:data"),
                optional="pprot:3 pstrb:data/8",
            )
            + _channel(FROM_BLOCK, "prdata:data", optional="pready pslverr"),
            ("subordinate",),
            {"address": tuple(range(1, 33)), "data": (8, 16, 32)},
        ),
        Kind(
            "wishbone",
            "Wishbone B4",
            _channel(
                TO_BLOCK,
                *("adr:address", "dat_w:data", "we", "cyc", "stb"),
                optional="sel:data/8 cti:3 bte:2",
            )
            + _channel(FROM_BLOCK, "dat_r:data", "ack", optional="err rty stall"),
            _MASTERS,
            {"address": _ADDRESS, "data": (8, 16, 32, 64)},
        ),
        Kind(
            "register-bus",
            "register bus: select, held until acknowledge",
            _channel(
                TO_BLOCK,
                *("select", "write", "address:address", "write_data:data"),
                optional="byte_enable:data/8",
            )
            + _channel(FROM_BLOCK, "read_data:data", "acknowledge", optional="error"),
            ("subordinate",),
            {"address": tuple(range(1, 33)), "data": (8, 16, 32, 64)},
        ),
        Kind(
            "interrupt",
            "interrupt requests, one bit each, active high",
            _channel(FROM_BLOCK, "irq:requests"),
            widths={"requests": tuple(range(1, 33))},
        ),
        Kind(
            "interrupt-vector",
            "interrupt requests as numbers of vectors, each for one clock with valid high",
            _channel(FROM_BLOCK, "vector:number", "valid") + _channel(TO_BLOCK, optional="ready"),
            widths={"number": tuple(range(1, 33))},
        ),
        Kind(
            "axi4-stream",
            "AXI4-Stream of Ethernet frames",
            _channel(TO_BLOCK, "tdata:data", "tvalid", "tlast", optional="tkeep:data/8 tuser:user")
            + _channel(FROM_BLOCK, optional="tready"),
            _MASTERS,
            {"data": (8, 16, 32, 64, 128, 256, 512), "user": tuple(range(1, 1025))},
        ),
        Kind(
            "zbt-sram",
            "pipelined ZBT SRAM beside the block, data two clocks after the address",
            _channel(FROM_BLOCK, "address:address", "read", "write", "write_data:data")
            + _channel(TO_BLOCK, "read_data:data"),
            widths={"address": tuple(range(1, 25)), "data": tuple(range(1, 64))},
        ),
        Kind(
            "microwire",
            "Microwire EEPROM 93C46 beside the block, 64 words of 16 bits",
            _channel(FROM_BLOCK, "cs", "sk", "di") + _channel(TO_BLOCK, "do"),
        ),
        Kind(
            "mdio",
            "management bus (IEEE 802.3, clauses 22 and 45) with its devices beside the block",
            _channel(FROM_BLOCK, "mdc", optional="mdio_out mdio_oe mdio_t")
            + _channel(TO_BLOCK, optional="mdio_in")
            + (Signal("mdio", BOTH_WAYS, optional=True),),
        ),
        Kind(
            "pcix",
            "pins of a PCI-X device of 64 bits, as inputs, outputs and output enables",
            _wires("ad:64 par par64")
            + _channel(FROM_BLOCK, "ad64_oe", "cbe64_oe", "target_oe")
            + _wires("cbe:8 frame irdy req64 ack64 perr", "n")
            + _channel(TO_BLOCK, "trdy_ni", "stop_ni", "devsel_ni", "idsel", "gnt_ni")
            + _channel(
                FROM_BLOCK,
                *("trdy_no", "stop_no", "devsel_no", "req_no", "inta_oe"),
                optional="req_oe serr_oe",
            ),
        ),
        Kind(
            "bus-mode",
            "what the slot tells the function of its bus",
            _channel(TO_BLOCK, optional="pci66 bus64 pcix pcix_speed:2"),
            clocks=(),
        ),
        Kind(
            "mii",
            "MII (IEEE 802.3, clause 22)",
            _channel(FROM_BLOCK, "txd:4", "tx_en", optional="tx_er")
            + _channel(TO_BLOCK, "rxd:4", "rx_dv", optional="rx_er"),
            clocks=("tx_clock", "rx_clock"),
            hertz=(25_000_000,),
        ),
        Kind(
            "gmii",
            "GMII (IEEE 802.3, clause 35)",
            _channel(FROM_BLOCK, "txd:8", "tx_en", optional="tx_er")
            + _channel(TO_BLOCK, "rxd:8", "rx_dv", optional="rx_er"),
            clocks=("tx_clock", "rx_clock"),
            hertz=(125_000_000,),
        ),
        Kind(
            "xgmii",
            "XGMII, one word at each rising edge (IEEE 802.3, clause 46)",
            _channel(FROM_BLOCK, "txd:data", "txc:data/8")
            + _channel(TO_BLOCK, "rxd:data", "rxc:data/8"),
            widths={"data": (32, 64)},
            clocks=("tx_clock", "rx_clock"),
            hertz=tuple(TEN_GIGABIT // width for width in (64, 32)),
            rate=TEN_GIGABIT,
        ),
    )
}
