/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What runs at every basic block. The compiler (-fsanitize-coverage=trace-pc) wants to call a hook there; the assembler, for
 * which this file redefines `call`, puts the hook's work in its place and keeps every other call. As the compiler expects a
 * call, the flags and the registers that a call may change are free.
 *
 * A site counts that it ran, compares the line of its text with the younger one of its set in the instruction cache, and takes
 * its cost from what is left until something is due. What differs from site to site is written into its instructions when the
 * kernel starts (struct site in longhaul_blocks.c names the bytes); until then a site counts for nothing. The uncommon cases
 * are in a piece of code behind the function, so that the common one takes no jump.
 *
 * The sites of a module are the same; they are written into when it is loaded (um/accounting/longhaul_module.c).
 */
#ifndef __ASSEMBLY__
asm(".macro call target:vararg\n"
    ".ifc \\target,__sanitizer_cov_trace_pc\n"
    ".Llonghaul_site\\@:\n"
    "	incq longhaul_uncounted + 8 * (\\@ & 63)(%rip)\n"
    "	.byte 0x81, 0x3d\n" /* cmpl $LINE, longhaul_lines + 4 * SET(%rip) */
    "	.long longhaul_lines - . - 8, 0\n"
    "	.byte 0x0f, 0x85\n" /* jne */
    "	.long .Llonghaul_slow\\@ - . - 4\n"
    "	.byte 0x81, 0x2d\n" /* subl $COST, longhaul_left(%rip) */
    "	.long longhaul_left - . - 8, 0\n"
    "	.byte 0x0f, 0x88\n" /* js */
    "	.long .Llonghaul_slow\\@ - . - 4\n"
    ".Llonghaul_on\\@:\n"
    ".subsection 1\n"
    ".Llonghaul_slow\\@:\n"
    "	leaq .Llonghaul_site\\@(%rip), %rdi\n"
    "	callq longhaul_block_slow\n"
    "	jmp .Llonghaul_on\\@\n"
    ".subsection 0\n"
    ".else\n"
    "	callq \\target\n"
    ".endif\n"
    ".endm\n");
#endif
