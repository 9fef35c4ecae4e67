# SPDX-License-Identifier: Apache-2.0
# %% [markdown]
# # What if the slot were faster?
#
# OPTERON-10G's pair of PCs sends one TCP stream under Linux 2.6.6, jumbo frames over IPv4. How does
# goodput follow the clock of the PCI-X bus, and what takes over as the limit? Every point is a
# simulation, so it has a process of its own (`api.each`).
#
# Start: `./longhaul python examples/what_if.py [FOLDER]`; `--short` measures less.

# %%
import sys
from pathlib import Path

import matplotlib as mpl
import polars as pl
from longhaul import api

mpl.use("Agg")  # a file, no window
from matplotlib import pyplot as plt

SHORT = "--short" in sys.argv
folders = [Path(text) for text in sys.argv[1:] if not text.startswith("-")]
FOLDER = folders[0] if folders else Path("out/what_if")
CLOCKS = (66, 133) if SHORT else (66, 100, 133)
DURATION = "10ms" if SHORT else "50ms"
WARMUP = "50ms"


# %%
def study(pcix_mhz: int) -> dict[str, object]:
    """Return what one clock gives."""
    settings = ["ip=v4", f"pcix_mhz={pcix_mhz}", f"duration={DURATION}", f"warmup={WARMUP}"]
    with api.open("opteron_table2", *settings) as simulation:
        run = simulation.finish()
        return {
            "pcix_mhz": pcix_mhz,
            "goodput_gbps": run.measured["goodput_gbps"],
            "sender_bus_pct": 100 - run.measured["sender"]["pcix_idle_pct"],
            "sender_cpu_pct": run.measured["sender"]["cpu_busy_pct"],
            "receiver_cpu_pct": run.measured["receiver"]["cpu_busy_pct"],
            "limit": run.bottleneck["what"],
        }


# %%
table = pl.DataFrame(api.each(study, CLOCKS))
print(table)

# %%
FOLDER.mkdir(parents=True, exist_ok=True)
table.write_parquet(FOLDER / "what_if.parquet")
figure, (rate, load) = plt.subplots(2, 1, sharex=True, figsize=(6, 6))
rate.plot(table["pcix_mhz"], table["goodput_gbps"], marker="o")
rate.set_ylabel("goodput, Gb/s")
rate.set_ylim(bottom=0)
for column, legend in {
    "sender_bus_pct": "sender's bus",
    "sender_cpu_pct": "sender's CPU",
    "receiver_cpu_pct": "receiver's CPU",
}.items():
    load.plot(table["pcix_mhz"], table[column], marker="o", label=legend)
load.set_xlabel("PCI-X clock, MHz")
load.set_ylabel("busy, %")
load.set_ylim(0, 100)
load.legend()
figure.savefig(FOLDER / "what_if.png", dpi=120)
print(FOLDER / "what_if.png")
