# SPDX-License-Identifier: Apache-2.0
"""Workspaces: what longhaul.toml may say, which one is in use, what commands find in it."""

import hashlib
import json
import os
import shutil
from pathlib import Path

import pytest
from conftest import Cli
from longhaul import registry
from longhaul.errors import UsageError
from longhaul.paths import ROOT
from longhaul.topology import machines
from longhaul.workspace import current, folder
from support.workspaces import PRESET, SCENARIO, add, make

QUICK = ("--set", "duration=10ms")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    folder.load.cache_clear()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", ': lacks [workspace] with name = "..."'),
        ("[workspace]\n", ':1: [workspace] lacks name = "..."'),
        ("# mine\n[workspace]\nname = 3\n", ':3: name has to be a text: name = "..."'),
        ("[workspace]\nname = ''\n", ':2: name has to be a text: name = "..."'),
        ('[workspace]\nname = "a/b"\n', ":2: name 'a/b': wants letters, digits, underscores, "
         "hyphens and dots, 64 at most"),
        ('[workspace]\nname = "a"\nplugin = []\n', ":3: unknown key 'plugin' in [workspace]; "
         "did you mean plugins?"),
        ('[workspace]\nname = "a"\n\n[workspaces]\n', ":4: unknown table [workspaces]; "
         "did you mean workspace?"),
        ('nam = "a"\n[workspace]\nname = "a"\n',
         ":1: unknown key 'nam'; there are validate, workspace"),
        ('workspace = "a"\n', ":1: workspace has to be a table: [workspace]"),
        ('[workspace]\nname = "a"\nplugins = "x.so"\n',
         ':3: plugins has to be a list of texts: plugins = ["..."]'),
        ('[workspace]\nname = "a"\nplugins = ["x.so"]\n', ":3: plugins: there is no {here}/x.so"),
        ('[workspace]\nname = "a"\nplugins = ["."]\n',
         ":3: plugins: {here} has no CMakeLists.txt that builds a plug-in"),
        ('[workspace]\nname = "a"\nmodules = ["."]\n',
         ":3: modules: {here} is no folder with a Kbuild file"),
        ('[workspace]\nname = "a\n', ":2: the text that begins in this line has no end"),
        ('[workspace]\nname = "a"\nname = "b"\n', ":3: Cannot overwrite a value"),
    ],
)  # fmt: skip
def test_what_is_wrong_in_longhaul_toml_is_one_line(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "longhaul.toml").write_text(text)
    with pytest.raises(UsageError) as caught:
        folder.load(tmp_path)
    assert str(caught.value) == f"{tmp_path}/longhaul.toml{said.format(here=tmp_path)}"


def test_the_workspace_in_use_is_around_ones_folder_or_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert current.given() is None
    one, other = make(tmp_path / "one", "a", name="one"), make(tmp_path / "other", name="other")
    monkeypatch.chdir(one / "scenarios" / "a")
    assert (found := current.given()) and (found.name, found.out) == ("one", one / "out")
    monkeypatch.chdir(one)
    assert found.out == Path("out")
    monkeypatch.setenv(current.VARIABLE, str(other))
    assert (found := current.given()) and found.name == "other"
    monkeypatch.setenv(current.VARIABLE, "none")
    assert current.given() is None
    monkeypatch.setenv(current.VARIABLE, str(tmp_path))
    with pytest.raises(UsageError, match=r"no workspace: it has no longhaul\.toml"):
        current.given()


def test_a_scenario_is_found_by_name_and_by_every_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = make(tmp_path / "ws", "cable") / "scenarios" / "cable"
    for text in ("ws/scenarios/cable", "./ws/scenarios/cable/scenario.py", str(place)):
        monkeypatch.setenv(current.VARIABLE, "")
        entry = registry.find(text)
        assert (entry.name, entry.workspace, entry.spec) == ("cable", "mine", str(place))
        assert os.environ[current.VARIABLE] == str(tmp_path / "ws")
    assert registry.find("cable").folder == place
    assert registry.find("ixgb_wan").spec == "ixgb_wan"
    monkeypatch.setenv(current.VARIABLE, "")
    with pytest.raises(UsageError, match="no scenario is called 'cable'"):
        registry.find("cable")
    bare = add(tmp_path / "bare")
    assert registry.find("bare") == registry.find(str(bare))
    assert (registry.find("bare").workspace, current.given()) == ("", None)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("./none", "there is no {here}/none; wants a scenario's folder or its scenario.py"),
        (".", "{here} has no scenario.py; wants a scenario's folder or its scenario.py"),
        ("./a b", "{here}/a b: its name is the scenario's, and wants letters, digits"),
    ],
)
def test_a_path_to_no_scenario_is_told(text: str, said: str, tmp_path: Path) -> None:
    add(tmp_path / "a b")
    with pytest.raises(UsageError) as caught:
        registry.find(text)
    assert said.format(here=tmp_path) in str(caught.value)


def test_two_scenarios_of_one_name_are_two(tmp_path: Path) -> None:
    for name, title in (("a", "One."), ("b", "Other.")):
        add(tmp_path / name / "cable", SCENARIO.replace("Two hosts and a cable.", title))
    assert [registry.find(f"./{n}/cable").title for n in "ab"] == ["One.", "Other."]


def test_a_run_goes_to_the_workspaces_out_and_names_the_scenarios_files(
    tmp_path: Path, cli: Cli
) -> None:
    place = make(tmp_path / "ws", "cable") / "scenarios" / "cable"
    (place / "reference.json").write_text('{"source": "a paper", "rows": []}')
    (place / ".note").write_text("hidden")
    done = cli("run", "ws/scenarios/cable", *QUICK)
    assert done.returncode == 0, done.stderr
    (run,) = (tmp_path / "ws" / "out").iterdir()
    assert run.name.startswith("cable-") and not (tmp_path / "out").exists()
    manifest = json.loads((run / "manifest.json").read_text())
    assert (manifest["scenario"], manifest["workspace"]) == ("cable", "mine")
    assert manifest["checksums"]["scenario"] == {
        name: hashlib.sha256((place / name).read_bytes()).hexdigest()
        for name in ("reference.json", "scenario.py")
    }
    # From elsewhere in the workspace, the run is found by its name.
    for words in (("report", run.name), ("compare", run.name, f"out/{run.name}")):
        done = cli("--workspace", "ws", *words)
        assert done.returncode == 0, done.stderr


def test_a_run_without_a_name_is_the_workspaces_only_scenario(tmp_path: Path, cli: Cli) -> None:
    place = make(tmp_path / "ws")
    add(place)
    done = cli("run", *QUICK, "--out", "first", "--workspace", "ws")
    assert done.returncode == 0, done.stderr
    manifest = json.loads((tmp_path / "first" / "manifest.json").read_text())
    assert manifest["scenario"] == "mine"
    assert list(manifest["checksums"]["scenario"]) == ["longhaul.toml", "scenario.py"]
    add(place / "scenarios" / "other")
    done = cli("--workspace=ws", "run", *QUICK)
    assert (done.returncode, done.stderr) == (
        2, "longhaul: which scenario? the workspace mine has 2: mine, other\n"
    )  # fmt: skip


def test_a_name_of_the_tree_is_the_workspaces_and_the_run_says_so(tmp_path: Path, cli: Cli) -> None:
    place = make(tmp_path / "ws", "ixgb_wan") / "scenarios" / "ixgb_wan"
    done = cli("--workspace", "ws", "run", "ixgb_wan", *QUICK, "--out", "own")
    assert done.returncode == 0, done.stderr
    said = f"ixgb_wan is the one in {place}; {ROOT}/scenarios/ixgb_wan has its name, and is another"
    assert f"longhaul: {said}\n" in done.stderr
    assert json.loads((tmp_path / "own" / "manifest.json").read_text())["workspace"] == "mine"
    tree = str(ROOT / "scenarios" / "ixgb_wan")
    done = cli("--workspace", "ws", "list", tree)
    assert "rtt" in done.stdout
    over = ("--over", "mtu=1500", "--set", "duration=10ms", "--out", "trees")
    done = cli("--workspace", "ws", "sweep", tree, *over)
    assert done.returncode == 0, done.stderr
    assert "workspace" not in json.loads((tmp_path / "trees" / "sweep.json").read_text())


def test_the_list_has_the_workspaces_first_and_a_mistake_hides_none(
    tmp_path: Path, cli: Cli
) -> None:
    place = make(tmp_path / "ws", "cable", "wrong")
    add(place / "scenarios" / "wrong", "import nothing_of_this_name\n")
    lines = cli("--workspace", "ws", "list").stdout.splitlines()
    assert lines[0] == f"Workspace mine ({place})"
    assert lines[1].rstrip().split(maxsplit=2) == ["cable", "*", "Two hosts and a cable."]
    assert lines[2].split()[:2] == ["wrong", "!"] and "ModuleNotFound" in lines[3]
    assert sum("ixgb_wan" in line for line in lines) == 1


def test_a_sweep_goes_on_from_anywhere_and_wherever_its_workspace_is(
    tmp_path: Path, cli: Cli
) -> None:
    place = make(tmp_path / "ws", "cable")
    over = ("--over", "mtu=1500,9000", *QUICK)
    done = cli("sweep", "ws/scenarios/cable", *over)
    assert done.returncode == 0, done.stderr
    assert (place / "out" / "sweep-cable" / "sweep.parquet").is_file()
    place.rename(tmp_path / "moved")
    done = cli("sweep", "cable", *over, "--workspace", "moved")
    assert "2 of 2 runs are already there" in done.stderr
    other = make(tmp_path / "other", "cable", name="theirs")
    done = cli("sweep", str(other / "scenarios/cable"), *over, "--out", "moved/out/sweep-cable")
    assert (done.returncode, done.stderr) == (
        2, "longhaul: moved/out/sweep-cable holds another sweep; choose another --out\n"
    )  # fmt: skip


def test_warm_up_waves_and_repetitions_take_a_path(tmp_path: Path, cli: Cli) -> None:
    place = str(make(tmp_path / "ws", "cable") / "scenarios" / "cable")
    done = cli("run", *QUICK, "--repeat", "2", "--waves", place)
    assert "--waves records one run, and --repeat 2 makes 2" in done.stderr
    done = cli("run", place, *QUICK, "--repeat", "2")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "ws" / "out" / "cable-repeated" / "results.json").is_file()
    cli("warmup", place, "--set", "duration=1s", "--repeat", "2")
    assert (tmp_path / "ws" / "out" / "warmup-cable" / "sweep.json").is_file()


def test_machine_presets_of_a_workspace_are_beside_the_trees(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = make(tmp_path / "ws") / "machines"
    place.mkdir()
    (place / "desk.toml").write_text(PRESET)
    with pytest.raises(UsageError, match="no machine preset 'desk'"):
        machines.preset("desk")
    monkeypatch.chdir(place)
    assert machines.preset("desk")["cpu.clock"].value == "1.5GHz"
    assert "desk" in machines.names()
    with pytest.raises(UsageError, match="did you mean desk"):
        machines.preset("dezk")
    shutil.copy(place / "desk.toml", place / "xeon_533.toml")
    with pytest.raises(UsageError, match="Longhaul has a preset xeon_533; give it another name"):
        machines.preset("desk")


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("clock = {value = \"1.5GHz\"", "clock = {value = 1.5", ":3: [cpu.clock] value: '1.5': "),
        ("\"assumed\"", "\"guessed\"", ":3: [cpu.clock] evidence 'guessed' is none"),
        ("size =", "sizes =", ": lacks [memory.size] with value, evidence and source"),
        ("mmrbc =", "mmrb =", ":8: unknown key 'mmrb' in [pcix]; did you mean mmrbc?"),
        ("[memory]", "[memry]", ":4: unknown table [memry]; did you mean memory?"),
        (", source = \"as an example\"", "", ":3: [cpu.clock] wants value, evidence and source"),
        ("value = 512", "value = \"512\"", ":8: [pcix.mmrbc] value has to be a whole number"),
        ("description", "describe", ': lacks description = "..." ahead of its tables'),
    ],
)  # fmt: skip
def test_what_is_wrong_in_a_machine_preset_is_one_line(
    before: str, after: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = make(tmp_path / "ws") / "machines"
    place.mkdir()
    (place / "desk.toml").write_text(PRESET.replace(before, after, 1))
    monkeypatch.chdir(tmp_path / "ws")
    with pytest.raises(UsageError) as caught:
        machines.preset("desk")
    assert str(caught.value).startswith(f"{place}/desk.toml{said}")
