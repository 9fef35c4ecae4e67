# SPDX-License-Identifier: Apache-2.0
"""The NIC's registers against nic.rdl: every bit, every address, every byte; and the settings."""

from __future__ import annotations

import random
from typing import Any

import cocotb
from nic_described import Described
from nic_regs import BY_ADDRESS, BY_NAME, ONES, RST, Software, lanes, unpacked

STATISTICS = range(0x2000, 0x2200)
ENTRIES = (0x180, 0x184, 0x188, 0x18C, 0x1F8, 0x1FC, 0x200, 0x204, 0x2FC, 0x3F8, 0x3FC, 0x400,
           0x404, 0x5FC)  # fmt: skip
TABLES = range(0x180, 0x600)
# With all inputs low and the lanes aligned: no link, revision 5, 10GBASE-X.
LIVE = {"STATUS": 1 << 9 | 5 << 16, "PCSS1": 1 << 2, "PCSS2": 1 << 1 | 1 << 14, "XPCSS": 0x100F}


def rest(register: Described) -> int:
    """Return what a register reads while nothing happens."""
    return LIVE.get(register.name, register.reset)


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def every_address_reads_its_reset_value(dut: Any) -> None:
    """What no register has reads zero, up to the end of 128 KB."""
    software = Software(dut)
    await software.start()
    beyond = [*range(0x2200, 0x2400, 4), *range(0x4000, 0x4800, 4), 0x1FFFC]
    beyond += [each << 13 | low for each in range(1, 16) for low in (0, 0x80, 0x100, 0x180, 0x200)]
    beyond += [random.randrange(0x2200, 0x20000) & ~3 for _ in range(500)]
    for address in [*range(0, 0x2200, 4), *beyond]:
        register = BY_ADDRESS.get(address)
        value = await software.access(address + random.randrange(4))
        assert value == (rest(register) if register else 0), (hex(address), register, hex(value))
    assert software.seen() == {}


@cocotb.test(timeout_time=10, timeout_unit="ms")
async def every_bit_is_written_and_read_as_described(dut: Any) -> None:
    """Each bit alone, and all bits but that one, leave what is kept and no more."""
    software = Software(dut)
    await software.start()
    bits = 0
    for address, register in BY_ADDRESS.items():
        if register.action or (address in TABLES and address not in ENTRIES):
            continue
        if address in STATISTICS and address % 24:
            continue
        without = RST if register.name == "CTRL0" else 0
        for bit in range(32):
            for word in (1 << bit, ONES & ~(1 << bit)):
                await software.access(address, word & ~without)
                value = await software.access(address)
                expected = rest(register) & ~register.kept | word & ~without & register.kept
                if register.name == "CTRL0" and word & 8:
                    await software.clocks(45)  # the link was reset
                assert value == expected, (register, hex(word), hex(value))
            bits += 1
        await software.access(address, register.reset)
    assert bits > 60 * 32


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def no_register_lies_in_the_place_of_another(dut: Any) -> None:
    """All hold their own words at once, and writes to what is not there change none."""
    software = Software(dut)
    await software.start()
    held: dict[int, int] = {}
    for address, register in BY_ADDRESS.items():
        if register.kept:
            word = random.getrandbits(32) & ~(RST if register.name == "CTRL0" else 0)
            await software.access(address, word)
            held[address] = word & register.kept | rest(register) & ~register.kept
    commands = [address for address, each in BY_ADDRESS.items() if each.action]
    for address in [*range(0, 0x2200, 4), *range(0x2000, 0x20000, 0x2000), 0x10000, 0x1FFFC]:
        if address not in held and address not in commands:
            await software.access(address, ONES)
    await software.clocks(50)
    for address, word in held.items():
        assert await software.access(address) == word, BY_ADDRESS[address]


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def bytes_without_a_strobe_stay(dut: Any) -> None:
    """Random bytes of random registers and entries of the tables, against a model."""
    software = Software(dut)
    await software.start()
    held = {
        address: each.reset
        for address, each in BY_ADDRESS.items()
        if each.kept and each.name != "CTRL0" and (address not in TABLES or address in ENTRIES)
    }
    for _ in range(3000):
        address = random.choice([*held])
        strobes, word = random.randrange(16), random.getrandbits(32)
        changes = lanes(strobes) & BY_ADDRESS[address].kept
        await software.access(address + random.randrange(4), word, strobes)
        held[address] = held[address] & ~changes | word & changes
        probe = address if random.random() < 0.7 else random.choice([*held])
        assert await software.access(probe) == held[probe], BY_ADDRESS[probe]


def setting(words: dict[str, int], path: str) -> int:
    """Return REGISTER.FIELD of what is held."""
    register, _, field = path.partition(".")
    return BY_NAME[register].bits(field, words[register])


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def settings_are_the_fields(dut: Any) -> None:
    """Random words in all registers, and each member of each struct out of them."""
    software = Software(dut)
    await software.start()
    names = ("CTRL0", "MFS", "RCTL", "FCRTL", "FCRTH", "RDBAL", "RDBAH", "RDLEN", "RDTR",
             "RXDCTL", "RAIDC", "RXCSUM", "TCTL", "TDBAL", "TDBAH", "TDLEN", "TIDV", "TXDCTL",
             "TSPMT", "PAP")  # fmt: skip
    for turn in range(60):
        words = {name: random.getrandbits(32) for name in names}
        words["CTRL0"] &= ~RST
        if turn % 4 == 1:
            words["FCRTH"] &= ~BY_NAME["FCRTH"].fields["RTH"]
        if turn % 4 == 2:
            words["PAP"] &= ~0xFFFF
        for name, word in words.items():
            await software.write(name, word)

        def of(path: str, held: dict[str, int] = words) -> int:
            return setting(held, path)

        ring = dict(base=64, entries=16, prefetch=9, host=9, write_back=9)
        for side, letter, control in (("rx", "R", "RXDCTL"), ("tx", "T", "TXDCTL")):
            assert unpacked(int(getattr(dut, f"{side}_ring_cfg_o").value), **ring) == {
                "base": words[f"{letter}DBAH"] << 32 | words[f"{letter}DBAL"] & ~15,
                "entries": of(f"{letter}DLEN.LEN") * 8,
                "prefetch": of(f"{control}.PTHRESH"),
                "host": of(f"{control}.HTHRESH"),
                "write_back": of(f"{control}.WTHRESH"),
            }
        single = ("sbp", "upe", "mpe", "rdmts", "mo", "bam", "bsize", "vfe", "cfien", "cfi", "cff",
                  "secrc")  # fmt: skip
        wide = {"rdmts": 2, "mo": 2, "bsize": 2}
        rx = unpacked(
            int(dut.rx_cfg_o.value), enable=1, **{name: wide.get(name, 1) for name in single},
            vme=1, ipofl=1, tuofl=1, limit=16,
        )  # fmt: skip
        assert rx == {
            "enable": of("RCTL.EN"), **{name: of(f"RCTL.{name.upper()}") for name in single},
            "vme": of("CTRL0.VME"), "ipofl": of("RXCSUM.IPOFL"), "tuofl": of("RXCSUM.TUOFL"),
            "limit": of("MFS.MFS") if of("CTRL0.JFE") else 1518,
        }  # fmt: skip
        tx = unpacked(int(dut.tx_cfg_o.value), enable=1, vme=1, padding=16, pace=4)
        assert tx == {"enable": of("TCTL.EN"), "vme": of("CTRL0.VME"),
                      "padding": of("TSPMT.TSPBP"), "pace": of("PAP.TXPV")}  # fmt: skip
        delay = unpacked(int(dut.delay_cfg_o.value), rdtr=16, high_thrs=6, delay=9, poll=9, gate=1,
                         adaptive=1, tidv=16)  # fmt: skip
        assert delay == {
            "rdtr": words["RDTR"] & 0xFFFF, "high_thrs": of("RAIDC.HIGHTHRS"),
            "delay": of("RAIDC.DELAY"), "poll": of("RAIDC.POLL"), "gate": of("RAIDC.RXT_GATE"),
            "adaptive": of("RAIDC.EN"), "tidv": words["TIDV"] & 0xFFFF,
        }  # fmt: skip
        pause = unpacked(int(dut.pause_cfg_o.value), send=1, xon=1, quanta=16, high=18, low=18,
                         rpe=1, cmdc=1)  # fmt: skip
        high, quanta = of("FCRTH.RTH") * 8, of("PAP.TXPC")
        assert pause == {
            "send": int(of("CTRL0.TPE") and high != 0 and quanta != 0), "xon": of("FCRTL.XONE"),
            "quanta": quanta, "high": high, "low": min(of("FCRTL.RTL") * 8, high),
            "rpe": of("CTRL0.RPE"), "cmdc": of("CTRL0.CMDC"),
        }  # fmt: skip
        assert int(dut.led_o.value) == 1 - of("CTRL0.SDP0")
