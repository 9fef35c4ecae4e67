# SPDX-License-Identifier: Apache-2.0
"""`longhaul test`: how its suites are run and counted."""

from pathlib import Path

import pytest
from longhaul.devtools import testing
from rich.console import Console

JUNIT = '<testsuites><testsuite tests="{}" failures="{}" errors="0" skipped="{}"/></testsuites>'


@pytest.mark.parametrize(
    ("xml", "code", "outcome"),
    [
        (JUNIT.format(5, 0, 1), 0, testing.Outcome(4, 0, 1)),
        (JUNIT.format(5, 2, 0), 1, testing.Outcome(3, 2, 0)),
        (JUNIT.format(5, 0, 0), 1, testing.Outcome(4, 1, 0)),
        (JUNIT.format(0, 0, 0), 0, testing.Outcome(0, 1, 0)),
    ],
)
def test_suites_are_counted_and_silence_is_failure(
    tmp_path: Path, xml: str, code: int, outcome: testing.Outcome
) -> None:
    path = tmp_path / "junit.xml"
    path.write_text(xml)
    assert testing.junit(path, code) == outcome
    assert testing.junit(tmp_path / "none.xml", 0) == testing.Outcome(0, 1)


def test_a_suite_tells_its_slowest_files(tmp_path: Path) -> None:
    path = tmp_path / "junit.xml"
    cases = [("guest.test_a", 1.2), ("guest.test_b", 3), ("guest.test_a", 2.4), ("guest.test_c", 1)]
    rows = "".join(f'<testcase classname="{name}" time="{s}"/>' for name, s in cases)
    path.write_text(f"<testsuites><testsuite>{rows}</testsuite></testsuites>")
    assert testing.slowest(path, most=2) == "test_a 4 s, test_b 3 s"
    assert testing.slowest(tmp_path / "none.xml") == ""


def test_only_suites_of_whole_runs_are_on_the_layout(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: dict[str, str] = {}

    def runner(name: str) -> testing.Runner:
        def run(scratch: Path) -> testing.Outcome:
            seen[name] = testing.os.environ[testing.LAYOUT]
            return testing.Outcome(1, 0)

        return run

    names = ("python", "guest", "system", "unit")
    monkeypatch.setenv(testing.LAYOUT, "9")  # and put back what was there
    monkeypatch.setattr(testing, "SUITES", {name: ("", runner(name)) for name in names})
    assert testing.run(names, Console(quiet=True), 2) == 0
    assert seen == {"python": "0", "guest": "2", "system": "2", "unit": "0"}


@pytest.mark.parametrize("deep", [False, True])
def test_depth_is_told_to_the_suites(monkeypatch: pytest.MonkeyPatch, deep: bool) -> None:
    seen: list[str | None] = []

    def runner(scratch: Path) -> testing.Outcome:
        seen.append(testing.os.environ.get(testing.DEEP))
        return testing.Outcome(1, 0)

    monkeypatch.setenv(testing.DEEP, "")  # and put back what was there
    monkeypatch.setattr(testing, "SUITES", {"unit": ("", runner)})
    assert testing.run(["unit"], Console(quiet=True), deep=deep) == 0
    assert seen == (["1"] if deep else [""])


@pytest.mark.parametrize(
    ("said", "code", "outcome"),
    [
        ("A.One: passed", 0, testing.Outcome(1, 0)),
        ("A.One: passed\nSizes/A.Two/3: skipped", 0, testing.Outcome(1, 0, 1)),
        ("why\nA.One: failed\nA.Two: failed (Aborted)", 1, testing.Outcome(0, 2)),
        ("A.One: passed", 1, testing.Outcome(1, 1)),
        ("A.One: passed (0.5 s)\nA.Two: passed (12.3 s)", 0, testing.Outcome(2, 0)),
        ("A.One: passed (0.5 s)\nA.Two: failed", 1, testing.Outcome(1, 1)),
        ("", 0, testing.Outcome(0, 1)),
    ],
)
def test_cases_are_counted_and_only_the_failed_are_shown(
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    said: str,
    code: int,
    outcome: testing.Outcome,
) -> None:
    program = tmp_path / "longhaul_unit_tests"
    program.write_text(
        f"#!/bin/sh\ncat <<END\nshare $GTEST_SHARD_INDEX\n{said}\nEND\nexit {code}\n"
    )
    program.chmod(0o755)
    counted, ms = testing.share(tmp_path, 3)
    assert counted == outcome
    assert ms.get("A.Two", 0) == (12300 if "12.3 s" in said else 0)
    shown = capfd.readouterr().out
    assert ("share 3" in shown) == (outcome.failed > 0)
    assert "passed" not in shown
