// SPDX-License-Identifier: GPL-2.0
/* Transmit of mynic: a descriptor for each fragment; the last one of a frame is written back. */
#include <linux/dma-mapping.h>
#include <linux/etherdevice.h>

#include "mynic.h"

static void mynic_tx_unmap(struct mynic *nic, struct mynic_buffer *buffer)
{
	struct device *dev = &nic->pdev->dev;

	if (buffer->is_page)
		dma_unmap_page(dev, buffer->dma, buffer->bytes, DMA_TO_DEVICE);
	else
		dma_unmap_single(dev, buffer->dma, buffer->bytes, DMA_TO_DEVICE);
}

static unsigned int mynic_tx_room(const struct mynic_ring *ring)
{
	return ring->mask + 1 - (u16)(READ_ONCE(ring->tail) - READ_ONCE(ring->head));
}

/* Maps a fragment into the descriptor of an index. */
int mynic_tx_add(struct mynic *nic, u16 index, struct page *page, void *data,
		 unsigned int offset, unsigned int bytes)
{
	struct mynic_ring *ring = &nic->tx;
	struct mynic_buffer *buffer = &ring->buffers[index & ring->mask];
	struct mynic_desc *desc = &ring->descs[index & ring->mask];
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
	desc->addr = cpu_to_le64(buffer->dma);
	desc->word = cpu_to_le32(bytes);
	desc->status = 0;
	return 0;
}

netdev_tx_t mynic_start_xmit(struct sk_buff *skb, struct net_device *dev)
{
	struct mynic *nic = netdev_priv(dev);
	struct mynic_ring *ring = &nic->tx;
	u16 first = ring->tail, index = first;
	unsigned int i;
	bool ring_now;

	if (unlikely(mynic_tx_room(ring) < MYNIC_TX_NEEDED)) {
		netif_stop_queue(dev);
		return NETDEV_TX_BUSY;
	}
	if (mynic_tx_add(nic, index, NULL, skb->data, 0, skb_headlen(skb)))
		goto drop;
	index++;
	for (i = 0; i < skb_shinfo(skb)->nr_frags; i++) {
		const skb_frag_t *frag = &skb_shinfo(skb)->frags[i];

		if (mynic_tx_add(nic, index, skb_frag_page(frag), NULL, skb_frag_off(frag),
				 skb_frag_size(frag)))
			goto drop;
		index++;
	}
	ring->buffers[(u16)(index - 1) & ring->mask].skb = skb;
	ring->descs[(u16)(index - 1) & ring->mask].word |= cpu_to_le32(MYNIC_TX_EOP);
	skb_tx_timestamp(skb);

	ring_now = __netdev_sent_queue(dev, skb->len, netdev_xmit_more());
	/* tail tells the cleaner of the frame; what it describes is written before. */
	smp_store_release(&ring->tail, index);
	if (unlikely(mynic_tx_room(ring) < MYNIC_TX_NEEDED)) {
		netif_stop_queue(dev);
		/* Pairs with the barrier in mynic_tx_clean(): one of both sees the other. */
		smp_mb();
		if (mynic_tx_room(ring) >= MYNIC_TX_NEEDED)
			netif_start_queue(dev);
	}
	if (ring_now || netif_queue_stopped(dev)) {
		/* Descriptors are in memory before the NIC hears of them. */
		dma_wmb();
		mynic_write(nic, MYNIC_REG_TX_TAIL, index);
	}
	return NETDEV_TX_OK;

drop:
	while (index != first)
		mynic_tx_unmap(nic, &ring->buffers[--index & ring->mask]);
	nic->sw.tx_map_failed++;
	dev->stats.tx_dropped++;
	dev_kfree_skb_any(skb);
	/* Frames before this one may wait for the doorbell that it would have rung. */
	if (!netdev_xmit_more()) {
		dma_wmb();
		mynic_write(nic, MYNIC_REG_TX_TAIL, ring->tail);
	}
	return NETDEV_TX_OK;
}

/* Frees the frames that the NIC has read: the last descriptor of a frame says so. */
void mynic_tx_clean(struct mynic *nic, int budget)
{
	struct mynic_ring *ring = &nic->tx;
	u16 tail = smp_load_acquire(&ring->tail);
	u16 head = ring->head, index = head;
	unsigned int bytes = 0, frames = 0;

	while (index != tail) {
		struct mynic_buffer *buffer = &ring->buffers[index & ring->mask];
		struct mynic_desc *desc = &ring->descs[index & ring->mask];

		if (!buffer->skb) {
			index++;
			continue;
		}
		if (!(le32_to_cpu(READ_ONCE(desc->status)) & MYNIC_DONE))
			break;
		index++;
		while (head != index)
			mynic_tx_unmap(nic, &ring->buffers[head++ & ring->mask]);
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
	/* Pairs with the barrier in mynic_start_xmit(). */
	smp_mb();
	if (netif_queue_stopped(nic->dev) && mynic_tx_room(ring) >= MYNIC_TX_WAKE)
		netif_wake_queue(nic->dev);
}

void mynic_tx_free(struct mynic *nic)
{
	struct mynic_ring *ring = &nic->tx;

	for (; ring->head != ring->tail; ring->head++) {
		struct mynic_buffer *buffer = &ring->buffers[ring->head & ring->mask];

		mynic_tx_unmap(nic, buffer);
		if (buffer->skb) {
			nic->dev->stats.tx_dropped++;
			dev_kfree_skb_any(buffer->skb);
			buffer->skb = NULL;
		}
	}
	netdev_reset_queue(nic->dev);
}
