# SPDX-License-Identifier: Apache-2.0
"""Options of a guest's own kernel: their form, and what Kconfig's rules make of them."""

from pathlib import Path

import pytest
from longhaul.errors import UsageError
from longhaul.guest import kernel, kernel_options

STANDARD = """\
# --- the machine
CONFIG_PCI=y
# --- network stack
CONFIG_INET=y
# CONFIG_HOSTFS is not set
"""
KCONFIG = """\
menuconfig OF
\tbool "Device Tree"
if OF
config OF_ADDRESS
\tdef_bool y
endif
menu "Ethernet"
\tdepends on NET
config LITEX_LITEETH
\ttristate "LiteX Ethernet support"
\tdepends on OF && HAS_IOMEM
\thelp
\t  config HELPED is a word of a help text.
config RADIO
\tbool "Radio"
endmenu
config BOTH
\tbool "Two ways" if EXPERT
\tdepends on !INET
"""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A tree that has been configured without any of the options."""
    (tmp_path / "drivers").mkdir()
    (tmp_path / "drivers/Kconfig").write_text(KCONFIG)
    (tmp_path / "arch/arm").mkdir(parents=True)
    (tmp_path / "arch/arm/Kconfig").write_text('config ARM_ONLY\n\tbool "of another one"\n')
    (tmp_path / ".config").write_text(
        "CONFIG_PCI=y\nCONFIG_INET=y\nCONFIG_HAS_IOMEM=y\n# CONFIG_OF is not set\n"
    )
    return tmp_path


def test_options_are_known_by_their_names_in_order() -> None:
    options = kernel_options.read(["OF=y", "CONFIG_HZ=250", 'CMDLINE="a b"'], STANDARD)
    assert kernel_options.texts(options) == ('CMDLINE="a b"', "HZ=250", "OF=y")
    assert kernel_options.read(["CONFIG_OF=y"], STANDARD) == kernel_options.read(["OF=y"], STANDARD)


def test_an_option_stands_in_for_that_of_the_standard_kernel() -> None:
    lines = kernel_options.wanted(STANDARD, kernel_options.read(["HOSTFS=y", "INET=n"], STANDARD))
    assert lines == ["CONFIG_PCI=y", "CONFIG_HOSTFS=y", "# CONFIG_INET is not set"]


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        (["OF"], "'OF': wants NAME=VALUE, such as OF=y"),
        (["OF=yes"], "wants NAME=VALUE"),
        (["IPVLAN=m"], "IPVLAN=m: .* IPVLAN=y builds it in"),
        (["PCI=n"], "PCI: is fixed: it makes the kernel a guest"),
        (["HZ=100", "CONFIG_HZ=250"], "HZ: is given twice, as 100 and 250"),
    ],
)
def test_what_is_no_option_is_refused(texts: list[str], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        kernel_options.read(texts, STANDARD)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("LITEX_LITETH=y", r"no such option; did you mean LITEX_LITEETH\?"),
        ("LITEX_LITEETH=y", "needs NET and OF$"),
        ("OF_ADDRESS=y", "needs OF$"),
        ("RADIO=y", "needs NET$"),
        ("BOTH=y", "needs EXPERT and !INET"),
        ("ARM_ONLY=y", "no such option"),
        ("HELPED=y", "no such option"),
    ],
)
def test_an_option_that_was_not_taken_is_told_with_what_it_lacks(
    tree: Path, text: str, said: str
) -> None:
    with pytest.raises(UsageError, match=said):
        kernel_options.check(tree, STANDARD, kernel_options.read([text], STANDARD))


def test_an_option_that_takes_a_standard_one_away_is_refused(tree: Path) -> None:
    (tree / ".config").write_text("CONFIG_PCI=y\nCONFIG_OF=y\n")
    with pytest.raises(UsageError, match="OF=y: take CONFIG_INET=y away"):
        kernel_options.check(tree, STANDARD, {"OF": "y"})


def test_what_was_taken_is_fine(tree: Path) -> None:
    (tree / ".config").write_text("CONFIG_PCI=y\nCONFIG_INET=y\nCONFIG_OF=y\n")
    kernel_options.check(tree, STANDARD, {"OF": "y", "HOSTFS": "n"})


def test_the_standard_kernels_key_is_that_of_no_options(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernel, "_package_version", lambda: "6.1.192-2")
    monkeypatch.setattr(kernel, "cache_dir", lambda: tmp_path)
    assert set(kernel.inputs({})) == {"package", "files", "compiler", "linker"}
    homes = {kernel.home_of(kernel.options(each)) for each in ((), ("OF=y",), ("HZ=250",))}
    assert len(homes) == 3
    assert kernel.home_of(kernel.options(("CONFIG_OF=y",))) in homes
    assert kernel.home_of({}) == tmp_path / f"kernel-{kernel.key()}"
