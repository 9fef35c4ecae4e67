// SPDX-License-Identifier: GPL-2.0
/*
 * Floating-point registers of guest programs stay in their host process. They are read out only when somebody needs a thread's
 * copy of them, and written only when the process holds another thread's. Each process remembers whose it holds (mm_id.fp).
 *
 * A thread that shares its address space may end while the process holds its registers, and another one would read them out into
 * memory that is gone. So it gives them back before each thing that may end it (longhaul_fp_may_end).
 */
#include <linux/mm_types.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <asm/current.h>
#include <asm/ptrace.h>
#include <os.h>
#include <registers.h>
#include <longhaul_fp.h>
#include <longhaul_fp_owner.h>
#include <longhaul_stub.h>
#include <longhaul_stub_frame.h>

static struct longhaul_fp *process_of(const struct task_struct *task)
{
	return &task->mm->context.id.fp;
}

static unsigned long *copy_of(struct task_struct *task)
{
	return task->thread.regs.regs.fp;
}

static int get(const struct mm_id *id, unsigned long *copy)
{
	return longhaul_stubs ? longhaul_stub_get_fp(id, copy) : get_fp_registers(id->u.pid, copy);
}

static int put(const struct mm_id *id, unsigned long *copy)
{
	return longhaul_stubs ? longhaul_stub_put_fp(id, copy) : put_fp_registers(id->u.pid, copy);
}

static int read_out(const struct mm_struct *mm, struct longhaul_fp *process)
{
	int err;

	if (!process->owner || !process->newer)
		return 0;
	err = get(&mm->context.id, process->owner);
	process->newer = 0;
	return err;
}

int longhaul_fp_load(void)
{
	struct longhaul_fp *process = process_of(current);
	unsigned long *copy = copy_of(current);
	int err = 0;

	if (process->owner != copy) {
		err = read_out(current->mm, process);
		err = err ?: put(&current->mm->context.id, copy);
		process->owner = copy;
	}
	process->newer = 1;
	return err;
}

int longhaul_fp_save(struct task_struct *task)
{
	if (!task->mm || process_of(task)->owner != copy_of(task))
		return 0;
	return read_out(task->mm, process_of(task));
}

int longhaul_fp_release(struct mm_struct *mm)
{
	int err = read_out(mm, &mm->context.id.fp);

	mm->context.id.fp = (struct longhaul_fp){};
	return err;
}

int longhaul_fp_unload(struct task_struct *task)
{
	if (!task->mm || process_of(task)->owner != copy_of(task))
		return 0;
	return longhaul_fp_release(task->mm);
}

void longhaul_fp_may_end(void)
{
	if (current->mm && atomic_read(&current->mm->mm_users) > 1)
		longhaul_fp_unload(current);
}
