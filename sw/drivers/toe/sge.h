/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Queues of the SGE, the Terminator's DMA engine: command queues, free lists, response queue.
 *
 * An entry of a queue is valid if its generation bits are those of the round through the ring. The
 * chip reads entries until it finds an invalid one. Then the queue sleeps until its doorbell rings.
 */
#ifndef T110_SGE_H
#define T110_SGE_H

#include <linux/bits.h>
#include <linux/skbuff.h>
#include <linux/spinlock.h>
#include <linux/timer.h>
#include <linux/types.h>

struct t110;
struct net_device;

#define SGE_CMDQS		2	/* 0 for packets, 1 for control messages of offload */
#define SGE_FREELISTS		2	/* 0 for standard frames, 1 for jumbo frames */
#define SGE_ALL_CMDQ_BELLS	(BIT(0) | BIT(1))
#define SGE_CMDQ_BELL(n)	BIT(n)
#define SGE_FL_BELL(n)		BIT(2 + (n))
#define SGE_FL_BELLS		(SGE_FL_BELL(0) | SGE_FL_BELL(1))

#define SGE_MIN_ENTRIES		64
#define SGE_MAX_ENTRIES		4096
#define SGE_CMDQ0_ENTRIES	1024
#define SGE_CMDQ1_ENTRIES	128
#define SGE_FL0_ENTRIES		1024
#define SGE_FL1_ENTRIES		256
#define SGE_RESPQ_ENTRIES	1024

#define SGE_ENTRY_MAX_BYTES	16384
#define SGE_ENTRY_LENGTH	GENMASK(30, 0)
#define SGE_ENTRY_GEN1		BIT(31)
#define SGE_FLAGS_GEN2		BIT(0)
#define SGE_FLAGS_DATA		BIT(1)
#define SGE_FLAGS_SOP		BIT(2)
#define SGE_FLAGS_EOP		BIT(3)

/* An entry of a command queue or a free list; `flags` of a free list is only GEN2. */
struct sge_entry {
	__le32 length_gen;
	__le32 address_low;
	__le32 address_high;
	__le32 flags;
};

#define SGE_RSP_GEN		BIT(0)
#define SGE_RSP_SOP		BIT(1)
#define SGE_RSP_EOP		BIT(2)
#define SGE_RSP_OFFLOAD		BIT(3)
#define SGE_RSP_DATA		BIT(4)
#define SGE_RSP_FREELIST	GENMASK(7, 6)
#define SGE_RSP_CREDITS0	GENMASK(17, 13)
#define SGE_RSP_CREDITS1	GENMASK(27, 23)
#define SGE_RSP_SLEEPING	GENMASK(31, 28)

struct sge_response {
	__le32 length;
	__le32 word;
};

/* What a command queue's entry holds; the last entry of a packet has its skb. */
struct sge_tx_buffer {
	struct sk_buff *skb;
	dma_addr_t address;
	u32 length;
	u32 bytes;		/* what the packet counts for the queue's limit */
	bool is_page;
	bool is_last;
};

struct sge_cmdq {
	spinlock_t lock;	/* all that follows */
	struct sge_entry *entries;
	dma_addr_t address;
	struct sge_tx_buffer *buffers;
	unsigned int size;
	unsigned int head;	/* next entry to fill */
	unsigned int tail;	/* oldest entry that the chip may still use */
	unsigned int used;
	bool generation;
	bool awake;
	bool off;
	struct sk_buff_head waiting;	/* messages without room */
};

struct sge_rx_buffer {
	struct sk_buff *skb;
	dma_addr_t address;
};

/* A free list; only its refill timer and the poll touch it while the interface is up. */
struct sge_freelist {
	struct sge_entry *entries;
	dma_addr_t address;
	struct sge_rx_buffer *buffers;
	unsigned int size;
	unsigned int head;	/* next entry to fill */
	unsigned int tail;	/* entry of the next received packet */
	unsigned int filled;
	unsigned int bytes;	/* of a buffer, behind its alignment */
	bool generation;
	bool asleep;
};

struct sge_respq {
	struct sge_response *entries;
	dma_addr_t address;
	unsigned int size;
	unsigned int head;
	unsigned int credits;	/* entries that the chip does not know to be free */
	bool generation;
};

struct sge {
	struct sge_cmdq cmdq[SGE_CMDQS];
	struct sge_freelist fl[SGE_FREELISTS];
	struct sge_respq respq;
	struct timer_list refill_timer;
	unsigned int cmdq_entries;	/* wanted sizes of queue 0 and the free lists */
	unsigned int fl_entries[SGE_FREELISTS];
};

/* sge.c */
void sge_init(struct t110 *chip);
void sge_set_entries(struct t110 *chip, unsigned int tx, unsigned int rx, unsigned int rx_jumbo);
int sge_alloc(struct t110 *chip);
void sge_free(struct t110 *chip);
void sge_start(struct t110 *chip);
void sge_drain(struct t110 *chip);
void sge_stop(struct t110 *chip);
void sge_set_hold_off(struct t110 *chip, unsigned int usecs);
void sge_put_entry(struct sge_entry *entry, dma_addr_t address, u32 length, bool generation);
void sge_ring(struct t110 *chip, u32 bells);

/* sge_tx.c */
void sge_tx_init(struct t110 *chip);
int sge_tx_alloc(struct t110 *chip);
void sge_tx_free(struct t110 *chip);
void sge_tx_off(struct t110 *chip);
bool sge_tx_is_drained(struct t110 *chip);
void sge_tx_done(struct t110 *chip, unsigned int number, unsigned int credits, bool slept);
void sge_send(struct t110 *chip, unsigned int number, struct sk_buff *skb);
netdev_tx_t sge_xmit(struct sk_buff *skb, struct net_device *netdev);

/* sge_rx.c */
void sge_rx_init(struct t110 *chip);
int sge_rx_alloc(struct t110 *chip);
void sge_rx_free(struct t110 *chip);
void sge_rx_fill_all(struct t110 *chip, gfp_t gfp);
bool sge_response_waits(const struct t110 *chip);
int sge_poll(struct napi_struct *napi, int budget);

#endif
