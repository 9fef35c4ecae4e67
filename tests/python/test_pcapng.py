# SPDX-License-Identifier: Apache-2.0
"""Other programs read the pcapng files of platform/observe: tshark and python-pcapng."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from longhaul.paths import build_folder

ROOT = Path(__file__).parents[2]
UNIT_TESTS = Path(
    os.environ.get("LONGHAUL_UNIT_TESTS", build_folder() / "release/longhaul_unit_tests")
)


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a capture of four frames: fragment-sized, tiny, dropped, dropped because damaged."""
    if not UNIT_TESTS.exists():
        pytest.skip(f"{UNIT_TESTS} is not built")
    path = tmp_path_factory.mktemp("pcapng") / "sample.pcapng"
    subprocess.run(
        [UNIT_TESTS, "--gtest_filter=Pcapng.SampleForOtherReaders"],
        env={**os.environ, "LONGHAUL_PCAPNG_SAMPLE": str(path)},
        check=True,
        capture_output=True,
    )
    return path


def tshark(sample: Path, *arguments: str) -> list[list[str]]:
    """Run tshark with every checksum checked; its lines, cut at tabs."""
    if shutil.which("tshark") is None:
        pytest.skip("tshark is not installed")
    checks = ["ip.check_checksum", "udp.check_checksum", "tcp.check_checksum", "eth.check_fcs"]
    options = [word for check in checks for word in ("-o", f"{check}:TRUE")]
    command = ["tshark", "-r", str(sample), *options, *arguments]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return [line.split("\t") for line in text.splitlines()]


def fields(*names: str) -> list[str]:
    """Return tshark's arguments that print these fields."""
    return ["-T", "fields", *[word for name in names for word in ("-e", name)]]


def test_tshark_shows_times_interfaces_and_comments(sample: Path) -> None:
    rows = tshark(
        sample,
        *fields("frame.time_epoch", "frame.interface_name", "frame.len", "frame.comment"),
    )
    assert rows == [
        ["1.000000000", "l0:ba", "64", ""],
        ["1.000000001", "l0:ab", "8238", ""],
        ["1.000000002", "l0:ba", "1518", "dropped: buffer full"],
        ["1.000000003", "l0:ab", "146", "dropped: bad FCS,damaged: FCS does not match"],
    ]


def test_tshark_finds_only_the_damaged_frame_bad(sample: Path) -> None:
    """Checksum states of tshark: 0 bad, 1 good."""
    rows = tshark(sample, *fields("eth.fcs.status", "ip.checksum.status", "udp.checksum.status"))
    assert rows == [["1", "1", "1"], ["1", "1", "1"], ["1", "1", "1"], ["0", "1", "0"]]
    assert tshark(sample, "-Y", "_ws.malformed", *fields("frame.number")) == []


def test_tshark_shows_direction_and_crc_error(sample: Path) -> None:
    """Directions of the flags: 0 unknown, 1 inbound, 2 outbound."""
    rows = tshark(
        sample,
        *fields(
            "frame.packet_flags_direction",
            "frame.packet_flags_fcs_length",
            "frame.packet_flags_crc_error",
        ),
    )
    numbers = [[int(cell, 0) for cell in row] for row in rows]
    assert numbers == [[1, 4, 0], [2, 4, 0], [0, 4, 0], [0, 4, 1]]


def test_capinfos_reads_interfaces_and_totals(sample: Path) -> None:
    if shutil.which("capinfos") is None:
        pytest.skip("capinfos is not installed")
    text = subprocess.run(
        ["capinfos", str(sample)], check=True, capture_output=True, text=True
    ).stdout
    for expected in (
        "Name = l0:ab",
        "Description = a to b",
        "Speed = 10000000000",
        "Time resolution = 0x09",
        "File timestamp precision:  nanoseconds (9)",
        "Strict time order:   True",
    ):
        assert expected in text


def test_python_pcapng_reads_blocks_and_totals(sample: Path) -> None:
    pcapng = pytest.importorskip("pcapng")
    with sample.open("rb") as file:
        blocks = list(pcapng.FileScanner(file))
    names = [type(block).__name__ for block in blocks]
    assert names == [
        "SectionHeader",
        *["InterfaceDescription"] * 2,
        *["EnhancedPacket"] * 4,
        *["InterfaceStatistics"] * 2,
    ]
    assert [block.options["if_name"] for block in blocks[1:3]] == ["l0:ab", "l0:ba"]
    assert [round(block.timestamp * 1e9) for block in blocks[3:7]] == [
        1_000_000_000,
        1_000_000_001,
        1_000_000_002,
        1_000_000_003,
    ]
    totals = [(b.options["isb_ifrecv"], b.options["isb_ifdrop"]) for b in blocks[7:]]
    assert totals == [(1, 1), (1, 1)]
