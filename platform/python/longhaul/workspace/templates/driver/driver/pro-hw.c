// SPDX-License-Identifier: GPL-2.0
/* The hardware: reset, counters, filters, rings, the split of its memory. */
#include <linux/delay.h>
#include <linux/dma-mapping.h>
#include <linux/etherdevice.h>
#include <linux/if_vlan.h>

#include "pro.h"

/* 13.7: each is cleared by the read, and stays at its largest value. */
static const u32 pro_counter_registers[PRO_COUNTERS] = {
	[PRO_RX_GOOD]		= 0x4074,	/* GPRC */
	[PRO_RX_CRC]		= 0x4000,	/* CRCERRS */
	[PRO_RX_SYMBOL]		= 0x400c,	/* RXERRC */
	[PRO_RX_MISSED]		= 0x4010,	/* MPC */
	[PRO_RX_NO_DESC]	= 0x40a0,	/* RNBC */
	[PRO_RX_LENGTH]		= 0x4040,	/* RLEC */
	[PRO_RX_SHORT]		= 0x40a4,	/* RUC */
	[PRO_RX_FRAGMENT]	= 0x40a8,	/* RFC */
	[PRO_RX_LONG]		= 0x40ac,	/* ROC */
	[PRO_RX_JABBER]		= 0x40b0,	/* RJC */
	[PRO_RX_SEQUENCE]	= 0x4038,	/* SEC */
	[PRO_RX_XON]		= 0x4048,	/* XONRXC */
	[PRO_RX_XOFF]		= 0x4050,	/* XOFFRXC */
	[PRO_TX_GOOD]		= 0x4080,	/* GPTC */
	[PRO_TX_XON]		= 0x404c,	/* XONTXC */
	[PRO_TX_XOFF]		= 0x4054,	/* XOFFTXC */
};

static void pro_collect_locked(struct pro *nic)
{
	unsigned int i;

	if (!nic->counting)
		return;
	for (i = 0; i < PRO_COUNTERS; i++)
		nic->hw[i] += pro_read(nic, pro_counter_registers[i]);
}

void pro_collect(struct pro *nic)
{
	spin_lock_bh(&nic->counter_lock);
	pro_collect_locked(nic);
	spin_unlock_bh(&nic->counter_lock);
}

/* Of the frames that the interface takes, header, tag and FCS included. */
static unsigned int pro_longest(const struct pro *nic)
{
	return nic->dev->mtu + VLAN_ETH_HLEN + ETH_FCS_LEN;
}

static unsigned int pro_tx_kib(const struct pro *nic)
{
	return max(16U, 2 * DIV_ROUND_UP(pro_longest(nic), 1024));
}

/*
 * Resets the NIC. It touches no memory afterwards: buffers may be freed. What it has counted is
 * collected before. Its memory is split again: two of the longest frames fit into the transmit part.
 */
int pro_reset(struct pro *nic)
{
	u32 ctrl;
	int tries;

	pro_write(nic, PRO_IMC, ~0U);
	nic->rctl = 0;
	pro_write(nic, PRO_RCTL, 0);
	pro_write(nic, PRO_TCTL, PRO_TCTL_PSP);
	pro_read(nic, PRO_STATUS);
	/* What is under way on the bus ends in this time. */
	usleep_range(1000, 2000);

	spin_lock_bh(&nic->counter_lock);
	pro_collect_locked(nic);
	nic->counting = false;
	spin_unlock_bh(&nic->counter_lock);
	pro_write(nic, PRO_PBA, PRO_BUFFER_KIB - pro_tx_kib(nic));
	ctrl = pro_read(nic, PRO_CTRL) | PRO_CTRL_RST;
	if (nic->ports) {
		outl(PRO_CTRL, nic->ports + PRO_IOADDR);
		outl(ctrl, nic->ports + PRO_IODATA);
	} else {
		pro_write(nic, PRO_CTRL, ctrl);
	}
	/* 14.9: the address comes from the EEPROM meanwhile. */
	usleep_range(5000, 6000);
	for (tries = 0; pro_read(nic, PRO_CTRL) & PRO_CTRL_RST; tries++) {
		if (tries == 100) {
			dev_err(&nic->pdev->dev, "the reset does not end\n");
			return -EIO;
		}
		usleep_range(100, 200);
	}
	pro_write(nic, PRO_IMC, ~0U);
	pro_read(nic, PRO_ICR);
	spin_lock_bh(&nic->counter_lock);
	nic->counting = true;
	spin_unlock_bh(&nic->counter_lock);
	return 0;
}

static void pro_set_address(struct pro *nic, unsigned int place, const u8 *addr)
{
	/* A valid bit beside half an address must not be seen. */
	pro_write(nic, PRO_RAH(place), 0);
	if (!addr)
		return;
	pro_write(nic, PRO_RAL(place), get_unaligned_le32(addr));
	pro_write(nic, PRO_RAH(place), get_unaligned_le16(addr + 4) | PRO_RAH_AV);
}

/* Own address, more of them, groups by hash (13.5.1 with RCTL.MO 0), modes. */
void pro_set_filter(struct pro *nic)
{
	struct net_device *dev = nic->dev;
	u32 table[PRO_MTA_WORDS] = { 0 };
	struct netdev_hw_addr *ha;
	u32 rctl = nic->rctl;
	unsigned int i = 1;

	rctl &= ~(PRO_RCTL_UPE | PRO_RCTL_MPE);
	if (dev->flags & IFF_PROMISC)
		rctl |= PRO_RCTL_UPE | PRO_RCTL_MPE;
	if (dev->flags & IFF_ALLMULTI)
		rctl |= PRO_RCTL_MPE;
	if (netdev_uc_count(dev) >= PRO_ADDRESSES)
		rctl |= PRO_RCTL_UPE;
	pro_set_address(nic, 0, dev->dev_addr);
	netdev_for_each_uc_addr(ha, dev) {
		if (i < PRO_ADDRESSES)
			pro_set_address(nic, i++, ha->addr);
	}
	while (i < PRO_ADDRESSES)
		pro_set_address(nic, i++, NULL);
	netdev_for_each_mc_addr(ha, dev) {
		u32 hash = (ha->addr[4] >> 4 | ha->addr[5] << 4) & 0xfff;

		table[hash / 32] |= BIT(hash % 32);
	}
	for (i = 0; i < PRO_MTA_WORDS; i++)
		pro_write(nic, PRO_MTA + 4 * i, table[i]);
	nic->rctl = rctl;
	pro_write(nic, PRO_RCTL, rctl);
}

/* No change of addresses switches the receiver on again: its buffers may be freed. */
void pro_rx_off(struct pro *nic)
{
	netif_addr_lock_bh(nic->dev);
	nic->rctl = 0;
	pro_write(nic, PRO_RCTL, 0);
	netif_addr_unlock_bh(nic->dev);
}

void pro_set_checksums(struct pro *nic, netdev_features_t features)
{
	pro_write(nic, PRO_RXCSUM,
		  features & NETIF_F_RXCSUM ? PRO_RXCSUM_IPOFL | PRO_RXCSUM_TUOFL : 0);
}

void pro_set_usecs(struct pro *nic)
{
	pro_write(nic, PRO_ITR, nic->usecs * 1000 / 256);
}

/* A power of two of memory is aligned to its size, so no ring crosses a border of 64 KB. */
static int pro_ring_alloc(struct pro *nic, struct pro_ring *ring, unsigned int count)
{
	BUILD_BUG_ON(sizeof(struct pro_rx_desc) != 16 || sizeof(struct pro_tx_desc) != 16);
	ring->mask = count - 1;
	ring->head = 0;
	ring->tail = 0;
	ring->buffers = kvcalloc(count, sizeof(*ring->buffers), GFP_KERNEL);
	if (!ring->buffers)
		return -ENOMEM;
	ring->descs = dma_alloc_coherent(&nic->pdev->dev, count * 16, &ring->dma, GFP_KERNEL);
	if (!ring->descs) {
		kvfree(ring->buffers);
		ring->buffers = NULL;
		return -ENOMEM;
	}
	return 0;
}

static void pro_ring_free(struct pro *nic, struct pro_ring *ring)
{
	if (!ring->buffers)
		return;
	dma_free_coherent(&nic->pdev->dev, (ring->mask + 1) * 16, ring->descs, ring->dma);
	kvfree(ring->buffers);
	ring->buffers = NULL;
	ring->descs = NULL;
}

int pro_rings_alloc(struct pro *nic)
{
	int error = pro_ring_alloc(nic, &nic->tx, nic->tx_count);

	if (error)
		return error;
	error = pro_ring_alloc(nic, &nic->rx, nic->rx_count);
	if (error)
		pro_ring_free(nic, &nic->tx);
	return error;
}

void pro_rings_free(struct pro *nic)
{
	pro_ring_free(nic, &nic->tx);
	pro_ring_free(nic, &nic->rx);
}

static void pro_ring_setup(struct pro *nic, struct pro_ring *ring, u32 base)
{
	ring->head = 0;
	ring->tail = 0;
	pro_write(nic, base + PRO_RING_BAL, lower_32_bits(ring->dma));
	pro_write(nic, base + PRO_RING_BAH, upper_32_bits(ring->dma));
	pro_write(nic, base + PRO_RING_LEN, (ring->mask + 1) * 16);
	pro_write(nic, base + PRO_RING_HEAD, 0);
	pro_write(nic, base + PRO_RING_TAIL, 0);
}

/* PAUSE is sent while one of the longest frames still fits, and taken back 8 KB below. */
static void pro_setup_pause(struct pro *nic)
{
	unsigned int bytes = (PRO_BUFFER_KIB - pro_tx_kib(nic)) * 1024;
	unsigned int high = min(bytes * 9 / 10, bytes - pro_longest(nic)) & 0xfff8;

	/* The address and type of PAUSE frames, IEEE 802.3 annex 31B. */
	pro_write(nic, PRO_FCAL, 0x00c28001);
	pro_write(nic, PRO_FCAH, 0x0100);
	pro_write(nic, PRO_FCT, 0x8808);
	pro_write(nic, PRO_FCTTV, 0xffff);
	pro_write(nic, PRO_FCRTL, (high > 8192 ? high - 8192 : 8) | PRO_FCRTL_XONE);
	pro_write(nic, PRO_FCRTH, high);
}

/* Resets the NIC and sets it up; `rctl` has more bits of RCTL. The rings are empty. */
int pro_hw_start(struct pro *nic, u32 rctl)
{
	int error = pro_reset(nic);

	if (error)
		return error;
	pro_setup_pause(nic);
	pro_set_usecs(nic);
	pro_write(nic, PRO_RDTR, 0);
	pro_set_checksums(nic, nic->dev->features);
	/* 13.4.34: 8, 8 and 6 are the gaps for copper; fibre has 9 for the first. */
	pro_write(nic, PRO_TIPG, (nic->fiber ? 9 : 8) | 8 << 10 | 6 << 20);
	pro_ring_setup(nic, &nic->tx, PRO_TDBAL);
	pro_ring_setup(nic, &nic->rx, PRO_RDBAL);
	pro_rx_fill(nic, GFP_KERNEL);
	if (nic->rx.head == nic->rx.tail)
		return -ENOMEM;
	pro_write(nic, PRO_TCTL, PRO_TCTL_EN | PRO_TCTL_PSP | PRO_TCTL_COLD);
	nic->rctl = PRO_RCTL_EN | PRO_RCTL_BAM | PRO_RCTL_SECRC | rctl;
	if (nic->dev->mtu > ETH_DATA_LEN)
		nic->rctl |= PRO_RCTL_LPE;
	netif_addr_lock_bh(nic->dev);
	pro_set_filter(nic);
	netif_addr_unlock_bh(nic->dev);
	return 0;
}

void pro_buffers_free(struct pro *nic)
{
	pro_tx_free(nic);
	pro_rx_free(nic);
}
