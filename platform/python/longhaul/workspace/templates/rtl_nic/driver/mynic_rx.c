// SPDX-License-Identifier: GPL-2.0
/* Receive of mynic: a frame takes one descriptor, whose pages become its skb. */
#include <linux/dma-mapping.h>
#include <linux/etherdevice.h>

#include "mynic.h"

static int mynic_rx_fill_one(struct mynic *nic, u16 index, gfp_t gfp)
{
	struct mynic_ring *ring = &nic->rx;
	struct mynic_buffer *buffer = &ring->buffers[index & ring->mask];
	struct mynic_desc *desc = &ring->descs[index & ring->mask];
	struct page *page;
	dma_addr_t dma;

	page = alloc_pages(gfp | __GFP_COMP | __GFP_NOWARN, nic->rx_order);
	if (!page)
		return -ENOMEM;
	dma = dma_map_page(&nic->pdev->dev, page, MYNIC_RX_HEADROOM, nic->rx_size,
			   DMA_FROM_DEVICE);
	if (dma_mapping_error(&nic->pdev->dev, dma)) {
		__free_pages(page, nic->rx_order);
		nic->sw.rx_map_failed++;
		return -ENOMEM;
	}
	buffer->page = page;
	buffer->dma = dma;
	desc->addr = cpu_to_le64(dma);
	desc->word = 0;
	desc->status = 0;
	return 0;
}

/* Gives buffers for all free descriptors to the NIC, or as many as there is memory for. */
bool mynic_rx_fill(struct mynic *nic, gfp_t gfp)
{
	struct mynic_ring *ring = &nic->rx;
	u16 before = ring->tail;
	bool all = true;

	while ((u16)(ring->tail - ring->head) <= ring->mask) {
		if (mynic_rx_fill_one(nic, ring->tail, gfp)) {
			nic->sw.rx_no_memory++;
			all = false;
			break;
		}
		ring->tail++;
	}
	if (ring->tail != before) {
		/* Descriptors are in memory before the NIC hears of them. */
		dma_wmb();
		mynic_write(nic, MYNIC_REG_RX_TAIL, ring->tail);
	}
	return all;
}

int mynic_rx_clean(struct mynic *nic, int budget)
{
	struct mynic_ring *ring = &nic->rx;
	int done = 0;

	while (done < budget && ring->head != ring->tail) {
		struct mynic_buffer *buffer = &ring->buffers[ring->head & ring->mask];
		struct mynic_desc *desc = &ring->descs[ring->head & ring->mask];
		u32 status = le32_to_cpu(READ_ONCE(desc->status));
		unsigned int length = status & MYNIC_RX_LENGTH;
		struct sk_buff *skb;

		if (!(status & MYNIC_DONE))
			break;
		/* The frame's bytes are read after the bit that says they are there. */
		dma_rmb();
		dma_unmap_page(&nic->pdev->dev, buffer->dma, nic->rx_size, DMA_FROM_DEVICE);
		skb = napi_build_skb(page_address(buffer->page), PAGE_SIZE << nic->rx_order);
		if (likely(skb)) {
			skb_reserve(skb, MYNIC_RX_HEADROOM + MYNIC_RX_PAD);
			skb_put(skb, length);
			skb->protocol = eth_type_trans(skb, nic->dev);
			dev_sw_netstats_rx_add(nic->dev, length);
			napi_gro_receive(&nic->napi, skb);
		} else {
			__free_pages(buffer->page, nic->rx_order);
			nic->sw.rx_no_memory++;
		}
		buffer->page = NULL;
		ring->head++;
		done++;
	}
	return done;
}

void mynic_rx_free(struct mynic *nic)
{
	struct mynic_ring *ring = &nic->rx;

	for (; ring->head != ring->tail; ring->head++) {
		struct mynic_buffer *buffer = &ring->buffers[ring->head & ring->mask];

		dma_unmap_page(&nic->pdev->dev, buffer->dma, nic->rx_size, DMA_FROM_DEVICE);
		__free_pages(buffer->page, nic->rx_order);
		buffer->page = NULL;
	}
}
