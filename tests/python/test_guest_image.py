# SPDX-License-Identifier: Apache-2.0
"""The guests' disks: equal bytes from equal files, and no word of the host's processor in them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from longhaul.errors import LonghaulError
from longhaul.guest import elf
from longhaul.guest import image as guest_image
from longhaul.guest import root as guest_root
from longhaul.paths import ROOT

SOURCE = """
unsigned long long both(void) {
  unsigned int a = 0, b, c, d;
  __asm__ volatile("cpuid" : "+a"(a), "=b"(b), "=c"(c), "=d"(d));
  unsigned int low, high;
  __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
  /* The bytes of both inside another instruction are no instructions. */
  __asm__ volatile("movl $0x310fa20f, %%eax" : : : "eax");
  return a + low;
}
int main(void) { return (int)both(); }
"""


def instructions(path: Path) -> list[str]:
    command = ["objdump", "-d", "--no-show-raw-insn", str(path)]
    listing = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return re.findall(r"\t(cpuid|rdtsc)", listing)


@pytest.fixture
def program(tmp_path: Path) -> Path:
    (tmp_path / "both.c").write_text(SOURCE)
    out = tmp_path / "both"
    subprocess.run(["gcc", "-O1", "-static", "-o", out, tmp_path / "both.c"], check=True)
    return out


def test_what_tells_of_the_processor_is_replaced_and_nothing_else(
    program: Path, tmp_path: Path
) -> None:
    before = program.read_bytes()
    there = instructions(program)
    assert {"cpuid", "rdtsc"} <= set(there)
    assert guest_image.trap(program) == there.count("cpuid") + there.count("rdtsc")
    after = program.read_bytes()
    assert b"\xb8\x0f\xa2\x0f\x31" in after  # the mov of `both`
    changed = [i for i, pair in enumerate(zip(before, after, strict=True)) if pair[0] != pair[1]]
    assert len(changed) == there.count("cpuid") + there.count("rdtsc")  # 0f a2, 0f 31: one byte
    assert {(before[i], after[i]) for i in changed} == {(0xA2, 0xFF), (0x31, 0xB9)}


def test_the_guests_kernel_knows_the_same_opcodes() -> None:
    text = (ROOT / "sw/linux/um/programs/longhaul_cpu.c").read_text()
    for name, (_, stand_in) in guest_image.TRAPPED.items():
        octets = ", ".join(f"{octet:#04x}" for octet in stand_in)
        assert f"stands_for_{name}[OPCODE_BYTES] = {{ {octets} }};" in text


def test_other_bytes_than_expected_are_not_overwritten(program: Path) -> None:
    before = program.read_bytes()
    (start,) = (s[3] for s in elf.segments(before) if s[0] == 1 and s[2] == 0)
    with pytest.raises(ValueError, match="has 7f45 at 0x.*, not 0fa2"):
        elf.patch(program, {start: b"\x0f\xff"}, before={start: b"\x0f\xa2"})
    assert program.read_bytes() == before


def fill(folder: Path, names: list[str]) -> Path:
    """Make files in this order, which a host's file system may keep."""
    (folder / "sub").mkdir(parents=True)
    for name in names:
        (folder / name).write_text(f"{name}\n" * 100)
    (folder / "link").symlink_to("b")
    return folder


def test_order_place_time_and_owner_of_files_do_not_reach_an_image(tmp_path: Path) -> None:
    names = ["a", "b", "sub/c", "sub/d"]
    first = fill(tmp_path / "first", names)
    second = fill(tmp_path / "some" / "other place", names[::-1])
    for path in second.rglob("*"):
        os.utime(path, (10**9, 10**9), follow_symlinks=False)
    if os.geteuid() == 0:
        os.chown(second / "a", 1234, 1234)
    images = [tmp_path / "first.erofs", tmp_path / "second.erofs"]
    for folder, image in zip((first, second), images, strict=True):
        guest_image.of_folder(folder, image)
    assert images[0].read_bytes() == images[1].read_bytes()
    (second / "a").write_text("b")
    guest_image.of_folder(second, images[1])
    assert images[0].read_bytes() != images[1].read_bytes()
    assert {path.suffix for path in tmp_path.iterdir() if path.is_file()} == {".erofs"}


def test_the_image_of_the_root_is_the_same_bytes_again(tmp_path: Path) -> None:
    try:
        root = guest_root.ensure(lambda _: None)
    except LonghaulError as error:
        pytest.skip(str(error))
    image = guest_root.image(root, lambda _: None)
    again = tmp_path / "again.erofs"
    mask = os.umask(0o077)
    try:
        guest_image.of_root(root, again)
    finally:
        os.umask(mask)
    assert again.read_bytes() == image.read_bytes()


def test_a_missing_tool_is_named_with_its_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(LonghaulError, match=r"^mkfs\.erofs is missing; .* install erofs-utils$"):
        guest_image.of_folder(tmp_path, tmp_path / "image")
    with pytest.raises(LonghaulError, match=r"^mkfs\.erofs is missing; .* install erofs-utils$"):
        guest_image.tools()


def test_an_image_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    images = tmp_path / "images"
    images.mkdir()
    with pytest.raises(LonghaulError, match=r"'mkfs\.erofs .*' failed: "):
        guest_image.of_folder(tmp_path / "nothing", images / "image")
    assert not list(images.iterdir())
    assert shutil.which("mkfs.erofs")
