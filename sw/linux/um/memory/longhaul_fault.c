// SPDX-License-Identifier: GPL-2.0
/*
 * Faults of the kernel in its own virtual memory: those that a mapping mends, and those that are the kernel's end. And faults of
 * programs, as far as the host's signal tells what they are.
 */
#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <linux/pgtable.h>
#include <asm/tlbflush.h>
#include <as-layout.h>
#include <sysdep/ptrace.h>
#include <longhaul_fault.h>

/* A fault that comes back so often at once is not mended by mapping the page. */
#define TRIES 16

int longhaul_is_virtual(unsigned long address)
{
	return (address >= start_vm && address < end_vm) || (address >= MODULES_VADDR && address < MODULES_END);
}

unsigned long long longhaul_mapped(unsigned long address)
{
	pgd_t *pgd = pgd_offset_k(address);
	p4d_t *p4d;
	pud_t *pud;
	pmd_t *pmd;
	pte_t *pte;

	if (!pgd_present(*pgd))
		return ~0ULL;
	p4d = p4d_offset(pgd, address);
	if (!p4d_present(*p4d))
		return ~0ULL;
	pud = pud_offset(p4d, address);
	if (!pud_present(*pud))
		return ~0ULL;
	pmd = pmd_offset(pud, address);
	if (!pmd_present(*pmd))
		return ~0ULL;
	pte = pte_offset_kernel(pmd, address);
	if (!pte_present(*pte))
		return ~0ULL;
	return (pte_val(*pte) & PAGE_MASK) + offset_in_page(address);
}

int longhaul_fault_mended(unsigned long address, unsigned long ip)
{
	static unsigned long last_address, last_ip;
	static unsigned int tries;

	if (longhaul_mapped(address) == ~0ULL)
		return 0;
	tries = address == last_address && ip == last_ip ? tries + 1 : 1;
	last_address = address;
	last_ip = ip;
	if (tries > TRIES)
		return 0;
	__flush_tlb_one(address & PAGE_MASK);
	return 1;
}

#define PAGE_FAULT 14 /* Intel SDM volume 3, 6.15 */
/* The processor's code of a program's fault is never 0: it has a bit for user mode. */
#define NOT_KNOWN 0

static const struct task_struct *asking; /* is to fault again */

int longhaul_fault_told(struct uml_pt_regs *regs, int code, unsigned long address)
{
	if (asking == current) {
		asking = NULL;
		return 0;
	}
	if (code != SEGV_MAPERR)
		return 0;
	regs->faultinfo = (struct faultinfo){ .error_code = NOT_KNOWN, .cr2 = address, .trap_no = PAGE_FAULT };
	return 1;
}

int longhaul_fault_asked(const struct faultinfo *fault)
{
	if (fault->error_code != NOT_KNOWN)
		return 0;
	asking = current;
	return 1;
}

/* So much of a file the kernel maps at a fault, where its pages are in memory (mm/memory.c, fault_around_bytes). */
#define AROUND 65536UL

void longhaul_flush_around(struct vm_area_struct *area, unsigned long address)
{
	unsigned long begin = max(address & ~(AROUND - 1), area->vm_start);
	unsigned long end = min(begin + AROUND, area->vm_end);

	flush_tlb_range(area, begin, end);
}
