// SPDX-License-Identifier: GPL-2.0
/*
 * Clock, timer and idle of a Longhaul guest: simulated time is the only time there is. Takes the place of the kernel's
 * arch/um/kernel/time.c, whose modes (real time, infinite CPU, external calendar over a socket) a guest has no use for.
 */
#include <linux/clockchips.h>
#include <linux/init.h>
#include <linux/interrupt.h>
#include <linux/jiffies.h>
#include <linux/sched.h>
#include <asm/irq.h>
#include <asm/param.h>
#include <kern_util.h>
#include <os.h>
#include <linux/time-internal.h>
#include <shared/init.h>
#include <longhaul_blocks.h>
#include <longhaul_core.h>
#include <longhaul_os.h>

#define PS_PER_NS 1000ULL
/* A timer that is due at once still goes through one exchange. */
#define MIN_DELTA_NS 100
#define MAX_DELTA_NS 0x7fffffff

/* delay.h, processor.h and the idle loop ask for the mode; it never changes. */
enum time_travel_mode time_travel_mode = TT_MODE_EXTERNAL;
EXPORT_SYMBOL_GPL(time_travel_mode);

static unsigned long long period_ns;

void time_travel_sleep(void)
{
	longhaul_idle();
}

void time_travel_ndelay(unsigned long nsec)
{
	longhaul_elapse_ns(nsec);
}
EXPORT_SYMBOL(time_travel_ndelay);

/* unblock_signals(), which is how interrupts are enabled, calls this. */
void deliver_time_travel_irqs(void)
{
	longhaul_deliver_interrupts();
}

/* Interrupts of host file descriptors (consoles): they have no place in simulated time and take none. */
void time_travel_add_irq_event(struct time_travel_event *e)
{
	e->fn(e);
}
EXPORT_SYMBOL_GPL(time_travel_add_irq_event);

static void arm(unsigned long long delta_ns)
{
	longhaul_set_timer(longhaul_clock_ps() + delta_ns * PS_PER_NS);
}

void timer_handler(int sig, struct siginfo *unused_si, struct uml_pt_regs *regs)
{
	if (period_ns)
		arm(period_ns);
	longhaul_take_irq(TIMER_IRQ);
}

static int shut_down(struct clock_event_device *evt)
{
	period_ns = 0;
	longhaul_set_timer(LH_NO_DEADLINE);
	return 0;
}

static int set_periodic(struct clock_event_device *evt)
{
	period_ns = NSEC_PER_SEC / HZ;
	arm(period_ns);
	return 0;
}

static int set_oneshot(struct clock_event_device *evt)
{
	return shut_down(evt);
}

static int set_next_event(unsigned long delta, struct clock_event_device *evt)
{
	arm(delta);
	return 0;
}

static struct clock_event_device timer_clockevent = {
	.name			= "longhaul-timer",
	.rating			= 250,
	.cpumask		= cpu_possible_mask,
	.features		= CLOCK_EVT_FEAT_PERIODIC | CLOCK_EVT_FEAT_ONESHOT,
	.set_state_shutdown	= shut_down,
	.set_state_periodic	= set_periodic,
	.set_state_oneshot	= set_oneshot,
	.set_next_event		= set_next_event,
	.max_delta_ns		= MAX_DELTA_NS,
	.max_delta_ticks	= MAX_DELTA_NS,
	.min_delta_ns		= MIN_DELTA_NS,
	.min_delta_ticks	= MIN_DELTA_NS,
	.mult			= 1,
};

static irqreturn_t um_timer(int irq, void *dev)
{
	timer_clockevent.event_handler(&timer_clockevent);
	return IRQ_HANDLED;
}

/* Reading the clock costs what the cost book says, so that a loop that waits for time to pass ends. */
static u64 read_clock(struct clocksource *cs)
{
	longhaul_charge_quietly(longhaul_state(), LH_WORK_CLOCK_READ, 1);
	return div_u64(longhaul_clock_ps(), PS_PER_NS);
}

static struct clocksource timer_clocksource = {
	.name		= "longhaul",
	.rating		= 300,
	.read		= read_clock,
	.mask		= CLOCKSOURCE_MASK(64),
	.flags		= CLOCK_SOURCE_IS_CONTINUOUS,
};

static void __init timer_setup_late(void)
{
	if (request_irq(TIMER_IRQ, um_timer, IRQF_TIMER, "hr timer", NULL))
		panic("longhaul: no interrupt for the timer");
	if (clocksource_register_hz(&timer_clocksource, NSEC_PER_SEC))
		panic("longhaul: the clock source was refused");
	clockevents_register_device(&timer_clockevent);
}

void read_persistent_clock64(struct timespec64 *ts)
{
	*ts = ns_to_timespec64(longhaul_page->time_of_day_ns + div_u64(longhaul_clock_ps(), PS_PER_NS));
}

void __init time_init(void)
{
	if (!longhaul_page)
		panic("This kernel runs only as a guest of longhaul-sim (no longhaul= argument).");
	timer_set_signal_handler();
	longhaul_on_timer(timer_handler);
	late_time_init = timer_setup_late;
}

unsigned long calibrate_delay_is_known(void)
{
	return 1;
}
