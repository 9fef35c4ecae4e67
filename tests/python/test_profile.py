# SPDX-License-Identifier: Apache-2.0
"""From counted addresses to functions and call paths."""

from pathlib import Path

import pytest
from longhaul.results import profile

MAP = """\
60001000 T do_syscall
60002000 t tcp_sendmsg.constprop.0
60003000 T _copy_from_iter
60004000 T longhaul_charge_quietly
60005000 t due
60006000 T longhaul_block_slow
60007000 T do_IRQ
60008000 t longhaul_take_irq
60009000 T ixgb_intr
6000a000 D data
"""


@pytest.fixture
def raw(tmp_path: Path) -> Path:
    (tmp_path / "System.map").write_text(MAP)
    (tmp_path / "profile-sender.blocks").write_text(
        "60001010 10 1000 0\n60002010 3 600 24\n60002040 1 400 12\n60009010 2 50 0\n"
    )
    (tmp_path / "profile-sender.stacks").write_text(
        # kind state weight, innermost first: code, with the frames of what counts it
        "0 1 2 60005010 60006010 60002010 60001010\n"
        # a copy, asked for by _copy_from_iter
        "1 1 3 60004010 60003010 60002010 60001010\n"
        # MMIO in an interrupt that interrupted tcp_sendmsg
        "2 3 1 60009010 60007010 60008010 60002010 60001010\n"
    )
    return tmp_path


def load(raw: Path) -> profile.Profile:
    symbols = profile.Symbols(raw / "System.map")
    found = profile.load(raw, "sender", symbols, clock_hz=2e9, period_s=1e-5)
    assert found
    return found


def test_code_is_exact_and_the_rest_is_sampled(raw: Path) -> None:
    functions = {f.function: f for f in load(raw).functions}
    assert functions["tcp_sendmsg"].code == 1000
    assert functions["tcp_sendmsg"].fetch == 36
    assert functions["tcp_sendmsg"].cycles == 1036
    assert functions["tcp_sendmsg"].blocks == 4
    assert functions["_copy_from_iter"].work == 3 * 20_000
    assert functions["ixgb_intr"].mmio == 20_000
    assert functions["ixgb_intr"].cycles == 20_050


def test_dearest_function_comes_first(raw: Path) -> None:
    assert [f.function for f in load(raw).functions] == [
        "_copy_from_iter",
        "ixgb_intr",
        "tcp_sendmsg",
        "do_syscall",
    ]


def test_paths_begin_with_the_state_and_leave_out_the_accounting(raw: Path) -> None:
    assert load(raw).paths == {
        ("system", "do_syscall", "tcp_sendmsg"): 40,
        ("system", "do_syscall", "tcp_sendmsg", "_copy_from_iter", "[copy, checksum, entry]"): 60,
        ("hardirq", "ixgb_intr", "[MMIO]"): 20,
    }


def test_files_read_back_as_written(raw: Path, tmp_path: Path) -> None:
    found = load(raw)
    profile.write(found, tmp_path, "sender")
    assert profile.read_functions(tmp_path, "sender") == found.functions
    assert profile.read_paths(tmp_path, "sender") == found.paths


def test_machine_without_a_profile_has_none(tmp_path: Path, raw: Path) -> None:
    symbols = profile.Symbols(raw / "System.map")
    assert profile.load(raw, "other", symbols, clock_hz=1e9, period_s=1e-5) is None
    assert profile.read_functions(tmp_path, "other") == []
    assert profile.read_paths(tmp_path, "other") == {}


def test_tree_sums_children_into_parents_and_drops_crumbs(raw: Path) -> None:
    paths = load(raw).paths | {("user", "tiny"): 0}
    drawn = profile.tree(paths, least_share=0.2)
    by_id = dict(zip(drawn["ids"], drawn["values"], strict=True))
    assert by_id["all"] == 120
    assert by_id["system/do_syscall/tcp_sendmsg"] == 100
    assert not any("hardirq" in str(name) for name in drawn["ids"])


def test_functions_of_modules_are_named_with_them(raw: Path) -> None:
    """Modules lie below the kernel; one called like a part of the accounting is shown."""
    (raw / "profile-sender.symbols").write_text(
        "50000000 charge [spin]\n50000100 spin.cold [spin]\n"
    )
    (raw / "profile-sender.blocks").write_text("50000010 5 70 0\n50000110 1 9 0\n60001010 1 2 0\n")
    (raw / "profile-sender.stacks").write_text("0 1 2 50000010 60001010\n")
    symbols = profile.Symbols(raw / "System.map").with_modules(raw / "profile-sender.symbols")
    found = profile.load(raw, "sender", symbols, clock_hz=2e9, period_s=1e-5)
    assert found
    rows = {f.function: (f.code, f.blocks) for f in found.functions}
    assert rows == {"charge [spin]": (70, 5), "spin [spin]": (9, 1), "do_syscall": (2, 1)}
    assert list(found.paths) == [("system", "do_syscall", "charge [spin]")]
