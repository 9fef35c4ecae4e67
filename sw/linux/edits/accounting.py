# SPDX-License-Identifier: Apache-2.0
"""What a guest's kernel does is counted: basic blocks, copied bytes, system calls."""

from .kinds import Edit, NewFile

FILES = [
    NewFile(
        "um/cost/longhaul_blocks.c",
        "arch/um/kernel/longhaul_blocks.c",
        "the cost of executed basic blocks, stack samples",
    ),
    NewFile(
        "um/cost/longhaul_blocks.h",
        "arch/um/include/shared/longhaul_blocks.h",
        "declarations of that file",
    ),
    NewFile(
        "um/cost/longhaul_block.h",
        "arch/um/include/asm/longhaul_block.h",
        "what a basic block does to be counted",
    ),
    NewFile(
        "um/accounting/longhaul_account.c",
        "arch/um/drivers/longhaul_account.c",
        "counts work at tracepoints",
    ),
    NewFile(
        "um/proc/longhaul_bench.c",
        "arch/um/drivers/longhaul_bench.c",
        "/proc/longhaul/bench: loops of known rates",
    ),
]

HOOK = "-fsanitize-coverage=trace-pc"
SITES = "-include $(srctree)/arch/um/include/asm/longhaul_block.h"
UACCESS = "arch/um/kernel/skas/uaccess.c"
COUNT = "count copied bytes and tell which lines they touch"
UNCOUNTED = {
    "arch/um/kernel/Makefile": "obj-y = config.o",
    "arch/um/kernel/skas/Makefile": "obj-y := clone.o",
    "arch/um/drivers/Makefile": "slip-objs := ",
    "arch/um/os-Linux/Makefile": "obj-$(CONFIG_ARCH_REUSE_HOST_VSYSCALL_AREA)",
    "arch/x86/um/Makefile": "obj-y = bugs_$(BITS).o",
    "arch/x86/um/vdso/Makefile": "VDSO64-y\t\t:= y",
}
"""Makefiles of what stands for hardware, with a line of each."""

EDITS = [
    Edit(
        UACCESS,
        "#include <os.h>\n",
        "#include <os.h>\n#include <longhaul_core.h>\n",
        "declares longhaul_copied",
    ),
    Edit(
        UACCESS,
        "\tunsigned long *to_ptr = arg, to = *to_ptr;\n\n",
        "\tunsigned long *to_ptr = arg, to = *to_ptr;\n\n\tlonghaul_copied(to, from, len);\n",
        COUNT,
    ),
    Edit(
        UACCESS,
        "\tunsigned long *from_ptr = arg, from = *from_ptr;\n\n",
        "\tunsigned long *from_ptr = arg, from = *from_ptr;\n\n\tlonghaul_copied(to, from, len);\n",
        COUNT,
    ),
    Edit(
        UACCESS,
        "\tmemset((void *) addr, 0, len);",
        "\tlonghaul_cleared(addr, len);\n\tmemset((void *) addr, 0, len);",
        COUNT,
    ),
    Edit(
        "arch/um/Makefile",
        "KBUILD_CFLAGS += $(KERNEL_DEFINES)\n",
        f"KBUILD_CFLAGS += $(KERNEL_DEFINES) {HOOK} {SITES}\n",
        "every basic block is counted, so that its cost can be charged",
    ),
    Edit(
        "arch/um/Makefile",
        "USER_CFLAGS = $(patsubst $(KERNEL_DEFINES),,$(patsubst -I%,,$(KBUILD_CFLAGS)))",
        f"USER_CFLAGS = $(patsubst $(KERNEL_DEFINES),,$(patsubst -I%,,$(filter-out {HOOK} {SITES},$(KBUILD_CFLAGS))))",
        "code that runs on the host's side has no cost",
    ),
    Edit(
        "arch/um/Makefile",
        "\tKBUILD_CFLAGS += -mcmodel=large\n",
        "\tKBUILD_CFLAGS += -mcmodel=small\n",
        "the image lies below 2 GB; a real kernel calls directly, not through a register",
    ),
    *(
        Edit(
            target,
            old,
            f"ccflags-remove-y := {HOOK}\n{old}",
            "stands for hardware: has no cost",
        )
        for target, old in UNCOUNTED.items()
    ),
    Edit(
        "arch/x86/um/shared/sysdep/syscalls_64.h",
        "#define EXECUTE_SYSCALL(syscall, regs) \\\n\t(((*sys_call_table[syscall]))(",
        "#define EXECUTE_SYSCALL(syscall, regs) \\\n"
        "\t(longhaul_syscall_entered(), (*sys_call_table[syscall])(",
        "count system calls and the user-space work between them",
    ),
    Edit(
        "arch/x86/um/shared/sysdep/syscalls_64.h",
        "#include <linux/shm.h>\n",
        "#include <linux/shm.h>\n#include <longhaul_core.h>\n",
        "declares longhaul_syscall_entered",
    ),
]
