# SPDX-License-Identifier: Apache-2.0
"""`longhaul diverge` on the command line, with a stand-in for the simulator."""

import json
import os
import shutil
from pathlib import Path

import pytest
from conftest import Cli, command_line, package_environment


def simulate(cli: Cli, name: str, *options: str) -> None:
    done = cli("run", "ixgb_b2b", "--out", name, *options)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make runs `a` and `b`, which are the same, and `c`, whose guest writes something else."""
    folder = tmp_path_factory.mktemp("runs")
    for name, data in (("a", "7"), ("b", "7"), ("c", "8")):
        environment = package_environment(folder / "cache") | {"FAKE_SIM_DATA": data}
        simulate(command_line(folder, environment), name, "--record")
    return folder


@pytest.fixture
def recorded(runs: Path, cli: Cli, tmp_path: Path) -> Cli:
    for name in ("a", "b", "c"):
        shutil.copytree(runs / name, tmp_path / name, symlinks=True)
    return cli


def test_a_record_belongs_to_the_run_s_folder(recorded: Cli, tmp_path: Path) -> None:
    assert (tmp_path / "a" / "record.bin").is_file()
    assert not (tmp_path / "a" / "raw" / "record.bin").exists()


def test_a_run_without_it_records_nothing(cli: Cli, tmp_path: Path) -> None:
    simulate(cli, "plain")
    assert not list((tmp_path / "plain").rglob("record.bin"))


def test_equal_runs_are_told_to_be_the_same(recorded: Cli) -> None:
    done = recorded("diverge", "a", "b")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "The same: 2 streams of the record, and every artefact.\n"


def test_both_sides_of_the_first_parting_are_shown(recorded: Cli) -> None:
    done = recorded("diverge", "a", "c")
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert lines[0] == "First parting: sender.guest, item 200, 0.000000900000 s"
    assert [line.split()[0] for line in lines[1:4]] == ["197", "198", "199"]
    assert lines[4].startswith("  A ") and "sender.eth0+0x10, data 0x7" in lines[4]
    assert lines[5].startswith("  B ") and "sender.eth0+0x10, data 0x8" in lines[5]
    assert lines[6] == "  differs: data 0x7 | 0x8"


def test_the_context_is_as_long_as_asked_for(recorded: Cli) -> None:
    done = recorded("diverge", "a", "c", "--items", "0")
    assert done.stdout.splitlines()[1].startswith("  A ")


def test_other_settings_are_told_first(recorded: Cli) -> None:
    simulate(recorded, "d", "--record", "--seed", "2", "--set", "mtu=1500")
    lines = recorded("diverge", "a", "d").stdout.splitlines()
    assert lines[0] == "Different to begin with (a | d):"
    assert "  mtu  9198 | 1500" in lines
    assert "  seed  1 | 2" in lines


def test_other_kernels_and_packages_are_told_first(recorded: Cli, tmp_path: Path) -> None:
    path = tmp_path / "b" / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest["checksums"]["guest_kernel"] = "f" * 64
    manifest["versions"]["guest_packages"]["iperf"] = "2.1.9"
    path.write_text(json.dumps(manifest))
    done = recorded("diverge", "a", "b")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert any(line.startswith("  guest kernel  ") for line in lines)
    assert "  iperf  2.1.8 | 2.1.9" in lines


def test_a_changed_artefact_is_told_where_the_records_are_the_same(
    recorded: Cli, tmp_path: Path
) -> None:
    report = tmp_path / "b" / "guests" / "sender" / "report" / "iperf.txt"
    report.write_text(report.read_text() + " ")
    done = recorded("diverge", "a", "b")
    assert done.returncode == 1
    assert "The records are the same, item by item." in done.stdout
    assert "  guests/sender/report/iperf.txt" in done.stdout.splitlines()


def test_what_one_run_was_not_asked_for_is_no_difference(recorded: Cli) -> None:
    simulate(recorded, "captured", "--record", "--pcap")
    done = recorded("diverge", "a", "captured")
    assert done.returncode == 0, done.stdout
    assert done.stdout.startswith("Made by one of the two only, and not compared: ")


def test_without_a_record_what_there_is_is_compared(recorded: Cli, tmp_path: Path) -> None:
    (tmp_path / "b" / "record.bin").unlink()
    done = recorded("diverge", "a", "b")
    assert done.returncode == 2
    assert "b: no record" in done.stderr and "--record makes one" in done.stderr
    sim = tmp_path / "b" / "raw" / "sim.json"
    sim.write_text(json.dumps(json.loads(sim.read_text()) | {"simulated_s": 9}))
    done = recorded("diverge", "a", "b")
    assert done.returncode == 1
    assert "No record: b" in done.stdout
    assert "  counters" in done.stdout.splitlines()


@pytest.mark.parametrize("second", ["nowhere", "golden:nothing"])
def test_what_is_no_run_is_refused(recorded: Cli, second: str) -> None:
    done = recorded("diverge", "a", second)
    assert done.returncode == 2
    assert second.removeprefix("golden:") in done.stderr


def test_a_record_that_is_none_is_refused(recorded: Cli, tmp_path: Path) -> None:
    (tmp_path / "b" / "record.bin").write_bytes(os.urandom(640))
    done = recorded("diverge", "a", "b")
    assert done.returncode == 2
    assert "no record of a run" in done.stderr


def test_cases_side_by_side_are_not_recorded(cli: Cli) -> None:
    done = cli("run", "gnet1_table1", "--record", "--out", "cases")
    assert done.returncode == 2
    assert "--record records one run" in done.stderr
