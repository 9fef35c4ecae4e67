// SPDX-License-Identifier: GPL-2.0
/* FS and GS base of programs that run without ptrace. The stub loads them with the other registers. */
#include <linux/errno.h>
#include <linux/sched.h>
#include <linux/uaccess.h>
#include <asm/prctl.h>
#include <sysdep/ptrace.h>
#include <longhaul_bases.h>
#include <longhaul_os.h>

long longhaul_arch_prctl(struct task_struct *task, int option, unsigned long value)
{
	unsigned long *registers = task->thread.regs.regs.gp;

	switch (option) {
	case ARCH_SET_FS:
	case ARCH_SET_GS:
		if (value >= LONGHAUL_HOST_END)
			return -EPERM;
		registers[option == ARCH_SET_FS ? HOST_FS_BASE : HOST_GS_BASE] = value;
		if (option == ARCH_SET_FS)
			task->thread.arch.fs = value;
		return 0;
	case ARCH_GET_FS:
		return put_user(registers[HOST_FS_BASE], (unsigned long __user *)value);
	case ARCH_GET_GS:
		return put_user(registers[HOST_GS_BASE], (unsigned long __user *)value);
	}
	return -EPERM; /* as a traced program is answered */
}
