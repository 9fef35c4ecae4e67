# SPDX-License-Identifier: Apache-2.0
"""What `longhaul attack` does with its cases: counts them, goes on, keeps what is wrong."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import psutil
import pytest
import typer.main
from longhaul import cli, registry
from longhaul.attack import driver, mutants
from longhaul.attack.kind import Verdict
from longhaul.attack.kinds import KINDS
from longhaul.attack.kinds import configurations as configuration_cases
from longhaul.attack.kinds.commands import commands, line_of
from longhaul.attack.kinds.misdeeds import DEEDS, chosen
from longhaul.attack.kinds.traffic import drawn
from longhaul.attack.kinds.wires import of_guests, of_models
from longhaul.attack.oracle import Fault
from longhaul.attack.place import Place
from longhaul.attack.tally import Tally
from longhaul.cli import main
from longhaul.errors import UsageError
from longhaul.paths import SIMULATOR
from support.attacks import Texts


def carry_out(
    folder: Path, texts: Sequence[str], cases: int, seconds: float | None = None
) -> tuple[Tally, list[Verdict]]:
    tally = Tally.load(folder, 1, "none")
    told: list[Verdict] = []
    kinds = {"texts": Texts(folder, texts)}
    work = driver.Driver(
        kinds,
        tally,
        folder,
        folder / "scratch",
        jobs=2,
        tell=lambda verdict, _new: told.append(verdict),
    )
    work.run(driver.Budget(seconds, {"texts": cases} if cases else {}))
    return tally, told


def test_every_case_is_done_once(tmp_path: Path) -> None:
    tally, told = carry_out(tmp_path, ["exit 0"], 7)
    assert sorted(verdict.number for verdict in told) == list(range(7))
    assert tally.of("texts").ends == {"0": 7}
    assert list((tmp_path / "scratch").iterdir()) == []


def test_an_attack_goes_on_where_it_stopped(tmp_path: Path) -> None:
    carry_out(tmp_path, ["exit 0"], 3)
    tally, told = carry_out(tmp_path, ["exit 0"], 5)
    assert sorted(verdict.number for verdict in told) == [3, 4]
    assert tally.of("texts").done == {0, 1, 2, 3, 4}


def test_an_attack_ends_when_its_time_is_used_up(tmp_path: Path) -> None:
    tally, _ = carry_out(tmp_path, ["sleep 0.2"], 0, seconds=1.0)
    assert 2 <= tally.cases() <= 16


def test_a_finding_is_kept_once_with_how_to_repeat_it(tmp_path: Path) -> None:
    tally, _ = carry_out(tmp_path, ["exit 0", "echo no; exit 1"], 6)
    (finding,) = tally.findings.values()
    assert finding.count == 3 and sorted(finding.cases) == [1, 3, 5]
    assert finding.repeat == f"--seed 1 --only texts --case {finding.cases[0]}"
    kept = list((tmp_path / "findings").iterdir())
    assert len(kept) == 1
    assert (kept[0] / "stdout.txt").read_text() == "no\n"
    assert finding.repeat in (kept[0] / "finding.txt").read_text()
    saved = json.loads((tmp_path / "attack.json").read_text())
    assert [found["count"] for found in saved["findings"].values()] == [3]


def test_an_attack_of_another_seed_or_simulator_is_not_gone_on_with(tmp_path: Path) -> None:
    carry_out(tmp_path, ["exit 0"], 1)
    with pytest.raises(UsageError, match="is of --seed 1"):
        Tally.load(tmp_path, 2, "none")
    with pytest.raises(UsageError, match="of another simulator or other Python code"):
        Tally.load(tmp_path, 1, "other")
    for text in ("{", "[]", '{"seed": 1, "target": "none", "kinds": [], "findings": {}}'):
        (tmp_path / "attack.json").write_text(text)
        with pytest.raises(UsageError, match="is damaged"):
            Tally.load(tmp_path, 1, "none")


def test_a_case_that_cannot_be_made_is_a_finding_and_the_attack_goes_on(tmp_path: Path) -> None:
    class Unmade(Texts):
        def run(self, number: int, place: Place) -> Verdict:
            if number == 1:
                raise OSError("no such thing")
            return super().run(number, place)

    kinds = {"texts": Unmade(tmp_path, ["exit 0"])}
    scratch, tally = tmp_path / "scratch", Tally(1, "none")
    work = driver.Driver(kinds, tally, tmp_path, scratch, jobs=1, tell=lambda _one, _new: None)
    work.run(driver.Budget(None, {"texts": 4}))
    assert tally.of("texts").done == {0, 1, 2, 3}
    (finding,) = tally.findings.values()
    assert (finding.fault, finding.cases) == ("attack", [1])
    assert "no such thing" in finding.text


def test_a_tally_reads_back_what_it_wrote(tmp_path: Path) -> None:
    tally = Tally(3, "sum")
    for number in (0, 1, 2, 7, 9):
        fault = (Fault("hang", "no end"),) if number == 7 else ()
        tally.add(Verdict("texts", number, "label", "0", 0.5, "command", fault))
    tally.save(tmp_path)
    assert Tally.load(tmp_path, 3, "sum") == tally
    assert tally.of("texts").next() == 3


def test_a_case_of_another_simulator_is_repeated_with_that(tmp_path: Path) -> None:
    tally = Tally.load(tmp_path, 3, "sum", "--simulator asan")
    fault = (Fault("hang", "no end"),)
    tally.add(Verdict("texts", 7, "label", "no end", 0.5, "command", fault))
    (finding,) = tally.findings.values()
    assert finding.repeat == "--seed 3 --only texts --case 7 --simulator asan"


def test_an_interrupted_attack_shows_what_is_done_and_leaves_nothing(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "longhaul", "attack", "--only", "configurations"]
    out, temporary = tmp_path / "out", tmp_path / "tmp"
    temporary.mkdir()
    with subprocess.Popen(
        [*command, "--out", str(out), "--jobs", "1"],
        env=os.environ | {"TMPDIR": str(temporary), SIMULATOR: "/bin/true"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as started:
        first = psutil.Process(started.pid)
        while not (out / "attack.json").exists():
            assert started.poll() is None, started.communicate()
            time.sleep(0.05)
        family = first.children(recursive=True)
        os.killpg(started.pid, signal.SIGINT)
        said, told = started.communicate(timeout=60)
    assert started.returncode == 130
    assert "│ configurations │" in said and " cases, " in said.splitlines()[-1]
    assert told.splitlines()[-1] == "longhaul: interrupted by SIGINT"
    assert [process for process in family if process.is_running()] == []
    assert list(temporary.iterdir()) == []


def test_an_interrupted_case_ends_at_once(tmp_path: Path) -> None:
    """Its worker hears no Ctrl-C, and waits for a simulator that does not end by itself."""
    slow = tmp_path / "slow"
    slow.write_text("#!/bin/sh\nexec sleep 50\n")
    slow.chmod(0o755)
    command = [sys.executable, "-m", "longhaul", "attack", "--only", "configurations", "--case=0"]
    with subprocess.Popen(
        [*command, "--out", str(tmp_path / "out")],
        env=os.environ | {"TMPDIR": str(tmp_path), SIMULATOR: str(slow)},
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as started:
        family: list[psutil.Process] = []
        while "sleep" not in [process.name() for process in family]:
            assert started.poll() is None, started.communicate()
            time.sleep(0.05)
            family = psutil.Process(started.pid).children(recursive=True)
        os.killpg(started.pid, signal.SIGINT)
        _, told = started.communicate(timeout=20)
    assert started.returncode == 130
    assert told == "longhaul: interrupted by SIGINT\n"
    assert len(family) > 1 and [process for process in family if process.is_running()] == []


def test_a_command_that_runs_all_it_shows_is_only_checked() -> None:
    every = typer.main.get_command(cli.app)
    tree = [found for found in commands(every) if found[0] == ("report",)]
    lines = [line_of(random.Random(n), tree)[0] for n in range(400)]
    running = [line for line in lines if "--all" in line]
    assert running and all(line[0] == "--check-only" for line in running)


def test_a_command_without_an_option_that_it_needs_is_not_expected_to_be_taken() -> None:
    every = typer.main.get_command(cli.app)
    tree = [found for found in commands(every) if found[0] == ("sweep",)]
    lines = [line_of(random.Random(n), tree) for n in range(400)]
    bare = [known for line, known in lines if line[1:2] == ["sweep"] and "--over" not in str(line)]
    assert bare and not {"good", "any"} & set(bare)


def test_the_bases_of_configurations_are_as_scenarios_make_them() -> None:
    bases = configuration_cases.bases()
    assert {box["type"] for base in bases for box in base.get("boxes", [])} >= {
        "delay_box",
        "gnet1",
        "nistnet",
    }
    assert all(machine["host"] for base in bases for machine in base["machines"])


def test_the_same_seed_gives_the_same_cases() -> None:
    base = configuration_cases.bases()[0]
    first, second = (list(mutants.mutants(base, 5, 40)) for _ in range(2))
    assert first == second
    assert first != list(mutants.mutants(base, 6, 40))
    tree = [(("run",), []), (("list",), [])]
    assert [line_of(random.Random(n), tree) for n in range(20)] == [
        line_of(random.Random(n), tree) for n in range(20)
    ]
    for make in (of_guests, of_models):
        assert make(random.Random(3)) == make(random.Random(3))


@pytest.mark.parametrize("number", range(24))
def test_settings_of_the_traffic_are_right(number: int) -> None:
    launch = drawn(random.Random(number), number)
    entry = registry.find(launch.scenario)
    settings = entry.parse(list(launch.sets))
    entry.build(settings, 1)
    assert len(entry.cases(list(launch.sets)) or [()]) == 1


def test_every_misdeed_has_its_turn_and_is_one_line() -> None:
    once = [chosen(1, number) for number in range(len(DEEDS))]
    assert sorted(once) == [[name] for name in sorted(DEEDS)]
    assert once != [chosen(2, number) for number in range(len(DEEDS))]
    assert len(set(chosen(1, len(DEEDS)))) == 2
    assert all("\n" not in text and text.isprintable() for text in DEEDS.values())


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("attack --only misdeed", "no attack is called 'misdeed'; did you mean misdeeds?"),
        ("attack --case 3", "--case wants one --only, such as --only configurations --case 7"),
        ("attack --cases wires", "--cases wires: wants KIND=N, such as --cases "
         "configurations=20000"),
        ("attack --cases wires=1 --only wires", "--cases names its kinds itself; leave --only out"),
        ("attack --minutes nan", "Invalid value for '--minutes': Input should be less than or "
         "equal to 1000000; for example: longhaul attack --minutes 5 --seed 1"),
        ("attack --simulator asn", "--simulator asn: there is no such program; did you mean asan?"),
    ],
)  # fmt: skip
def test_what_cannot_be_attacked_is_refused(
    words: str, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words.split()) == 2
    assert capsys.readouterr().err == f"longhaul: {line}\n"


def test_waves_without_a_run_that_draws_them_are_refused_of_scenarios_with_cases_too(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["--check-only", "run", "gbe_smb", "--waves-length=1ms"]) == 2
    assert capsys.readouterr().err == "longhaul: --waves-length wants --waves\n"


def test_the_help_names_every_kind(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["attack", "--help"]) == 0
    said = capsys.readouterr().out
    assert all(name in said for name in KINDS)
