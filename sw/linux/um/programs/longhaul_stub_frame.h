/* SPDX-License-Identifier: GPL-2.0 */
/* The frame of the signal that stopped a program, and the FP registers in it. */
#ifndef __UM_LONGHAUL_STUB_FRAME_H
#define __UM_LONGHAUL_STUB_FRAME_H

struct mm_id;

/* What is at an address of the process, if that is within the stub's stack; null: it is not. */
void *longhaul_stub_seen(const struct mm_id *id, unsigned long address, unsigned long bytes);
/* FP registers of the stopped thread, in the form that ptrace gives them. Not 0: an error. */
int longhaul_stub_get_fp(const struct mm_id *id, unsigned long *copy);
int longhaul_stub_put_fp(const struct mm_id *id, const unsigned long *copy);

#endif
