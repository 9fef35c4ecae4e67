# SPDX-License-Identifier: Apache-2.0
"""A run says when its guests are made of other versions than the published figures were."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from longhaul.errors import LonghaulError
from longhaul.guest import known_versions
from longhaul.guest.kernel import KernelInfo
from longhaul.guest.parts import GuestParts


@pytest.fixture
def parts(tmp_path: Path) -> GuestParts:
    inputs = {
        "package": "6.1.192-2",
        "compiler": "gcc 12.2.0-14",
        "linker": "ld 2.40",
        "files": "x",
    }
    (tmp_path / "inputs.json").write_text(json.dumps(inputs))
    kernel = KernelInfo(tmp_path / "linux", "key", "6.1.192", "6.1.192-2", {})
    return GuestParts(kernel, Path("/b"), Path("/r"), {"libc6": "2.36-9", "iperf": "2.1.8"})


@pytest.mark.parametrize("text", ["", "[]", "{", "[" * 100_000, "\xff"])
def test_a_damaged_note_of_the_kernel_is_told(parts: GuestParts, tmp_path: Path, text: str) -> None:
    (tmp_path / "inputs.json").write_text(text, encoding="latin-1")
    with pytest.raises(LonghaulError, match=r"inputs.json: is damaged; remove its folder, and"):
        known_versions.of_guests(parts)


def test_known_versions_are_nothing_to_tell(parts: GuestParts, tmp_path: Path) -> None:
    file = tmp_path / "known.json"
    assert known_versions.warning(parts, file) == "", "nothing is known yet"
    known_versions.save(parts, file)
    assert known_versions.known(file) == {
        "linux-source-6.1": "6.1.192-2",
        "compiler": "gcc 12.2.0-14",
        "linker": "ld 2.40",
        "iperf": "2.1.8",
        "libc6": "2.36-9",
    }
    assert known_versions.differences(parts, file) == []


@pytest.mark.parametrize(
    ("packages", "told"),
    [
        ({"libc6": "2.36-10", "iperf": "2.1.8"}, "libc6 2.36-10 here, 2.36-9 there"),
        ({"libc6": "2.36-9"}, "iperf none here, 2.1.8 there"),
        (
            {"libc6": "2", "iperf": "2.1.8", "nuttcp": "8"},
            "libc6 2 here, 2.36-9 there (and 1 more: versions.differing in manifest.json)",
        ),
    ],
)
def test_another_version_is_told_in_one_line(
    parts: GuestParts, tmp_path: Path, packages: dict[str, str], told: str
) -> None:
    file = tmp_path / "known.json"
    known_versions.save(parts, file)
    line = known_versions.warning(replace(parts, packages=packages), file)
    assert line == f"these guests are not those of docs/results.md: {told}"


def test_another_compiler_of_the_kernel_is_told(parts: GuestParts, tmp_path: Path) -> None:
    file = tmp_path / "known.json"
    known_versions.save(parts, file)
    (tmp_path / "inputs.json").write_text(json.dumps({"compiler": "gcc 13", "linker": "ld 2.40"}))
    assert known_versions.differences(parts, file) == ["compiler gcc 13 here, gcc 12.2.0-14 there"]
