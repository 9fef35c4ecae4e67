# SPDX-License-Identifier: Apache-2.0
"""Parameters of the top module that are parameters of the adapter, and the models behind them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest
from longhaul import schema
from longhaul.errors import UsageError
from longhaul.paths import ROOT
from longhaul.portmap import objects, table, top_parameters, variants
from longhaul.portmap.read import MapFile, read
from longhaul.runs import rtl_variants
from longhaul.synthesis import design
from longhaul.topology import Scenario, machines, nics
from longhaul.types import rtl_models
from longhaul.types.plugins import Variant
from support.topology import config_for, traffic

SAMPLES = Path(__file__).parent / "samples" / "portmap"
TABLE = """
[parameters.depth]
parameter = "Depth"
values = ["1KiB", "4KiB"]
value = "4KiB"

[parameters.engines]
parameter = "Engines"
values = [1, 2]
value = 2
"""


@pytest.fixture
def map_(tmp_path: Path) -> MapFile:
    """Return a map with two parameters of a top module that has them."""
    return with_text(tmp_path, TABLE)


def with_text(folder: Path, text: str, *changes: tuple[str, str]) -> MapFile:
    shutil.copytree(SAMPLES, folder, dirs_exist_ok=True)
    top = folder / "little_top.sv"
    source = top.read_text()
    head = "parameter int unsigned Lanes = 1"
    assert head in source
    ports = f"{head}, parameter int unsigned Depth = 8, parameter int unsigned Engines = 2"
    top.write_text(source.replace(head, ports))
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    file = folder / "little.toml"
    file.write_text(file.read_text() + text)
    return read(file)


WRONG = {
    "value": (('value = "4KiB"', 'value = "2KiB"'), r"depth.value: 2KiB is none of its values"),
    "alike": (("[1, 2]", "[2, 2]"), r"engines.values: two of them are alike"),
    "name": (("[parameters.depth]", '[parameters."De pth"]'), r"no name of a parameter"),
    "taken": (("[parameters.depth]", "[parameters.rules]"), r"rules is another parameter"),
    "key": (('parameter = "Depth"', 'parameters = "Depth"'), r"did you mean parameter\?"),
    "empty": (("[1, 2]", "[]"), r"parameters.engines.values"),
}


@pytest.mark.parametrize(("change", "said"), WRONG.values(), ids=WRONG)
def test_a_wrong_table_is_refused_with_its_line(
    tmp_path: Path, change: tuple[str, str], said: str
) -> None:
    with pytest.raises(UsageError, match=said) as error:
        with_text(tmp_path, TABLE, change)
    assert "little.toml:" in str(error.value)


def test_a_parameter_stands_in_one_place(tmp_path: Path) -> None:
    with_block = "[block.parameters]\nDepth = 8\n"
    with pytest.raises(UsageError, match="Depth stands in block.parameters, too"):
        with_text(tmp_path, TABLE + with_block)


def test_a_clock_of_the_slot_is_of_a_function_of_the_bus(tmp_path: Path) -> None:
    box = (SAMPLES / "mii_box.toml").read_text()
    shutil.copytree(SAMPLES, tmp_path, dirs_exist_ok=True)
    file = tmp_path / "mii_box.toml"
    file.write_text(box.replace('frequency = "25MHz"', 'frequency = "25MHz"\nslot = true', 1))
    with pytest.raises(UsageError, match=r"slot: is of a function of the bus"):
        read(file)


def test_the_rtl_gets_sizes_in_bytes_and_the_simulator_all_values(map_: MapFile) -> None:
    assert top_parameters.compiled(map_.map) == {"Depth": 4096, "Engines": 2}
    made = json.loads(objects.bound(map_, lambda _: None))
    assert made["compiled"][0] == {
        "name": "depth",
        "value": "4KiB",
        "values": ["1KiB", "4KiB"],
        "description": "parameter Depth of little_top",
    }
    assert "parameter depth: 4KiB, one of 1KiB, 4KiB" in list(table.pins(made))
    assert design.of_map(map_).parameters == {"Depth": 4096, "Engines": 2}


@pytest.mark.parametrize(
    ("params", "values", "name"),
    [
        ({}, {}, "little"),
        ({"depth": "4KiB", "engines": 2}, {"depth": "4KiB", "engines": "2"}, "little"),
        ({"depth": "1024B"}, {"depth": "1KiB"}, "little_depth_1KiB"),
        ({"depth": 1024, "rules": "count"}, {"depth": "1KiB"}, "little_depth_1KiB"),
        (
            {"engines": 1, "depth": "1KiB"},
            {"depth": "1KiB", "engines": "1"},
            "little_depth_1KiB_engines_1",
        ),
    ],
)
def test_values_choose_a_model_of_its_own_name(
    map_: MapFile, params: Mapping[str, str | int], values: Mapping[str, str], name: str
) -> None:
    chosen = variants.chosen(map_, params, "sender.eth0")
    assert chosen == values
    made = variants.with_values(map_, chosen)
    assert made.map.block.name == name == variants.name_of(map_, chosen)
    depth = 1024 if "1KiB" in name else 4096
    assert top_parameters.compiled(made.map)["Depth"] == depth
    assert json.loads(objects.bound(made, lambda _: None))["name"] == name


def test_a_value_without_a_model_is_refused_with_those_that_there_are(map_: MapFile) -> None:
    said = r"^sender.eth0.depth: the RTL has no model with 2KiB; it may be 1KiB, 4KiB"
    with pytest.raises(UsageError, match=said):
        variants.chosen(map_, {"depth": "2KiB"}, "sender.eth0")


def config(**params: str | int) -> schema.SimConfig:
    made = Scenario("test")
    sender, receiver = (
        made.add(machines.opteron_hdama(name, nic=nics.ixgb())) for name in ("sender", "receiver")
    )
    made.link(sender.port("eth0"), receiver.port("eth0"))
    made.run_workload(traffic(sender, receiver))
    plain = config_for(made)
    device = plain.machines[0].devices[0]
    own = device.model_copy(update={"type": "little", "params": dict(params)})
    first = plain.machines[0].model_copy(update={"devices": [own]})
    return plain.model_copy(update={"machines": [first, plain.machines[1]]})


def test_a_run_loads_the_model_that_its_adapter_asks_for(
    map_: MapFile, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(rtl_models, "FOLDER", tmp_path / "tree")
    files = [map_.path]
    plain = rtl_variants.chosen(config(rules="count"), files)
    assert plain.machines[0].devices[0].type == "little"
    assert rtl_variants.loaded(files, plain) == (map_.path,)
    made = rtl_variants.chosen(config(depth="1024B", rules="count"), files)
    device = made.machines[0].devices[0]
    assert (device.type, device.params) == (
        "little_depth_1KiB",
        {"depth": "1KiB", "rules": "count"},
    )
    variant = Variant(map_.path, (("depth", "1KiB"),))
    assert rtl_variants.loaded(files, made) == (map_.path, variant)
    with pytest.raises(UsageError, match=r"sender.eth0.depth: .* it may be 1KiB, 4KiB"):
        rtl_variants.chosen(config(depth="1MiB"), files)


def test_the_trees_map_has_the_parameters_of_its_rtl() -> None:
    file = read(ROOT / "rtl" / "nic" / "ixgb.toml")
    source = (ROOT / "rtl" / "nic" / "nic_top.sv").read_text()
    for each in file.map.parameters.values():
        assert f"parameter int unsigned {each.parameter} " in source, each.parameter
    assert file.map.clocks["bus_clk_i"].slot
