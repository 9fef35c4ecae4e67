// SPDX-License-Identifier: GPL-2.0
/* Faults of the kernel in its own virtual memory: those that a mapping mends, and those that are the kernel's end. */
#include <linux/mm.h>
#include <linux/pgtable.h>
#include <asm/tlbflush.h>
#include <as-layout.h>
#include <longhaul.h>

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
