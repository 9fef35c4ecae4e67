// SPDX-License-Identifier: GPL-2.0
/* Transmit: a legacy descriptor for each fragment; the last one of a frame is written back. */
#include <linux/dma-mapping.h>
#include <linux/etherdevice.h>

#include "pro.h"

static struct pro_tx_desc *pro_tx_desc(struct pro_ring *ring, u16 index)
{
	return (struct pro_tx_desc *)ring->descs + (index & ring->mask);
}

static void pro_tx_unmap(struct pro *nic, struct pro_buffer *buffer)
{
	struct device *dev = &nic->pdev->dev;

	if (buffer->is_page)
		dma_unmap_page(dev, buffer->dma, buffer->bytes, DMA_TO_DEVICE);
	else
		dma_unmap_single(dev, buffer->dma, buffer->bytes, DMA_TO_DEVICE);
}

static unsigned int pro_tx_room(const struct pro_ring *ring)
{
	return ring->mask - (u16)(READ_ONCE(ring->tail) - READ_ONCE(ring->head));
}

static void pro_tx_doorbell(struct pro *nic)
{
	/* Descriptors are in memory before the NIC hears of them. */
	dma_wmb();
	pro_write(nic, PRO_TDT, nic->tx.tail & nic->tx.mask);
}

/* Maps a fragment into the descriptor of an index. */
int pro_tx_add(struct pro *nic, u16 index, struct page *page, void *data, unsigned int offset,
	       unsigned int bytes)
{
	struct pro_ring *ring = &nic->tx;
	struct pro_buffer *buffer = &ring->buffers[index & ring->mask];
	struct device *dev = &nic->pdev->dev;

	if (page)
		buffer->dma = dma_map_page(dev, page, offset, bytes, DMA_TO_DEVICE);
	else
		buffer->dma = dma_map_single(dev, data + offset, bytes, DMA_TO_DEVICE);
	if (dma_mapping_error(dev, buffer->dma))
		return -ENOMEM;
	buffer->bytes = bytes;
	buffer->is_page = !!page;
	buffer->skb = NULL;
	pro_tx_desc(ring, index)->addr = cpu_to_le64(buffer->dma);
	return 0;
}

/* Completes the descriptors of a frame; all have its bits, and the last ends it. */
void pro_tx_finish(struct pro *nic, u16 first, u16 end, u32 command, u32 status)
{
	struct pro_ring *ring = &nic->tx;
	u16 index;

	for (index = first; index != end; index++) {
		struct pro_tx_desc *desc = pro_tx_desc(ring, index);
		u32 word = command | PRO_TX_IFCS | ring->buffers[index & ring->mask].bytes;

		if ((u16)(index + 1) == end)
			word |= PRO_TX_EOP | PRO_TX_RS;
		desc->command = cpu_to_le32(word);
		desc->status = cpu_to_le32(status);
	}
}

/* Maps an skb from `first` on. Returns the index after it; `first` if it cannot be mapped. */
static u16 pro_tx_map(struct pro *nic, struct sk_buff *skb, u16 first)
{
	struct pro_ring *ring = &nic->tx;
	unsigned int head = skb_headlen(skb), part = head, i;
	u16 index = first;

	if (nic->pcix)
		part = min_t(unsigned int, head, PRO_TX_FIRST);
	if (pro_tx_add(nic, index, NULL, skb->data, 0, part))
		goto undo;
	index++;
	if (part < head) {
		if (pro_tx_add(nic, index, NULL, skb->data, part, head - part))
			goto undo;
		index++;
	}
	for (i = 0; i < skb_shinfo(skb)->nr_frags; i++) {
		const skb_frag_t *frag = &skb_shinfo(skb)->frags[i];

		if (pro_tx_add(nic, index, skb_frag_page(frag), NULL, skb_frag_off(frag),
			       skb_frag_size(frag)))
			goto undo;
		index++;
	}
	return index;

undo:
	while (index != first)
		pro_tx_unmap(nic, &ring->buffers[--index & ring->mask]);
	nic->sw.tx_map_failed++;
	return first;
}

/* 3.3.3: the NIC sums from CSS to the frame's end and adds the sum into the field at CSO. */
static int pro_tx_checksum(struct sk_buff *skb, u32 *command, u32 *status)
{
	unsigned int start, place;

	if (skb->ip_summed != CHECKSUM_PARTIAL)
		return 0;
	start = skb_checksum_start_offset(skb);
	place = start + skb->csum_offset;
	if (place > 0xff)
		return skb_checksum_help(skb);
	*command = PRO_TX_IC | place << PRO_TX_CSO_SHIFT;
	*status = start << PRO_TX_CSS_SHIFT;
	return 0;
}

netdev_tx_t pro_start_xmit(struct sk_buff *skb, struct net_device *dev)
{
	struct pro *nic = netdev_priv(dev);
	struct pro_ring *ring = &nic->tx;
	u32 command = 0, status = 0;
	u16 first = ring->tail, end;
	bool ring_now;

	if (unlikely(pro_tx_room(ring) < PRO_TX_NEEDED)) {
		netif_stop_queue(dev);
		return NETDEV_TX_BUSY;
	}
	/* Short frames get zeros here, not what the NIC's memory holds. */
	if (eth_skb_pad(skb)) {
		skb = NULL;
		goto drop;
	}
	if (pro_tx_checksum(skb, &command, &status))
		goto drop;
	end = pro_tx_map(nic, skb, first);
	if (end == first)
		goto drop;
	pro_tx_finish(nic, first, end, command, status);
	ring->buffers[(u16)(end - 1) & ring->mask].skb = skb;
	skb_tx_timestamp(skb);

	ring_now = __netdev_sent_queue(dev, skb->len, netdev_xmit_more());
	/* tail tells the cleaner of the frame; what it describes is written before. */
	smp_store_release(&ring->tail, end);
	if (unlikely(pro_tx_room(ring) < PRO_TX_NEEDED)) {
		netif_stop_queue(dev);
		/* Pairs with the barrier in pro_tx_clean(): one of both sees the other. */
		smp_mb();
		if (pro_tx_room(ring) >= PRO_TX_NEEDED)
			netif_start_queue(dev);
	}
	if (ring_now || netif_queue_stopped(dev))
		pro_tx_doorbell(nic);
	return NETDEV_TX_OK;

drop:
	dev->stats.tx_dropped++;
	dev_kfree_skb_any(skb);
	/* Frames before this one may wait for the doorbell that it would have rung. */
	if (!netdev_xmit_more())
		pro_tx_doorbell(nic);
	return NETDEV_TX_OK;
}

/* Frees the frames that the NIC has read: the last descriptor of a frame says so. */
void pro_tx_clean(struct pro *nic, int budget)
{
	struct pro_ring *ring = &nic->tx;
	u16 tail = smp_load_acquire(&ring->tail);
	u16 head = ring->head, index = head;
	unsigned int bytes = 0, frames = 0;

	while (index != tail) {
		struct pro_buffer *buffer = &ring->buffers[index & ring->mask];
		struct pro_tx_desc *desc = pro_tx_desc(ring, index);

		if (!buffer->skb) {
			index++;
			continue;
		}
		if (!(le32_to_cpu(READ_ONCE(desc->status)) & PRO_TX_DD))
			break;
		index++;
		while (head != index)
			pro_tx_unmap(nic, &ring->buffers[head++ & ring->mask]);
		bytes += buffer->skb->len;
		frames++;
		napi_consume_skb(buffer->skb, budget);
		buffer->skb = NULL;
	}
	if (!frames)
		return;
	WRITE_ONCE(ring->head, head);
	dev_sw_netstats_tx_add(nic->dev, frames, bytes);
	netdev_completed_queue(nic->dev, frames, bytes);
	/* Pairs with the barrier in pro_start_xmit(). */
	smp_mb();
	if (netif_queue_stopped(nic->dev) && pro_tx_room(ring) >= PRO_TX_WAKE)
		netif_wake_queue(nic->dev);
}

void pro_tx_free(struct pro *nic)
{
	struct pro_ring *ring = &nic->tx;

	for (; ring->head != ring->tail; ring->head++) {
		struct pro_buffer *buffer = &ring->buffers[ring->head & ring->mask];

		pro_tx_unmap(nic, buffer);
		if (buffer->skb) {
			nic->dev->stats.tx_dropped++;
			dev_kfree_skb_any(buffer->skb);
			buffer->skb = NULL;
		}
	}
	netdev_reset_queue(nic->dev);
}
