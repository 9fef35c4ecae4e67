# SPDX-License-Identifier: Apache-2.0
import copy
import json
import re
import shutil
from pathlib import Path

import pytest
from conftest import Cli, command_line, package_environment
from longhaul.report.figures import state_bars
from longhaul.results import comparison
from longhaul.results.runview import RunView
from longhaul.results.words import figure_text, split_unit
from support.pages import Page


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder of two runs, made once; tests get copies, which they may change."""
    folder = tmp_path_factory.mktemp("finished")
    cli = command_line(folder, package_environment(folder / "cache"))
    assert cli("run", "ixgb_b2b", "--out", "a").returncode == 0
    assert cli("run", "ixgb_wan", "--set", "rtt=1ms", "--out", "b").returncode == 0
    results = json.loads((folder / "b" / "results.json").read_text())
    results["cases"][0]["measured"]["goodput_gbps"] = 3.0310905
    (folder / "b" / "results.json").write_text(json.dumps(results))
    return folder


@pytest.fixture
def two_runs(finished: Path, tmp_path: Path) -> tuple[Path, Path]:
    for name in ("a", "b"):
        shutil.copytree(finished / name, tmp_path / name)
    return tmp_path / "a", tmp_path / "b"


def test_compare_shows_differing_settings_and_changes(
    cli: Cli, two_runs: tuple[Path, Path]
) -> None:
    done = cli("compare", "a", "b")
    assert done.returncode == 0
    lines = [line.split() for line in done.stdout.splitlines()]
    assert ["scenario", "ixgb_b2b", "ixgb_wan"] in lines
    assert ["rtt", "–", "1ms"] in lines
    assert ["goodput,", "Gb/s", "6.062", "3.031", "-50.00", "%"] in lines
    assert not any(line and line[0] == "mtu" for line in lines)


def test_a_run_equals_itself(cli: Cli, two_runs: tuple[Path, Path]) -> None:
    one = RunView.load(two_runs[0])
    assert comparison.settings(one, one) == {}
    assert {row.change_pct for row in comparison.figures(one, one)} == {0.0}


def test_parameters_that_were_given_values_are_compared(two_runs: tuple[Path, Path]) -> None:
    one = RunView.load(two_runs[0])
    other = copy.deepcopy(one)
    given, derived = other.manifest["parameters"][:2]
    was = given["value"]
    given |= {"value": "another", "set": True}
    derived |= {"value": "that follows", "set": False}
    one.manifest["parameters"][1]["set"] = False
    assert comparison.settings(one, other) == {
        f"{given['object']}.{given['name']}": (was, "another")
    }


def test_a_change_from_nothing_has_no_percentage() -> None:
    assert comparison.Row("retransmits", 0, 5).change_pct is None
    assert comparison.Row("rtt_ms", None, 5).change_pct is None


def test_the_page_is_well_formed_and_fetches_nothing(
    cli: Cli, two_runs: tuple[Path, Path], tmp_path: Path
) -> None:
    done = cli("report", "a", "b", "--html", "both.html")
    assert done.returncode == 0
    text = (tmp_path / "both.html").read_text()
    page = Page(text)
    assert page.open == []
    assert all(link.startswith("#") for link in page.fetched)
    assert len(set(page.ids)) == len(page.ids)
    assert "plot0-0" in page.ids and "plot1-0" in page.ids
    assert "<h1>2 runs</h1>" in text


def test_the_page_shows_figures_reference_and_parameters(
    cli: Cli, two_runs: tuple[Path, Path]
) -> None:
    text = (two_runs[0] / "report.html").read_text()
    shown = re.sub(r"<script.*?</script>|<style.*?</style>|<[^>]+>", " ", text, flags=re.S)
    plain = re.sub(r"\s+", " ", shown)
    for expected in (
        "Limited by: sender&#39;s CPU.",
        "6.062 Gb/s",
        "goodput, Gb/s 6.062 6.050 +0.2 %",
        "98.0 % busy",
        "sender.eth0 descriptor_cycles 24 cycles assumed models/nic/ixgb/README.md#open-numbers",
        "Linux 6.1.192-longhaul, ixgb 6.1.192",
    ):
        assert expected in plain, expected


def test_what_a_guest_wrote_cannot_become_markup(cli: Cli, two_runs: tuple[Path, Path]) -> None:
    path = two_runs[0] / "results.json"
    results = json.loads(path.read_text())
    guest = results["cases"][0]["measured"]["guest"]["sender"]
    guest["report"]["command.txt"] = "<script>alert(1)</script>"
    path.write_text(json.dumps(results))
    assert cli("report", "a").returncode == 0
    text = (two_runs[0] / "report.html").read_text()
    assert "<script>alert(1)" not in text
    assert "&lt;script&gt;alert(1)" in text


def test_folders_that_are_no_runs_are_one_line(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "x.partial").mkdir()
    for folder, line in (
        ("nothing", "longhaul: nothing: no finished run (there is no results.json)"),
        ("x", "longhaul: x: this run was interrupted; it has no results"),
    ):
        done = cli("report", folder)
        assert (done.returncode, done.stderr) == (2, line + "\n")
    assert cli("compare", "nothing", "x").returncode == 2


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("results.json", "{", "no JSON (Expecting property name enclosed in double quotes"),
        ("results.json", "[]", "not as a run writes it (all: "),
        ("results.json", '{"scenario":"x","simulated_s":1,"wall_s":1,"cases":[]}',
         "not as a run writes it (cases: "),
        ("manifest.json", "{}", "not as a run writes it (title: Field required)"),
    ],
)  # fmt: skip
def test_a_damaged_run_is_one_line(
    cli: Cli, two_runs: tuple[Path, Path], name: str, text: str, why: str
) -> None:
    (two_runs[0] / name).write_text(text)
    for command in (["report", "a"], ["compare", "b", "a"]):
        done = cli(*command)
        assert done.returncode == 2
        assert done.stderr.startswith(f"longhaul: a/{name}: {why}")
        assert done.stderr.count("\n") == 1


def test_a_page_that_cannot_be_written_is_one_line(cli: Cli, two_runs: tuple[Path, Path]) -> None:
    done = cli("report", "a", "--html", "/proc/page.html")
    assert done.returncode == 1
    assert done.stderr == "longhaul: /proc/page.html: No such file or directory\n"


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (None, "", "–"),
        (6.0621, "Gb/s", "6.062"),
        (0.0043517, "Gb/s", "0.00435"),
        (1e-15, "Gb/s", "0.000"),
        (98.04, "%", "98.0"),
        (0.021, "%", "0.021"),
        (0.00002, "%", "<0.001"),
        (16517, "1/s", "16\u202f517"),
        (0, "", "0"),
        (True, "", "on"),
    ],
)
def test_figures_have_the_digits_that_they_deserve(value: object, unit: str, text: str) -> None:
    assert figure_text(value, unit) == text


def test_names_carry_their_unit() -> None:
    assert split_unit("goodput_gbps") == ("goodput", "Gb/s")
    assert split_unit("receiver.irq_per_s") == ("receiver interrupts", "1/s")
    assert split_unit("retransmits") == ("TCP retransmits", "")


def test_the_bars_of_a_bus_show_its_waits_apart_from_its_work(two_runs: tuple[Path, Path]) -> None:
    host = RunView.load(two_runs[0]).measured["sender"]
    bars = {bar.title: bar for bar in state_bars(host)}
    assert list(bars) == ["CPU", "PCI-X", "Memory, node 0", "Memory, node 1"]
    bus = {segment.label: segment.pct for segment in bars["PCI-X"].segments}
    assert bus["split latency"] == pytest.approx(6.0, abs=0.001)
    assert sum(bus.values()) == pytest.approx(100.0, abs=0.01)
    assert bars["PCI-X"].busy_pct == pytest.approx(83.0, abs=0.001)  # data and overhead
