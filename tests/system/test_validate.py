# SPDX-License-Identifier: Apache-2.0
"""`longhaul validate` on the template's NIC, and on two of its mutants."""

import json
import re
import subprocess
from pathlib import Path

import pytest
from rig.scripts import start
from rtl_mutants import trial

WORDS = ["-m", "longhaul", "validate", "--jobs", "1"]
ENVIRONMENT = {"LONGHAUL_PLUGINS": ""}


def validate(workspace: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return start([*WORDS, *words], cwd=workspace, timeout=None, environment=ENVIRONMENT)


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return trial.made(trial.mutants()[trial.UNMUTATED], tmp_path_factory.mktemp("good"))


def test_the_templates_nic_passes_and_nothing_is_run_twice(good: Path) -> None:
    some = [word for name in ("probe", "tcp", "counters") for word in ("--only", name)]
    done = validate(good, *some)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "mynic: 3 of 3 tests passed" in done.stdout
    out = good / "out/validate-mynic"
    results = json.loads((out / "results.json").read_text())
    assert results["passed"] and [each["test"] for each in results["tests"]] == [
        *("probe", "tcp", "counters")
    ]
    tcp = results["tests"][1]
    assert {check["verdict"] for check in tcp["checks"]} == {"passed"} and len(tcp["checks"]) > 10
    assert 0.7 < float(tcp["figures"]["tcp.out"].split()[0]) < 1
    for name in re.findall(r'href="([^"#]+)"', (out / "report.html").read_text()):
        assert (out / name).exists(), name
    again = validate(good, *some)
    assert again.returncode == 0
    assert "3 of 3 tests have been run already" in again.stderr
    assert "passed tcp" not in again.stderr


def test_a_changed_driver_is_run_again_and_its_bug_found(good: Path) -> None:
    mutant = trial.mutants()["ring_arlen_off_by_one"]
    driver = good / "driver/mynic_main.c"
    text = driver.read_text()
    driver.write_text(text + "/* another */\n")
    try:
        done = validate(good, "--only", "probe")
        assert done.returncode == 0 and "passed probe" in done.stderr
    finally:
        driver.write_text(text)
    mutant.apply(good)
    done = validate(good, "--only", "probe")
    assert done.returncode == 1
    assert re.search(r"FAILED probe: .*(breaks the rule|Assertion failed)", done.stderr)
    shown = re.search(r"probe: its waves: longhaul waves (\S+)", done.stdout)
    assert shown, done.stdout
    assert (good / shown[1] / "waves.fst").stat().st_size > 10_000


def test_without_an_adapter_it_says_what_to_name(tmp_path: Path) -> None:
    done = validate(tmp_path)
    assert done.returncode == 2
    assert "which adapter? No plug-in adds one" in done.stderr
