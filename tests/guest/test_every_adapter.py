# SPDX-License-Identifier: Apache-2.0
"""Every type of adapter does its work under its unmodified Linux driver.

A new type is tested by being there: it needs nothing here. Types with tests of their own do the
same there, with more traffic.
"""

import pytest
from longhaul import types
from longhaul.paths import ROOT
from rig import wire
from rig.scenarios import EVERY_ADAPTER, Run, every_adapter

GUEST = ROOT / "tests" / "guest"
ELSEWHERE = {
    "ixgb": "test_traffic.py",
    "e1000": "test_e1000.py",
    "genesis": "test_genesis.py",
    "n110": "test_n110.py",
}
HERE = [
    name
    for name in types.names("adapter")
    if types.find("adapter", name).linux_driver is not None and name not in ELSEWHERE
]


@pytest.mark.parametrize("name", ELSEWHERE)
def test_the_others_do_it_in_their_own_file(name: str) -> None:
    text = (GUEST / ELSEWHERE[name]).read_text()
    assert f'every_adapter("{name}", ' in text
    assert "check_every_adapter(every, " in text


@pytest.fixture(scope="module", params=HERE)
def adapter(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module")
def run(adapter: str, tmp_path_factory: pytest.TempPathFactory) -> Run:
    return every_adapter(adapter, tmp_path_factory.mktemp(adapter) / "out")


def test_its_driver_has_it(run: Run, adapter: str) -> None:
    assert f"driver: {types.linux_driver(adapter).module}\n" in run.text("driver")


@pytest.mark.parametrize("name", EVERY_ADAPTER)
def test_it_works(run: Run, name: str) -> None:
    assert run.checks[name] == ""


def test_the_script_checks_nothing_else(run: Run) -> None:
    assert set(run.checks) == set(EVERY_ADAPTER)


def test_no_kernel_complains(run: Run) -> None:
    assert run.complaints() == []


def test_every_checksum_on_the_wire_is_right(run: Run) -> None:
    assert wire.wrong(run.folder / "cable.pcapng") == []


def test_nothing_is_lost_on_the_cable(run: Run) -> None:
    assert run.until_end("cable.a_to_b.lost") == run.until_end("cable.b_to_a.lost") == 0
