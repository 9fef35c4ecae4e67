# SPDX-License-Identifier: Apache-2.0
"""Programs run without ptrace where the host can turn their system calls into signals."""

from .boundary import MMU, SKAS
from .kinds import Edit, NewFile

FILES = [
    NewFile(
        "um/programs/longhaul_stub.h",
        "arch/um/include/shared/longhaul_stub.h",
        "what a kernel and the stub in a program's process share",
    ),
    NewFile(
        "um/programs/longhaul_stub_filter.h",
        "arch/um/include/shared/longhaul_stub_filter.h",
        "where the filter of programs' processes finds the stub",
    ),
    NewFile(
        "um/programs/longhaul_stub_page.c", "arch/x86/um/longhaul_stub_page.c", "the stub's code"
    ),
    NewFile(
        "um/programs/longhaul_stub_page.h",
        "arch/um/include/shared/longhaul_stub_page.h",
        "declarations of that file",
    ),
    NewFile(
        "um/programs/longhaul_stub_start.c",
        "arch/um/os-Linux/longhaul_stub_start.c",
        "how programs run, and the process that theirs are made from",
    ),
    NewFile(
        "um/programs/longhaul_stub_start.h",
        "arch/um/include/shared/longhaul_stub_start.h",
        "declarations of that file",
    ),
    NewFile(
        "um/programs/longhaul_stub_filter.c",
        "arch/um/os-Linux/longhaul_stub_filter.c",
        "which system calls of the host a program's process may make",
    ),
    NewFile(
        "um/programs/longhaul_stub.c",
        "arch/um/os-Linux/longhaul_stub.c",
        "turns, calls and processes on the kernel's side",
    ),
    NewFile(
        "um/programs/longhaul_stub_frame.c",
        "arch/um/os-Linux/longhaul_stub_frame.c",
        "the frame of the signal that stopped a program",
    ),
    NewFile(
        "um/programs/longhaul_stub_frame.h",
        "arch/um/include/shared/longhaul_stub_frame.h",
        "declarations of that file",
    ),
    NewFile(
        "um/programs/longhaul_userspace.c",
        "arch/um/os-Linux/longhaul_userspace.c",
        "registers of programs, and what stops them",
    ),
    NewFile(
        "um/programs/longhaul_userspace.h",
        "arch/um/include/shared/longhaul_userspace.h",
        "declarations of that file",
    ),
    NewFile(
        "um/programs/longhaul_bases.c",
        "arch/um/kernel/longhaul_bases.c",
        "FS and GS base of programs",
    ),
    NewFile(
        "um/programs/longhaul_bases.h",
        "arch/um/include/shared/longhaul_bases.h",
        "declarations of that file",
    ),
]

STUB_MEM = "arch/um/os-Linux/skas/mem.c"
ARCH_PRCTL = "arch/x86/um/syscalls_64.c"
PROCESS = "arch/um/os-Linux/process.c"
X86_MAKEFILE = "arch/x86/um/Makefile"

BUILD = "build programs without ptrace"
DECLARES = "declares longhaul_stubs"
OTHER_WAY = "what a traced process is asked by ptrace, the stub of another is asked to do"

IN_PLACE = (
    "what stops a program is handled in one function for both ways: the kernel's stack is as deep, "
    "so it touches the same lines of memory"
)

EDITS = [
    Edit(
        X86_MAKEFILE,
        "\tstub_$(BITS).o stub_segv.o \\\n",
        "\tstub_$(BITS).o stub_segv.o longhaul_stub_page.o \\\n",
        BUILD,
    ),
    Edit(
        X86_MAKEFILE,
        "USER_OBJS := bugs_$(BITS).o ptrace_user.o fault.o\n",
        "USER_OBJS := bugs_$(BITS).o ptrace_user.o fault.o longhaul_stub_page.o\n",
        BUILD,
    ),
    Edit(
        X86_MAKEFILE,
        "CFLAGS_stub_segv.o := $(CFLAGS_NO_HARDENING)\n",
        "CFLAGS_stub_segv.o := $(CFLAGS_NO_HARDENING)\n"
        "CFLAGS_longhaul_stub_page.o := $(CFLAGS_NO_HARDENING) -mgeneral-regs-only -fno-jump-tables\n",
        "the stub's page has no constants and calls no function of another file",
    ),
    Edit(
        MMU,
        "\tif (from_mm)\n\t\tto_mm->id.u.pid = copy_context_skas0(",
        "\tif (longhaul_stubs)\n\t\tto_mm->id.u.pid = longhaul_stub_new(&to_mm->id);\n"
        "\telse if (from_mm)\n\t\tto_mm->id.u.pid = copy_context_skas0(",
        OTHER_WAY,
    ),
    Edit(
        MMU,
        '\t\t       " failed, errno = %d\\n", ret);\n\t\tgoto out_free;\n',
        '\t\t       " failed, errno = %d\\n", ret);\n'
        "\t\tif (longhaul_stubs)\n\t\t\tlonghaul_stub_exit(&to_mm->id);\n"
        "\t\telse\n\t\t\tos_kill_ptraced_process(to_mm->id.u.pid, 1);\n"
        "\t\tgoto out_free;\n",
        "a process whose LDT cannot be copied stayed, and nothing counted it",
    ),
    Edit(
        PROCESS,
        "\tkill(pid, SIGKILL);\n\tptrace(PTRACE_KILL, pid);\n",
        "\tif (longhaul_stubs)\n\t\treturn;\n\tkill(pid, SIGKILL);\n\tptrace(PTRACE_KILL, pid);\n",
        "a kernel that halts would wait for processes that it cannot kill; they die with it",
    ),
    Edit(
        PROCESS,
        "#include <os.h>\n",
        "#include <os.h>\n#include <longhaul_stub.h>\n",
        DECLARES,
    ),
    Edit(
        SKAS,
        "\t\tif (kill_userspace_mm[0])\n\t\t\tfatal_sigsegv();\n\n",
        "\t\tif (kill_userspace_mm[0])\n\t\t\tfatal_sigsegv();\n\n"
        "\t\tif (longhaul_stubs) {\n\t\t\tlocal_using_sysemu = 1;\n"
        "\t\t\tstatus = longhaul_stub_run(regs, &si);\n\t\t\tgoto stopped;\n\t\t}\n\n",
        IN_PLACE,
    ),
    Edit(
        SKAS,
        "\t\tUPT_SYSCALL_NR(regs) = -1; /* Assume: It's not a syscall */\n",
        "stopped:\n\t\tUPT_SYSCALL_NR(regs) = -1; /* Assume: It's not a syscall */\n",
        IN_PLACE,
    ),
    Edit(
        SKAS,
        "\t\t\t\tptrace(PTRACE_GETSIGINFO, pid, 0, (struct siginfo *)&si);\n",
        "\t\t\t\tif (!longhaul_stubs)\n"
        "\t\t\t\t\tptrace(PTRACE_GETSIGINFO, pid, 0, (struct siginfo *)&si);\n",
        "the stub's handler has told it",
    ),
    Edit(
        SKAS,
        "\tint err;\n\n\terr = get_fp_registers(pid, aux_fp_regs);\n",
        "\tint err;\n\n\tif (longhaul_stubs) {\n\t\t*fi = longhaul_stub_fault;\n\t\treturn;\n\t}\n"
        "\terr = get_fp_registers(pid, aux_fp_regs);\n",
        "the stub's handler has told it",
    ),
    Edit(
        SKAS,
        "\tuserspace_pid[0] = mm_idp->u.pid;\n",
        "\tlonghaul_mm_id = mm_idp;\n\tuserspace_pid[0] = mm_idp->u.pid;\n",
        "the process that runs next",
    ),
    Edit(
        STUB_MEM,
        "\tunsigned long *stack = check_init_stack(mm_idp, *addr);\n\n\t*stack += sizeof(long);\n",
        "\tunsigned long *stack;\n\n\tif (longhaul_stubs)\n"
        "\t\treturn longhaul_stub_syscall(mm_idp, syscall, args, expected);\n"
        "\tstack = check_init_stack(mm_idp, *addr);\n\n\t*stack += sizeof(long);\n",
        OTHER_WAY,
    ),
    Edit(
        STUB_MEM,
        "\tunsigned long *stack;\n\tint ret = 0;\n\n",
        "\tunsigned long *stack;\n\tint ret = 0;\n\n\tif (longhaul_stubs) {\n"
        "\t\t*stub_addr = longhaul_stub_data(mm_idp, data, data_count * sizeof(long));\n"
        "\t\treturn 0;\n\t}\n",
        OTHER_WAY,
    ),
    Edit(
        STUB_MEM,
        "#include <sysdep/stub.h>\n",
        "#include <sysdep/stub.h>\n#include <longhaul_stub.h>\n",
        DECLARES,
    ),
    Edit(
        ARCH_PRCTL,
        "\tint pid = task->mm->context.id.u.pid;\n\n",
        "\tint pid = task->mm->context.id.u.pid;\n\n\tif (longhaul_stubs)\n"
        "\t\treturn longhaul_arch_prctl(task, option, (unsigned long)arg2);\n\n",
        OTHER_WAY,
    ),
    Edit(
        ARCH_PRCTL,
        "#include <os.h>\n",
        "#include <os.h>\n#include <longhaul_bases.h>\n#include <longhaul_stub.h>\n",
        DECLARES,
    ),
]
