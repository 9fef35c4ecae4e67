# SPDX-License-Identifier: Apache-2.0
"""Nothing of the host's processor, name, processes or address space reaches a guest."""

from .kinds import Edit, NewFile

FILES = [
    NewFile(
        "um/programs/longhaul_cpu.c",
        "arch/um/kernel/longhaul_cpu.c",
        "the processor that programs see",
    ),
    NewFile(
        "um/programs/longhaul_cpu.h",
        "arch/um/include/shared/longhaul_cpu.h",
        "declarations of that file",
    ),
]

XSTATE_BYTES = 16384
"""Room for a host's XSTATE register set, as ptrace shows it: 11,008 with AMX, 2,696 with AVX-512."""

EDITS = [
    Edit(
        "arch/um/kernel/um_arch.c",
        "\tget_host_cpu_features(parse_host_cpu_flags, parse_cache_line);",
        '\tparse_host_cpu_flags((char *)LONGHAUL_CPU_FLAGS);\n\tparse_cache_line((char *)": 64");',
        "/proc/cpuinfo and the kernel's own choices are those of one processor on every host",
    ),
    Edit(
        "arch/um/kernel/um_arch.c",
        "#include <init.h>\n",
        "#include <init.h>\n#include <longhaul_cpu.h>\n",
        "declares LONGHAUL_CPU_FLAGS",
    ),
    Edit(
        "arch/um/os-Linux/util.c",
        '\tsnprintf(buf, len, "%s %s %s %s %s", host.sysname, host.nodename,\n'
        "\t\t host.release, host.version, host.machine);",
        '\tsnprintf(buf, len, "%s", LONGHAUL_HOST);',
        "/proc/cpuinfo would name the host",
    ),
    Edit(
        "arch/um/os-Linux/util.c",
        "\tstrcpy(machine_out, host.machine);",
        '\tstrcpy(machine_out, "x86_64");',
        "a host's personality changes what it calls itself",
    ),
    Edit(
        "arch/um/os-Linux/skas/process.c",
        "\t\t\tcase SIGIO:\n\t\t\tcase SIGILL:\n",
        "\t\t\tcase SIGILL:\n\t\t\t\tif (longhaul_emulated(regs))\n\t\t\t\t\tbreak;\n"
        "\t\t\t\t__attribute__((__fallthrough__));\n\t\t\tcase SIGIO:\n",
        "cpuid and rdtsc of programs tell of the modelled processor, not of the host's",
    ),
    Edit(
        "arch/um/os-Linux/skas/process.c",
        "#include <linux/threads.h>\n",
        "#include <linux/threads.h>\n#include <longhaul_cpu.h>\n#include <longhaul_fault.h>\n"
        "#include <longhaul_fp.h>\n#include <longhaul_stub.h>\n#include <longhaul_userspace.h>\n",
        "declares longhaul_emulated",
    ),
    Edit(
        "arch/um/os-Linux/sigio.c",
        "\tcheck_sigio();\n}",
        "\t(void)check_sigio;\n}",
        "whether the host has pseudo terminals cost the guest time and a line of its log",
    ),
    Edit(
        "arch/um/kernel/tlb.c",
        "|\n\t\t\t(x ? UM_PROT_EXEC : 0));",
        "|\n\t\t\t(x ? UM_PROT_EXEC | UM_PROT_READ : 0));",
        "a host with protection keys makes pages that may only be executed unreadable, others do not",
    ),
    Edit(
        "arch/um/kernel/tlb.c",
        "|\n\t\t(x ? UM_PROT_EXEC : 0));",
        "|\n\t\t(x ? UM_PROT_EXEC | UM_PROT_READ : 0));",
        "the same for a single page",
    ),
    Edit(
        "arch/um/kernel/trap.c",
        "\t*code_out = SEGV_ACCERR;\n\tif (is_write) {\n",
        "\t*code_out = SEGV_ACCERR;\n\tif (is_write || vma->vm_flags & VM_WRITE) {\n",
        "whether an instruction that reads and writes faults as a read first differs between "
        "processors (and emulators); what may be written is made writable at the first fault",
    ),
    Edit(
        "arch/um/kernel/exec.c",
        "\tret = unmap(&current->mm->context.id, 0, TASK_SIZE, 1, &data);\n",
        "\tret = longhaul_stubs ? 0 : unmap(&current->mm->context.id, 0, TASK_SIZE, 1, &data);\n"
        "\tdata = NULL;\n"
        "\tret = ret || longhaul_stubs ? ret : unmap(&current->mm->context.id, STUB_END, LONGHAUL_HOST_END - STUB_END, 1, &data);\n",
        "a traced program began with the coupling page, libc and vDSO of its kernel's process mapped above its stub; a new "
        "process without ptrace has no mapping but its stub's",
    ),
    Edit(
        "arch/um/kernel/exec.c",
        "#include <os.h>\n",
        "#include <os.h>\n#include <longhaul_os.h>\n#include <longhaul_stub.h>\n",
        "declares LONGHAUL_HOST_END and longhaul_stubs",
    ),
    Edit(
        "arch/um/os-Linux/umid.c",
        "\tcreate_pid_file();\n\n",
        "",
        "writing the process's number cost the guest time by its digits, and a run must not depend on that",
    ),
    Edit(
        "arch/um/os-Linux/umid.c",
        "static void __init create_pid_file(void)",
        "static void __init __attribute__((unused)) create_pid_file(void)",
        "no warning",
    ),
    Edit(
        "arch/um/os-Linux/util.c",
        "\treturn getrandom(buf, len, flags);",
        "\tlonghaul_os_random(buf, len);\n\treturn len;",
        "the same seed gives the same run",
    ),
    Edit(
        "arch/um/os-Linux/util.c",
        "#include <os.h>\n",
        "#include <os.h>\n#include <longhaul_os.h>\n",
        "declares longhaul_os_random",
    ),
    Edit(
        "arch/x86/um/user-offsets.c",
        "\tDEFINE_LONGS(HOST_FP_SIZE, 2696);",
        f"\tDEFINE_LONGS(HOST_FP_SIZE, {XSTATE_BYTES});",
        "hosts with AVX-512 or AMX have more than 2696 bytes of FP state; one kernel serves every host",
    ),
    Edit(
        "arch/x86/um/os-Linux/registers.c",
        "int restore_fp_registers(int pid, unsigned long *fp_regs)\n{\n#ifdef PTRACE_SETREGSET\n"
        "\tstruct iovec iov;\n\tif (have_xstate_support) {\n\t\tiov.iov_base = fp_regs;\n"
        "\t\tiov.iov_len = FP_SIZE * sizeof(unsigned long);",
        "static unsigned long xstate_bytes;\n\n"
        "int restore_fp_registers(int pid, unsigned long *fp_regs)\n{\n#ifdef PTRACE_SETREGSET\n"
        "\tstruct iovec iov;\n\tif (have_xstate_support) {\n\t\tiov.iov_base = fp_regs;\n"
        "\t\tiov.iov_len = xstate_bytes;",
        "PTRACE_SETREGSET wants exactly the size that GETREGSET gave",
    ),
    Edit(
        "arch/x86/um/os-Linux/registers.c",
        "\tfp_regs = malloc(FP_SIZE * sizeof(unsigned long));",
        "\tfp_regs = malloc(2 * FP_SIZE * sizeof(unsigned long));",
        "room to see that this host's FP state is larger than what the kernel has room for",
    ),
    Edit(
        "arch/x86/um/os-Linux/registers.c",
        "\tiov.iov_len = FP_SIZE * sizeof(unsigned long);\n"
        "\tif (ptrace(PTRACE_GETREGSET, pid, NT_X86_XSTATE, &iov) == 0)\n\t\thave_xstate_support = 1;\n",
        "\tiov.iov_len = 2 * FP_SIZE * sizeof(unsigned long);\n"
        "\tif (ptrace(PTRACE_GETREGSET, pid, NT_X86_XSTATE, &iov) == 0) {\n\t\thave_xstate_support = 1;\n"
        "\t\txstate_bytes = iov.iov_len;\n"
        "\t\tif (xstate_bytes > FP_SIZE * sizeof(unsigned long)) {\n"
        '\t\t\tos_warn("This host has %lu bytes of FP state, this kernel room for %lu: "\n'
        '\t\t\t\t"raise XSTATE_BYTES in sw/linux/edits/host.py.\\n",\n'
        "\t\t\t\txstate_bytes, FP_SIZE * sizeof(unsigned long));\n"
        "\t\t\texit(1);\n\t\t}\n\t}\n",
        "remember the size; refuse a host that it does not fit",
    ),
]
