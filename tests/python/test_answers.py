# SPDX-License-Identifier: Apache-2.0
"""Answers are kept while the files behind them are the same, and not a moment longer."""

import hashlib
import os
from pathlib import Path

import pytest
from longhaul import answers
from longhaul.guest import dpkg


class Oracle:
    """Counts how often it is asked."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, *_: object) -> str:
        self.asked += 1
        return f"answer {self.asked}"


@pytest.fixture
def settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let files that were just written count as settled."""
    monkeypatch.setattr(answers, "SETTLED_S", -1.0)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "file"
    path.write_text("one")
    return path


@pytest.mark.usefixtures("settled")
def test_the_second_time_nobody_is_asked(file: Path) -> None:
    oracle = Oracle()
    assert [answers.kept("what", [file], oracle) for _ in range(3)] == ["answer 1"] * 3
    assert answers.kept("what else", [file], oracle) == "answer 2"


@pytest.mark.usefixtures("settled")
def test_a_change_of_the_file_is_seen_even_if_size_and_time_are_the_same(file: Path) -> None:
    oracle = Oracle()
    before = file.stat()
    answers.kept("what", [file], oracle)
    file.write_text("two")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert answers.kept("what", [file], oracle) == "answer 2"
    other = file.with_name("other")
    other.write_text("two")
    other.replace(file)
    assert answers.kept("what", [file], oracle) == "answer 3"


def test_what_has_just_changed_is_not_kept(file: Path) -> None:
    oracle = Oracle()
    assert [answers.kept("what", [file], oracle) for _ in range(2)] == ["answer 1", "answer 2"]


@pytest.mark.usefixtures("settled")
def test_without_one_of_the_files_nothing_is_kept(file: Path) -> None:
    oracle = Oracle()
    files = [file, file.with_name("none")]
    assert [answers.kept("what", files, oracle) for _ in range(2)] == ["answer 1", "answer 2"]


@pytest.mark.usefixtures("settled")
def test_a_damaged_note_is_asked_for_again(file: Path, own_cache: Path) -> None:
    oracle = Oracle()
    answers.kept("what", [file], oracle)
    (note,) = (own_cache / "longhaul" / "answers").iterdir()
    for text in ("", "{", "[]", '{"question": "what"}'):
        note.write_text(text)
        assert answers.kept("what", [file], oracle) == f"answer {oracle.asked}"
    assert oracle.asked == 5


@pytest.mark.usefixtures("settled")
def test_a_file_that_changes_while_its_answer_is_made_is_asked_again(file: Path) -> None:
    oracle = Oracle()

    def ask() -> str:
        file.write_text("changed meanwhile")
        return oracle()

    answers.kept("what", [file], ask)
    assert answers.kept("what", [file], oracle) == "answer 2"


@pytest.mark.usefixtures("settled")
def test_sums_are_those_of_the_bytes(file: Path) -> None:
    for _ in range(2):
        assert answers.sha256(file) == hashlib.sha256(b"one").hexdigest()
    file.write_text("two")
    assert answers.sha256(file) == hashlib.sha256(b"two").hexdigest()


@pytest.mark.usefixtures("settled")
def test_dpkg_is_asked_again_after_it_changed_its_notes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes, tool = tmp_path / "dpkg", tmp_path / "dpkg-query"
    (notes / "updates").mkdir(parents=True)
    (notes / "status").write_text("Package: a\n")
    tool.write_text("#!/bin/sh\n")
    tool.chmod(0o755)
    monkeypatch.setattr(dpkg, "NOTES", notes)
    monkeypatch.setenv("PATH", str(tmp_path))
    oracle = Oracle()
    assert [dpkg.query(["-W", "a"], oracle) for _ in range(2)] == ["answer 1"] * 2
    assert dpkg.query(["-W", "b"], oracle) == "answer 2"
    (notes / "updates" / "0001").write_text("Package: b\n")
    assert dpkg.query(["-W", "a"], oracle) == "answer 3"
    (notes / "status").write_text("Package: b\n")
    assert dpkg.query(["-W", "a"], oracle) == "answer 4"
    monkeypatch.setenv("DPKG_ADMINDIR", str(tmp_path))
    assert [dpkg.query(["-W", "a"], oracle) for _ in range(2)] == ["answer 5", "answer 6"]
