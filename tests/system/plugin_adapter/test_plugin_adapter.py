# SPDX-License-Identifier: Apache-2.0
"""The adapter of examples/ as a user has it: built outside of the tree, under its Linux driver."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from longhaul.paths import ROOT
from longhaul.types import described, plugins
from longhaul.validation import catalog
from rig import wire
from rig.installed import build, install, ran
from rig.scenarios import (
    EVERY_ADAPTER,
    Run,
    command,
    every_adapter,
    net_dev,
    pair,
    simulate,
)

HERE = Path(__file__).parent
EXAMPLE = ROOT / "examples" / "adapter"
UNIT_TESTS = re.findall(r"^TEST\(Tc9021, (\w+)\)", (HERE / "tc9021_test.cc").read_text(), re.M)
# Traffic both ways, then what the driver has read from the adapter's counters.
COUNTED = """
ping -n -c 5 -i 0.02 -W 1 "$LH_PEER4" >/dev/null
iperf -V -c "$LH_PEER6" -t 0.05 >/dev/null
check down-and-up down_and_up
show net-dev cat /proc/net/dev
"""


@pytest.fixture(scope="module")
def prefix(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install(tmp_path_factory.mktemp("prefix"))


@pytest.fixture(scope="module")
def plugin(prefix: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Give this process the plug-in while the module's tests run."""
    with pytest.MonkeyPatch.context() as patch:
        file = build(EXAMPLE, prefix, tmp_path_factory.mktemp("outside")) / "tc9021.so"
        patch.setenv(plugins.VARIABLE, str(file))
        yield file


@pytest.fixture(scope="module")
def unit_tests(prefix: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("unit")
    places = [f"-DCMAKE_PREFIX_PATH={prefix}", f"-DLONGHAUL_TREE={ROOT}", f"-DADAPTER={EXAMPLE}"]
    ran("cmake", "-S", HERE, "-B", folder, *places)
    ran("cmake", "--build", folder)
    return folder / "tc9021_test"


@pytest.fixture(scope="module")
def run(plugin: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    return every_adapter("tc9021", tmp_path_factory.mktemp("every") / "out")


def traffic(out: Path, *module_args: str) -> Run:
    scenario, sender, receiver = pair("counted", adapter="tc9021", kernel_args=module_args)
    serve = "exec iperf -s -V"
    return simulate(
        scenario, command(sender, receiver, catalog.LIBRARY.read_text() + COUNTED, serve), out
    )


def received_frames_an_interrupt(run: Run) -> float:
    return run.until_end("receiver.eth0.rx.frames") / run.until_end("receiver.eth0.interrupts")


@pytest.mark.parametrize("name", UNIT_TESTS)
def test_its_units_on_a_bare_bus(unit_tests: Path, name: str) -> None:
    words = [str(unit_tests), f"--gtest_filter=Tc9021.{name}"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "PASSED  ] 1 test." in done.stdout, done.stdout + done.stderr


def test_its_type_is_described_as_the_trees_own(plugin: Path) -> None:
    (adapter,) = described.called(described.everything([plugin]), "tc9021")
    assert (adapter.kind, adapter.plugin) == ("adapter", str(plugin))
    assert adapter.linux_driver is not None and adapter.linux_driver.module == "dl2k"


def test_the_driver_reads_its_eeprom(run: Run) -> None:
    assert "driver: dl2k\n" in run.text("driver")
    assert "eth0: TC9021 on fibre, 00:05:5d:20:00:01, IRQ" in run.text("dmesg")


@pytest.mark.parametrize("name", EVERY_ADAPTER)
def test_it_works(run: Run, name: str) -> None:
    assert run.checks[name] == ""


def test_no_kernel_complains(run: Run) -> None:
    assert run.complaints() == []


def test_every_checksum_on_the_wire_is_right(run: Run) -> None:
    assert wire.wrong(run.folder / "cable.pcapng") == []


def test_nothing_is_lost(run: Run) -> None:
    assert run.until_end("cable.a_to_b.lost") == run.until_end("cable.b_to_a.lost") == 0
    assert run.until_end("sender.eth0.rx.missed") == run.until_end("receiver.eth0.rx.missed") == 0


def test_the_driver_reads_what_was_counted_and_comes_back_from_down(
    plugin: Path, tmp_path: Path
) -> None:
    run = traffic(tmp_path / "out")
    assert run.checks["down-and-up"] == ""
    seen = net_dev(run.text("net-dev"))
    for name, probe in (("tx_packets", "tx.frames"), ("rx_packets", "rx.frames")):
        counted = run.until_end(f"sender.eth0.{probe}")
        # Neighbour solicitations and the like follow the reading.
        assert seen[name] > 500 and counted - 20 <= seen[name] <= counted, (name, seen, counted)


def test_the_drivers_parameter_makes_an_interrupt_stand_for_more_frames(
    plugin: Path, tmp_path: Path
) -> None:
    soon = traffic(tmp_path / "soon", "dl2k.rx_timeout=20")  # 1.3 us
    late = traffic(tmp_path / "late", "dl2k.rx_timeout=2000", "dl2k.rx_coalesce=10")
    assert received_frames_an_interrupt(late) > 2 * received_frames_an_interrupt(soon)
