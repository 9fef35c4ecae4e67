# SPDX-License-Identifier: Apache-2.0
"""The counters of models/nic/blocks/statistics_block and ixgb_stats, in Python."""

from __future__ import annotations

from nic_described import BY_NAME

BASE, END = 0x2000, 0x2200
# Fields of rx_event_t and tx_event_t, the uppermost first.
RX = {"total": 1, "octets": 15, "sort": 2, "vlan": 1, "jumbo": 1, "good": 1, "missed": 1,
      "no_descriptor": 1, "fcs_bad": 1, "runt": 1, "oversize": 1, "jabber": 1, "length_bad": 1,
      "control": 1, "xon": 1, "xoff": 1}  # fmt: skip
TX = {"octets": 15, "sort": 2, "vlan": 1, "jumbo": 1, "padded": 1, "xon": 1, "xoff": 1}
CASTS = "UMB"
RX_WORDS = {"no_descriptor": "RNBC", "runt": "RUC", "oversize": "ROC", "length_bad": "RLEC",
            "fcs_bad": "CRCERRS", "missed": "MPC", "jabber": "RJC", "control": "MCFRC",
            "xon": "XONRXC", "xoff": "XOFFRXC"}  # fmt: skip
Event = dict[str, int]


def packed(event: Event, fields: dict[str, int]) -> int:
    """Return an event as the bits of its struct."""
    word = 0
    for name, width in fields.items():
        word = word << width | event[name]
    return word


class Block:
    """Counters of `bits` bits and pairs of twice as many, as statistics_block.h has them."""

    def __init__(self, bits: int) -> None:
        self.most = (1 << bits) - 1
        self.bits = bits
        names = [name for name, each in BY_NAME.items() if BASE <= each.address < END]
        self.pairs = {name[:-1]: 0 for name in names if f"{name[:-1]}L" in names}
        self.latched: dict[str, int] = {}
        self.words = {
            name: 0 for name in names if name[:-1] not in self.pairs and BY_NAME[name].made
        }
        self.names = {BY_NAME[name].address: name for name in names}

    def add(self, name: str, count: int = 1) -> None:
        """Count, in a pair or a word."""
        if name in self.pairs:
            self.pairs[name] = (self.pairs[name] + count) & ((self.most + 1) ** 2 - 1)
        else:
            self.words[name] = min(self.words[name] + count, self.most)

    def read(self, address: int) -> int:
        """Return what a reading gives; it clears."""
        name = self.names.get(address, "")
        if name in self.words:
            value, self.words[name] = self.words[name], 0
            return value
        pair, half = name[:-1], name[-1:]
        if pair not in self.pairs:
            return 0
        value = self.pairs[pair]
        if half == "L":
            self.pairs[pair], self.latched[pair] = 0, value >> self.bits
            return value & self.most
        if pair in self.latched:
            return self.latched.pop(pair)
        self.pairs[pair] &= self.most
        return value >> self.bits

    def received(self, event: Event, mpe: int) -> None:
        """Count a frame that came: IxgbStats::received_any, received_good and words."""
        if event["total"]:
            self.add("TPR")
            self.add("TOR", event["octets"])
        for flag, name in RX_WORDS.items():
            if event[flag]:
                self.add(name)
        if event["xon"] or event["xoff"]:
            self.add("PFRC")
        if not event["good"]:
            return
        cast = CASTS[event["sort"]]
        self.add("GPRC")
        self.add("GORC", event["octets"])
        self.add(f"{cast}PRC")
        if cast == "B" and mpe:
            self.add("MPRC")
        for flag in ("vlan", "jumbo"):
            if event[flag]:
                self.add(f"{flag[0].upper()}PRC")

    def sent(self, event: Event) -> None:
        """Count a frame that starts: IxgbStats::sent, or a PAUSE frame of the MAC's own."""
        self.add("TPT")
        self.add("TOT", event["octets"])
        if event["xon"] or event["xoff"]:
            self.add("PFTC")
            self.add("XONTXC" if event["xon"] else "XOFFTXC")
            return
        self.add("GPTC")
        self.add("GOTC", event["octets"])
        self.add(f"{CASTS[event['sort']]}PTC")
        if event["padded"]:
            self.add("PLT64C")
        for flag in ("vlan", "jumbo"):
            if event[flag]:
                self.add(f"{flag[0].upper()}PTC")
