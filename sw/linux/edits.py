# SPDX-License-Identifier: Apache-2.0
"""What Longhaul changes in the kernel's arch/um, and why.

Nothing outside arch/um and arch/x86/um is touched; `longhaul kernel --verify` proves it. Each edit replaces one exact
piece of text that must occur exactly once, so that a new kernel package that moved on fails loudly here.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent


@dataclass(frozen=True)
class NewFile:
    """A file of ours that is copied into the tree."""

    source: str
    target: str
    reason: str


@dataclass(frozen=True)
class Edit:
    """One replacement in a file of the kernel's arch/um."""

    target: str
    old: str | tuple[str, ...]
    """The text to replace; or its forms in different updates of the package, of which one must be there."""
    new: str
    reason: str


NEW_FILES = [
    NewFile(
        "longhaul_abi.h",
        "arch/um/include/shared/longhaul_abi.h",
        "the protocol, shared with the simulator",
    ),
    NewFile(
        "um/longhaul.h", "arch/um/include/shared/longhaul.h", "declarations of the files below"
    ),
    NewFile(
        "um/longhaul_os.c",
        "arch/um/os-Linux/longhaul_os.c",
        "host side of the coupling: page, futex, randomness",
    ),
    NewFile("um/longhaul_core.c", "arch/um/kernel/longhaul_core.c", "exchanges, work, interrupts"),
    NewFile(
        "um/longhaul_blocks.c",
        "arch/um/kernel/longhaul_blocks.c",
        "the cost of executed basic blocks, stack samples",
    ),
    NewFile(
        "um/longhaul_block.h",
        "arch/um/include/asm/longhaul_block.h",
        "what a basic block does to be counted",
    ),
    NewFile(
        "um/longhaul_module.c", "arch/x86/um/longhaul_module.c", "the blocks of modules count, too"
    ),
    NewFile(
        "um/longhaul_fault.c",
        "arch/um/kernel/longhaul_fault.c",
        "faults of the kernel in its virtual memory",
    ),
    NewFile(
        "um/longhaul_cpu.c", "arch/um/kernel/longhaul_cpu.c", "the processor that programs see"
    ),
    NewFile(
        "um/longhaul_processes.c",
        "arch/um/kernel/longhaul_processes.c",
        "how many of the host's processes a guest may have",
    ),
    NewFile(
        "um/longhaul_confine.c",
        "arch/um/os-Linux/longhaul_confine.c",
        "which system calls of the host a guest may make",
    ),
    NewFile("um/longhaul_disk.c", "arch/um/drivers/longhaul_disk.c", "read-only disks"),
    NewFile("um/longhaul_pci.c", "arch/um/drivers/longhaul_pci.c", "PCI host bridge"),
    NewFile(
        "um/longhaul_account.c", "arch/um/drivers/longhaul_account.c", "counts work at tracepoints"
    ),
    NewFile("um/longhaul_proc.c", "arch/um/drivers/longhaul_proc.c", "/proc/longhaul"),
    NewFile(
        "um/longhaul_bench.c",
        "arch/um/drivers/longhaul_bench.c",
        "/proc/longhaul/bench: loops of known rates",
    ),
    NewFile("um/time.c", "arch/um/kernel/time.c", "simulated time is the guest's only clock"),
]


HOOK = "-fsanitize-coverage=trace-pc"
SITES = "-include $(srctree)/arch/um/include/asm/longhaul_block.h"
UACCESS = "arch/um/kernel/skas/uaccess.c"


def copy_edits() -> list[Edit]:
    """Where bytes cross between user and kernel memory: the copy loops are in no counted block."""
    count = "count copied bytes and tell which lines they touch"
    return [
        Edit(
            UACCESS,
            "\tunsigned long *to_ptr = arg, to = *to_ptr;\n\n",
            "\tunsigned long *to_ptr = arg, to = *to_ptr;\n\n\tlonghaul_copied(to, from, len);\n",
            count,
        ),
        Edit(
            UACCESS,
            "\tunsigned long *from_ptr = arg, from = *from_ptr;\n\n",
            "\tunsigned long *from_ptr = arg, from = *from_ptr;\n\n\tlonghaul_copied(to, from, len);\n",
            count,
        ),
        Edit(
            UACCESS,
            "\tmemset((void *) addr, 0, len);",
            "\tlonghaul_cleared(addr, len);\n\tmemset((void *) addr, 0, len);",
            count,
        ),
    ]


def block_edits() -> list[Edit]:
    """Every basic block is counted, except in arch/um, which stands for hardware."""
    makefiles = {
        "arch/um/kernel/Makefile": "obj-y = config.o",
        "arch/um/kernel/skas/Makefile": "obj-y := clone.o",
        "arch/um/drivers/Makefile": "slip-objs := ",
        "arch/um/os-Linux/Makefile": "obj-$(CONFIG_ARCH_REUSE_HOST_VSYSCALL_AREA)",
        "arch/x86/um/Makefile": "obj-y = bugs_$(BITS).o",
        "arch/x86/um/vdso/Makefile": "VDSO64-y\t\t:= y",
    }
    return [
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
            for target, old in makefiles.items()
        ),
    ]


def module_edits() -> list[Edit]:
    """Modules lie where the kernel's code reaches them, are counted, and fault like the kernel."""
    return [
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
            "#include <skas.h>\n#include <longhaul.h>\n",
            "declares longhaul_fault_mended",
        ),
    ]


def host_edits() -> list[Edit]:
    """Nothing of the host's processor, name or address space reaches a guest."""
    return [
        Edit(
            "arch/um/kernel/um_arch.c",
            "\tget_host_cpu_features(parse_host_cpu_flags, parse_cache_line);",
            '\tparse_host_cpu_flags((char *)LONGHAUL_CPU_FLAGS);\n\tparse_cache_line((char *)": 64");',
            "/proc/cpuinfo and the kernel's own choices are those of one processor on every host",
        ),
        Edit(
            "arch/um/kernel/um_arch.c",
            "#include <init.h>\n",
            "#include <init.h>\n#include <longhaul.h>\n",
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
            "#include <linux/threads.h>\n#include <longhaul.h>\n",
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
            "\tret = unmap(&current->mm->context.id, 0, TASK_SIZE, 1, &data);\n"
            "\tdata = NULL;\n"
            "\tret = ret ?: unmap(&current->mm->context.id, STUB_END, LONGHAUL_HOST_END - STUB_END, 1, &data);\n",
            "a program began with the coupling page, libc and vDSO of its kernel's process mapped above its stub",
        ),
        Edit(
            "arch/um/kernel/exec.c",
            "#include <os.h>\n",
            "#include <os.h>\n#include <longhaul.h>\n",
            "declares LONGHAUL_HOST_END",
        ),
    ]


MMU = "arch/um/kernel/skas/mmu.c"
SKAS = "arch/um/os-Linux/skas/process.c"


def boundary_edits() -> list[Edit]:
    """What a guest can do to its host: nothing but use up what the run gives it."""
    bound = "a fork bomb in a guest would fill the host with processes"
    own_dir = "a confined kernel cannot remove a folder, so it makes none"
    stray = "a signal that stops or continues all processes of a run must not end a guest"
    return [
        Edit(
            "arch/um/kernel/mem.c",
            "void free_initmem(void)\n{\n}",
            "void free_initmem(void)\n{\n\tint err = longhaul_confine();\n\n\tif (err)\n"
            '\t\tpanic("longhaul: the host has no seccomp filter to confine a guest with (error %d)", err);\n}',
            "what a guest runs is confined before its first program; booting needs more of the host",
        ),
        Edit(
            "arch/um/kernel/mem.c",
            "#include <os.h>\n",
            "#include <os.h>\n#include <longhaul.h>\n",
            "declares longhaul_confine",
        ),
        Edit(
            "arch/um/kernel/reboot.c",
            "\tuml_cleanup();\n\treboot_skas();\n",
            "\tuml_cleanup();\n\tuml_exitcode = LH_EXIT_RESTART;\n\thalt_skas();\n",
            "a guest that restarts would boot again and again; the simulator is told instead",
        ),
        Edit(
            "arch/um/kernel/reboot.c",
            "#include <os.h>\n",
            "#include <os.h>\n#include <longhaul.h>\n",
            "declares LH_EXIT_RESTART",
        ),
        Edit(
            MMU,
            "\tstack = get_zeroed_page(GFP_KERNEL);\n\tif (stack == 0)\n\t\tgoto out;\n",
            "\tif (!longhaul_process_begins())\n\t\tgoto out;\n"
            "\tstack = get_zeroed_page(GFP_KERNEL);\n\tif (stack == 0) {\n"
            "\t\tlonghaul_process_ends();\n\t\tgoto out;\n\t}\n",
            bound,
        ),
        Edit(MMU, " out_free:\n", " out_free:\n\tlonghaul_process_ends();\n", bound),
        Edit(
            MMU,
            "\tos_kill_ptraced_process(mmu->id.u.pid, 1);\n",
            "\tos_kill_ptraced_process(mmu->id.u.pid, 1);\n\tlonghaul_process_ends();\n",
            bound,
        ),
        Edit(
            MMU,
            "#include <os.h>\n",
            "#include <os.h>\n#include <longhaul.h>\n",
            "declares longhaul_process_begins",
        ),
        Edit(
            SKAS,
            "\tkill(os_getpid(), SIGSTOP);\n",
            '\t__asm__ volatile("int3");\n',
            "a confined kernel sends no signals; its new process tells it by a trap that it is there",
        ),
        Edit(
            SKAS,
            "\tif (!WIFSTOPPED(status) || (WSTOPSIG(status) != SIGSTOP)) {\n",
            "\tif (!WIFSTOPPED(status) || (WSTOPSIG(status) != SIGTRAP)) {\n",
            "the other side of that trap",
        ),
        Edit(
            SKAS,
            "#define STUB_SIG_MASK ((1 << SIGALRM) | (1 << SIGWINCH))",
            "#define STUB_SIG_MASK ((1 << SIGALRM) | (1 << SIGWINCH) | (1 << SIGSTOP) | (1 << SIGCONT))",
            stray,
        ),
        Edit(
            SKAS,
            "\t\t\tcase SIGALRM:\n\t\t\t\tbreak;\n",
            "\t\t\tcase SIGALRM:\n\t\t\tcase SIGSTOP:\n\t\t\tcase SIGCONT:\n\t\t\t\tbreak;\n",
            stray,
        ),
        Edit(
            "arch/um/os-Linux/umid.c",
            "\terr = mkdir(tmp, 0777);\n\tif (err < 0) {\n",
            "\terr = 0;\n\tif (err < 0) {\n",
            own_dir,
        ),
        Edit("arch/um/os-Linux/umid.c", "__uml_exitcall(remove_umid_dir);\n", "", own_dir),
        Edit(
            "arch/um/os-Linux/umid.c",
            "static void remove_umid_dir(void)",
            "static void __attribute__((unused)) remove_umid_dir(void)",
            "no warning",
        ),
    ]


XSTATE_BYTES = 16384
"""Room for a host's XSTATE register set, as ptrace shows it; 11,008 with AMX, 2,696 with AVX-512."""


def edits() -> list[Edit]:
    """Every edit."""
    return [
        Edit(
            "arch/um/kernel/Makefile",
            "obj-$(CONFIG_BLK_DEV_INITRD) += initrd.o",
            "obj-y += longhaul_core.o longhaul_blocks.o longhaul_cpu.o longhaul_fault.o "
            "longhaul_processes.o\nobj-$(CONFIG_BLK_DEV_INITRD) += initrd.o",
            "build the coupling",
        ),
        Edit(
            "arch/um/os-Linux/Makefile",
            "obj-y = execvp.o file.o",
            "obj-y = longhaul_os.o longhaul_confine.o execvp.o file.o",
            "build the coupling",
        ),
        Edit(
            "arch/um/os-Linux/Makefile",
            "USER_OBJS := $(user-objs-y) elf_aux.o",
            "USER_OBJS := $(user-objs-y) longhaul_os.o longhaul_confine.o elf_aux.o",
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
            "#include <os.h>\n#include <longhaul.h>\n",
            "declares longhaul_ram_fd",
        ),
        Edit(
            "arch/um/os-Linux/mem.c",
            "\tint err, fd = create_tmp_file(UM_KERN_PAGE_SIZE);\n",
            "\tint err, fd;\n\n\tif (longhaul_ram_fd >= 0)\n\t\treturn;\n\tfd = create_tmp_file(UM_KERN_PAGE_SIZE);\n",
            "RAM does not come from a temporary directory, so whether that is mounted noexec does not matter",
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
            "#include <os.h>\n#include <longhaul.h>\n",
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
            '\t\t\t\t"raise XSTATE_BYTES in sw/linux/edits.py.\\n",\n'
            "\t\t\t\txstate_bytes, FP_SIZE * sizeof(unsigned long));\n"
            "\t\t\texit(1);\n\t\t}\n\t}\n",
            "remember the size; refuse a host that it does not fit",
        ),
        Edit(
            "arch/um/os-Linux/skas/process.c",
            "\t\t   (void *) PTRACE_O_TRACESYSGOOD) < 0) {",
            "\t\t   (void *) (PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL)) < 0) {",
            "when a guest's kernel is killed its processes must not go on as processes of the host",
        ),
        Edit(
            "arch/um/os-Linux/skas/process.c",
            "\t\t   (void *)PTRACE_O_TRACESYSGOOD) < 0) {",
            "\t\t   (void *)(PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL)) < 0) {",
            "nor must those that were forked, which have options of their own",
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
            "#include <linux/shm.h>\n#include <longhaul.h>\n",
            "declares longhaul_syscall_entered",
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
        *host_edits(),
        *boundary_edits(),
        *copy_edits(),
        *block_edits(),
        *module_edits(),
        Edit(
            "arch/um/kernel/skas/uaccess.c",
            "#include <os.h>\n",
            "#include <os.h>\n#include <longhaul.h>\n",
            "declares longhaul_copied",
        ),
    ]


def apply(tree: Path) -> None:
    """Applies everything to an unpacked kernel tree; raises ValueError when a piece of text is not there exactly once."""
    for new in NEW_FILES:
        (tree / new.target).write_bytes((HERE / new.source).read_bytes())
    for edit in edits():
        if not edit.target.startswith(("arch/um/", "arch/x86/um/")):
            raise ValueError(f"{edit.target}: only arch/um and arch/x86/um may be edited")
        path = tree / edit.target
        text = path.read_text()
        forms = (edit.old,) if isinstance(edit.old, str) else edit.old
        found = sum(text.count(form) for form in forms)
        if found != 1:
            raise ValueError(
                f"{edit.target}: the text to edit occurs {found} times, not once ({edit.reason})"
            )
        for form in forms:
            text = text.replace(form, edit.new)
        path.write_text(text)
