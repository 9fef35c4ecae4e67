# SPDX-License-Identifier: Apache-2.0
"""A figure far from the published one shows its stated reason; a run's speed is its window's."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from conftest import Cli
from longhaul import registry
from longhaul.published import reasons
from longhaul.sweeps import points_table
from longhaul.sweeps.points import Point, Status
from rich.console import Console
from support.pages import Page

TWO_TIMERS = "two timers of the driver"
OWN_ACKS = "The receiver's own acknowledgements interrupt it"


@pytest.fixture
def far_off(cli: Cli, tmp_path: Path) -> Path:
    """Return a run with 21,000 interrupts/s, where 5236 are published."""
    assert cli("run", "ixgb_b2b", "--out", "a").returncode == 0
    path = tmp_path / "a" / "results.json"
    results = json.loads(path.read_text())
    case = results["cases"][0]
    assert TWO_TIMERS in case["error_reason"]["receiver.irq_per_s"].lower()
    case["measured"]["receiver"]["irq_per_s"] = 21_000
    case["error_pct"]["receiver.irq_per_s"] = 301.07
    path.write_text(json.dumps(results))
    return tmp_path / "a"


def test_a_run_shows_why_a_figure_is_far_off(cli: Cli, far_off: Path) -> None:
    said = cli("report", "a").stdout
    assert re.search(r"receiver interrupts +21.000 +1/s +published 5.236 \(\+301\.1 %\)", said)
    (why,) = re.findall("Why receiver interrupts beyond 20 %: (.*)", said)
    assert why.startswith(OWN_ACKS)
    assert why.endswith("(docs/opteron_10g.md, Table 4).")
    assert TWO_TIMERS not in why.lower()  # the page tells the rest
    text = (far_off / "report.html").read_text()
    assert Page(text).open == []
    assert re.search(rf"(?i)\+301\.1 %.*\n.*<b>Why:</b> .*{TWO_TIMERS}", text)


@pytest.mark.parametrize(
    ("reason", "said"),
    [
        ("One sentence of 1.0.110 (docs/a.md, Table 4)", None),
        (
            "First of 1.0.110. Second: third (docs/a.md, Table 4)",
            "First of 1.0.110 (docs/a.md, Table 4)",
        ),
        ("First. Second: docs/b.md, Tables 5 and 6", "First (docs/b.md, Tables 5 and 6)"),
        ("First. Second", "First (the page has the rest)"),
    ],
)
def test_a_terminal_shows_the_first_sentence_and_where_the_rest_is(
    reason: str, said: str | None
) -> None:
    assert reasons.brief(reason) == (said or reason)


def test_a_figure_that_is_near_needs_no_reason(cli: Cli, tmp_path: Path) -> None:
    assert "Why " not in cli("run", "ixgb_b2b", "--out", "a").stdout
    assert "<b>Why:</b>" not in (tmp_path / "a" / "report.html").read_text()


def test_a_reason_that_is_missing_is_said_to_be() -> None:
    case: dict[str, Any] = {"error_pct": {"a": 20.1, "b": -20.1, "c": 20.0}}
    assert reasons.of_case(case) == dict.fromkeys("ab", reasons.NO_REASON)
    assert reasons.of_case(case | {"error_reason": {"a": "because"}})["a"] == "because"


def test_a_table_of_points_tells_each_reason_once() -> None:
    result: dict[str, Any] = {
        "measured": {"goodput_gbps": 3.0},
        "reference": {"goodput_gbps": 6.0},
        "error_pct": {"goodput_gbps": -50.0},
        "error_reason": {"goodput_gbps": "slow start"},
        "bottleneck": {"what": "loss", "why": "", "evidence": {}},
    }
    points = [
        Point((f"ip={ip}",), ip, Status.DONE, "", {"ip": ip}, result=result, headline=())
        for ip in ("v4", "v6")
    ]
    console = Console(width=200, record=True, quiet=False, file=None, force_terminal=False)
    with console.capture() as said:
        points_table.show(points, "ixgb_b2b", console)
    assert said.get().count("slow start") == 1
    assert "Why beyond 20 %: goodput ip=v4; goodput ip=v6: slow start." in said.get()


def test_every_row_of_intels_adapter_in_table_4_has_a_reason_and_where_to_look() -> None:
    for name in ("ixgb_b2b", "ixgb_wan", "opteron_table4"):
        for row in registry.find(name).references.rows:
            if "receiver.irq_per_s" in row.reference and row.where.get("card") in (None, "ixgb"):
                said = row.reason_of("receiver.irq_per_s")
                assert TWO_TIMERS in said.lower() and "docs/opteron_10g.md, Table 4" in said


def test_the_speed_that_is_told_is_the_windows(cli: Cli, tmp_path: Path) -> None:
    """2.4 s took 7.5 s, most of them before the window; its own second took 5.5 s."""
    said = cli("run", "ixgb_b2b", "--out", "a").stdout
    assert (
        "2.400 s simulated in 7.5 s; measured window 1.000 s in 5.5 s, "
        "5.500 s of wall per simulated second" in said
    )
    results = json.loads((tmp_path / "a" / "results.json").read_text())
    assert results["window_wall_per_simulated_s"] == 5.5
    text = (tmp_path / "a" / "report.html").read_text()
    assert re.search(
        r"wall per simulated second of the window</div><div class=\"value\">5\.500<", text
    )
    assert "the measured window of 1 s in 5.500 s" in text
    assert ">3.125<" not in text
