# SPDX-License-Identifier: Apache-2.0
"""The catalogue of figures: its commands are real ones, and docs/results.md is made of its data."""

import re
import shlex
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest
import typer
from longhaul import cli as cli_module
from longhaul import registry
from longhaul.catalogue import entry, functions, page, rows, values
from longhaul.catalogue.entry import Measurement
from longhaul.cli import main
from longhaul.devtools import (
    benchmarks,
    commit_bench,
    cost_bench,
    fixed_bench,
    glue_bench,
    guest_bench,
    ns3_bench,
)
from longhaul.errors import LonghaulError, UsageError
from longhaul.paths import ROOT
from longhaul.published.reasons import NO_REASON
from longhaul.studies import catalogue
from longhaul.workspace import kinds

CATALOGUE = entry.load()
ALL = entry.everything(CATALOGUE)
IN_THE_TREE = [one for one in ALL if not one.workspace]
names = pytest.mark.parametrize("one", ALL, ids=lambda one: one.name)


@names
def test_a_command_has_options_that_there_are(one: Measurement) -> None:
    assert not one.workspace or kinds.find(one.workspace)
    first, *rest = one.words()[1]
    group = typer.main.get_command(cli_module.app)
    command = group.get_command(typer.Context(group), first)  # type: ignore[attr-defined]
    command.make_context(first, rest)


@pytest.mark.parametrize("one", IN_THE_TREE, ids=lambda one: one.name)
def test_a_command_asks_for_what_there_is(one: Measurement) -> None:
    first, *rest = one.words()[1]
    values_of = [(option, value) for option, value in pairwise(rest) if option.startswith("-")]
    if first == "run":  # --check-only would want the simulator
        entry_ = registry.find(rest[0])
        entry_.parse([value for option, value in values_of if option == "--set"])
    elif first == "report":  # and here it would build each case
        for scenario in (value for option, value in values_of if option == "--of"):
            assert registry.find(scenario).references.rows
    elif first == "python":
        tests = [word for word in rest if word.endswith(".py")]
        assert tests and all((ROOT / each).is_file() for each in tests)
    elif first == "study":  # here too
        assert catalogue.find(rest[0]).study.figures
    elif first == "validate":  # and here it would compile RTL
        files = [value for _, value in values_of if "/" in value]
        assert files and all((ROOT / each).is_file() for each in files)
    else:
        assert main(["--check-only", first, *rest]) == 0


@names
def test_a_row_of_a_benchmark_is_of_one_that_there_is(one: Measurement) -> None:
    if one.words()[1][0] != "bench":
        return
    known = {
        *benchmarks.WHOLE_RUNS,
        *(name.removeprefix("guests: ") for name in guest_bench.RUNS),
        *ns3_bench.STREAMS,
        *commit_bench.WORKS,
    }
    rows_of_runs = [r.row.split(" / ")[0] for f in one.figures for r in (f.read, f.over) if r]
    if one.name in ("whole_runs", "guests_by_part", "ns3", "against_24_november"):
        assert rows_of_runs and set(rows_of_runs) <= known


def test_a_pattern_chooses_no_benchmark_that_its_figures_are_not_of() -> None:
    whole = [*benchmarks.WHOLE_RUNS, *guest_bench.RUNS, *ns3_bench.STREAMS, *cost_bench.BENCHES]
    alone = (fixed_bench.NAME, glue_bench.NAME, benchmarks.ACCOUNTING)
    for one in ALL:
        words = one.words()[1]
        if words[:2] == ["bench", "--only"]:
            chosen = [name for name in (*whole, *alone) if re.search(words[2], name)]
            kinds_of = {name.partition(":")[0] if ":" in name else name for name in chosen}
            assert len(kinds_of & {*alone, "guests", "ns-3"}) <= 1, (one.name, chosen)
            assert not (len(chosen) > 1 and set(alone) & set(chosen)), (one.name, chosen)


@names
def test_a_function_that_reads_a_figure_is_there(one: Measurement) -> None:
    for figure in one.figures:
        assert not figure.read.call or figure.read.call in functions.FUNCTIONS


def test_the_page_is_what_the_values_make_it() -> None:
    made = page.markdown(CATALOGUE, values.load())
    assert page.FILE.read_text() == made, "run: ./longhaul results --page"


def test_values_are_of_figures_that_the_catalogue_has() -> None:
    known = {one.name: one for one in ALL}
    for name, there in values.load().items():
        assert name in known
        assert set(there.figures) <= {each.what for each in known[name].figures}
        assert bool(there.published) == known[name].published
        assert re.fullmatch(r"[0-9a-f]{40}(\+changes)?", there.commit), name
        assert re.fullmatch(r"2\d\d\d-\d\d-\d\d", there.date), name
        assert there.machine


def test_what_is_published_is_on_the_page_whole() -> None:
    """Every row of the reference data is among the figures of the catalogue's reports."""
    known = {one.name: one for one in ALL}
    of = [each for name, one in known.items() if one.published for each in _shown(name)]
    assert len(of) > 190
    asked = {word for one in ALL if one.published for word in one.words()[1]}
    for folder in (ROOT / "scenarios").glob("*/reference.json"):
        assert folder.parent.name in asked


def _shown(name: str) -> list[rows.Row]:
    return rows.rows(next(one for one in ALL if one.name == name), values.load()[name])


def test_what_is_far_off_has_a_reason() -> None:
    there = values.load()
    far = [row for one in ALL for row in rows.rows(one, there.get(one.name)) if row.far]
    assert len(far) > 20
    assert [row.what for row in far if row.why in ("", NO_REASON)] == []


def test_every_place_that_names_the_page_still_finds_it() -> None:
    """Links into the page have headings there."""
    anchors = {
        re.sub(r"[^a-z0-9 -]", "", line.lstrip("# ").lower()).replace(" ", "-")
        for line in page.FILE.read_text().splitlines()
        if line.startswith("#")
    }
    grep = ["git", "-C", str(ROOT), "grep", "-hoE", r"results\.md#[a-z0-9-]+"]
    done = subprocess.run(grep, capture_output=True, text=True, check=False)
    assert {each.partition("#")[2] for each in done.stdout.split()} <= anchors


def test_names_choose_areas_and_measurements_and_none_the_cheap_ones() -> None:
    def told(*asked: str, every: bool = False) -> list[str]:
        return [one.name for one in entry.chosen(CATALOGUE, asked, every=every)]

    assert told("memory", "golden") == ["golden", "memory_over_time", "memory_of_long_paths"]
    assert told(every=True) == [one.name for one in ALL]
    assert set(told()) == {one.name for one in ALL if one.cost == "seconds"}
    with pytest.raises(UsageError, match="no figures are called 'golde'; did you mean golden?"):
        told("golde")


AREA = """
title = "One"
[[measurement]]
name = "one"
command = "./longhaul list"
kind = "simulated"
cost = "seconds"
takes = "a second"
[[measurement.figure]]
what = "a number"
read = { pattern = '(\\d+)' }
"""


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"./longhaul list"', '"make"', "'make' does not begin with ./longhaul"),
        ("pattern", "model", "model"),
        ("(\\d+)", "\\d+", "wants one group"),
        ("{ pattern = '(\\d+)' }", "{ row = 'a' }", "by row and column"),
        ('"simulated"', '"measured"', "a measured figure needs a spread"),
        ('"a second"\n', '"a second"\nspread_pct = 5\n', "is the same when repeated"),
        ('"a number"\n', '"a number"\nreference = 5\n', "a reference needs a source"),
        ('name = "one"', 'name = "speed"', "speed is the name of two measurements or an area"),
        ("[[measurement.figure]]", "[[measurement", "TOML"),
    ],
)
def test_a_wrong_catalogue_is_one_line(tmp_path: Path, old: str, new: str, said: str) -> None:
    for area in entry.AREAS:
        text = AREA.replace('"one"', f'"{area}_one"')
        (tmp_path / f"{area}.toml").write_text(text)
    assert len(entry.everything(entry.load(tmp_path))) == len(entry.AREAS)
    first = AREA.replace(old, new)
    assert first != AREA
    (tmp_path / "fidelity.toml").write_text(first)
    with pytest.raises(LonghaulError) as raised:
        entry.load(tmp_path)
    assert "\n" not in str(raised.value)
    assert said in str(raised.value) or (said == "TOML" and "no catalogue" in str(raised.value))


def test_a_command_on_the_page_can_be_pasted() -> None:
    text = page.FILE.read_text()
    for one in ALL:
        assert f"`{one.command}`".replace("|", "\\|") in text
        assert shlex.split(one.command)


def test_the_readme_has_the_speeds_of_the_kept_figures() -> None:
    kept = values.load()
    readme = " ".join((ROOT / "README.md").read_text().split())
    for name, said in (
        ("whole_runs", r"of two real Linux hosts at full rate takes ([\d.]+) to ([\d.]+) seconds"),
        ("modelled", r"Two modelled hosts take ([\d.]+) to ([\d.]+) seconds"),
    ):
        runs = [one.name for one in CATALOGUE["speed"].measurements if one.name.startswith(name)]
        figures = [figure for run in runs for figure in kept[run].figures.values()]
        found = re.search(said, readme)
        assert found, said
        assert [float(each) for each in found.groups()] == [min(figures), max(figures)]
