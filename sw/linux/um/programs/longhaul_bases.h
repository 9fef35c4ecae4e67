/* SPDX-License-Identifier: GPL-2.0 */
/* FS and GS base of programs that run without ptrace. */
#ifndef __UM_LONGHAUL_BASES_H
#define __UM_LONGHAUL_BASES_H

struct task_struct;

/* arch_prctl() where there is no ptrace to make the host do it. */
long longhaul_arch_prctl(struct task_struct *task, int option, unsigned long value);

#endif
