# SPDX-License-Identifier: Apache-2.0
"""Types of models: what Python knows of the tree's own, and what the simulator tells of all."""

import io
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from longhaul import api, registry, types
from longhaul.boxes.delay_box import DelayBox
from longhaul.cli import type_listing
from longhaul.errors import LonghaulError, UsageError
from longhaul.runs import child_runs, runner
from longhaul.sweeps import sweep as sweeps
from longhaul.topology import Box, nics
from longhaul.types import catalog, described, plugins
from longhaul.units import ms
from rich.console import Console
from rig.stand_in import says

PARAMETER = {
    "name": "every",
    "type": "integer",
    "default": 100,
    "description": "frames from one lost frame to the next",
    "evidence": "chosen",
    "source": "the example's own",
    "range": [1, 1000000],
}
KIND_PARAMETER = PARAMETER | {"name": "how", "type": "text", "default": "even", "range": None}
WIRE: dict[str, Any] = {
    "kind": "box",
    "name": "lossy_wire",
    "title": "a wire that loses every Nth frame",
    "file": "models/wan/lossy_wire/type.cc",
    "plugin": None,
    "parameters": {"params": [PARAMETER, KIND_PARAMETER | {"choices": ["even", "odd"]}]},
}


def wire_with(**changes: Any) -> described.Described:
    return described.Described.model_validate(WIRE | changes)


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return a tree of its own, in which no type is known yet."""
    for module in (catalog, described):
        monkeypatch.setattr(module, "ROOT", tmp_path)
    (tmp_path / "models" / "wan" / "lossy_wire").mkdir(parents=True)
    catalog._all.cache_clear()  # pyright: ignore[reportPrivateUsage, reportFunctionMemberAccess]
    yield tmp_path
    catalog._all.cache_clear()  # pyright: ignore[reportPrivateUsage, reportFunctionMemberAccess]


@pytest.fixture
def simulator(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a program that stands in for the simulator; tests write what it does."""
    program = tmp_path / "longhaul-plugin-sim"  # which stands beside itself
    monkeypatch.setenv("LONGHAUL_SIMULATOR", str(program))
    return program


@pytest.fixture(autouse=True)
def no_plugins(monkeypatch: pytest.MonkeyPatch) -> None:
    # Set, so that it is put back: `use` sets it too.
    monkeypatch.setenv(plugins.VARIABLE, "")


def test_the_trees_own_types_are_known_without_a_simulator() -> None:
    assert {"e1000", "genesis", "ixgb"} <= set(types.names("adapter"))
    assert {"delay_box", "gnet1", "nistnet"} <= set(types.names("box"))
    assert {"linux-2.6.6", "windows-xp"} <= set(types.names("system"))
    assert "82546gb-copper" in types.choices("adapter", "e1000", "board")
    driver = types.linux_driver("ixgb")
    assert (driver.module, driver.least_mtu, driver.largest_mtu) == ("ixgb", 68, 16114)


def test_a_name_that_no_type_has_is_refused_with_the_nearest() -> None:
    with pytest.raises(UsageError, match="no adapter 'e100'; did you mean e1000"):
        types.find("adapter", "e100")


def test_boards_that_there_are_not_are_refused() -> None:
    with pytest.raises(UsageError, match="no PRO/1000 board '82545em'; did you mean 82545em-"):
        nics.e1000(board="82545em")
    with pytest.raises(UsageError, match="no GEnesis board"):
        nics.genesis(board="sk-9821")


def test_what_the_simulator_says_becomes_the_file_beside_the_source(tree: Path) -> None:
    found = [described.Described.model_validate(WIRE)]
    file = tree / "models" / "wan" / "lossy_wire" / "types.json"
    assert described.stale(found) == [file]
    assert described.update(found) == [file]
    assert described.stale(found) == []
    assert types.names("box") == ("lossy_wire",)
    assert types.choices("box", "lossy_wire", "how") == ("even", "odd")


def test_a_file_of_types_that_are_gone_is_stale_and_goes(tree: Path) -> None:
    file = tree / "models" / "wan" / "types.json"
    file.write_text("[]\n")
    assert described.stale([]) == [file]
    described.update([])
    assert not file.exists()


def test_types_of_plug_ins_are_in_no_file_of_the_tree(tree: Path) -> None:
    assert described.snapshots([wire_with(plugin="/x/wire.so")]) == {}


@pytest.mark.parametrize("text", ["", "{", '[{"kind": "box"}]', '[{"kind": "box", "name": 1}]'])
def test_a_damaged_file_is_named_with_the_remedy(tree: Path, text: str) -> None:
    file = tree / "models" / "wan" / "types.json"
    file.write_text(text)
    with pytest.raises(
        LonghaulError, match=f"{file}: .*; ./longhaul types --update makes it again"
    ):
        types.names("box")


def test_all_types_come_from_the_simulator_with_its_plug_ins(simulator: Path) -> None:
    says(simulator, json.dumps({"types": [WIRE]}))
    (wire,) = described.everything([Path("/x/wire.so")])
    assert Path(f"{simulator}.args").read_text().split() == ["--types", "--plugin", "/x/wire.so"]
    (every, how) = wire.parameters["params"]
    assert (every.limits(), how.limits()) == ("1 to 1000000", "even, odd")
    assert described.called([wire], "lossy_wire") == [wire]
    with pytest.raises(UsageError, match="no type 'lossywire'; did you mean lossy_wire"):
        described.called([wire], "lossywire")


def test_what_the_simulator_refuses_is_told_in_its_words(simulator: Path) -> None:
    says(simulator, "", "longhaul: /x/wire.so: is no plug-in\n", code=2)
    with pytest.raises(UsageError, match="^/x/wire.so: is no plug-in$"):
        described.everything([Path("/x/wire.so")])


@pytest.mark.parametrize(("text", "code"), [("", 1), ('{"types": [{}]}', 0), ("nonsense", 0)])
def test_a_simulator_that_fails_is_named(simulator: Path, text: str, code: int) -> None:
    says(simulator, text, code=code)
    with pytest.raises(LonghaulError, match=f"^{simulator} --types: "):
        described.everything()


def test_one_that_is_not_built_is_told(simulator: Path) -> None:
    with pytest.raises(LonghaulError, match="is not built; start this through ./longhaul"):
        described.everything()


def test_the_listing_has_every_fact() -> None:
    stream = io.StringIO()
    console = Console(file=stream, width=140)
    wire = wire_with(pci_ids=["8086:1048"])
    type_listing.show_all(console, [wire])
    type_listing.show_one(console, wire)
    text = stream.getvalue()
    for part in (
        "lossy_wire  a wire that loses every Nth frame",
        "from: models/wan/lossy_wire/type.cc",
        "PCI: 8086:1048",
        "1 to 1000000",
        "even, odd",
        "frames from one lost frame to the next",
        "chosen: the example's own",
    ):
        assert part in text, text


def test_plug_ins_are_files_and_named_once(tmp_path: Path) -> None:
    file = tmp_path / "wire.so"
    with pytest.raises(UsageError, match=r"--plugin .*wire.so: there is no such file"):
        plugins.use([file])
    file.write_bytes(b"x")
    plugins.use([file])
    api.use_plugins(file)
    assert plugins.given() == (file,)
    assert os.environ[plugins.VARIABLE] == str(file)
    odd = tmp_path / "a:b.so"
    odd.write_bytes(b"")
    with pytest.raises(UsageError, match="its path has a colon"):
        plugins.use([odd])


def test_a_runs_plug_ins_are_in_its_configuration_and_its_command(tmp_path: Path) -> None:
    file = tmp_path / "wire.so"
    file.write_bytes(b"x")
    entry = registry.find("gnet1_table1_modelled")
    settings = entry.parse_case([], entry.cases([])[0])
    scenario = entry.build(settings, 1, 0)
    plain = runner.RunRequest(entry, settings, tmp_path / "out")
    assert runner.configuration(plain, scenario, None, None).plugins == []
    plugins.use([file])
    request = runner.RunRequest(entry, settings, tmp_path / "out")
    assert runner.configuration(request, scenario, None, None).plugins == [str(file)]
    assert child_runs.command("a", tmp_path, ())[-2:] == ["--plugin", str(file)]


def test_another_plug_in_is_another_sweep(tmp_path: Path) -> None:
    def identity() -> dict[str, Any]:
        over = ["rtt=1ms,2ms"]
        return sweeps.plan("ixgb_wan", over, ["system=linux-6.1"], tmp_path / "o", 1).identity()

    file = tmp_path / "wire.so"
    file.write_bytes(b"x")
    plain = identity()
    assert "plugins" not in plain
    plugins.use([file])
    first = identity()
    file.write_bytes(b"other")
    assert plain != first != identity() != plain
    file.unlink()
    with pytest.raises(UsageError, match="--plugin .*wire.so: No such file"):
        identity()


def test_boxes_and_adapters_of_any_type_are_parts_of_a_topology() -> None:
    wire = Box(name="wire", type="lossy_wire", one_way_delay=ms(0), params={"every": 10})
    assert wire.all_params() == {"every": 10}
    assert wire.segments() == [("west", "east")]
    box = DelayBox(name="anue", one_way_delay=ms(2), params={"fifo_west": "1MiB"})
    assert box.all_params() == {"delay_west": "2ms", "delay_east": "2ms", "fifo_west": "1MiB"}
    assert box.round_trip() == ms(4)
    nic = nics.adapter("hypothetic", mtu=9000, offloads={"tso": True}, params={"lanes": 4})
    assert (nic.type, nic.mtu, dict(nic.params)) == ("hypothetic", 9000, {"lanes": 4})
