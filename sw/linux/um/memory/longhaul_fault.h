/* SPDX-License-Identifier: GPL-2.0 */
/* Faults of the kernel in its virtual memory, and of programs. */
#ifndef __UM_LONGHAUL_FAULT_H
#define __UM_LONGHAUL_FAULT_H

struct faultinfo;
struct uml_pt_regs;
struct vm_area_struct;

/* The physical address of what is mapped at an address of the kernel's; ~0: nothing is. */
unsigned long long longhaul_mapped(unsigned long address);
int longhaul_is_virtual(unsigned long address);
/* Does what a fault of the kernel in its virtual memory takes; 0: the kernel is at fault. */
int longhaul_fault_mended(unsigned long address, unsigned long ip);
/* Puts into the process what its kernel has mapped where it faulted. */
void longhaul_flush_around(struct vm_area_struct *area, unsigned long address);
/* Fills in what a program's fault was if the host's signal says enough; 0: it does not. */
int longhaul_fault_told(struct uml_pt_regs *regs, int code, unsigned long address);
/*
 * Not 0: what is known of a fault is not enough for a signal. The program does it again, and the
 * stub's handler is asked.
 */
int longhaul_fault_asked(const struct faultinfo *fault);

#endif
