// SPDX-License-Identifier: GPL-2.0
/*
 * Bounds the host's processes of a guest. Each address space of a guest is one, with memory of the host's kernel that is not part
 * of the guest's RAM; the guest's own limits (threads-max, RLIMIT_NPROC) do not bind its root.
 */
#include <linux/atomic.h>
#include <linux/minmax.h>
#include <linux/printk.h>
#include <as-layout.h>
#include <longhaul_processes.h>

#define RAM_PER_PROCESS (2UL << 20)
#define FEWEST 64UL

static atomic_t processes;

unsigned long longhaul_most_processes(void)
{
	return max((high_physmem - uml_physmem) / RAM_PER_PROCESS, FEWEST);
}

bool longhaul_process_begins(void)
{
	if (atomic_inc_return(&processes) <= longhaul_most_processes())
		return true;
	atomic_dec(&processes);
	pr_warn_ratelimited("longhaul: no more than %lu address spaces at a time, one for each %lu MiB of RAM\n",
			    longhaul_most_processes(), RAM_PER_PROCESS >> 20);
	return false;
}

void longhaul_process_ends(void)
{
	atomic_dec(&processes);
}
