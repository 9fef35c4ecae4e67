/* SPDX-License-Identifier: GPL-2.0 */
/* The guest kernel's side of the coupling; see longhaul_abi.h for the protocol. */
#ifndef __UM_LONGHAUL_H
#define __UM_LONGHAUL_H

#include "longhaul_abi.h"

/* Null until longhaul_attach() has run, which is before anything that tells the time. */
extern struct lh_page *longhaul_page;

/* The image of a disk, mapped; no bytes: there is no such disk. */
struct longhaul_image {
	const char *start;
	unsigned long long bytes;
};

#define LONGHAUL_DISKS 2

/* os-Linux/longhaul_os.c: what needs the host's libc. */
extern int longhaul_ram_fd;
extern struct longhaul_image longhaul_images[LONGHAUL_DISKS];
void longhaul_os_hand_over(struct lh_page *page);
void longhaul_os_random(void *buffer, unsigned long bytes);

/* os-Linux/longhaul_confine.c: 0, or the number of the host's error. `traces`: its programs are traced. */
int longhaul_confine(int traces);

/* kernel/longhaul_processes.c: called for each address space; false: there are as many as the guest may have. */
_Bool longhaul_process_begins(void);
void longhaul_process_ends(void);
unsigned long longhaul_most_processes(void);

/* kernel/longhaul_core.c */
void longhaul_exchange(lh_u32 op);
unsigned long long longhaul_clock_ps(void);
void longhaul_charge(enum lh_state state, enum lh_work kind, unsigned long long units);
/* Counts without ever starting an exchange: for callers inside the timekeeping code. */
void longhaul_charge_quietly(enum lh_state state, enum lh_work kind, unsigned long long units);
enum lh_state longhaul_state(void);
/* Pays for work that has piled up and takes what is pending, if interrupts are enabled. */
void longhaul_sync(void);
void longhaul_elapse_ns(unsigned long ns);
void longhaul_set_timer(unsigned long long deadline_ps);
void longhaul_idle(void);
void longhaul_deliver_interrupts(void);
/* Enters the handler of a kernel interrupt number; interrupts are off. */
void longhaul_take_irq(int irq);
void longhaul_message(enum lh_message kind, const char *bytes, unsigned int count);
unsigned long long longhaul_bus_read(unsigned long long address, unsigned int size);
void longhaul_bus_write(unsigned long long address, unsigned int size, unsigned long long value);

/* Tells the simulator of memory that was touched in bulk; addresses are the kernel's own. */
void longhaul_touch(enum lh_memory_kind kind, const void *target, const void *source, unsigned long bytes);

/* kernel/longhaul_blocks.c: the cost of code that runs. */
extern struct lh_block_table longhaul_block_table;
/* Not 0: the table is not of this kernel. */
int longhaul_blocks_start(void);
/* Books what ran since the last call on the state that it ran in; returns that state. */
enum lh_state longhaul_enter_state(enum lh_state next);
/* Units of LH_WORK_EXECUTED that are not in an exchange yet, in picoseconds. */
unsigned long long longhaul_executed_ps(void);
/* Books what ran; called before each exchange. */
void longhaul_book_executed(void);
/* Makes the next basic block pay for what has piled up. */
void longhaul_pay_at_next_block(void);
/* Lets the uncounted site at an address count as the block of a number in the table; 0: there is no such site. */
int longhaul_start_site(unsigned long address, unsigned long index);
/* Stacks are followed into this code, too. */
void longhaul_add_text(const void *begin, unsigned long bytes);
void longhaul_remove_text(const void *begin);
/* Samples the stack if `ps` more of this kind make a sample period full. */
void longhaul_sample(enum lh_sample_kind kind, unsigned long long ps);

/* Hooks called from the edited arch/um files. */
void longhaul_syscall_entered(void);
void longhaul_copied(unsigned long target, unsigned long source, int bytes);
void longhaul_cleared(unsigned long target, int bytes);

/* kernel/longhaul_fault.c */
/* The physical address of what is mapped at an address of the kernel's virtual memory; ~0: nothing is. */
unsigned long long longhaul_mapped(unsigned long address);
/* Does what a fault of the kernel in its virtual memory takes; 0: there is nothing to be done, the kernel is at fault. */
int longhaul_fault_mended(unsigned long address, unsigned long ip);
int longhaul_is_virtual(unsigned long address);
struct faultinfo;
struct vm_area_struct;
/* Puts into the process what its kernel has mapped where it faulted. */
void longhaul_flush_around(struct vm_area_struct *area, unsigned long address);
struct uml_pt_regs;
/* Fills in what a program's fault was if the host's signal says enough; 0: it does not. */
int longhaul_fault_told(struct uml_pt_regs *regs, int code, unsigned long address);
/* Not 0: what is known of a fault is not enough for a signal. The program does it again, and the stub's handler is asked. */
int longhaul_fault_asked(const struct faultinfo *fault);

/* kernel/longhaul_cpu.c: the processor that programs see. */
/* Does what the instruction that raised SIGILL stands for; false: it stands for nothing. */
int longhaul_emulated(struct uml_pt_regs *regs);
/* The same processor for /proc/cpuinfo: names of its features as UML finds them in the host's. */
#define LONGHAUL_CPU_FLAGS \
	"fpu vme de pse tsc msr pae mce cx8 apic sep mtrr pge mca cmov pat pse36 clflush mmx fxsr sse sse2 " \
	"syscall nx mmxext lm 3dnowext 3dnow"
#define LONGHAUL_HOST "longhaul"
/* Where the address space of a process ends on the host, with four levels of page tables. */
#define LONGHAUL_HOST_END 0x7ffffffff000UL

/* drivers/longhaul_pci.c: the interrupt that an INTx line or an MSI vector stands for. */
void longhaul_handle_intx(unsigned int line);
void longhaul_handle_msi(unsigned int vector);

#endif
