# SPDX-License-Identifier: Apache-2.0
"""The unmodified driver's probe: what it finds out about the adapter, with MSI and with INTx."""

import re

import pytest
from rig.scenarios import Run, command, pair, script, simulate

MODES = {"MSI": (), "INTx": ("pci=nomsi",)}
ENDS = ("ping4", "ping6", "largest-ping", "iperf4", "quiet")


@pytest.fixture(scope="module", params=list(MODES))
def mode(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module")
def run(mode: str, tmp_path_factory: pytest.TempPathFactory) -> Run:
    scenario, sender, receiver = pair("probe", mtu=1500, kernel_args=MODES[mode])
    out = tmp_path_factory.mktemp("probe") / "out"
    return simulate(scenario, command(sender, receiver, script("probe.sh", SELF_TEST="1")), out)


def test_the_driver_takes_the_adapter_and_the_link_comes_up(run: Run) -> None:
    dmesg = run.text("dmesg")
    assert "ixgb 0000:00:01.0 eth0: Intel(R) PRO/10GbE Network Connection" in dmesg
    assert "eth0: NIC Link is Up 10 Gbps Full Duplex" in dmesg
    assert "Link detected: yes" in run.text("link")
    assert "driver: ixgb\nversion: 6.1." in run.text("driver")


def test_the_driver_reads_pci_x_at_133_mhz_and_64_bit_from_the_status_register(run: Run) -> None:
    registers = run.text("registers")
    assert re.search(r"Bus type: +PCI-X\n +Bus speed: +133MHz\n +Bus width: +64-bit\n", registers)
    assert re.search(r"Link up: +link config\n", registers)
    assert "64bit+ 133MHz+" in run.text("pci")


def test_the_driver_set_up_the_rings_it_says(run: Run) -> None:
    registers = run.text("registers")
    lengths = {k: int(v, 16) for k, v in re.findall(r": ([RT]DLEN) .*(0x\w+)$", registers, re.M)}
    assert lengths == {"RDLEN": 512 * 16, "TDLEN": 256 * 16}


def test_the_eeprom_is_the_adapters(run: Run) -> None:
    words = [int(word) for word in run.text("eeprom-words").split()]
    assert len(words) == 64
    assert sum(words) & 0xFFFF == 0xBABA
    assert words[0xA] & 0xC000 == 0x4000  # the signature that the driver wants
    assert words[0xD] == 0x1A48  # device
    octets = b"".join(word.to_bytes(2, "little") for word in words[:3])
    assert octets.hex(":") == run.text("address").strip()


def test_a_driver_without_tests_says_so(run: Run) -> None:
    """ixgb_ethtool_ops of Linux 6.1 has no self_test. Traffic comes after it."""
    assert "Operation not supported" in run.text("self-test")


def test_two_adapters_have_two_addresses(run: Run) -> None:
    assert run.text("address").strip() == "00:07:e9:00:00:01"
    assert "00:07:e9:00:00:02" not in run.text("address")


def test_interrupts_come_the_way_that_was_chosen(run: Run, mode: str) -> None:
    line = run.text("interrupts-after")
    pci = run.text("pci")
    assert mode in line
    assert ("MSI: Enable+" in pci, "DisINTx+" in pci) == ((mode == "MSI"),) * 2
    messages = run.until_end("sender.bridge.messages")
    assert (messages > 0) == (mode == "MSI")


def test_every_interrupt_is_taken_once(run: Run, mode: str) -> None:
    """A level still asserted after ICR was read would be taken again, a lost edge not at all."""
    assert run.sim.counter("sender.eth0.interrupts") > 100
    run.check_interrupts(mode)


@pytest.mark.parametrize("name", ENDS)
def test_traffic_works(run: Run, name: str) -> None:
    assert run.checks[name] == ""


def test_devices_reach_all_memory_but_the_kernels_image(run: Run) -> None:
    """A smaller bound loses DMA in a hole of the shared RAM, a larger one aborts good DMA."""
    image = run.kernel_symbol("_end") - (run.kernel_symbol("__binary_start") & ~0xFFF)
    for machine in ("sender", "receiver"):
        begin = run.until_end(f"{machine}.guest.ram_begin")
        assert image <= begin < image + (1 << 20)  # behind the image lies what libc took at boot
        assert begin % 4096 == 0
        assert run.until_end(f"{machine}.pcix.target_aborts") == 0


def test_no_kernel_complains(run: Run) -> None:
    assert run.complaints() == []
