# SPDX-License-Identifier: Apache-2.0
"""Compiled templates are kept in the cache folder; whatever lies there, a page comes out."""

from pathlib import Path

import pytest
from longhaul.report.page import template


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of compiled templates in a cache of its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "longhaul" / "templates"


def style() -> str:
    """A template that needs no figures, filled in."""
    return template("style.css").render()


def test_a_template_is_compiled_once(kept: Path) -> None:
    first = style()
    [compiled] = kept.iterdir()
    written = compiled.stat().st_mtime_ns
    assert style() == first and "--soft" in first
    assert compiled.stat().st_mtime_ns == written


@pytest.mark.parametrize("content", [b"", b"j2", b"\xff" * 200])
def test_what_is_damaged_is_compiled_again(kept: Path, content: bytes) -> None:
    first = style()
    [compiled] = kept.iterdir()
    whole = compiled.read_bytes()
    for damaged in (content, whole[: len(whole) // 2]):
        compiled.write_bytes(damaged)
        assert style() == first
        assert compiled.read_bytes() == whole


def test_a_cache_that_cannot_be_used_keeps_nothing(kept: Path) -> None:
    kept.parent.mkdir()
    kept.write_text("a file is in the folder's place")
    assert "--soft" in style()
