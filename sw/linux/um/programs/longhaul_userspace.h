/* SPDX-License-Identifier: GPL-2.0 */
/* Programs that run without ptrace: until they stop, and why they did. */
#ifndef __UM_LONGHAUL_USERSPACE_H
#define __UM_LONGHAUL_USERSPACE_H

struct faultinfo;
struct mm_id;
struct uml_pt_regs;

extern struct mm_id *longhaul_mm_id; /* of the process that runs next */
extern struct faultinfo longhaul_stub_fault; /* what the host told of the last signal, if a fault */

/*
 * Lets the program run until it stops, and tells how as wait4() tells of a traced one; `info` is
 * the signal's siginfo_t.
 */
int longhaul_stub_run(struct uml_pt_regs *regs, void *info);

#endif
