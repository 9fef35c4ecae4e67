# SPDX-License-Identifier: Apache-2.0
"""The module t110 is unloaded below programs, and the kernel's memory is short.

Both need a kernel with options of its own, whose first build takes some minutes.
"""

import ast

import pytest
from rig.crowds import check_nothing_is_lost, crowd, run_crowds, text_of
from rig.depth import deep_only
from rig.scenarios import Run, counted

pytestmark = deep_only
COUNT = 300
KERNEL = (
    *("DEBUG_FS=y", "DEBUG_KERNEL=y", "FAILSLAB=y", "FAULT_INJECTION=y"),
    *("FAULT_INJECTION_DEBUG_FS=y", "MODULE_UNLOAD=y"),
)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    out = tmp_path_factory.mktemp("unload") / "out"
    return run_crowds(out, text_of("t110_unload.sh", COUNT), kernel_config=KERNEL)


def test_a_module_with_connections_is_in_use_and_they_go_on(run: Run) -> None:
    check_nothing_is_lost(run, "held", COUNT)
    assert crowd(run, "held")["errors"] == "{}"


@pytest.mark.parametrize("step", ["unload", "load", "unload-again", "load-again"])
def test_it_is_unloaded_while_programs_connect_and_listen(run: Run, step: str) -> None:
    assert run.checks[step] == ""


@pytest.mark.parametrize("name", ["churn", "poor-churn"])
def test_programs_had_both_stacks_and_no_surprise(run: Run, name: str) -> None:
    counts = ast.literal_eval(run.text(name))
    assert counts["connected", "chip"] > 0
    assert counts["listened", "chip"] > 0
    if name == "churn":
        assert counts["listened", "software"] > 0
    errors = {what for what in counts if isinstance(what, str)}
    # Linux' bind() and listen() say so when no memory is there.
    short = {"ENOMEM", "ENOBUFS", "EADDRINUSE", "EADDRNOTAVAIL"} if name == "poor-churn" else set()
    assert errors <= {"ENETUNREACH", "EHOSTUNREACH", "ENETDOWN"} | short


def test_a_lack_of_memory_costs_no_connection_and_no_number(run: Run) -> None:
    check_nothing_is_lost(run, "poor", COUNT)
    assert crowd(run, "poor")["errors"] == "{}"
    assert run.checks["memory-is-back"] == run.checks["none-left"] == ""
    statistics = counted(run.text("statistics"))
    assert statistics["toe_no_memory"] > 0
    assert statistics["toe_opened"] == statistics["toe_closed"] > COUNT


def test_all_is_as_before_afterwards(run: Run) -> None:
    check_nothing_is_lost(run, "after", COUNT)
    assert crowd(run, "after")["by_chip"] == str(COUNT)
    assert run.checks["quiet-so-far"] == run.checks["quiet"] == ""
    assert run.complaints() == []
