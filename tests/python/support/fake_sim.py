#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Stands in for longhaul-sim: reads CONFIG.json, speaks on descriptor 3, writes the raw files.

What it does wrong is chosen by FAKE_SIM: "ok", "fail" (exit 1), "bad-config" (exit 2), "die"
(SIGKILL to itself), "hang" (starts guests in sessions of their own and never ends), "strays" (ends
well but leaves such a guest), "full-disk", "no-window", "part" (a sink that did not close),
"relative" (an error in its own terms), "banner", "silent" (exit 3).

FAKE_SIM_DATA, a number, is what the guest of its record wrote last.

FAKE_SIM_FAIL_AT and FAKE_SIM_HANG_AT, a text each, are for sweeps: a run whose configuration or
guests' settings hold the text fails, or waits until the file FAKE_SIM_GO exists. FAKE_SIM_RUNS
names a file that takes a line for every run that began and one for every run that ended.
FAKE_SIM_USER_S is the host's CPU time of each guest's programs in the window.
FAKE_SIM_RAMP is for how many ms of the measured window, of 1 s, the rate of user data still grows.
"""

import csv
import errno
import json
import math
import os
import signal
import struct
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))  # also when a test imports this program
import records  # noqa: E402

MODE = os.environ.get("FAKE_SIM", "ok")
USER_S = float(os.environ.get("FAKE_SIM_USER_S", "0.01"))
STATES = ("idle", "user", "system", "softirq", "hardirq", "mmio_stall")
SHARES = {
    "sender": (0.02, 0.11, 0.52, 0.27, 0.03, 0.05),
    "receiver": (0.21, 0.07, 0.30, 0.34, 0.04, 0.04),
}
BUS_CLOCKS = {
    "data": 0.615, "protocol": 0.06, "read_requests": 0.08, "disconnects": 0.01, "retries": 0.02,
    "mmio": 0.045, "aborts": 0.0, "arbitration": 0.01, "split_wait": 0.06, "idle": 0.1,
}  # fmt: skip
BEGIN_PS, STEP_PS = 1_200_000_000_000, 1_000_000_000


def guest() -> int:
    """Start a process in a session of its own, as a guest of the real simulator is."""
    child = subprocess.Popen(
        [sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True
    )
    return child.pid


def probes(machines: list[str], window_ps: int) -> dict:
    found = {}
    for name in machines:
        shares = SHARES.get(name, SHARES["sender"])
        states = {s: int(window_ps * share) for s, share in zip(STATES, shares, strict=True)}
        states["idle"] += window_ps - sum(states.values())
        data, overhead = int(window_ps * 0.62), int(window_ps * 0.21)
        seconds = window_ps / 1e12
        counts = {
            "memory.busy_ps": 500_000_000_000,
            "memory.node0.busy_ps": 600_000_000_000,
            "memory.node1.busy_ps": 400_000_000_000,
            "memory.links.from0to1.busy_ps": 10_000_000_000,
            "memory.links.from1to0.busy_ps": 30_000_000_000,
            "core.memory_wait_ps": 250_000_000_000,
            "eth0.interrupts": 5236,
            "core.napi_polls": 9100,
            "core.mmio_reads": 5300,
            "core.mmio_writes": 14000,
            "eth0.mac.rx_octets": 768_000_000 if name == "receiver" else 9_000_000,
            "eth0.mac.rx_frames": 83_300 if name == "receiver" else 11_000,
            "eth0_payload.tcp_received": 757_772_668 if name == "receiver" else 0,
            "eth0_payload.udp_received": 0,
            "eth0_payload.tcp_retransmits": 7 if name == "sender" else 0,
        }
        found |= {
            f"{name}.core.state": {"kind": "states", "unit": "ps", "states": states},
            f"{name}.pcix.state": {
                "kind": "states",
                "unit": "ps",
                "states": {"idle": window_ps - data - overhead, "data": data, "overhead": overhead},
            },
        }
        found[f"{name}.pcix.clocks"] = {
            "kind": "states",
            "unit": "ps",
            "states": {cause: int(window_ps * share) for cause, share in BUS_CLOCKS.items()},
        }
        found[f"{name}.eth0_payload.tcp_in_flight"] = {
            "kind": "level", "unit": "B", "begin": 0, "end": 0, "highest": 68_000,
            "mean": 60_000.0 if name == "sender" else 0.0,
        }  # fmt: skip
        for unit, busy, blocked in (("tx", 0.31, 0.24), ("rx", 0.12, 0.02)):
            found[f"{name}.eth0.{unit}.engine.state"] = {
                "kind": "states",
                "unit": "ps",
                "states": {
                    "idle": window_ps - int(window_ps * busy) - int(window_ps * blocked),
                    "busy": int(window_ps * busy),
                    "blocked": int(window_ps * blocked),
                },
            }
        for key, per_s in counts.items():
            delta = int(per_s * seconds)
            found[f"{name}.{key}"] = {
                "kind": "counter", "unit": "1", "begin": 0, "end": delta, "delta": delta
            }  # fmt: skip
    return found


def write_series(path: Path, machines: list[str], steps: int) -> None:
    columns = ["time_ps"]
    for name in machines:
        columns += [f"{name}.core.state:{s}" for s in STATES]
        columns += [f"{name}.pcix.state:{s}" for s in ("idle", "data", "overhead")]
        columns += [f"{name}.eth0.interrupts", f"{name}.eth0.mac.rx_octets"]
        columns += [f"{name}.eth0_payload.tcp_received"]
    columns += ["xg1200.p1.drops"]
    ramp = int(os.environ.get("FAKE_SIM_RAMP", "0"))
    with path.open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(columns)
        for step in range(1, steps + 1):
            swing = 0.9 + 0.1 * math.sin(step / 40) if step * STEP_PS > BEGIN_PS else 0.02
            row = [step * STEP_PS]
            for name in machines:
                busy = [int(STEP_PS * share * swing) for share in SHARES[name][1:]]
                row += [STEP_PS - sum(busy), *busy]
                data, overhead = int(0.62 * STEP_PS * swing), int(0.21 * STEP_PS * swing)
                row += [STEP_PS - data - overhead, data, overhead]
                octets = 768_000 if name == "receiver" else 9_000
                row += [int(5.236 * swing), int(octets * swing)]
                since = step - BEGIN_PS // STEP_PS  # the rate's noise has a period of 7 steps
                row += [int(757_772 * min(1.0, since / ramp if ramp else 1.0)) + step % 7]
            row += [3 if step == steps - 100 else 0]
            writer.writerow(row)


FLOWS = (("10.10.0.1:40000", 500_000_000), ("10.10.0.1:40002", 257_772_668))
PEER = "10.10.0.2:5001"


def write_connections(out: Path, machines: list[str]) -> None:
    """Write two connections from the first machine to the second, over time and in all."""
    flows = [{"protocol": "tcp", "from": ends, "to": PEER, "bytes": n} for ends, n in FLOWS]
    timed = {"retransmits": 7, "round_trips": 9, "round_trip_ps": 81_000_000}
    none_timed = {"retransmits": 0, "round_trips": 0, "round_trip_ps": None}
    none = {"received": [], "received_others": 0, "sent": [], "sent_others": 0}
    found = [none | {"at": f"{name}.eth0"} for name in machines]
    found[0]["sent"] = [flow | timed for flow in flows]
    found[1]["received"] = flows
    back = [
        {"protocol": "tcp", "from": PEER, "to": flow["from"], "bytes": 24, **none_timed}
        for flow in flows
    ]
    found[0]["received"] = found[1]["sent"] = back
    (out / "connections.json").write_text(json.dumps(found))
    begin, step = BEGIN_PS // STEP_PS, STEP_PS
    lines = ["time_ps,at,from,to,bytes"]
    lines += [
        f"{(begin + i) * step},{machines[1]}.eth0,{ends},{PEER},{n // 1000}"
        for i in range(1, 1001)
        for ends, n in FLOWS
    ]
    lines += [f"{(begin + 1) * step},{machines[0]}.eth0,{PEER},{ends},24" for ends, _ in FLOWS]
    (out / "connections.csv").write_text("\n".join([*lines, ""]))


SPANS = [
    (1_000_000, 3_000_000, 0x1000, 512, 0, 0),
    (2_000_000, 4_000_000, 0x2000, 512, 0, 0),
    (500_000, 9_000_000, 33, 0, 1, 1),
    (600_000, 8_000_000, 0, 0, 1, 2),
    (700_000, 700_000, 0, 0, 1, 1),
]


def write_spans(
    path: Path, spans: list = SPANS, lost: tuple[tuple[int, int, int], ...] = ()
) -> None:
    """Write a span file; of each lost frame its time in ps, its packet id and its number."""
    tracks = [
        ("sender.pcix.tenures", "bus tenures"),
        ("sender.core.irq", "arg0: vector"),
        ("lost frames", "frames that a part dropped, with its reason"),
    ]
    labels = ["memory read", "interrupt", "softirq", "anue.west_to_east: random loss"]
    spans = [*spans, *((at, at, number, sequence, 2, 3) for at, number, sequence in lost)]

    def text(value: str) -> bytes:
        return struct.pack("<H", len(value)) + value.encode()

    table = b"".join(text(name) + text(what) for name, what in tracks)
    table += b"\0" * (-(64 + len(table)) % 8)
    at = 64 + len(table)
    records = b"".join(struct.pack("<QQQQII", *span) for span in spans)
    head = struct.pack(
        "<8sIIIIQQQQQ", b"LHSPANS1", 64, 40, len(tracks), len(labels), at, len(spans),
        at + len(records), 0, 0,
    )  # fmt: skip
    path.write_bytes(head + table + records + b"".join(map(text, labels)))


def write_reports(out: Path, machines: list[str]) -> None:
    for name in machines:
        folder = out / "guests" / name / "report"
        folder.mkdir(parents=True)
        (folder / "uname.txt").write_text("6.1.192-longhaul\n")
        (folder / "ethtool-i.txt").write_text(
            "driver: ixgb\nversion: 6.1.192\nbus-info: 0000:00:01.0\n"
        )
        (folder / "nstat.json").write_text('{"kernel":{"TcpRetransSegs":7,"TcpOutSegs":84000}}')
        (folder / "iperf.txt").write_text(
            "[ ID] Interval            Transfer    Bandwidth       Reads=Dist\n"
            "[  1] 0.0000-1.0003 sec  758000000 Bytes  6062181345 bits/sec  10022=68:1:0:76\n"
        )
        (out / "guests" / name / "console.log").write_text("Linux version 6.1.192\n")
    (out / "guests" / "sender" / "report" / "ping.txt").write_text(
        "3 packets transmitted, 3 received, 0% packet loss, time 2003ms\n"
        "rtt min/avg/max/mdev = 0.081/0.092/0.104/0.009 ms\n"
    )


def write_record(path: Path) -> None:
    """Write a record of one guest, whose last write is of FAKE_SIM_DATA."""
    maker = records.guest_and_cable()
    values = (0xF0000010, int(os.environ.get("FAKE_SIM_DATA", "7")), 900_500)
    maker.exchange(0, 900_000, records.WRITE, 4, values)
    maker.write(path)


def is_chosen(variable: str, config: dict) -> bool:
    text = os.environ.get(variable)
    files = [Path(m["guest"]["files"]).parent / "files/settings" for m in config["machines"]]
    return bool(text) and any(text in said for said in [json.dumps(config), *map(read, files)])


def read(path: Path) -> str:
    return path.read_text()


def note(what: str) -> None:
    if "FAKE_SIM_RUNS" in os.environ:
        with Path(os.environ["FAKE_SIM_RUNS"]).open("a") as stream:
            stream.write(f"{what} {Path.cwd().parent.name.removesuffix('.partial')}\n")


def main() -> int:
    if sys.argv[1] == "--check":
        json.loads(Path(sys.argv[2]).read_text())
        if MODE == "bad-config":
            print("longhaul: sender.eth0.mtu: got 3, wants more")
            return 2
        return 0
    config = json.loads(Path(sys.argv[1]).read_text())
    out = Path(config["out"])
    machines = [machine["name"] for machine in config["machines"]]
    for machine in config["machines"]:
        settings = Path(machine["guest"]["files"]).parent / "files/settings"
        assert "LH_ROLE=" in settings.read_text(), settings
    with os.fdopen(3, "w", buffering=1) as progress:
        status = {name: "booting" for name in machines}
        progress.write(
            json.dumps({"sim_s": 0.4, "wall_s": 1, "rate": 0.2, "guests": status}) + "\n"
        )
        note("began")
        while (
            is_chosen("FAKE_SIM_HANG_AT", config) and not Path(os.environ["FAKE_SIM_GO"]).exists()
        ):
            time.sleep(0.05)
        if MODE == "fail" or is_chosen("FAKE_SIM_FAIL_AT", config):
            print("some noise")
            print("longhaul: receiver: guest panicked at 1.250 s: Oops")
            if "FAKE_SIM_CONSOLE" in os.environ:
                print("  Kernel panic - not syncing: Fatal exception")
            return 1
        if MODE == "bad-config":
            print("longhaul: sender.eth0.mtu: got 3, wants more")
            return 2
        if MODE == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        if MODE == "full-disk":
            print(f"longhaul: {out / 'series.csv'}: {os.strerror(errno.ENOSPC)}")
            return 1
        if MODE == "relative":
            print("longhaul: ./spans.bin: cannot write: Input/output error")
            return 1
        if MODE == "banner":  # as SystemC's library does
            if os.environ.get("SC_COPYRIGHT_MESSAGE") != "DISABLE":
                print("SystemC\nALL RIGHTS RESERVED")
            return 1
        if MODE == "silent":
            return 3
        if MODE in ("hang", "strays"):
            pids = [guest(), guest()]
            Path(os.environ["FAKE_SIM_PIDS"]).write_text(json.dumps([os.getpid(), *pids]))
        while MODE == "hang":
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            time.sleep(0.1)
        duration_ps = 1_000_000_000_000
        end_ps = BEGIN_PS + duration_ps
        status = {name: "iperf running" for name in machines}
        progress.write(
            json.dumps({"sim_s": 1.7, "wall_s": 5, "rate": 0.2, "guests": status}) + "\n"
        )
        write_reports(out, machines)
        write_series(out / "series.csv", machines, 2400)
        write_connections(out, machines)
        if config["observe"]["timeline"]:
            write_spans(out / "spans.bin")
        if config["observe"]["record"]:
            write_record(out / "record.bin")
        for link in config["observe"]["pcap"]:
            (out / f"{link}.pcapng").write_bytes(b"\n\r\r\n")
        if MODE == "part":
            (out / "spans.bin.part").write_bytes(b"")
        params = [
            {"object": "sender.eth0", "name": "rx_fifo", "value": "256KiB", "evidence": "datasheet",
             "source": "82597EX manual 3.1", "set": False},
            {"object": "sender.eth0", "name": "descriptor_cycles", "value": 24, "unit": "cycles",
             "evidence": "assumed", "source": "models/nic/ixgb/README.md#open-numbers"},
            {"object": "xg1200", "name": "buffer", "value": "1MiB", "evidence": "assumed",
             "source": "models/net/switch/README.md#open-numbers", "set": False},
        ]  # fmt: skip
        (out / "sim.json").write_text(
            json.dumps(
                {
                    "window": {"begin_ps": BEGIN_PS, "end_ps": end_ps},
                    "window_marked": MODE != "no-window",
                    "probes": probes(machines, duration_ps),
                    "params": params,
                    "wall_s": 7.5,
                    "window_wall_s": 5.5,
                    "simulated_s": 2.4,
                    "guests": {},
                    "host_s": {
                        "simulator": {"user": 0.3, "system": 0.1},
                        "guests": {
                            name: {
                                "kernel": {"user": 0.2, "system": 0.4},
                                "programs": {"user": USER_S, "system": 0.05},
                            }
                            for name in machines
                        },
                    },
                }
            )
        )
    note("ended")
    return 0


if __name__ == "__main__":
    sys.exit(main())
