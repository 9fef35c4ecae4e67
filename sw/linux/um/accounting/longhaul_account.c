// SPDX-License-Identifier: GPL-2.0
/*
 * Counts the guest's work where the kernel's own tracepoints announce it. What it costs is the simulator's CPU model's
 * business: here only counts leave the kernel, into the shared page.
 */
#include <linux/init.h>
#include <linux/interrupt.h>
#include <linux/netdevice.h>
#include <linux/panic_notifier.h>
#include <linux/skbuff.h>
#include <trace/events/irq.h>
#include <trace/events/napi.h>
#include <trace/events/net.h>
#include <trace/events/sched.h>
#include <longhaul_blocks.h>
#include <longhaul_core.h>

/* Ethernet, IP and TCP headers with their options, and what the stack peeks at behind them. */
#define HEADER_BYTES 128u

static void charge(enum lh_work kind, unsigned long long units)
{
	longhaul_charge(longhaul_state(), kind, units);
}

/* Bytes that the CPU sums it also reads; one sum may run over several fragments, of which the first stands for all. */
static void charge_sum(const struct sk_buff *skb)
{
	longhaul_touch(LH_MEMORY_READ, NULL, skb->data, skb_headlen(skb));
	charge(LH_WORK_BYTE_CHECKSUMMED, skb->len);
}

/* The protocols read a packet's headers, which the adapter's DMA has just made cold. */
static void charge_headers(const struct sk_buff *skb)
{
	const void *start = skb_mac_header_was_set(skb) ? skb_mac_header(skb) : skb->data;

	longhaul_touch(LH_MEMORY_READ, NULL, start, min_t(unsigned int, skb_headlen(skb) + ETH_HLEN, HEADER_BYTES));
}

/* A packet for a device that cannot sum it itself is summed by the CPU on its way there. */
static void on_transmit(void *unused, const struct sk_buff *skb, const struct net_device *dev)
{
	if (dev->flags & IFF_LOOPBACK)
		return;
	charge(LH_WORK_PACKET_TX, 1);
	if (skb->ip_summed == CHECKSUM_NONE && !skb_is_gso(skb))
		charge_sum(skb);
}

static void on_receive(void *unused, const struct sk_buff *skb)
{
	if (skb->dev->flags & IFF_LOOPBACK)
		return;
	charge(LH_WORK_PACKET_RX, 1);
	charge_headers(skb);
	if (skb->ip_summed == CHECKSUM_NONE)
		charge_sum(skb);
}

/* With GRO the driver hands up packets before they are merged; that is where each of them costs. */
static void on_gro_receive(void *unused, const struct sk_buff *skb)
{
	charge(LH_WORK_PACKET_RX, 1);
	charge_headers(skb);
	if (skb->ip_summed == CHECKSUM_NONE)
		charge_sum(skb);
}

/* Announced when the driver's poll has ended: it has read the descriptors that were written back before. */
static void on_poll(void *unused, struct napi_struct *napi, int work, int budget)
{
	longhaul_touch(LH_MEMORY_POLL, NULL, NULL, 0);
	charge(LH_WORK_NAPI_POLL, 1);
}

static void on_interrupt(void *unused, int irq, struct irqaction *action)
{
	charge(LH_WORK_INTERRUPT, 1);
}

static enum lh_state before_softirq;

static void on_softirq(void *unused, unsigned int vector)
{
	before_softirq = longhaul_enter_state(LH_STATE_SOFTIRQ);
}

static void on_softirq_end(void *unused, unsigned int vector)
{
	longhaul_enter_state(before_softirq);
}

static void on_switch(void *unused, bool preempt, struct task_struct *prev, struct task_struct *next,
		      unsigned int prev_state)
{
	charge(LH_WORK_SWITCH, 1);
}

static int on_panic(struct notifier_block *block, unsigned long event, void *text)
{
	longhaul_message(LH_MESSAGE_PANIC, text, strlen(text));
	return NOTIFY_DONE;
}

/* Before UML's own notifier, which aborts the process (arch/um/kernel/um_arch.c, INT_MAX - 1). */
static struct notifier_block panic_block = { .notifier_call = on_panic, .priority = INT_MAX };

static int __init longhaul_account_init(void)
{
	int err = 0;

	err = err ?: register_trace_net_dev_start_xmit(on_transmit, NULL);
	err = err ?: register_trace_netif_receive_skb_entry(on_receive, NULL);
	err = err ?: register_trace_napi_gro_receive_entry(on_gro_receive, NULL);
	err = err ?: register_trace_napi_poll(on_poll, NULL);
	err = err ?: register_trace_irq_handler_entry(on_interrupt, NULL);
	err = err ?: register_trace_softirq_entry(on_softirq, NULL);
	err = err ?: register_trace_softirq_exit(on_softirq_end, NULL);
	err = err ?: register_trace_sched_switch(on_switch, NULL);
	atomic_notifier_chain_register(&panic_notifier_list, &panic_block);
	return err;
}
/* After the trace events are there and before the first device is probed. */
fs_initcall(longhaul_account_init);
