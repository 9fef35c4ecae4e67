# SPDX-License-Identifier: Apache-2.0
"""The coupling to the simulator: page, exchanges, time, RAM, disks and PCI."""

from .accounting import HOOK
from .kinds import Edit, NewFile

FILES = [
    NewFile(
        "longhaul_abi.h",
        "arch/um/include/shared/longhaul_abi.h",
        "the protocol, shared with the simulator",
    ),
    NewFile(
        "um/host/longhaul_os.c",
        "arch/um/os-Linux/longhaul_os.c",
        "host side of the coupling: page, futex, randomness",
    ),
    NewFile(
        "um/host/longhaul_os.h",
        "arch/um/include/shared/longhaul_os.h",
        "declarations of that file",
    ),
    NewFile(
        "um/core/longhaul_core.c",
        "arch/um/kernel/longhaul_core.c",
        "exchanges, work, interrupts",
    ),
    NewFile(
        "um/core/longhaul_core.h",
        "arch/um/include/shared/longhaul_core.h",
        "declarations of that file",
    ),
    NewFile("um/devices/longhaul_disk.c", "arch/um/drivers/longhaul_disk.c", "read-only disks"),
    NewFile("um/devices/longhaul_pci.c", "arch/um/drivers/longhaul_pci.c", "PCI host bridge"),
    NewFile("um/proc/longhaul_proc.c", "arch/um/drivers/longhaul_proc.c", "/proc/longhaul"),
    NewFile(
        "um/devices/time.c",
        "arch/um/kernel/time.c",
        "simulated time is the guest's only clock",
    ),
    NewFile(
        "um/start/longhaul_start.c",
        "arch/um/os-Linux/longhaul_start.c",
        "attaches the kernel to its simulator",
    ),
]

HOST_OBJECTS = (
    "longhaul_start.o longhaul_os.o longhaul_confine.o longhaul_stub_filter.o "
    "longhaul_stub_start.o longhaul_stub.o longhaul_stub_frame.o longhaul_userspace.o"
)

EDITS = [
    Edit(
        "arch/um/kernel/Makefile",
        "obj-$(CONFIG_BLK_DEV_INITRD) += initrd.o",
        "obj-y += longhaul_core.o longhaul_blocks.o longhaul_cpu.o longhaul_fault.o "
        "longhaul_processes.o longhaul_fp.o longhaul_bases.o\nobj-$(CONFIG_BLK_DEV_INITRD) += initrd.o",
        "build the coupling",
    ),
    Edit(
        "arch/um/os-Linux/Makefile",
        "obj-y = execvp.o file.o",
        f"obj-y = {HOST_OBJECTS} execvp.o file.o",
        "build the coupling",
    ),
    Edit(
        "arch/um/os-Linux/Makefile",
        "USER_OBJS := $(user-objs-y) elf_aux.o",
        f"USER_OBJS := $(user-objs-y) {HOST_OBJECTS} elf_aux.o",
        "the host side is compiled against the host's libc",
    ),
    Edit(
        "arch/um/drivers/Makefile",
        "obj-$(CONFIG_UML_RTC) += rtc.o",
        "obj-$(CONFIG_UML_RTC) += rtc.o\n"
        "obj-$(CONFIG_LONGHAUL) += longhaul_pci.o longhaul_disk.o longhaul_account.o longhaul_proc.o\n"
        "obj-$(CONFIG_LONGHAUL) += longhaul_bench.o\n"
        f"CFLAGS_longhaul_bench.o += {HOOK}",
        "build the coupling",
    ),
    Edit(
        "arch/um/drivers/Kconfig",
        "config UML_PCI_OVER_VIRTIO\n",
        "config LONGHAUL\n"
        '\tbool "Guest of longhaul-sim"\n'
        "\tselect FORCE_PCI\n"
        "\tselect UML_IOMEM_EMULATION\n"
        "\tselect UML_DMA_EMULATION\n"
        "\tselect PCI_MSI\n"
        "\tselect PCI_MSI_IRQ_DOMAIN\n"
        "\tselect PCI_LOCKLESS_CONFIG\n"
        "\nconfig UML_PCI_OVER_VIRTIO\n",
        "PCI without virtio needs the same emulations that PCI over virtio selects",
    ),
    Edit(
        "arch/um/os-Linux/mem.c",
        "\tint err, fd;\n\n\tfd = create_tmp_file(len);",
        "\tint err, fd;\n\n\tif (longhaul_ram_fd >= 0)\n\t\treturn longhaul_ram_fd;\n\tfd = create_tmp_file(len);",
        "the simulator owns the guest's RAM: it is the backing store of the memory model",
    ),
    Edit(
        "arch/um/os-Linux/mem.c",
        "#include <os.h>\n",
        "#include <os.h>\n#include <longhaul_os.h>\n",
        "declares longhaul_ram_fd",
    ),
    Edit(
        "arch/um/os-Linux/mem.c",
        "\tint err, fd = create_tmp_file(UM_KERN_PAGE_SIZE);\n",
        "\tint err, fd;\n\n\tif (longhaul_ram_fd >= 0)\n\t\treturn;\n\tfd = create_tmp_file(UM_KERN_PAGE_SIZE);\n",
        "RAM does not come from a temporary directory, so whether that is mounted noexec does not matter",
    ),
    Edit(
        "arch/um/kernel/skas/syscall.c",
        (
            "\t\tif (IS_ERR_VALUE(ret) &&\n\t\t    (time_travel_mode == TT_MODE_INFCPU ||\n"
            "\t\t     time_travel_mode == TT_MODE_EXTERNAL)) {\n\t\t\tum_udelay(1);\n\t\t\tschedule();\n\t\t}\n",
            "\tif (time_travel_mode == TT_MODE_INFCPU ||\n"
            "\t    time_travel_mode == TT_MODE_EXTERNAL)\n\t\tschedule();\n",
        ),
        "",
        "every system call takes time, so one that fails needs no invented delay, and none has to yield",
    ),
    Edit(
        "arch/um/include/asm/io.h",
        "#include <asm-generic/logic_io.h>\n",
        "#include <asm-generic/logic_io.h>\n\n"
        "#ifdef CONFIG_LONGHAUL\n"
        "extern void __iomem *longhaul_io_base;\n"
        "#define PCI_IOBASE longhaul_io_base\n"
        "#endif\n",
        "I/O ports are a mapping like any other; without it outl() writes to address 0",
    ),
    Edit(
        "arch/um/kernel/ioport.c",
        "\treturn NULL;\n",
        "\treturn (void __iomem *)(0x10000UL + port); /* PIO_OFFSET of lib/iomap.c */\n",
        "drivers that map I/O ports by pci_iomap() find them there; without it they cannot start",
    ),
]
