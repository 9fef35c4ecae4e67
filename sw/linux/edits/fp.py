# SPDX-License-Identifier: Apache-2.0
"""Floating-point registers of programs are moved only when they have to be."""

from .boundary import MMU, SKAS
from .kinds import Edit, NewFile

FILES = [
    NewFile(
        "um/programs/longhaul_fp.c",
        "arch/um/kernel/longhaul_fp.c",
        "whose floating-point registers a process holds",
    ),
    NewFile(
        "um/programs/longhaul_fp.h",
        "arch/um/include/shared/longhaul_fp.h",
        "declarations of that file",
    ),
    NewFile(
        "um/programs/longhaul_fp_owner.h",
        "arch/um/include/shared/longhaul_fp_owner.h",
        "what a process knows of the registers that it holds",
    ),
]

X86_SIGNAL = "arch/x86/um/signal.c"
X86_PTRACE = "arch/x86/um/ptrace_64.c"
KEPT = "two ptrace calls with up to 11 KB each time that a program stopped"
END = "a thread that is gone must not own the registers of a process that others run in"

EDITS = [
    Edit(
        SKAS,
        "\t\tif (put_fp_registers(pid, regs->fp)) {\n",
        "\t\tif (longhaul_fp_load()) {\n",
        KEPT,
    ),
    Edit(
        SKAS,
        "\t\tif (get_fp_registers(pid, regs->fp)) {\n"
        '\t\t\tprintk(UM_KERN_ERR "userspace -  get_fp_registers failed, "\n'
        '\t\t\t       "errno = %d\\n", errno);\n'
        "\t\t\tfatal_sigsegv();\n\t\t}\n\n",
        "",
        KEPT,
    ),
    Edit(
        MMU,
        "\tblock_signals_trace();\n\tif (from_mm)\n",
        "\tlonghaul_stubs_start();\n"
        "\tif (from_mm && !longhaul_stubs && longhaul_fp_release(current->mm))\n\t\tgoto out_free;\n"
        "\tmm->context.id.fp = (struct longhaul_fp){};\n"
        "\tblock_signals_trace();\n\tif (from_mm)\n",
        "the process that makes another one is given other registers for that",
    ),
    Edit(
        "arch/um/kernel/process.c",
        "\tif (!args->fn) {\n\t  \tmemcpy(",
        "\tif (!args->fn) {\n\t\tret = longhaul_fp_save(current);\n\t\tif (ret)\n"
        "\t\t\treturn ret;\n\t  \tmemcpy(",
        "a new thread begins with a copy of its maker's registers",
    ),
    Edit(
        "arch/um/kernel/process.c",
        "#include <registers.h>\n",
        "#include <registers.h>\n#include <longhaul_fp.h>\n",
        "declares longhaul_fp_save",
    ),
    Edit(
        X86_SIGNAL,
        "\t\terr = copy_from_user(regs->regs.fp, (void *)sc.fpstate,\n",
        "\t\terr = longhaul_fp_unload(current) ?:\n"
        "\t\t      copy_from_user(regs->regs.fp, (void *)sc.fpstate,\n",
        "a signal's handler returns with other registers",
    ),
    Edit(
        X86_SIGNAL,
        "\t\tif (copy_to_user(to_fp, regs->regs.fp, sizeof(struct _xstate)))\n",
        "\t\tif (longhaul_fp_save(current) ||\n"
        "\t\t    copy_to_user(to_fp, regs->regs.fp, sizeof(struct _xstate)))\n",
        "a signal's frame holds the registers",
    ),
    Edit(
        X86_SIGNAL,
        "#include <registers.h>\n",
        "#include <registers.h>\n#include <longhaul_fp.h>\n",
        "declares longhaul_fp_save",
    ),
    Edit(
        X86_PTRACE,
        "\terr = save_i387_registers(userspace_pid[cpu],\n\t\t\t\t  (unsigned long *) &fpregs);\n"
        "\tif (err)\n\t\treturn err;\n",
        "\terr = longhaul_fp_save(child);\n\tif (err)\n\t\treturn err;\n"
        "\tmemcpy(&fpregs, child->thread.regs.regs.fp, sizeof(fpregs));\n",
        "a debugger was told its own registers, not those of the program that it debugs",
    ),
    Edit(
        X86_PTRACE,
        "\treturn restore_i387_registers(userspace_pid[cpu],\n"
        "\t\t\t\t      (unsigned long *) &fpregs);\n",
        "\tn = longhaul_fp_unload(child);\n\tif (n)\n\t\treturn n;\n"
        "\tmemcpy(child->thread.regs.regs.fp, &fpregs, sizeof(fpregs));\n\treturn 0;\n",
        "a debugger wrote its own registers, not those of the program that it debugs",
    ),
    Edit(
        X86_PTRACE,
        "\tint err, n, cpu = ((struct thread_info *) child->stack)->cpu;\n",
        "\tint err, n;\n",
        "no warning",
    ),
    Edit(
        X86_PTRACE,
        "\tint n, cpu = ((struct thread_info *) child->stack)->cpu;\n",
        "\tint n;\n",
        "no warning",
    ),
    Edit(
        X86_PTRACE,
        "#include <registers.h>\n",
        "#include <registers.h>\n#include <longhaul_fp.h>\n",
        "declares longhaul_fp_save",
    ),
    Edit(
        "arch/um/kernel/skas/syscall.c",
        "\tsyscall = UPT_SYSCALL_NR(r);\n",
        "\tsyscall = UPT_SYSCALL_NR(r);\n"
        "\tif (syscall == __NR_exit || syscall == __NR_exit_group || syscall == __NR_execve ||\n"
        "\t    syscall == __NR_execveat)\n\t\tlonghaul_fp_may_end();\n",
        END,
    ),
    Edit(
        "arch/um/kernel/skas/syscall.c",
        "#include <asm/unistd.h>\n",
        "#include <asm/unistd.h>\n#include <longhaul_fp.h>\n",
        "declares longhaul_fp_may_end",
    ),
    Edit(
        "arch/um/kernel/signal.c",
        "\tint handled_sig = 0;\n\n\twhile (get_signal(&ksig)) {\n",
        "\tint handled_sig = 0;\n\n\tlonghaul_fp_may_end();\n\twhile (get_signal(&ksig)) {\n",
        END,
    ),
    Edit(
        "arch/um/kernel/signal.c",
        "#include <kern_util.h>\n",
        "#include <kern_util.h>\n#include <longhaul_fp.h>\n",
        "declares longhaul_fp_may_end",
    ),
]
