# SPDX-License-Identifier: Apache-2.0
# %% [markdown]
# # What does a byte take from one program to the other?
#
# A figure from outside the five papers. On 24 November 2002 Steffen Persvold told the Linux
# kernel's mailing list ("Intel GbE performance on E7500") what a byte of netpipe's ping-pong took.
# His hosts were two dual Xeons with Intel's E7500 and P64H2, back to back under Linux 2.4.20-rc2
# with its e1000 driver 4.4.12. It took 125 us each way, now and then 63, through an 82546EB on
# PCI-X at 100 MHz, which the driver lets interrupt 8000 times a second. It took 28 us through an
# 82544GC on PCI at 66 MHz, which has no such limit.
#
# Here two PCs with the next chipset of that family, and netperf's TCP_RR, do the same. The 82544GC
# is not modelled; an 82545EM without the limit stands for it. Outcome: the limit's 125 us to 0.1 %,
# and 16 of the 28 us. Hosts and adapters of that time lost 12 us on each way. A part of these 12 us
# is the time in which a processor leaves a halt. It is not modelled here (docs/gnet1_table1.md).
#
# Start: `./longhaul python examples/ping_pong.py [FOLDER]`

# %%
import sys
from dataclasses import dataclass
from pathlib import Path

import polars as pl
from longhaul import api
from longhaul.topology import Machine, NetperfRr, Scenario, System, machines, nics
from longhaul.units import mhz, ms

FOLDER = Path(sys.argv[1] if len(sys.argv) > 1 else "out/ping_pong")


@dataclass(frozen=True)
class Card:
    """One adapter in its slot, and what was measured with it."""

    board: str
    protocol: str
    mhz: int
    interrupts_per_s: int
    """The driver's limit; 0 is none."""
    published_us: float


CARDS = (
    Card("82546eb-copper", "pcix", 100, 8000, 125),
    Card("82545em-copper", "pci", 66, 0, 28),
)


# %%
def study(card: Card) -> dict[str, object]:
    """Return how long a byte takes with one adapter."""
    scenario = Scenario("ping_pong")

    def host(name: str) -> Machine:
        system = System(
            profile="linux-2.4.20",
            processors=2,
            net={"tso": False},
            driver={"version": "4.4.12", "tso": False, "throttle": card.interrupts_per_s},
        )
        nic = nics.e1000(board=card.board, tso=False)
        slot = {"pcix_clock": mhz(card.mhz), "pcix_protocol": card.protocol}
        return scenario.add(machines.xeon_533(name, nic=nic, system=system, **slot))

    sender, receiver = host("sender"), host("receiver")
    scenario.link(sender.port("eth0"), receiver.port("eth0"), name="crossover", phy="1000base-t")
    scenario.run_workload(NetperfRr(sender=sender, receiver=receiver, duration=ms(100)))
    with api.open(scenario) as simulation:
        measured = simulation.finish().measured
    one_way_us = 1e6 / measured["transactions_per_s"] / 2
    return {
        "card": f"{card.board}, {card.protocol} {card.mhz}",
        "interrupts/s": round(measured["sender"]["irq_per_s"]),
        "one way, us": round(one_way_us, 1),
        "published, us": card.published_us,
        "error, %": round(100 * (one_way_us / card.published_us - 1), 1),
    }


# %%
table = pl.DataFrame(api.each(study, CARDS))
print(table)
FOLDER.mkdir(parents=True, exist_ok=True)
table.write_parquet(FOLDER / "ping_pong.parquet")
