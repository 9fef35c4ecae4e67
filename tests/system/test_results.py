# SPDX-License-Identifier: Apache-2.0
"""docs/results.md: a cheap simulated figure is repeated by the command, and is that of the page."""

import pytest
from longhaul.catalogue import values
from longhaul.cli import main

NAME = "short_run"


@pytest.fixture(autouse=True)
def in_the_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LONGHAUL_WORKSPACE", "none")  # what the command sets ends with the test


def test_a_figure_of_the_page_is_what_its_command_gives(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["results", "--check", NAME]) == 0
    assert "as on the page" in capsys.readouterr().err


def test_a_figure_that_differs_ends_the_check_with_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    there = values.load()
    figures = {what: value * 1.0001 for what, value in there[NAME].figures.items()}
    changed = there | {NAME: there[NAME].model_copy(update={"figures": figures})}
    monkeypatch.setattr(values, "load", lambda: changed)
    assert main(["results", "--check", NAME]) == 1
    assert "figures differ from the page: short_run, goodput of two" in capsys.readouterr().err
