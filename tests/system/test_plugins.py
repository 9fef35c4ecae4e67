# SPDX-License-Identifier: Apache-2.0
"""The plug-in of examples/ as a user has it: built outside of the tree, loaded, used, refused."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from longhaul.paths import ROOT, plugin_simulator, simulator
from longhaul.types import described
from rig.installed import build, install, ran
from rig.scripts import start

EXAMPLE = ROOT / "examples" / "plugin"
OTHER = b"Longhaul 9.9.9"  # as long as a version of today


@pytest.fixture(scope="module")
def plugin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the shared object."""
    prefix = install(tmp_path_factory.mktemp("prefix"))
    return build(EXAMPLE, prefix, tmp_path_factory.mktemp("outside")) / "example.so"


def wire(plugin: Path, control: str) -> tuple[float, int]:
    """Run the example's script; return goodput and frames lost."""
    done = start([str(EXAMPLE / "wire.py"), str(plugin), control])
    assert done.returncode == 0, done.stderr
    found = re.search(r": ([\d.]+) Gb/s, (\d+) frames lost", done.stdout)
    assert found, done.stdout
    return float(found[1]), int(found[2])


def longhaul(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a command of Longhaul."""
    return start(["-m", "longhaul", *map(str, arguments)])


def test_its_types_are_described_as_the_trees_own(plugin: Path) -> None:
    types = described.everything([plugin])
    (box,) = described.called(types, "lossy_wire")
    assert (box.kind, box.plugin, box.file) == ("box", str(plugin), "lossy_wire.cc")
    every = box.parameters["params"][0]
    assert (every.name, every.limits()) == ("every", "2 to 1000000")
    (control,) = described.called(types, "quarter")
    assert (control.kind, control.file) == ("congestion control", "quarter.cc")


def test_a_topology_runs_with_its_box_and_its_congestion_control(plugin: Path) -> None:
    quarter, lost = wire(plugin, "quarter")
    newreno, _ = wire(plugin, "newreno")
    # 40 to 75 ms of jumbo frames at 3 Gb/s are some 3,000, of which every 500th is lost.
    assert 4 <= lost <= 12
    assert 1 < quarter < 9
    assert quarter != newreno


def test_a_run_takes_it_from_the_command_line_and_says_so(plugin: Path, tmp_path: Path) -> None:
    done = longhaul(
        *("run", "ixgb_wan", "--set", "system=linux-6.1", "--set", "duration=20ms"),
        *("--set", "rtt=100us", "--plugin", plugin, "--out", tmp_path / "run"),
        *("--param", "sender.host.tcp.congestion_control=quarter"),
    )
    assert done.returncode == 0, done.stderr
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_text())
    assert list(manifest["checksums"]["plugins"]) == [str(plugin)]
    values = {f"{each['object']}.{each['name']}": each["value"] for each in manifest["parameters"]}
    assert values["sender.host.tcp.congestion_control"] == "quarter"


def test_without_it_its_types_are_not_there(tmp_path: Path) -> None:
    done = longhaul(
        *("run", "ixgb_wan", "--set", "system=linux-6.1", "--out", tmp_path / "run"),
        *("--param", "sender.host.tcp.congestion_control=quarter"),
    )
    assert done.returncode == 2
    assert 'congestion_control "quarter"' in done.stderr


def test_one_of_another_build_is_refused_before_it_runs(plugin: Path, tmp_path: Path) -> None:
    content = plugin.read_bytes()
    mark = b"longhaul-plugin-interface: "
    at = content.index(mark) + len(mark)
    old = tmp_path / "old.so"
    old.write_bytes(content[:at] + OTHER + content[at + len(OTHER) :])
    done = longhaul("types", "--plugin", old)
    assert done.returncode == 2
    assert f'{old}: was built for "Longhaul 9.9.9, ' in done.stderr
    assert "build it again" in done.stderr


def test_the_simulator_without_exports_says_which_has_them(plugin: Path) -> None:
    done = subprocess.run(
        [simulator(), "--types", "--plugin", plugin], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "this program loads no plug-ins; longhaul-plugin-sim beside it does" in done.stderr


def test_both_simulators_compute_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[dict[str, object]] = []
    for program in (simulator(), plugin_simulator()):
        monkeypatch.setenv("LONGHAUL_SIMULATOR", str(program))
        out = tmp_path / program.name
        done = longhaul(
            *("run", "ixgb_wan", "--set", "system=linux-6.1", "--set", "duration=10ms"),
            *("--set", "rtt=1ms", "--set", "loss=0.1%", "--pcap", "--out", out),
        )
        assert done.returncode == 0, done.stderr
        captures = {path.name: path.read_bytes() for path in out.glob("*.pcapng")}
        assert captures
        found.append(captures)
    assert found[0] == found[1]


def test_a_second_copy_is_refused_for_its_names(plugin: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copy(plugin, tmp_path / "copy.so"))
    done = longhaul("types", "--plugin", plugin, "--plugin", copy)
    assert done.returncode == 2
    assert f"of {copy} is in {plugin} already" in done.stderr


def test_one_with_a_symbol_that_nobody_has_is_refused(plugin: Path, tmp_path: Path) -> None:
    source = tmp_path / "source"
    shutil.copytree(plugin.parent.parent / "plugin", source)
    with (source / "quarter.cc").open("a") as stream:
        stream.write("\nint nobody_has_this();\nint uses_it() { return nobody_has_this(); }\n")
    cache = (plugin.parent / "CMakeCache.txt").read_text()
    prefix = re.search(r"CMAKE_PREFIX_PATH:\w+=(.*)", cache)
    assert prefix
    ran("cmake", "-S", source, "-B", tmp_path / "b", f"-DCMAKE_PREFIX_PATH={prefix[1]}")
    ran("cmake", "--build", tmp_path / "b")
    done = longhaul("types", "--plugin", tmp_path / "b" / "example.so")
    assert done.returncode == 2
    assert "cannot be loaded: " in done.stderr
    assert "nobody_has_this" in done.stderr


@pytest.mark.parametrize("program", [simulator, plugin_simulator])
def test_a_configuration_names_it_by_its_place(program: Callable[[], Path], tmp_path: Path) -> None:
    config = tmp_path / "config.json"
    config.write_text('{"name": "x", "out": "o", "limit": "1s", "plugins": ["/nowhere.so"]}')
    done = subprocess.run(
        [program(), "--check", config],
        env=os.environ | {"SYSTEMC_DISABLE_COPYRIGHT_MESSAGE": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "plugins[0]: /nowhere.so: cannot be read, wants a shared object" in done.stderr
