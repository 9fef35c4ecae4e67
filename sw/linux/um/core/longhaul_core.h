/* SPDX-License-Identifier: GPL-2.0 */
/* Exchanges with the simulator: time, work, interrupts, accesses of the bus, messages. */
#ifndef __UM_LONGHAUL_CORE_H
#define __UM_LONGHAUL_CORE_H

#include "longhaul_abi.h"

struct siginfo;
struct uml_pt_regs;

void longhaul_exchange(lh_u32 op);
unsigned long long longhaul_clock_ps(void);
void longhaul_charge(enum lh_state state, enum lh_work kind, unsigned long long units);
/* Counts without ever starting an exchange: for callers inside the timekeeping code. */
void longhaul_charge_quietly(enum lh_state state, enum lh_work kind, unsigned long long units);
/* Pays for work that has piled up and takes what is pending, if interrupts are enabled. */
void longhaul_sync(void);
void longhaul_elapse_ns(unsigned long ns);
void longhaul_set_timer(unsigned long long deadline_ps);
void longhaul_idle(void);

/* What handles interrupts of the timer, of INTx lines and of MSI vectors; before, they are lost. */
void longhaul_on_timer(void (*handler)(int sig, struct siginfo *info, struct uml_pt_regs *regs));
void longhaul_on_pci(void (*intx)(unsigned int line), void (*msi)(unsigned int vector));
void longhaul_deliver_interrupts(void);
/* Enters the handler of a kernel interrupt number; interrupts are off. */
void longhaul_take_irq(int irq);

void longhaul_message(enum lh_message kind, const char *bytes, unsigned int count);
unsigned long long longhaul_bus_read(unsigned long long address, unsigned int size);
void longhaul_bus_write(unsigned long long address, unsigned int size, unsigned long long value);

/* Tells the simulator of memory that was touched in bulk; addresses are the kernel's own. */
void longhaul_touch(enum lh_memory_kind kind, const void *target, const void *source,
		    unsigned long bytes);

/* Called from the edited arch/um files. */
void longhaul_syscall_entered(void);
void longhaul_copied(unsigned long target, unsigned long source, int bytes);
void longhaul_cleared(unsigned long target, int bytes);

#endif
