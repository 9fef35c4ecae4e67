# SPDX-License-Identifier: Apache-2.0
import io
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import typer
from conftest import Cli
from longhaul import cli as cli_module
from longhaul import registry
from longhaul.cli import command_groups, listing, main
from longhaul.paths import ROOT
from rich.console import Console


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ("run ixgb_b2 ", "no scenario is called 'ixgb_b2'; did you mean ixgb_b2b?"),
        (
            "run hullabaloo",
            f"no scenario is called 'hullabaloo'; there are {', '.join(registry.scenarios())}",
        ),
        ("run ixgb_wan --set rtt=10", "rtt=10: a time needs its unit; did you mean rtt=10ms?"),
        ("run ixgb_b2b --set mmrcb=512", "ixgb_b2b has no setting 'mmrcb'; did you mean mmrbc?"),
        (
            "run ixgb_b2b --set stagger=1ms",
            "ixgb_b2b has no setting 'stagger'; it is a setting of pairs (longhaul list)",
        ),
        ("list ixgb_wann", "no scenario is called 'ixgb_wann'; did you mean ixgb_wan?"),
        ("test --only unti", "no suite is called 'unti'; did you mean unit?"),
        ("runn", "No such command 'runn'. Did you mean 'run'?"),
        (
            "run",
            "which scenario? longhaul run NAME (longhaul list shows them); without a name it runs "
            "the one of a workspace, and this folder lies in none",
        ),
        (
            "compare a",
            "Missing argument 'DIR'; for example: longhaul compare out/first out/second",
        ),
        (
            "gnet1 discard out/x",
            "Missing argument 'PORT'; for example: "
            "longhaul gnet1 discard out/running 0 --after 100",
        ),
        (
            "gnet1 sample out/x 9",
            "Invalid value for 'PORT': Input should be less than or equal to 3; for example: "
            "longhaul gnet1 sample out/running 0 --period 20us",
        ),
        ("gnet1 reed out/x", "No such command 'reed'. Did you mean 'read'?"),
        (
            "gnet1 arm out/x",
            "No such command 'arm'; there are counters, discard, read, registers, sample, samples, "
            "write",
        ),
        ("waves", "Missing argument 'DIR'; for example: longhaul waves out/first"),
        (
            "gnet1 discard out/x 0 --at 3",
            "--at=3: a time needs its unit; did you mean --at=3ms?",
        ),
        ("run ixgb_b2b --out=", "--out: is empty; wants a folder, such as out/first"),
        ("list --set", "No such option: --set; for example: longhaul list ixgb_wan"),
        ("results --update goldn", "no figures are called 'goldn'; did you mean golden?"),
        ("results golden --force", "--force: is for --update"),
        ("results --all", "--all: is for --update and --check"),
        ("results golden --update --all", "--all: takes no names; golden is one of them"),
        ("results --update --check", "--update and --check are two commands; give one of them"),
        (
            "bench --only (",
            "--only (: no regular expression (missing ), unterminated subpattern at position 0)",
        ),
        ("run ixgb_b2b --set duration=-1s", "duration=-1s: a time cannot be negative"),
        ("report /", "/: no finished run (there is no results.json)"),
        ("run ixgb_wan --set loss=200%", "loss=200%: a share is at most 1 (100%)"),
        (
            "run ixgb_wan --set loss=5",
            "loss=5: a share is at most 1 (100%); did you mean 5%?",
        ),
    ],
)
def test_a_users_mistake_is_one_line_and_exit_code_2(
    arguments: str, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments.split()) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert re.fullmatch(r"longhaul: .*\n", captured.err)
    assert captured.err == f"longhaul: {line}\n"


@pytest.mark.parametrize(
    ("words", "closed", "code", "said"),
    [
        ("list", ">&-", 0, ""),
        ("list", "<&-", 0, ""),
        ("list", "<&- >&- 2>&-", 0, ""),
        ("run x", ">&-", 2, "longhaul: no scenario is called 'x'"),
        ("run x", "2>&-", 2, ""),
    ],
)
def test_a_closed_stream_is_as_one_that_nobody_reads(
    words: str, closed: str, code: int, said: str
) -> None:
    command = ["bash", "-c", f'exec "$@" {closed}', "bash", sys.executable, "-m", "longhaul"]
    done = subprocess.run([*command, *words.split()], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr[: len(said) or None]) == (code, said)


def test_a_failures_message_repeats_little_of_a_path(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / ("x" * 3000))
    assert main(["sweep", "ixgb_b2b", "--over", "mtu=1500,9000", "--out", out]) == 1
    captured = capsys.readouterr()
    assert captured.err.startswith("longhaul: cannot write to ") and len(captured.err) < 200


@pytest.mark.parametrize(
    ("arguments", "begin"),
    [
        (["run", "x" * 300], f"no scenario is called '{'x' * 59}"),
        (["run", "ixgb_b2b", "--set", f"mtu={'9' * 4000}"], f"mtu={'9' * 56}..."),
        (["run", "ixgb_b2b", "--set", f"mtu={'9' * 5000}"], "argument 4 has 5004 characters, 4096"),
        (["run", "ixgb_b2b", "--set", f"rings={'a ' * 2000}"], "rings=a a a a"),
        (["run", "ixgb_b2b", "--param", f"{'y' * 2000}=1"], f"--param {'y' * 60}..."),
        (["run", "ixgb_b2b", "--set", "mtu=1\n2\x1b[31m\u202e"], "mtu=1 2\\x1b[31m\\u202e: "),
    ],
)
def test_a_message_repeats_little_of_what_was_typed(
    arguments: list[str], begin: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"longhaul: {begin}"), said
    assert said.count("\n") == 1 and len(said) < 1600


def test_every_command_has_an_example_of_its_own() -> None:
    command = typer.main.get_command(cli_module.app)
    context = typer.Context(command)
    names: set[str] = set()
    for name in command.list_commands(context):  # type: ignore[attr-defined]
        inner = command.get_command(context, name)  # type: ignore[attr-defined]
        if name in cli_module.GROUPS:
            names |= {f"{name} {each}" for each in inner.list_commands(context)}
        else:
            names.add(name)
    assert names == set(cli_module.EXAMPLES)
    assert all(text.startswith(f"longhaul {name}") for name, text in cli_module.EXAMPLES.items())


def test_the_help_has_every_command_once_and_what_begins_comes_first(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["--help"]) == 0
    lines = capsys.readouterr().out.splitlines()
    begin = next(number for number, line in enumerate(lines) if line == "To begin:")
    shown = [line.split()[0] for line in lines[begin:] if re.match(r"  \w", line)]
    program = typer.main.get_command(cli_module.app)
    assert isinstance(program, command_groups.Commands)
    assert sorted(shown) == sorted(program.commands)
    assert {name for names in command_groups.GROUPS.values() for name in names} < set(shown)
    assert shown[0] == "demo" and shown.index("run") < shown.index("attack")
    assert not any(line.endswith("...") for line in lines[begin:])  # none is cut


def test_a_group_without_a_command_lists_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["gnet1"]) == 0
    assert "discard" in capsys.readouterr().out


def test_debug_shows_where_an_error_came_from(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--debug", "run", "nonsense"]) == 2
    assert "Traceback" in capsys.readouterr().err


def test_list_shows_every_scenario(cli: Cli) -> None:
    done = cli("list")
    assert done.returncode == 0
    for name in registry.scenarios():
        assert name in done.stdout


def test_the_version_names_the_commit(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    said = capsys.readouterr().out
    assert re.fullmatch(r"longhaul \d+\.\d+\.\d+ \([0-9a-f]{40}(\+changes)?\)\n", said)
    newest = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert newest and newest[1] == said.split()[1]


@pytest.mark.parametrize("by", ["question", "paper"])
def test_list_groups_every_scenario_once(by: str) -> None:
    entries = registry.scenarios().values()
    groups = listing.grouped(entries, by)
    assert sorted(entry.name for _, members in groups for entry in members) == sorted(
        entry.name for entry in entries
    )
    headings = [heading for heading, _ in groups]
    assert len(headings) == len(set(headings)) < len(entries) / 2


def test_the_papers_of_the_list_are_those_of_the_reference_data() -> None:
    papers = [heading for heading, _ in listing.grouped(registry.scenarios().values(), "paper")]
    assert papers == [
        *("BOOSTER", "GBE-TUNING", "GNET-1", "NEC-TOE", "OPTERON-10G"),
        listing.NO_PAPER,
    ]


def test_the_list_fits_a_screen() -> None:
    screen = Console(width=100, file=io.StringIO(), record=True)
    listing.show(screen, None)
    lines = screen.export_text().splitlines()
    assert len(lines) <= 50
    assert max(map(len, lines)) <= 100
    guests = [line.split()[0] for line in lines if re.search(r"^  \w+ +\* ", line)]
    assert "ixgb_b2b" in guests and "opteron_table2" not in guests


def test_a_scenarios_title_is_one_line_of_the_list() -> None:
    for entry in registry.scenarios().values():
        assert len(entry.title) <= listing.TITLE_COLUMNS, entry.name
        assert hasattr(entry.module, "QUESTION"), entry.name


def test_list_of_one_shows_every_setting_with_default_and_evidence(cli: Cli) -> None:
    done = cli("list", "ixgb_wan")
    first_words = {line.split(" ")[0] for line in done.stdout.splitlines()}
    assert set(registry.find("ixgb_wan").settings) <= first_words
    assert "datasheet: " in done.stdout and "1600ms" in done.stdout


def test_list_shows_quantities_as_people_write_them(cli: Cli) -> None:
    rows = [line.split() for line in cli("list", "ixgb_wan").stdout.splitlines()]
    defaults = {row[0]: row[1] for row in rows if len(row) > 1}
    assert defaults["rx_int_delay"] == "58.9824us"
    assert defaults["loss"] == "0"


def test_a_benchmark_that_is_not_there_is_an_error_before_any_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "build" / "release" / "benchmarks" / "bus_bench"
    program.parent.mkdir(parents=True)
    program.write_text(
        '#!/bin/sh\n[ "$1" = --benchmark_list_tests ] && exec echo BM_Mmio/8\necho "ran $*"\n'
    )
    program.chmod(0o755)
    monkeypatch.setattr("longhaul.devtools.benchmarks.ROOT", tmp_path)
    assert main(["bench", "--only", "nomatch"]) == 2
    said = capfd.readouterr()
    assert said.out == ""
    assert said.err.startswith(
        "longhaul: --only nomatch: no benchmark matches; there are BM_Mmio/8, jumbo"
    )
    assert main(["bench", "--only", "Mmio"]) == 0
    assert "ran --benchmark_filter=^BM_Mmio/8$" in capfd.readouterr().out


def test_a_wrong_benchmark_is_named_where_no_program_is_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("longhaul.devtools.benchmarks.ROOT", tmp_path)
    assert main(["bench", "--only", "WRONG"]) == 2
    said = capfd.readouterr().err
    assert said.startswith("longhaul: --only WRONG: no benchmark matches; there are jumbo")
    assert said.endswith(
        f"; no program of benchmarks is built in {tmp_path}/build/release/benchmarks\n"
    )
    assert main(["bench"]) == 1
    assert "no benchmark program" in capfd.readouterr().err


def test_the_list_begins_with_what_a_new_user_tries() -> None:
    entries = registry.scenarios().values()
    headings = [heading for heading, _ in listing.grouped(entries, "question")]
    assert headings[: len(listing.FIRST)] == list(listing.FIRST)


def test_a_reader_that_goes_away_is_no_error(environment: dict[str, str]) -> None:
    import subprocess
    import sys

    command = f"{sys.executable} -m longhaul list ixgb_wan | head -1"
    done = subprocess.run(
        ["bash", "-c", command], env=environment, capture_output=True, text=True, check=False
    )
    assert "Traceback" not in done.stderr and "Exception" not in done.stderr


def test_a_scenario_that_cannot_run_here_says_what_to_do(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("longhaul.runs.runner.simulator", lambda: tmp_path / "longhaul-sim")
    from longhaul.runs import runner

    tools = runner.Tools(simulator=lambda: tmp_path / "longhaul-sim")
    monkeypatch.setattr(runner, "Tools", lambda: tools)
    assert main(["run", "ixgb_b2b", "--out", str(tmp_path / "o")]) == 1
    line = f"longhaul: {tmp_path}/longhaul-sim is not built; start this through ./longhaul\n"
    assert capsys.readouterr().err == line
    assert not (tmp_path / "o.partial").exists()


def test_every_preset_value_has_evidence_and_source() -> None:
    for path in (ROOT / "platform" / "config" / "machines").glob("*.toml"):
        tables = tomllib.loads(path.read_text())
        tables.pop("description")
        for group in tables.values():
            for entry in group.values():
                assert set(entry) == {"value", "evidence", "source"}, path
