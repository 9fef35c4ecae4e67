# SPDX-License-Identifier: Apache-2.0
"""What guests' programs ran without simulated time is told, and kept out of the results."""

import json
from pathlib import Path

import pytest
from conftest import Cli
from longhaul.results import uncounted

SHOWN = "What the simulation does not count"
WARNED = "programs' own instructions take no simulated time"


def part(host_s: float | None, charged_s: float = 0.0, window_s: float = 1.0) -> dict[str, object]:
    return {
        "window_s": window_s,
        "machines": {"sender": {"host_s": host_s, "charged_s": charged_s}},
    }


@pytest.mark.parametrize(
    "of",
    [
        part(None),
        part(0.09),
        part(0.5, charged_s=0.45),  # the charge stands for it
        part(0.02, window_s=0.05),  # two ticks of the host's accounting
        {"window_s": 1.0, "machines": {}},
        None,
    ],
)
def test_little_is_not_warned_of(of: dict[str, object] | None) -> None:
    assert uncounted.warning(of) == ""


def test_much_is_warned_of_with_machine_and_times() -> None:
    said = uncounted.warning(part(0.62, charged_s=0.0013))
    assert said.startswith(WARNED)
    assert "the window of 1 s: sender 0.62 s (charged: 0.0013 s)" in said


def test_a_run_tells_it_in_manifest_and_report_but_not_in_its_results(
    cli: Cli, environment: dict[str, str], tmp_path: Path
) -> None:
    said: dict[str, str] = {}
    for seconds in ("0.01", "0.73"):
        environment["FAKE_SIM_USER_S"] = seconds
        done = cli("run", "ixgb_b2b", "--set", "duration=1s", "--out", seconds)
        assert done.returncode == 0, done.stderr
        said[seconds] = " ".join((done.stdout + done.stderr).split())
    few, many = tmp_path / "0.01", tmp_path / "0.73"
    assert (few / "results.json").read_text() == (many / "results.json").read_text()
    manifest = json.loads((many / "manifest.json").read_text())["uncounted_programs"]
    assert manifest["machines"]["sender"] == {"host_s": 0.73, "charged_s": 0.11}
    assert manifest["window_s"] == 1.0
    for folder in (few, many):
        page = (folder / "report.html").read_text()
        assert SHOWN in page
        assert ("<b>Not counted:</b>" in page) == (folder == many)
    assert WARNED in said["0.73"] and WARNED not in said["0.01"]
