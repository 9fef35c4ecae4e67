/* SPDX-License-Identifier: GPL-2.0 */
/* The guest kernel's side of the coupling; see longhaul_abi.h for the protocol. */
#ifndef __UM_LONGHAUL_H
#define __UM_LONGHAUL_H

#include "longhaul_abi.h"

/* Null until longhaul_attach() has run, which is before anything that tells the time. */
extern struct lh_page *longhaul_page;

/* os-Linux/longhaul_os.c: what needs the host's libc. */
extern int longhaul_ram_fd;
void longhaul_os_hand_over(struct lh_page *page);
void longhaul_os_random(void *buffer, unsigned long bytes);

/* kernel/longhaul.c */
void longhaul_exchange(lh_u32 op);
unsigned long long longhaul_clock_ps(void);
void longhaul_charge(enum lh_state state, enum lh_work kind, unsigned long long units);
/* Counts without ever starting an exchange: for callers inside the timekeeping code. */
void longhaul_charge_quietly(enum lh_state state, enum lh_work kind, unsigned long long units);
enum lh_state longhaul_state(void);
void longhaul_elapse_ns(unsigned long ns);
void longhaul_set_timer(unsigned long long deadline_ps);
void longhaul_idle(void);
void longhaul_deliver_interrupts(void);
/* Enters the handler of a kernel interrupt number; interrupts are off. */
void longhaul_take_irq(int irq);
void longhaul_message(enum lh_message kind, const char *bytes, unsigned int count);
unsigned long long longhaul_bus_read(unsigned long long address, unsigned int size);
void longhaul_bus_write(unsigned long long address, unsigned int size, unsigned long long value);

/* Hooks called from the edited arch/um files. */
void longhaul_syscall_entered(void);
void longhaul_bytes_copied(unsigned long bytes);

/* drivers/longhaul_pci.c: the interrupt that an INTx line or an MSI vector stands for. */
void longhaul_handle_intx(unsigned int slot);
void longhaul_handle_msi(unsigned int vector);

#endif
