# SPDX-License-Identifier: Apache-2.0
"""One holder at a time, and a word to those who wait."""

import threading
from pathlib import Path

from longhaul import file_lock


def test_who_waits_says_so_and_comes_in_when_the_holder_leaves(tmp_path: Path) -> None:
    path = tmp_path / "made" / ".lock"
    waits, order = threading.Event(), list[str]()

    def second() -> None:
        with file_lock.held(path, waits.set):
            order.append("second")

    with file_lock.held(path, lambda: order.append("waited")):
        other = threading.Thread(target=second)
        other.start()
        assert waits.wait(20)
        order.append("first")
    other.join(20)
    assert order == ["first", "second"]


def test_a_free_lock_is_taken_without_a_word(tmp_path: Path) -> None:
    said: list[str] = []
    for _ in range(2):
        with file_lock.held(tmp_path / ".lock", lambda: said.append("waits")):
            pass
    assert said == []
