# SPDX-License-Identifier: Apache-2.0
# %% [markdown]
# # Through a retransmit, step by step
#
# Two PCs of GNET-1's testbed under Linux 2.4.20, a GNET-1 between them that adds 2 ms each way. The
# box is told to lose one frame. What does the sender's TCP know, and when?
#
# Start: `./longhaul python examples/retransmit.py [FOLDER]`.

# %%
import sys
from pathlib import Path

import matplotlib as mpl
import polars as pl
from longhaul import api
from longhaul.boxes.gnet1 import Gnet1
from longhaul.gnet1 import control
from longhaul.topology import Iperf, Scenario, System, machines, nics
from longhaul.units import mb, ms, s, us

mpl.use("Agg")  # a file, no window
from matplotlib import pyplot as plt

folders = [Path(text) for text in sys.argv[1:] if not text.startswith("-")]
FOLDER = folders[0] if folders else Path("out/retransmit")

# %% [markdown]
# ## The topology

# %%
scenario = Scenario("retransmit", seed=1)


def pc(name: str):
    """Add a PC with a gigabit adapter."""
    nic = nics.e1000(flow_control=False, link_partner="no-pause")
    return scenario.add(machines.xeon_533(name, nic=nic, system=System(profile="linux-2.4.20")))


sender, receiver = pc("sender"), pc("receiver")
gnet1 = scenario.add(Gnet1(name="gnet1", one_way_delay=ms(2)))
scenario.link(sender.port("eth0"), gnet1.port("p0"), phy="1000base-x")
scenario.link(gnet1.port("p1"), receiver.port("eth0"), phy="1000base-x")
scenario.run_workload(
    Iperf(sender=sender, receiver=receiver, duration=ms(100), window=mb(2), warmup=ms(100))
)
simulation = api.open(scenario)

# %% [markdown]
# ## Up to the loss
# The connection of the sender's program is seen by probes (`docs/python_api.md`).

# %%
tcp = {probe.name.rpartition(".")[2]: probe for probe in simulation.probes("sender.*_tcp.*")}
wire = simulation.probe("receiver.eth0.mac.rx_frames")
simulation.run_until(lambda: wire.number > 1000, s(5), every=ms(1))
curves = simulation.record("sender.*_tcp.*", every=us(100))
simulation.run_for(ms(10))


def state() -> dict[str, float | str]:
    """Return what the sender's TCP knows now."""
    return {
        "time_ms": simulation.now.ps / 1e9,
        "cwnd": tcp["cwnd"].number,
        "ssthresh": str(tcp["ssthresh"].number) if tcp["ssthresh"].number < 2**63 else "none",
        "in_flight": tcp["in_flight"].number,
        "duplicate_acks": tcp["duplicate_acks"].number,
        "retransmits": tcp["retransmits"].number,
        "recovery": ("open", "recovery", "F-RTO", "loss")[tcp["recovery"].number],
        "srtt_ms": tcp["srtt"].number / 1e9,
    }


rows = [{"moment": "before"} | state()]

# %% [markdown]
# ## The loss, and what follows
# Each step ends in the instant in which its condition became true.

# %%
simulation.box("gnet1").perform(control.discard(0))
lost = simulation.probe("gnet1.discards_p0")
steps = {
    "the box has dropped a frame": lambda: lost.number > 0,
    "first duplicate ACK": lambda: tcp["duplicate_acks"].number > 0,
    "sent again": lambda: tcp["retransmits"].number > 0,
    "recovered": lambda: tcp["recovery"].number == 0,
}
for moment, condition in steps.items():
    if not simulation.run_until(condition, limit=ms(500)):
        raise SystemExit(f"nothing of it within 500 ms: {moment}")
    rows.append({"moment": moment} | state())
simulation.run_for(ms(30))
rows.append({"moment": "30 ms later"} | state())
table = pl.DataFrame(rows)
with pl.Config(tbl_cols=-1, tbl_width_chars=160, fmt_str_lengths=40):
    print(table)

# %%
FOLDER.mkdir(parents=True, exist_ok=True)
table.write_parquet(FOLDER / "states.parquet")
frame = curves.frame()
frame.write_parquet(FOLDER / "curves.parquet")
name = next(column for column in frame.columns if column.endswith(".cwnd"))
figure, axes = plt.subplots(figsize=(7, 4))
axes.plot(frame["time_s"] * 1e3, frame[name] / 1e3, label="congestion window")
axes.plot(frame["time_s"] * 1e3, frame[name.replace("cwnd", "in_flight")] / 1e3, label="in flight")
axes.axvline(rows[1]["time_ms"], color="grey", linestyle=":", label="lost")
axes.set_xlabel("simulated time, ms")
axes.set_ylabel("kB")
axes.legend()
figure.savefig(FOLDER / "retransmit.png", dpi=120)
print(FOLDER / "retransmit.png")
simulation.close()
