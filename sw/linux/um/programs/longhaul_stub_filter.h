/* SPDX-License-Identifier: GPL-2.0 */
/* The filter of programs' processes, and where it finds the stub (longhaul_stub.h). */
#ifndef __UM_LONGHAUL_STUB_FILTER_H
#define __UM_LONGHAUL_STUB_FILTER_H

#define LONGHAUL_STUB_PAGE 4096UL
/* A second mapping of the stub's page, in the template only: a program cannot map anything so high. */
#define LONGHAUL_TEMPLATE_UPPER 0x7e00UL
#define LONGHAUL_TEMPLATE_OF(code) (LONGHAUL_TEMPLATE_UPPER << 32 | ((code) & 0xffffffffUL))

/*
 * Confines the calling process to a stub whose page is at `code`. `ram` is the descriptor of the guest's RAM. Not 0: the host has
 * no such filter.
 */
int longhaul_stub_filter(unsigned long code, int ram);

#endif
