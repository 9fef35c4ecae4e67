# SPDX-License-Identifier: Apache-2.0
"""What faults of programs cost: fewer stops of their process for each."""

from .boundary import SKAS
from .kinds import Edit, NewFile

FILES: list[NewFile] = []

EDITS = [
    Edit(
        SKAS,
        "\t\t\t\t\tget_skas_faultinfo(pid,\n\t\t\t\t\t\t\t   &regs->faultinfo, aux_fp_regs);\n",
        "\t\t\t\t\tif (!longhaul_fault_told(regs, si.si_code,\n"
        "\t\t\t\t\t\t\t\t (unsigned long)si.si_addr))\n"
        "\t\t\t\t\t\tget_skas_faultinfo(pid, &regs->faultinfo, aux_fp_regs);\n",
        "of a page that is not there, the signal tells what the kernel has to know; the stub's "
        "handler, which knows more, costs a second stop and moves all registers",
    ),
    Edit(
        "arch/um/kernel/trap.c",
        "\tshow_segv_info(regs);\n\n\tif (err == -EACCES) {\n",
        "\tif (is_user && longhaul_fault_asked(&fi))\n\t\tgoto out;\n\n"
        "\tshow_segv_info(regs);\n\n\tif (err == -EACCES) {\n",
        "what the program's own handler is told comes from the stub's handler",
    ),
    Edit(
        "arch/um/os-Linux/skas/mem.c",
        "\t\t\t\t MAP_SHARED | MAP_FIXED, phys_fd,\n",
        "\t\t\t\t MAP_SHARED | MAP_FIXED | MAP_POPULATE, phys_fd,\n",
        "a page that is mapped is used; the host need not wait for a fault to fill its own table",
    ),
    Edit(
        "arch/um/kernel/trap.c",
        "\tflush_tlb_page(vma, address);\nout:\n",
        "\tlonghaul_flush_around(vma, address);\nout:\n",
        "what the kernel has mapped around the page of a file takes no fault on a machine, and none here",
    ),
]
