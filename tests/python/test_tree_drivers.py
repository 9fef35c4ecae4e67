# SPDX-License-Identifier: Apache-2.0
"""Guests whose adapter only a driver of this tree drives get that driver."""

from pathlib import Path

import pytest
from longhaul import types
from longhaul.guest import own_modules
from longhaul.topology import Machine, Ping, Scenario, machines, nics, tree_drivers
from longhaul.units import ms

OWN = Path("driver")


def host(name: str, board: str | None, *modules: Path) -> Machine:
    card = nics.adapter("n110", params={"board": board} if board else {})
    return machines.xeon_533(name, nic=card, modules=modules)


def modules_of(near: Machine, far: Machine) -> dict[str, tuple[Path, ...]]:
    scenario = Scenario("two")
    ends = [scenario.add(each) for each in (near, far)]
    scenario.link(*(end.port("eth0") for end in ends))
    scenario.run_workload(Ping(sender=ends[0], receiver=ends[1], duration=ms(1)))
    return {name: software.modules for name, software in scenario.software().items()}


def test_only_the_board_without_a_driver_in_linux_gets_one() -> None:
    given = modules_of(host("a", "t110"), host("b", "t110-cx4"))
    assert [folder.name for folder in given["a"]] == ["toe"]
    assert given["b"] == modules_of(host("a", None), host("b", "n110"))["a"] == ()


def test_a_users_module_is_loaded_behind_it() -> None:
    folders = modules_of(host("a", "t110", OWN), host("b", "t110"))["a"]
    assert [folder.name for folder in folders] == ["toe", "driver"]


@pytest.mark.parametrize("driver", tree_drivers.DRIVERS)
def test_each_driver_is_there_and_names_a_board_that_is_there(
    driver: tree_drivers.TreeDriver,
) -> None:
    own_modules.check(driver.folder)
    assert driver.board in types.choices("adapter", driver.adapter, "board")
