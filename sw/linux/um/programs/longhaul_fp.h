/* SPDX-License-Identifier: GPL-2.0 */
/* Moves floating-point registers between programs' processes and the threads' copies. */
#ifndef __UM_LONGHAUL_FP_H
#define __UM_LONGHAUL_FP_H

struct mm_struct;
struct task_struct;

/* Puts the current thread's registers into its process, which is about to run. Not 0: an error. */
int longhaul_fp_load(void);
/* Makes a thread's copy what its registers are. Not 0: an error. */
int longhaul_fp_save(struct task_struct *task);
/* The same; the copy may be changed then. */
int longhaul_fp_unload(struct task_struct *task);
/* The same for whoever's registers a process holds. */
int longhaul_fp_release(struct mm_struct *mm);
/* To be called where the current thread may end or begin another program. */
void longhaul_fp_may_end(void);

#endif
