// SPDX-License-Identifier: GPL-2.0
/* The hardware of mynic: reset, counters, filter, rings. */
#include <linux/crc32.h>
#include <linux/delay.h>
#include <linux/dma-mapping.h>
#include <linux/etherdevice.h>
#include <linux/if_vlan.h>

#include "mynic.h"

void mynic_set_filter(struct mynic *nic)
{
	struct net_device *dev = nic->dev;
	struct netdev_hw_addr *ha;
	u32 hash[2] = { 0, 0 };
	u32 ctrl = nic->ctrl;

	ctrl &= ~(MYNIC_CTRL_PROMISCUOUS | MYNIC_CTRL_ALL_MULTICAST);
	if (dev->flags & IFF_PROMISC)
		ctrl |= MYNIC_CTRL_PROMISCUOUS;
	if (dev->flags & IFF_ALLMULTI)
		ctrl |= MYNIC_CTRL_ALL_MULTICAST;
	netdev_for_each_mc_addr(ha, dev) {
		u32 bit = ether_crc_le(ETH_ALEN, ha->addr) & 63;

		hash[bit / 32] |= BIT(bit % 32);
	}
	mynic_write(nic, MYNIC_REG_HASH_LOW, hash[0]);
	mynic_write(nic, MYNIC_REG_HASH_HIGH, hash[1]);
	nic->ctrl = ctrl;
	mynic_write(nic, MYNIC_REG_CTRL, ctrl);
}

void mynic_set_address(struct mynic *nic)
{
	const u8 *addr = nic->dev->dev_addr;

	mynic_write(nic, MYNIC_REG_MAC_LOW, get_unaligned_le32(addr));
	mynic_write(nic, MYNIC_REG_MAC_HIGH, get_unaligned_le16(addr + 4));
}

/* Adds to the 64-bit counters what the NIC counted since the last time; its counters wrap. */
static void mynic_collect_locked(struct mynic *nic)
{
	unsigned int i;

	for (i = 0; i < MYNIC_COUNTERS; i++) {
		u32 now = mynic_read(nic, MYNIC_REG_RX_GOOD + 4 * i);

		nic->hw[i] += now - nic->hw_seen[i];
		nic->hw_seen[i] = now;
	}
}

void mynic_collect(struct mynic *nic)
{
	spin_lock_bh(&nic->counter_lock);
	mynic_collect_locked(nic);
	spin_unlock_bh(&nic->counter_lock);
}

/* Resets the NIC. Its bus is quiet afterwards: buffers may be freed. */
int mynic_reset(struct mynic *nic)
{
	int error = -EIO;
	int tries;

	nic->ctrl = 0;
	spin_lock_bh(&nic->counter_lock);
	mynic_collect_locked(nic);
	mynic_write(nic, MYNIC_REG_CTRL, MYNIC_CTRL_RESET);
	for (tries = 0; tries < 1000 && error; tries++) {
		if (!(mynic_read(nic, MYNIC_REG_CTRL) & MYNIC_CTRL_RESET))
			error = 0;
		else
			udelay(1);
	}
	memset(nic->hw_seen, 0, sizeof(nic->hw_seen));
	spin_unlock_bh(&nic->counter_lock);
	if (error)
		dev_err(&nic->pdev->dev, "the reset does not end\n");
	return error;
}

static int mynic_ring_alloc(struct mynic *nic, struct mynic_ring *ring, unsigned int count)
{
	ring->mask = count - 1;
	ring->head = 0;
	ring->tail = 0;
	ring->buffers = kvcalloc(count, sizeof(*ring->buffers), GFP_KERNEL);
	if (!ring->buffers)
		return -ENOMEM;
	ring->descs = dma_alloc_coherent(&nic->pdev->dev, count * sizeof(*ring->descs),
					 &ring->dma, GFP_KERNEL);
	if (!ring->descs) {
		kvfree(ring->buffers);
		ring->buffers = NULL;
		return -ENOMEM;
	}
	return 0;
}

static void mynic_ring_free(struct mynic *nic, struct mynic_ring *ring)
{
	if (!ring->buffers)
		return;
	dma_free_coherent(&nic->pdev->dev, (ring->mask + 1) * sizeof(*ring->descs), ring->descs,
			  ring->dma);
	kvfree(ring->buffers);
	ring->buffers = NULL;
	ring->descs = NULL;
}

int mynic_rings_alloc(struct mynic *nic)
{
	unsigned int frame = nic->dev->mtu + VLAN_ETH_HLEN;
	int error;

	nic->rx_size = max_t(unsigned int, 2048, ALIGN(MYNIC_RX_PAD + frame, 8));
	nic->rx_order = get_order(MYNIC_RX_HEADROOM + nic->rx_size +
				  SKB_DATA_ALIGN(sizeof(struct skb_shared_info)));
	error = mynic_ring_alloc(nic, &nic->tx, nic->tx_count);
	if (error)
		return error;
	error = mynic_ring_alloc(nic, &nic->rx, nic->rx_count);
	if (error)
		goto free_tx;
	return 0;

free_tx:
	mynic_ring_free(nic, &nic->tx);
	return error;
}

void mynic_rings_free(struct mynic *nic)
{
	mynic_ring_free(nic, &nic->tx);
	mynic_ring_free(nic, &nic->rx);
}

static void mynic_ring_setup(struct mynic *nic, struct mynic_ring *ring, u32 base)
{
	mynic_write(nic, base + MYNIC_RING_BASE_LOW, lower_32_bits(ring->dma));
	mynic_write(nic, base + MYNIC_RING_BASE_HIGH, upper_32_bits(ring->dma));
	mynic_write(nic, base + MYNIC_RING_SIZE_LOG2, ilog2(ring->mask + 1));
}

/* Resets the NIC and sets it up; `ctrl` switches it on. The rings are empty. */
int mynic_hw_start(struct mynic *nic, u32 ctrl)
{
	int error = mynic_reset(nic);

	if (error)
		return error;
	nic->tx.head = 0;
	nic->tx.tail = 0;
	nic->rx.head = 0;
	nic->rx.tail = 0;
	mynic_ring_setup(nic, &nic->tx, MYNIC_REG_TX_BASE_LOW);
	mynic_ring_setup(nic, &nic->rx, MYNIC_REG_RX_BASE_LOW);
	mynic_write(nic, MYNIC_REG_RX_BUF_SIZE, nic->rx_size);
	mynic_write(nic, MYNIC_REG_MODERATION, nic->moderation_us);
	mynic_set_address(nic);
	mynic_rx_fill(nic, GFP_KERNEL);
	if (nic->rx.head == nic->rx.tail)
		return -ENOMEM;
	nic->ctrl = ctrl;
	netif_addr_lock_bh(nic->dev);
	mynic_set_filter(nic);
	netif_addr_unlock_bh(nic->dev);
	return 0;
}

void mynic_buffers_free(struct mynic *nic)
{
	mynic_tx_free(nic);
	mynic_rx_free(nic);
}
