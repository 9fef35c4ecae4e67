# SPDX-License-Identifier: Apache-2.0
"""Longhaul's models as a library: installed, found by CMake and pkg-config, and used outside."""

import re
import shutil
from pathlib import Path

import pytest
from longhaul.paths import ROOT
from rig.installed import build, install, ran

EXAMPLES = ROOT / "examples" / "tlm"


@pytest.fixture(scope="module")
def prefix(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a prefix into which the library was installed."""
    return install(tmp_path_factory.mktemp("prefix"))


@pytest.fixture(scope="module")
def built(prefix: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the examples, built by CMake outside of the tree."""
    return build(EXAMPLES, prefix, tmp_path_factory.mktemp("outside"))


def test_an_initiator_of_ones_own_sends_a_frame_through_the_ixgb(built: Path) -> None:
    text = ran(built / "ixgb_frame")
    assert "device 1a488086" in text, text
    sent = re.search(r"(\d+) ns: a frame of 60 B leaves", text)
    assert sent, text
    # The driver waits 20 us for the link; rings, doorbell and two reads over the bus come after.
    assert 20_000 < int(sent[1]) < 24_000, text


def test_the_example_of_an_adapter_is_short() -> None:
    assert len((EXAMPLES / "ixgb_frame.cc").read_text().splitlines()) <= 80


def test_a_foreign_target_and_initiator_are_a_device_of_the_bus(built: Path) -> None:
    text = ran(built / "foreign_function")
    found = re.search(r": (\d+) times written, the last at (\d+) ns, (\d+) interrupts", text)
    assert found, text
    count, last_ns, interrupts = (int(each) for each in found.groups())
    assert count >= 8
    assert interrupts == (count + 1) // 2
    # Each write begins a microsecond after the one before has left on the bus.
    assert 1000 * count <= last_ns < 1200 * count, text


def test_a_foreign_memory_holds_the_bytes_and_its_delay_is_on_the_way(built: Path) -> None:
    text = ran(built / "foreign_memory")
    found = re.search(r"same bytes, read in (\d+) ns, in (\d+)(?:\.5)? ns", text)
    assert found, text
    fast_ns, slow_ns = (int(each) for each in found.groups())
    # Reads of 512 B, three outstanding: the fourth one's wait begins when the first has come.
    assert fast_ns + 1000 <= slow_ns <= fast_ns + 4100, text


def test_a_block_in_verilog_answers_and_breaks_no_rule(built: Path) -> None:
    text = ran(built / "apb_counter")
    found = re.findall(r"(\d+) ns: access (\d)(?: is done)?(?:: (\d+))?( failed)?", text)
    assert [(tag, failed) for _, tag, _, failed in found] == [
        *(("1", ""), ("2", ""), ("3", ""), ("4", " failed"))
    ], text
    (_, _, first, _), (_, _, later, _) = found[1:3]
    # Set to 100; a clock of 10 ns adds one.
    assert int(first) == 101 and int(later) - int(first) == 98, text
    assert "breaks" not in text


def test_pkg_config_knows_what_a_program_needs(prefix: Path, tmp_path: Path) -> None:
    search = f"PKG_CONFIG_PATH={prefix}/lib/pkgconfig"
    flags = ran("env", search, "pkg-config", "--cflags", "--libs", "longhaul")
    source = shutil.copy(EXAMPLES / "foreign_function.cc", tmp_path)
    ran("g++", "-std=c++17", source, "-o", tmp_path / "program", *flags.split())
    assert "times written" in ran(tmp_path / "program")
    waves = tmp_path / "waves.cc"
    waves.write_text(
        '#include "platform/observe/wave_file.h"\n'
        "int sc_main(int, char*[]) { return sizeof(longhaul::observe::WaveFile) == 0; }\n"
    )
    ran("g++", "-std=c++17", waves, "-o", tmp_path / "waves", *flags.split())


def test_headers_name_nothing_of_the_platform(prefix: Path) -> None:
    headers = list((prefix / "include" / "longhaul" / "models").rglob("*.h"))
    assert len(headers) > 100
    assert [header for header in headers if '"platform/' in header.read_text()] == []
