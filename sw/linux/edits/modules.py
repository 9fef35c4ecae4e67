# SPDX-License-Identifier: Apache-2.0
"""Modules lie where the kernel's code reaches them, are counted, and fault like the kernel."""

from .kinds import Edit, NewFile

FILES = [
    NewFile(
        "um/accounting/longhaul_module.c",
        "arch/x86/um/longhaul_module.c",
        "the blocks of modules count, too",
    ),
    NewFile(
        "um/memory/longhaul_fault.c",
        "arch/um/kernel/longhaul_fault.c",
        "faults of the kernel in its virtual memory",
    ),
    NewFile(
        "um/memory/longhaul_fault.h",
        "arch/um/include/shared/longhaul_fault.h",
        "declarations of that file",
    ),
]

EDITS = [
    Edit(
        "arch/um/include/asm/pgtable.h",
        "#define MODULES_VADDR\tVMALLOC_START\n#define MODULES_END\tVMALLOC_END\n"
        "#define MODULES_LEN\t(MODULES_VADDR - MODULES_END)\n",
        "#define MODULES_VADDR\t0x50000000UL\n#define MODULES_END\t0x60000000UL\n"
        "#define MODULES_LEN\t(MODULES_END - MODULES_VADDR)\n",
        "behind the RAM a module is out of reach of a direct call where that has 2 GB, and its addresses do not "
        "fit 31 bits; just below the image (START in arch/x86/Makefile.um) they do in every guest",
    ),
    Edit(
        "arch/x86/um/Makefile",
        "subarch-$(CONFIG_MODULES) += ../kernel/module.o",
        "obj-$(CONFIG_MODULES) += longhaul_module.o",
        "includes ../kernel/module.c",
    ),
    Edit(
        "arch/um/kernel/trap.c",
        "\tif (!is_user && (address >= start_vm) && (address < end_vm)) {\n"
        "\t\tflush_tlb_kernel_vm();\n\t\tgoto out;\n\t}\n",
        "\tif (!is_user && SEGV_IS_FIXABLE(&fi) && longhaul_is_virtual(address) &&\n"
        "\t    longhaul_fault_mended(address, ip)) {\n\t\tgoto out;\n\t}\n"
        "\telse if (!is_user && longhaul_is_virtual(address) && !current->thread.fault_catcher) {\n"
        "\t\tshow_regs(container_of(regs, struct pt_regs, regs));\n"
        '\t\tpanic("Kernel mode fault at addr 0x%lx, ip 0x%lx",\n\t\t      address, ip);\n\t}\n',
        "a fault where nothing is mapped, or one that does not come of a mapping, was tried again without end",
    ),
    Edit(
        "arch/um/kernel/trap.c",
        "#include <skas.h>\n",
        "#include <skas.h>\n#include <longhaul_fault.h>\n",
        "declares longhaul_fault_mended",
    ),
]
