# SPDX-License-Identifier: Apache-2.0
"""Where a kernel keeps its fields: what the compiler is asked, and how its answer is read."""

import subprocess
from pathlib import Path

import pytest
from longhaul.guest import kernel_layout

MAP = """\
0000000060001000 T _text
00000000607bda00 b uml_physmem
000000006080f160 b tcp_hashinfo
000000006080f170 b tcp_hashinfo_other
"""

# The parts of the kernel that the source asks about, in a form that any compiler knows.
KERNEL = """\
#include <stddef.h>
typedef unsigned long long u64;
#define HZ 250
#define __section(name) __attribute__((section(name)))
#define __used __attribute__((used))
#define sizeof_field(type, member) sizeof(((type *)0)->member)
struct small { char pad[3]; unsigned char low : 2, state : 5; int value; };
"""


def test_symbols_are_those_of_the_map() -> None:
    assert kernel_layout.symbols(MAP) == {"uml_physmem": 0x607BDA00, "tcp_hashinfo": 0x6080F160}
    with pytest.raises(ValueError, match="no tcp_hashinfo"):
        kernel_layout.symbols(MAP.replace("tcp_hashinfo", "other"))


@pytest.mark.parametrize(
    ("image", "expected"),
    [
        (bytes([0, 0, 0x1F, 0]), {"offset": 2, "bytes": 1, "mask": 0x1F}),
        (bytes([0, 0xE0, 0x03]), {"offset": 1, "bytes": 2, "mask": 0x3E0}),
    ],
)
def test_a_bit_field_is_where_its_bits_are(image: bytes, expected: dict[str, int]) -> None:
    assert kernel_layout.bit_field(image) == expected


def test_a_bit_field_without_bits_is_an_error() -> None:
    with pytest.raises(ValueError, match="leaves no bit"):
        kernel_layout.bit_field(bytes(8))


def test_what_the_compiler_says_comes_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel_layout, "FIELDS", {"value": ("small", "value")})
    monkeypatch.setattr(kernel_layout, "BIT_FIELDS", {"state": ("small", "state")})
    monkeypatch.setattr(kernel_layout, "WHOLE", {"small": "small"})
    body = [line for line in kernel_layout.source().splitlines() if "#include" not in line]
    source = tmp_path / "layout.c"
    source.write_text(KERNEL + "\n".join(body) + "\n")
    subprocess.run(["gcc", "-c", "-o", tmp_path / "layout.o", source], check=True)
    assert kernel_layout.read_object(tmp_path / "layout.o") == {
        "hz": 250,
        "fields": {
            "value": {"offset": 4, "bytes": 4},
            "small": {"offset": 0, "bytes": 8},
            "state": {"offset": 3, "bytes": 1, "mask": 0x7C},
        },
    }


def test_another_set_of_fields_is_another_file(monkeypatch: pytest.MonkeyPatch) -> None:
    before = kernel_layout.file_name()
    monkeypatch.setitem(kernel_layout.FIELDS, "reordering", ("tcp_sock", "reordering"))
    assert kernel_layout.file_name() != before
