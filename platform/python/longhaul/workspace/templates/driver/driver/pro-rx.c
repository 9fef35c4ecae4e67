// SPDX-License-Identifier: GPL-2.0
/* Receive: a frame takes one descriptor or several; the page of each becomes a part of its skb. */
#include <linux/dma-mapping.h>
#include <linux/etherdevice.h>

#include "pro.h"

static struct pro_rx_desc *pro_rx_desc(struct pro_ring *ring, u16 index)
{
	return (struct pro_rx_desc *)ring->descs + (index & ring->mask);
}

static int pro_rx_fill_one(struct pro *nic, u16 index, gfp_t gfp)
{
	struct pro_ring *ring = &nic->rx;
	struct pro_buffer *buffer = &ring->buffers[index & ring->mask];
	struct pro_rx_desc *desc = pro_rx_desc(ring, index);
	struct page *page;
	dma_addr_t dma;

	BUILD_BUG_ON(PRO_RX_HEADROOM + PRO_RX_BYTES +
		     SKB_DATA_ALIGN(sizeof(struct skb_shared_info)) > PAGE_SIZE);
	page = alloc_page(gfp | __GFP_NOWARN);
	if (!page)
		return -ENOMEM;
	dma = dma_map_page(&nic->pdev->dev, page, PRO_RX_HEADROOM, PRO_RX_BYTES, DMA_FROM_DEVICE);
	if (dma_mapping_error(&nic->pdev->dev, dma)) {
		__free_page(page);
		nic->sw.rx_map_failed++;
		return -ENOMEM;
	}
	buffer->page = page;
	buffer->dma = dma;
	desc->addr = cpu_to_le64(dma);
	desc->status = 0;
	return 0;
}

/* Gives buffers for all free descriptors to the NIC, or as many as there is memory for. */
bool pro_rx_fill(struct pro *nic, gfp_t gfp)
{
	struct pro_ring *ring = &nic->rx;
	u16 before = ring->tail;
	bool all = true;

	while ((u16)(ring->tail - ring->head) < ring->mask) {
		if (pro_rx_fill_one(nic, ring->tail, gfp)) {
			nic->sw.rx_no_memory++;
			all = false;
			break;
		}
		ring->tail++;
	}
	if (ring->tail != before) {
		/* Descriptors are in memory before the NIC hears of them. */
		dma_wmb();
		pro_write(nic, PRO_RDT, ring->tail & ring->mask);
	}
	return all;
}

/* Adds a buffer's bytes to the frame that comes in; the page is the skb's, or freed. */
static void pro_rx_add(struct pro *nic, struct page *page, unsigned int bytes)
{
	struct sk_buff *skb = nic->rx_skb;

	if (nic->rx_broken)
		goto free;
	if (!skb) {
		skb = napi_build_skb(page_address(page), PAGE_SIZE);
		if (!skb) {
			nic->sw.rx_no_memory++;
			goto broken;
		}
		skb_reserve(skb, PRO_RX_HEADROOM);
		skb_put(skb, bytes);
		nic->rx_skb = skb;
		return;
	}
	if (skb_shinfo(skb)->nr_frags == MAX_SKB_FRAGS)
		goto broken;
	skb_add_rx_frag(skb, skb_shinfo(skb)->nr_frags, page, PRO_RX_HEADROOM, bytes, PAGE_SIZE);
	return;

broken:
	nic->rx_broken = true;
free:
	__free_page(page);
}

static void pro_rx_checksum(struct pro *nic, struct sk_buff *skb, u8 status, u8 errors)
{
	if (!(nic->dev->features & NETIF_F_RXCSUM) || status & PRO_RX_IXSM)
		return;
	if (errors & (PRO_RX_TCPE | PRO_RX_IPE))
		nic->sw.rx_checksum_bad++;
	else if (status & PRO_RX_TCPCS)
		skb->ip_summed = CHECKSUM_UNNECESSARY;
}

/* The last buffer of a frame is there. */
static void pro_rx_deliver(struct pro *nic, u8 status, u8 errors)
{
	struct sk_buff *skb = nic->rx_skb;
	bool broken = nic->rx_broken;

	nic->rx_skb = NULL;
	nic->rx_broken = false;
	if (!skb)
		return;
	if (broken || errors & PRO_RX_BAD || skb->len < ETH_HLEN) {
		nic->sw.rx_bad++;
		dev_kfree_skb_any(skb);
		return;
	}
	pro_rx_checksum(nic, skb, status, errors);
	dev_sw_netstats_rx_add(nic->dev, skb->len);
	skb->protocol = eth_type_trans(skb, nic->dev);
	napi_gro_receive(&nic->napi, skb);
}

int pro_rx_clean(struct pro *nic, int budget)
{
	struct pro_ring *ring = &nic->rx;
	int done = 0;

	while (done < budget && ring->head != ring->tail) {
		struct pro_buffer *buffer = &ring->buffers[ring->head & ring->mask];
		struct pro_rx_desc *desc = pro_rx_desc(ring, ring->head);
		u8 status = READ_ONCE(desc->status);

		if (!(status & PRO_RX_DD))
			break;
		/* All else of the descriptor is read after the bit that says it is there. */
		dma_rmb();
		dma_unmap_page(&nic->pdev->dev, buffer->dma, PRO_RX_BYTES, DMA_FROM_DEVICE);
		pro_rx_add(nic, buffer->page, le16_to_cpu(desc->length));
		buffer->page = NULL;
		ring->head++;
		if (status & PRO_RX_EOP) {
			pro_rx_deliver(nic, status, desc->errors);
			done++;
		}
	}
	return done;
}

void pro_rx_free(struct pro *nic)
{
	struct pro_ring *ring = &nic->rx;

	for (; ring->head != ring->tail; ring->head++) {
		struct pro_buffer *buffer = &ring->buffers[ring->head & ring->mask];

		dma_unmap_page(&nic->pdev->dev, buffer->dma, PRO_RX_BYTES, DMA_FROM_DEVICE);
		__free_page(buffer->page);
		buffer->page = NULL;
	}
	if (nic->rx_skb)
		dev_kfree_skb_any(nic->rx_skb);
	nic->rx_skb = NULL;
	nic->rx_broken = false;
}
