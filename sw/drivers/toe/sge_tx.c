// SPDX-License-Identifier: GPL-2.0
/* Command queues: from packets to entries, and back when the chip has read them. */
#include <linux/etherdevice.h>
#include <linux/slab.h>

#include "t110.h"
#include "cpl5_cmd.h"

/* Entries that one packet takes at most: its head and its pages */
#define PACKET_ENTRIES	(1 + MAX_SKB_FRAGS)

void sge_tx_init(struct t110 *chip)
{
	int i;

	for (i = 0; i < SGE_CMDQS; i++) {
		spin_lock_init(&chip->sge.cmdq[i].lock);
		__skb_queue_head_init(&chip->sge.cmdq[i].waiting);
	}
}

int sge_tx_alloc(struct t110 *chip)
{
	const unsigned int sizes[SGE_CMDQS] = { chip->sge.cmdq_entries, SGE_CMDQ1_ENTRIES };
	int i;

	for (i = 0; i < SGE_CMDQS; i++) {
		struct sge_cmdq *q = &chip->sge.cmdq[i];

		q->size = sizes[i];
		q->head = 0;
		q->tail = 0;
		q->used = 0;
		q->generation = true;
		q->awake = false;
		q->off = false;
		q->entries = dma_alloc_coherent(&chip->pdev->dev, q->size * sizeof(*q->entries),
						&q->address, GFP_KERNEL);
		q->buffers = kvcalloc(q->size, sizeof(*q->buffers), GFP_KERNEL);
		if (!q->entries || !q->buffers) {
			sge_tx_free(chip);
			return -ENOMEM;
		}
	}
	return 0;
}

static void unmap(struct t110 *chip, struct sge_tx_buffer *buffer)
{
	if (buffer->is_page)
		dma_unmap_page(&chip->pdev->dev, buffer->address, buffer->length, DMA_TO_DEVICE);
	else
		dma_unmap_single(&chip->pdev->dev, buffer->address, buffer->length,
				 DMA_TO_DEVICE);
}

/* Free the oldest entry, and its packet if it is the packet's last one. */
static void release_oldest(struct t110 *chip, struct sge_cmdq *q, unsigned int *packets,
			   unsigned int *bytes)
{
	struct sge_tx_buffer *buffer = &q->buffers[q->tail];

	unmap(chip, buffer);
	if (buffer->is_last) {
		dev_consume_skb_any(buffer->skb);
		if (buffer->bytes > 0)
			++*packets;
		*bytes += buffer->bytes;
	}
	memset(buffer, 0, sizeof(*buffer));
	q->tail = q->tail + 1 == q->size ? 0 : q->tail + 1;
	q->used--;
}

/* The chip has let go of the queues. */
void sge_tx_free(struct t110 *chip)
{
	unsigned int packets = 0, bytes = 0;
	int i;

	for (i = 0; i < SGE_CMDQS; i++) {
		struct sge_cmdq *q = &chip->sge.cmdq[i];

		while (q->buffers && q->used > 0)
			release_oldest(chip, q, &packets, &bytes);
		__skb_queue_purge(&q->waiting);
		kvfree(q->buffers);
		q->buffers = NULL;
		if (q->entries)
			dma_free_coherent(&chip->pdev->dev, q->size * sizeof(*q->entries),
					  q->entries, q->address);
		q->entries = NULL;
	}
	netdev_reset_queue(chip->netdev);
}

/* No more packets into the queues. */
void sge_tx_off(struct t110 *chip)
{
	int i;

	for (i = 0; i < SGE_CMDQS; i++) {
		spin_lock_bh(&chip->sge.cmdq[i].lock);
		chip->sge.cmdq[i].off = true;
		spin_unlock_bh(&chip->sge.cmdq[i].lock);
	}
}

bool sge_tx_is_drained(struct t110 *chip)
{
	return READ_ONCE(chip->sge.cmdq[0].used) == 0 && READ_ONCE(chip->sge.cmdq[1].used) == 0;
}

static struct sge_tx_buffer *buffer_at(struct sge_cmdq *q, unsigned int offset)
{
	return &q->buffers[(q->head + offset) % q->size];
}

/* Map a packet's parts into the buffers behind the head. Returns how many, or an error. */
static int map_packet(struct t110 *chip, struct sge_cmdq *q, struct sk_buff *skb)
{
	struct device *dev = &chip->pdev->dev;
	struct sge_tx_buffer *buffer = buffer_at(q, 0);
	int i, count = 0;

	buffer->length = skb_headlen(skb);
	buffer->is_page = false;
	buffer->address = dma_map_single(dev, skb->data, buffer->length, DMA_TO_DEVICE);
	if (dma_mapping_error(dev, buffer->address))
		return -ENOMEM;
	count = 1;
	for (i = 0; i < skb_shinfo(skb)->nr_frags; i++) {
		skb_frag_t *frag = &skb_shinfo(skb)->frags[i];

		buffer = buffer_at(q, count);
		buffer->length = skb_frag_size(frag);
		buffer->is_page = true;
		buffer->address = skb_frag_dma_map(dev, frag, 0, buffer->length, DMA_TO_DEVICE);
		if (dma_mapping_error(dev, buffer->address))
			goto undo;
		count++;
	}
	return count;

undo:
	while (count-- > 0)
		unmap(chip, buffer_at(q, count));
	return -ENOMEM;
}

/* Make a mapped packet's entries valid, the first one last. */
static void publish(struct sge_cmdq *q, unsigned int count)
{
	struct sge_entry *first = &q->entries[q->head];
	u32 first_flags = 0;
	unsigned int i;

	for (i = 0; i < count; i++) {
		struct sge_entry *entry = &q->entries[q->head];
		struct sge_tx_buffer *buffer = &q->buffers[q->head];
		u32 flags = SGE_FLAGS_DATA | (q->generation ? SGE_FLAGS_GEN2 : 0) |
			    (i == 0 ? SGE_FLAGS_SOP : 0) | (i + 1 == count ? SGE_FLAGS_EOP : 0);

		sge_put_entry(entry, buffer->address, buffer->length, q->generation);
		if (i == 0)
			first_flags = flags;
		else
			entry->flags = cpu_to_le32(flags);
		if (++q->head == q->size) {
			q->head = 0;
			q->generation = !q->generation;
		}
	}
	q->used += count;
	wmb();	/* the whole packet before the flags that make it valid */
	first->flags = cpu_to_le32(first_flags);
}

/*
 * Put a packet into a queue. `bytes` is what it counts for the limit of the network stack's queue.
 * Returns 0; -EBUSY without room, when the packet is still the caller's; else the packet is freed.
 */
static int send_packet(struct t110 *chip, unsigned int number, struct sk_buff *skb, u32 bytes)
{
	struct sge_cmdq *q = &chip->sge.cmdq[number];
	struct sge_tx_buffer *last;
	int count;

	if (unlikely(q->off)) {
		dev_kfree_skb_any(skb);
		return -ENETDOWN;
	}
	if (unlikely(q->size - q->used < 1 + skb_shinfo(skb)->nr_frags))
		return -EBUSY;
	count = map_packet(chip, q, skb);
	if (unlikely(count < 0)) {
		dev_kfree_skb_any(skb);
		return count;
	}
	last = buffer_at(q, count - 1);
	last->skb = skb;
	last->bytes = bytes;
	last->is_last = true;
	publish(q, count);
	if (!q->awake) {
		wmb();	/* the entries before the doorbell */
		q->awake = true;
		sge_ring(chip, SGE_CMDQ_BELL(number));
	}
	return 0;
}

/* Messages that had no room, in their order. Under the queue's lock. */
static void send_waiting(struct t110 *chip, unsigned int number)
{
	struct sge_cmdq *q = &chip->sge.cmdq[number];
	struct sk_buff *skb;

	while ((skb = skb_peek(&q->waiting)) &&
	       q->size - q->used >= 1 + skb_shinfo(skb)->nr_frags) {
		__skb_unlink(skb, &q->waiting);
		send_packet(chip, number, skb, 0);
	}
}

/*
 * Send a message of TCP offload. It waits behind others if the queue is full: sockets' limits bound
 * how many there are. Takes the buffer.
 */
void sge_send(struct t110 *chip, unsigned int number, struct sk_buff *skb)
{
	struct sge_cmdq *q = &chip->sge.cmdq[number];

	spin_lock_bh(&q->lock);
	if (q->off)
		kfree_skb(skb);
	else
		__skb_queue_tail(&q->waiting, skb);
	send_waiting(chip, number);
	spin_unlock_bh(&q->lock);
}

/* The chip has read `credits` entries of a queue; `slept`: it waits for the doorbell. */
void sge_tx_done(struct t110 *chip, unsigned int number, unsigned int credits, bool slept)
{
	struct sge_cmdq *q = &chip->sge.cmdq[number];
	unsigned int packets = 0, bytes = 0;
	bool has_room;

	spin_lock(&q->lock);
	credits = min(credits, q->used);
	while (credits-- > 0)
		release_oldest(chip, q, &packets, &bytes);
	send_waiting(chip, number);
	if (slept) {
		q->awake = q->used > 0;
		if (q->awake)	/* entries that came while the chip fell asleep */
			sge_ring(chip, SGE_CMDQ_BELL(number));
	}
	has_room = q->size - q->used >= q->size / 4 + PACKET_ENTRIES && !q->off;
	spin_unlock(&q->lock);
	if (number != 0)
		return;
	netdev_completed_queue(chip->netdev, packets, bytes);
	smp_mb();	/* `used` before the queue's state, as in sge_xmit() */
	if (unlikely(netif_queue_stopped(chip->netdev)) && has_room)
		netif_wake_queue(chip->netdev);
}

/* The packet's header for the chip. The chip inserts TCP's checksum only. */
static bool push_header(struct t110 *chip, struct sk_buff *skb)
{
	struct cpl_tx_pkt *cpl;

	if (skb_cow_head(skb, sizeof(*cpl)))
		return false;
	cpl = __skb_push(skb, sizeof(*cpl));
	memset(cpl, 0, sizeof(*cpl));
	cpl->opcode = CPL_TX_PKT;
	cpl->ip_csum_dis = 1;
	cpl->l4_csum_dis = skb->ip_summed != CHECKSUM_PARTIAL;
	if (!cpl->l4_csum_dis)
		chip->counts.tx_csum++;
	return true;
}

static void count_sent(struct t110 *chip, u32 bytes)
{
	u64_stats_update_begin(&chip->tx.sync);
	chip->tx.packets++;
	chip->tx.bytes += bytes;
	u64_stats_update_end(&chip->tx.sync);
}

netdev_tx_t sge_xmit(struct sk_buff *skb, struct net_device *netdev)
{
	struct t110 *chip = netdev_priv(netdev);
	struct sge_cmdq *q = &chip->sge.cmdq[0];
	u32 bytes;
	int err;

	/* The MAC fills frames up, but not ones without a header. */
	if (skb->len < ETH_HLEN || !push_header(chip, skb)) {
		netdev->stats.tx_dropped++;
		dev_kfree_skb_any(skb);
		return NETDEV_TX_OK;
	}
	bytes = skb->len - sizeof(struct cpl_tx_pkt);
	spin_lock_bh(&q->lock);
	err = send_packet(chip, 0, skb, bytes);
	if (!err) {
		netdev_sent_queue(netdev, bytes);
		count_sent(chip, bytes);
		if (q->size - q->used < PACKET_ENTRIES) {
			netif_stop_queue(netdev);
			chip->counts.tx_stopped++;
		}
	}
	spin_unlock_bh(&q->lock);
	if (unlikely(err == -EBUSY)) {
		netif_stop_queue(netdev);
		__skb_pull(skb, sizeof(struct cpl_tx_pkt));
		return NETDEV_TX_BUSY;
	}
	if (unlikely(err))
		netdev->stats.tx_dropped++;
	return NETDEV_TX_OK;
}
