# SPDX-License-Identifier: Apache-2.0
"""What a guest can do to its host: nothing but use up what the run gives it."""

from .kinds import Edit, NewFile

FILES = [
    NewFile(
        "um/programs/longhaul_processes.c",
        "arch/um/kernel/longhaul_processes.c",
        "how many of the host's processes a guest may have",
    ),
    NewFile(
        "um/programs/longhaul_processes.h",
        "arch/um/include/shared/longhaul_processes.h",
        "declarations of that file",
    ),
    NewFile(
        "um/host/longhaul_confine.c",
        "arch/um/os-Linux/longhaul_confine.c",
        "which system calls of the host a guest may make",
    ),
    NewFile(
        "um/host/longhaul_confine.h",
        "arch/um/include/shared/longhaul_confine.h",
        "declarations of that file",
    ),
    NewFile(
        "um/host/longhaul_filter.h",
        "arch/um/include/shared/longhaul_filter.h",
        "how such a filter is written and put in force",
    ),
]

MMU = "arch/um/kernel/skas/mmu.c"
SKAS = "arch/um/os-Linux/skas/process.c"

BOUND = "a fork bomb in a guest would fill the host with processes"
OWN_DIR = "a confined kernel cannot remove a folder, so it makes none"
STRAY = "a signal that stops or continues all processes of a run must not end a guest"

EDITS = [
    Edit(
        "arch/um/kernel/mem.c",
        "void free_initmem(void)\n{\n}",
        "void free_initmem(void)\n{\n\tint err = longhaul_confine(!longhaul_stubs_start());\n\n\tif (err)\n"
        '\t\tpanic("longhaul: the host has no seccomp filter to confine a guest with (error %d)", err);\n}',
        "what a guest runs is confined before its first program; booting needs more of the host",
    ),
    Edit(
        "arch/um/kernel/mem.c",
        "#include <os.h>\n",
        "#include <os.h>\n#include <longhaul_confine.h>\n#include <longhaul_stub_start.h>\n",
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
        "#include <os.h>\n#include <longhaul_abi.h>\n",
        "declares LH_EXIT_RESTART",
    ),
    Edit(
        MMU,
        "\tstack = get_zeroed_page(GFP_KERNEL);\n\tif (stack == 0)\n\t\tgoto out;\n",
        "\tif (!longhaul_process_begins())\n\t\tgoto out;\n"
        "\tstack = get_zeroed_page(GFP_KERNEL);\n\tif (stack == 0) {\n"
        "\t\tlonghaul_process_ends();\n\t\tgoto out;\n\t}\n",
        BOUND,
    ),
    Edit(MMU, " out_free:\n", " out_free:\n\tlonghaul_process_ends();\n", BOUND),
    Edit(
        MMU,
        "\tos_kill_ptraced_process(mmu->id.u.pid, 1);\n",
        "\tif (longhaul_stubs)\n\t\tlonghaul_stub_exit(&mmu->id);\n\telse\n"
        "\t\tos_kill_ptraced_process(mmu->id.u.pid, 1);\n\tlonghaul_process_ends();\n",
        BOUND,
    ),
    Edit(
        MMU,
        "#include <os.h>\n",
        "#include <os.h>\n#include <longhaul_fp.h>\n#include <longhaul_processes.h>\n"
        "#include <longhaul_stub.h>\n#include <longhaul_stub_start.h>\n",
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
        STRAY,
    ),
    Edit(
        SKAS,
        "\t\t\tcase SIGALRM:\n\t\t\t\tbreak;\n",
        "\t\t\tcase SIGALRM:\n\t\t\tcase SIGSTOP:\n\t\t\tcase SIGCONT:\n\t\t\t\tbreak;\n",
        STRAY,
    ),
    Edit(
        "arch/um/os-Linux/umid.c",
        "\terr = mkdir(tmp, 0777);\n\tif (err < 0) {\n",
        "\terr = 0;\n\tif (err < 0) {\n",
        OWN_DIR,
    ),
    Edit("arch/um/os-Linux/umid.c", "__uml_exitcall(remove_umid_dir);\n", "", OWN_DIR),
    Edit(
        "arch/um/os-Linux/umid.c",
        "static void remove_umid_dir(void)",
        "static void __attribute__((unused)) remove_umid_dir(void)",
        "no warning",
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
]
