// SPDX-License-Identifier: GPL-2.0
/* Exchanges with the simulator: time, work, interrupts, bus accesses. */
#include <linux/export.h>
#include <linux/init.h>
#include <linux/interrupt.h>
#include <linux/irqflags.h>
#include <linux/pgtable.h>
#include <linux/preempt.h>
#include <linux/string.h>
#include <asm/page.h>
#include <as-layout.h>
#include <kern_util.h>
#include <sysdep/ptrace.h>
#include <longhaul_blocks.h>
#include <longhaul_core.h>
#include <longhaul_fault.h>
#include <longhaul_os.h>

#define PS_PER_NS 1000ULL

static bool timer_due;

static void no_timer(int sig, struct siginfo *info, struct uml_pt_regs *regs)
{
}

static void no_pci(unsigned int number)
{
}

static void (*on_timer)(int sig, struct siginfo *info, struct uml_pt_regs *regs) = no_timer;
static void (*on_intx)(unsigned int line) = no_pci;
static void (*on_msi)(unsigned int vector) = no_pci;

void longhaul_on_timer(void (*handler)(int sig, struct siginfo *info, struct uml_pt_regs *regs))
{
	on_timer = handler;
}

void longhaul_on_pci(void (*intx)(unsigned int line), void (*msi)(unsigned int vector))
{
	on_intx = intx;
	on_msi = msi;
}

/*
 * One exchange. Nothing is delivered here: whoever has interrupts enabled calls longhaul_deliver_interrupts() afterwards.
 * No signal of the host reaches a guest's kernel while it waits, so an exchange cannot be entered twice.
 */
void longhaul_exchange(lh_u32 op)
{
	struct lh_page *page = longhaul_page;

	longhaul_book_executed();
	page->op = op;
	longhaul_os_hand_over(page);
	page->ahead_ps = 0;
	longhaul_sample(LH_SAMPLE_COLD, page->waited_ps);
	if (page->now_ps >= page->timer_ps) {
		page->timer_ps = LH_NO_DEADLINE;
		timer_due = true;
	}
}

static void deliver_if_enabled(void)
{
	if (!irqs_disabled())
		longhaul_deliver_interrupts();
}

static void exchange_and_deliver(lh_u32 op)
{
	longhaul_exchange(op);
	deliver_if_enabled();
}

/* How far this guest is ahead of simulated time. */
static unsigned long long unpaid_ps(void)
{
	return longhaul_page->ahead_ps + longhaul_executed_ps();
}

static bool quantum_is_full(void)
{
	return unpaid_ps() >= longhaul_page->quantum_ps;
}

unsigned long long longhaul_clock_ps(void)
{
	return longhaul_page->now_ps + unpaid_ps();
}

void longhaul_charge_quietly(enum lh_state state, enum lh_work kind, unsigned long long units)
{
	unsigned long long ps = units * longhaul_page->cost_ps[kind];

	longhaul_page->work[state][kind] += units;
	longhaul_page->ahead_ps += ps;
	longhaul_sample(LH_SAMPLE_WORK, ps);
}

void longhaul_sync(void)
{
	exchange_and_deliver(LH_OP_SYNC);
}

void longhaul_charge(enum lh_state state, enum lh_work kind, unsigned long long units)
{
	longhaul_charge_quietly(state, kind, units);
	if (quantum_is_full())
		longhaul_sync();
}

void longhaul_syscall_entered(void)
{
	longhaul_charge_quietly(LH_STATE_USER, LH_WORK_USER_SYSCALL, 1);
	longhaul_charge(LH_STATE_SYSTEM, LH_WORK_SYSCALL, 1);
}

/* Modules lie below the memory that __pa() knows. What is mapped nowhere is no memory, and faults when it is touched. */
static unsigned long long physical(const void *address)
{
	unsigned long long at;

	if (!address)
		return 0;
	if ((unsigned long)address - MODULES_VADDR >= MODULES_LEN)
		return __pa(address);
	at = longhaul_mapped((unsigned long)address);
	return at == ~0ULL ? 0 : at;
}

void longhaul_touch(enum lh_memory_kind kind, const void *target, const void *source, unsigned long bytes)
{
	struct lh_page *page = longhaul_page;
	struct lh_memory_op *op;

	if (page->memory_ops == LH_MEMORY_OPS)
		longhaul_exchange(LH_OP_SYNC);
	op = &page->memory_op[page->memory_ops++];
	op->source = physical(source);
	op->target = physical(target);
	op->bytes = bytes;
	op->kind_and_state = kind | longhaul_state() << 8;
}

/* Inside a copy no interrupt is taken; what has piled up is paid for as soon as the kernel's own code runs again. */
static void charge_until_next_block(enum lh_work kind, unsigned long long units)
{
	longhaul_charge_quietly(longhaul_state(), kind, units);
	if (quantum_is_full())
		longhaul_pay_at_next_block();
}

void longhaul_copied(unsigned long target, unsigned long source, int bytes)
{
	longhaul_touch(LH_MEMORY_COPY, (void *)target, (void *)source, bytes);
	charge_until_next_block(LH_WORK_BYTE_COPIED, bytes);
}

void longhaul_cleared(unsigned long target, int bytes)
{
	longhaul_touch(LH_MEMORY_WRITE, (void *)target, NULL, bytes);
	charge_until_next_block(LH_WORK_BYTE_COPIED, bytes);
}

/* A short delay is work like any other; a long one passes in pieces between which interrupts are taken. */
void longhaul_elapse_ns(unsigned long ns)
{
	struct lh_page *page = longhaul_page;
	unsigned long long end_ps;

	if (unpaid_ps() + ns * PS_PER_NS < page->quantum_ps) {
		longhaul_charge_quietly(longhaul_state(), LH_WORK_DELAY_PS, ns * PS_PER_NS);
		return;
	}
	end_ps = longhaul_clock_ps() + ns * PS_PER_NS;
	do {
		page->deadline_ps = end_ps;
		page->flags = irqs_disabled() ? 0 : LH_FLAG_INTERRUPTIBLE;
		page->size = longhaul_state();
		exchange_and_deliver(LH_OP_ELAPSE);
	} while (page->now_ps < end_ps);
}

/* Called with interrupts off, as everything that programs a clock event device is. */
void longhaul_set_timer(unsigned long long deadline_ps)
{
	longhaul_page->timer_ps = deadline_ps;
	timer_due = false;
}

/* Called by the idle loop with interrupts off; it enables them when this returns. */
void longhaul_idle(void)
{
	longhaul_exchange(LH_OP_IDLE);
}

static bool interrupt_pending(void)
{
	const struct lh_page *page = longhaul_page;

	return timer_due || page->msi_pending || (page->intx_level & page->intx_unmasked);
}

/* An interrupt is always taken inside the kernel: user-space work is paid for at the next system call. */
static struct uml_pt_regs kernel_regs;

void longhaul_take_irq(int irq)
{
	enum lh_state interrupted = longhaul_enter_state(LH_STATE_HARDIRQ);

	do_IRQ(irq, &kernel_regs);
	longhaul_enter_state(interrupted);
}

/*
 * Takes what is pending, with interrupts off, until nothing is. A handler's softirqs run with interrupts on and come
 * back here from unblock_signals(): that nesting is the real one. Work that was only counted quietly is paid for here when
 * it has piled up, so that a loop that does nothing but read the clock with interrupts on gets its timer.
 */
void longhaul_deliver_interrupts(void)
{
	unsigned long flags;

	if (unlikely(quantum_is_full()))
		longhaul_exchange(LH_OP_SYNC);
	if (likely(!interrupt_pending()))
		return;
	local_irq_save(flags);
	while (interrupt_pending()) {
		struct lh_page *page = longhaul_page;

		if (timer_due) {
			timer_due = false;
			on_timer(0, NULL, NULL);
		} else if (page->msi_pending) {
			unsigned int vector = __ffs(page->msi_pending);

			page->msi_pending &= ~(1u << vector);
			on_msi(vector);
		} else {
			on_intx(__ffs(page->intx_level & page->intx_unmasked));
		}
	}
	local_irq_restore(flags);
}

static void exchange_on_bus(lh_u32 op, unsigned long long address, unsigned int size)
{
	struct lh_page *page = longhaul_page;
	unsigned long long before_ps = longhaul_clock_ps();

	page->address = address;
	page->size = size;
	longhaul_exchange(op);
	longhaul_sample(LH_SAMPLE_MMIO, page->now_ps - page->waited_ps - before_ps);
}

unsigned long long longhaul_bus_read(unsigned long long address, unsigned int size)
{
	unsigned long long value;

	exchange_on_bus(LH_OP_READ, address, size);
	value = longhaul_page->data;
	deliver_if_enabled();
	return value;
}

void longhaul_bus_write(unsigned long long address, unsigned int size, unsigned long long value)
{
	longhaul_page->data = value;
	exchange_on_bus(LH_OP_WRITE, address, size);
	deliver_if_enabled();
}

void longhaul_message(enum lh_message kind, const char *bytes, unsigned int count)
{
	struct lh_page *page = longhaul_page;

	count = min_t(unsigned int, count, LH_MESSAGE_BYTES);
	memcpy(page->message, bytes, count);
	page->size = count;
	page->flags = kind;
	longhaul_exchange(LH_OP_MESSAGE);
}

/* mem_init() has moved uml_reserved to the end of the image and of what libc took behind it; no device is probed yet. */
static int __init longhaul_memory_init(void)
{
	longhaul_page->ram_begin = __pa(uml_reserved);
	exchange_and_deliver(LH_OP_MEMORY);
	return 0;
}
early_initcall(longhaul_memory_init);
