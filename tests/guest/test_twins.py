# SPDX-License-Identifier: Apache-2.0
"""The template's NIC against its TLM twin (examples/mynic_twin), and against twins with one bug.

They run the cheapest test of `longhaul validate` in real guests. A bug of a twin looks as the same
bug of the RTL does, seen from the other side. The RTL also takes the twin's place in a scenario.
"""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from longhaul.errors import UsageError
from longhaul.paths import ROOT
from longhaul.runs import child_runs
from longhaul.types import rtl_models, workspace_plugins
from longhaul.validation.judge import LINE, PORT
from longhaul.validation.outcome import FAILED, Check
from longhaul.validation.twins import chosen, comparison, recorded
from longhaul.validation.wire import rows
from longhaul.workspace import creation, current, kinds

EXAMPLE = ROOT / "examples/mynic_twin"
MUTANTS = {
    "version": ("mynic_regs.h", "kReadOnly, 0x0001'0000", "kReadOnly, 0x0001'0001"),
    "counter": (
        "mynic_tx.h",
        "parts_.count(regs::kTxGood);",
        "parts_.count(regs::kTxGood), parts_.count(regs::kTxGood);",
    ),
    "padding": (
        "mynic_tx.cc",
        "  frame_.writable().resize(filled_);\n",
        "  while (filled_ < Frame::kMinBytes) frame_.writable().data()[filled_++] = 0x55;\n"
        "  frame_.writable().resize(filled_);\n",
    ),
    "length": (
        "mynic_rx.cc",
        "kDone | frames_.front()->size()",
        "kDone | frames_.front()->octets()",
    ),
    "cause": (
        "mynic_rx.cc",
        "parts_.post(cause::kRx);",
        "parts_.post(cause::kRx | cause::kRxDrop);",
    ),
    "behind": (
        "mynic_rx.cc",
        "frame.data(), frame.size(), this",
        "frame.data(), frame.size() + 2, this",
    ),
}
"""Of each: a file, a text in it, and what stands in its place."""
FRAME = (
    *("eth.src", "eth.dst", "eth.type", "frame.len", "arp.opcode", "icmp.type", "icmp.seq"),
    *("data.len", "icmpv6.type", "tcp.seq", "tcp.ack", "tcp.flags", "tcp.payload"),
)
"""Fields of a frame for tshark. Its time and what TCP makes of the time are not among them."""
EXPECTED = {
    "version": ("twin-start", "reads 0x0004 (VERSION): 0x00010000", "0x00010001"),
    "counter": ("twin-values", "reads 0x00a0 (TX_GOOD)", "the last read of a counter"),
    "padding": ("twin-sent", "byte 42 of a frame", "has 0x55"),
    "length": ("twin-memory", "descriptor 3c000080", "descriptor 40000080"),
    "cause": ("twin-values", "reads 0x0010 (CAUSE)", "bits ever read as 1: 0x3 and 0x7"),
    "behind": ("twin-memory", "its twin", "2 bytes behind it"),
}


def mutant(name: str) -> str:
    """Return the twin with a bug as one text, in a namespace of its own."""
    file, text, other = MUTANTS[name]
    whole: list[str] = []
    for part in (
        *("mynic_regs.h", "mynic_ring.h", "mynic_tx.h", "mynic_rx.h"),
        *(f"mynic_{each}.cc" for each in ("ring", "tx", "rx", "twin")),
    ):
        source = (EXAMPLE / part).read_text()
        if part == file:
            assert source.count(text) == 1
            source = source.replace(text, other)
        lines = [line for line in source.splitlines() if line != "#pragma once"]
        whole += [line for line in lines if not line.startswith('#include "mynic_')]
    source = "\n".join(whole).replace("namespace mynic", f"namespace mynic_{name}")
    source = source.replace("LONGHAUL_PLUGIN(mynic_tlm)", f"LONGHAUL_PLUGIN(mynic_{name})")
    return source.replace('"mynic_tlm"', f'"mynic_{name}"')


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Make the template's workspace, with the twin and the mutants as its plug-ins."""
    folder = creation.check("mynic", tmp_path_factory.mktemp("workspaces"))
    creation.make(kinds.find("rtl-nic"), "mynic", folder)
    shutil.copytree(EXAMPLE, folder / "twin")
    map_ = folder / "mynic.toml"
    map_.write_text(map_.read_text().replace("[pci]\n", '[pci]\ntwin = "mynic_tlm"\n'))
    (folder / "mutants").mkdir()
    (folder / "mutants/all.cc").write_text("\n".join(map(mutant, MUTANTS)))
    cmake = (EXAMPLE / "CMakeLists.txt").read_text().splitlines()
    cmake[-1] = "longhaul_plugin(mutants all.cc)"  # headers take longer than six mutants
    (folder / "mutants/CMakeLists.txt").write_text("\n".join(cmake) + "\n")
    (folder / "longhaul.toml").write_text(
        '[workspace]\nname = "mynic"\nmodules = ["driver"]\n'
        'plugins = ["mynic.toml", "twin", "mutants"]\n'
        '[validate]\nadapter = "mynic"\ntwin = "mynic_tlm"\ntwin_registers = "rtl/mynic.rdl"\n'
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(current.VARIABLE, str(folder))
        patch.setenv("LONGHAUL_PLUGINS", "")
        assert workspace_plugins.ensure(print)
        yield folder


@pytest.fixture(scope="module")
def seen(workspace: Path) -> dict[str, recorded.Seen]:
    """Run the test `probe` with each adapter, and return what was recorded."""
    names = ["mynic", "mynic_tlm", *(f"mynic_{name}" for name in MUTANTS)]

    def run(name: str) -> recorded.Seen:
        out = workspace / "out" / name
        words = child_runs.command("adapter_validation", out, (f"adapter={name}", "test=probe"))
        words += ["--pcap", "--record-device", PORT]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr[-2000:]
        return recorded.read(out, LINE, PORT)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return dict(zip(names, pool.map(run, names), strict=True))


def failed(seen: dict[str, recorded.Seen], name: str) -> list[Check]:
    """Compare the NIC with a twin, and return the checks that failed."""
    twin = chosen.choose("", "mynic")
    assert twin
    made = list(comparison.checks(seen["mynic"], seen[name], twin.registers))
    assert [each.name for each in made] == [
        *("twin-start", "twin-values", "twin-sent", "twin-received", "twin-memory"),
    ]
    return [each for each in made if each.verdict != "passed"]


def test_the_twin_is_the_same_to_software_and_wire(seen: dict[str, recorded.Seen]) -> None:
    """No false alarm: the RTL's and the twin's runs take different paths."""
    assert failed(seen, "mynic_tlm") == []
    times = [[each.time_ps for each in seen[name].accesses] for name in ("mynic", "mynic_tlm")]
    assert times[0] != times[1]


@pytest.mark.parametrize("name", MUTANTS)
def test_a_bug_is_told_with_both_sides(seen: dict[str, recorded.Seen], name: str) -> None:
    """The first difference is of the stream that the bug is in."""
    check, *texts = EXPECTED[name]
    found = failed(seen, f"mynic_{name}")
    assert {each.verdict for each in found} == {FAILED}
    also = {"twin-values"} if name == "version" else set[str]()  # reads are looked at twice
    assert {each.name for each in found} - also == {check}
    assert found[0].name == check
    for text in texts:
        assert text in found[0].said, found[0].said
    assert re.search(r"the adapter at \d\.\d{9} s .*; its twin at \d\.\d{9} s ", found[0].said)


@pytest.mark.usefixtures("workspace")
def test_what_can_be_no_twin_is_refused() -> None:
    """A type that is none, that is the adapter itself, or that is other hardware."""
    for name, said in (
        ("mynic_tml", r"there is no such adapter; did you mean mynic_tlm\?"),
        ("mynic", "is the adapter under test itself"),
        ("e1000", "PCI ids: 8086:1011.*; mynic has 1234:4e43"),
        ("liteeth", "there is no such adapter"),
    ):
        with pytest.raises(UsageError, match=said):
            chosen.choose(name, "mynic")
    assert chosen.choose("none", "mynic") is None


def test_the_rtl_takes_the_twins_place_and_sends_the_same_frames(workspace: Path) -> None:
    """`--param sender.eth0.model=rtl` of a scenario that knows the TLM type alone.

    Each end sends the same frames in the same order; the RTL's clocks give them other times.
    """
    outs = {model: workspace / "out" / f"model-{model}" for model in ("tlm", "rtl")}
    for model, out in outs.items():
        settings = ("adapter=mynic_tlm", "workload=ping")
        words = child_runs.command("adapter_b2b", out, settings)
        words += ["--pcap", "--param", f"sender.eth0.model={model}"]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr[-2000:]

    sent = {model: rows(out / "cable.pcapng", "frame", *FRAME) for model, out in outs.items()}
    ends = {row[0] for row in sent["tlm"]}
    assert len(sent["tlm"]) > 50 and len(ends) == 2
    for end in ends:
        by_tlm, by_rtl = ([row for row in sent[model] if row[0] == end] for model in outs)
        assert by_tlm == by_rtl
    times = [rows(out / "cable.pcapng", "frame", "frame.time_epoch") for out in outs.values()]
    assert times[0] != times[1]

    for name in ("results.json", "manifest.json"):
        models = json.loads((outs["rtl"] / name).read_text())["adapter_models"]
        assert models["sender.eth0"] | {"left_out": {}, "not_counted": ""} == {
            **{"type": "mynic_tlm", "model": "rtl", "rtl": "mynic"},
            **{"left_out": {}, "not_counted": ""},
        }
        assert models["receiver.eth0"] == {"type": "mynic_tlm", "model": "tlm"}
    note = "sender.eth0 is RTL: mynic in the place of mynic_tlm"
    assert note in (outs["rtl"] / "report.html").read_text()
    assert note not in (outs["tlm"] / "report.html").read_text()


def test_a_twin_with_other_ids_is_refused_by_the_map(workspace: Path) -> None:
    """The simulator tells the ids of the TLM type; nothing runs."""
    map_ = workspace / "other.toml"
    map_.write_text((workspace / "mynic.toml").read_text().replace("mynic_tlm", "e1000"))
    with pytest.raises(UsageError, match=r"other.toml:\d+: pci.twin: e1000 has the PCI ids 8086:"):
        rtl_models.check_map(rtl_models.of_file(map_), [])
