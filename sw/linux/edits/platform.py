# SPDX-License-Identifier: Apache-2.0
"""Platform devices, of kernels with CONFIG_OF only: no other kernel has anything of this."""

from .kinds import Edit, NewFile

FILES = [
    NewFile(
        "um/devices/longhaul_platform.c",
        "arch/um/drivers/longhaul_platform.c",
        "registers and interrupts of platform devices",
    ),
]

EDITS = [
    Edit(
        "arch/um/drivers/Makefile",
        "obj-$(CONFIG_UML_RTC) += rtc.o\n",
        "obj-$(CONFIG_UML_RTC) += rtc.o\nobj-$(CONFIG_OF) += longhaul_platform.o\n",
        "build them",
    ),
    Edit(
        "arch/um/kernel/dtb.c",
        "\tdtb = line;\n",
        "\tdtb = line;\n\t*add = 0;\n",
        "where the device tree lies on the host is nothing that a guest should see",
    ),
]
