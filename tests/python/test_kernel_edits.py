# SPDX-License-Identifier: Apache-2.0
"""The kernel's edits know the forms of the package's updates, and say so when it has moved on."""

from pathlib import Path
from types import ModuleType

import pytest
from longhaul.guest import kernel_edits


@pytest.fixture
def edits() -> ModuleType:
    return kernel_edits.load()


def lay_out(edits: ModuleType, tree: Path, form: int, options: tuple[str, ...] = ()) -> None:
    """Makes a tree in which each edit's text stands once; of several forms, the one numbered."""
    for new in edits.files(options):
        (tree / new.target).parent.mkdir(parents=True, exist_ok=True)
    for edit in edits.edits(options):
        path = tree / edit.target
        path.parent.mkdir(parents=True, exist_ok=True)
        old = edit.old if isinstance(edit.old, str) else edit.old[form]
        with path.open("a") as out:
            out.write(old + "\n")


@pytest.mark.parametrize("form", [0, 1])
def test_every_known_form_of_the_package_is_edited(
    edits: ModuleType, tmp_path: Path, form: int
) -> None:
    lay_out(edits, tmp_path, form)
    edits.apply(tmp_path)
    assert "schedule()" not in (tmp_path / "arch/um/kernel/skas/syscall.c").read_text()
    assert (
        "longhaul_syscall_entered()"
        in (tmp_path / "arch/x86/um/shared/sysdep/syscalls_64.h").read_text()
    )


def test_a_package_that_moved_on_is_named_by_file_and_reason(
    edits: ModuleType, tmp_path: Path
) -> None:
    lay_out(edits, tmp_path, 0)
    moved = tmp_path / "arch/um/kernel/skas/uaccess.c"
    moved.write_text("nothing that we know\n")
    with pytest.raises(ValueError, match=r"arch/um/kernel/skas/uaccess\.c: .* 0 times, not once"):
        edits.apply(tmp_path)


def test_two_forms_at_once_are_refused(edits: ModuleType, tmp_path: Path) -> None:
    lay_out(edits, tmp_path, 0)
    path = tmp_path / "arch/um/kernel/skas/syscall.c"
    other = next(e.old[1] for e in edits.edits() if not isinstance(e.old, str))
    path.write_text(path.read_text() + other)
    with pytest.raises(ValueError, match="2 times"):
        edits.apply(tmp_path)


def test_what_an_option_brings_is_of_kernels_with_that_option(
    edits: ModuleType, tmp_path: Path
) -> None:
    platform = tmp_path / "with/arch/um/drivers/longhaul_platform.c"
    for folder, options in (("without", ()), ("with", ("OF",))):
        lay_out(edits, tmp_path / folder, 0, options)
        makefile = tmp_path / folder / "arch/um/drivers/Makefile"
        text = makefile.read_text().replace("obj-$(CONFIG_UML_RTC) += rtc.o\n", "", 1)
        makefile.write_text(text + "obj-$(CONFIG_UML_RTC) += rtc.o\n" * (folder == "without"))
        edits.apply(tmp_path / folder, options)
    assert platform.is_file()
    assert not (tmp_path / "without/arch/um/drivers/longhaul_platform.c").exists()
    standard = kernel_edits.checksum()
    assert standard == kernel_edits.checksum(("HZ",)) != kernel_edits.checksum(("OF",))
