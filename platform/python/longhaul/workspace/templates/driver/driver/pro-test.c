// SPDX-License-Identifier: GPL-2.0
/* What `ethtool -t` tests: the link, and offline the registers and the MAC's loopback. */
#include <linux/delay.h>
#include <linux/dma-mapping.h>
#include <linux/etherdevice.h>
#include <linux/ethtool.h>

#include "pro.h"

const char pro_test_names[PRO_TESTS][ETH_GSTRING_LEN] = {
	"link      (online)", "registers (offline)", "loopback  (offline)",
};

/* Each bit of some registers holds both values. Returns the number of those that do not. */
static u64 pro_test_registers(struct pro *nic)
{
	static const struct {
		u32 offset;
		u32 bits;
	} tests[] = {
		{ PRO_FCAL, 0xffffffff }, { PRO_FCAH, 0xffff }, { PRO_FCT, 0xffff },
		{ PRO_VET, 0xffff }, { PRO_FCTTV, 0xffff }, { PRO_TIPG, 0x3fffffff },
		{ PRO_TIDV, 0xffff }, { PRO_RADV, 0xffff },
		{ PRO_TDBAL + PRO_RING_BAL, 0xfffffff0 },
		{ PRO_TDBAL + PRO_RING_BAH, 0xffffffff },
		{ PRO_TDBAL + PRO_RING_LEN, 0x000fff80 },
		{ PRO_RDBAL + PRO_RING_BAL, 0xfffffff0 },
		{ PRO_RDBAL + PRO_RING_BAH, 0xffffffff },
		{ PRO_RDBAL + PRO_RING_LEN, 0x000fff80 },
		{ PRO_RAL(1), 0xffffffff }, { PRO_RAH(1), 0x8003ffff },
		{ PRO_MTA, 0xffffffff }, { PRO_MTA + 4 * (PRO_MTA_WORDS - 1), 0xffffffff },
	};
	static const u32 words[] = { 0x55555555, 0xaaaaaaaa, 0xffffffff, 0 };
	unsigned int i, j;
	u64 wrong = 0;

	for (i = 0; i < ARRAY_SIZE(tests); i++) {
		for (j = 0; j < ARRAY_SIZE(words); j++) {
			pro_write(nic, tests[i].offset, words[j]);
			if ((pro_read(nic, tests[i].offset) ^ words[j]) & tests[i].bits)
				wrong++;
		}
	}
	return wrong;
}

/* The frame that came back is the one that was sent. */
static bool pro_loopback_came(struct pro *nic, const void *sent, unsigned int bytes)
{
	struct pro_rx_desc *desc = nic->rx.descs;
	struct pro_buffer *buffer = &nic->rx.buffers[0];
	int tries;

	for (tries = 0; tries < 100; tries++) {
		if (READ_ONCE(desc->status) & PRO_RX_DD) {
			dma_rmb();
			dma_sync_single_for_cpu(&nic->pdev->dev, buffer->dma, PRO_RX_BYTES,
						DMA_FROM_DEVICE);
			return le16_to_cpu(desc->length) == bytes &&
			       !memcmp(page_address(buffer->page) + PRO_RX_HEADROOM, sent, bytes);
		}
		usleep_range(100, 200);
	}
	return false;
}

/*
 * Sends a frame to itself. Returns 0 if it came back whole; the interface is down. The frame counts
 * nowhere: it is not on the line.
 */
static int pro_test_loopback(struct pro *nic)
{
	const unsigned int bytes = 1000;
	u64 counted[PRO_COUNTERS];
	unsigned int i;
	u8 *data;
	int error;

	data = kmalloc(bytes, GFP_KERNEL);
	if (!data)
		return -ENOMEM;
	error = pro_rings_alloc(nic);
	if (error)
		goto free_data;
	pro_collect(nic);
	memcpy(counted, nic->hw, sizeof(counted));
	error = pro_hw_start(nic, PRO_RCTL_LBM_MAC);
	if (error)
		goto free;
	for (i = 0; i < bytes; i++)
		data[i] = i * 7;
	ether_addr_copy(data, nic->dev->dev_addr);
	ether_addr_copy(data + ETH_ALEN, nic->dev->dev_addr);
	error = pro_tx_add(nic, 0, NULL, data, 0, bytes);
	if (error)
		goto free;
	pro_tx_finish(nic, 0, 1, 0, 0);
	nic->tx.tail = 1;
	dma_wmb();
	pro_write(nic, PRO_TDT, 1);
	error = pro_loopback_came(nic, data, bytes) ? 0 : -EIO;
free:
	pro_rx_off(nic);
	pro_reset(nic);
	spin_lock_bh(&nic->counter_lock);
	memcpy(nic->hw, counted, sizeof(counted));
	spin_unlock_bh(&nic->counter_lock);
	pro_buffers_free(nic);
	pro_rings_free(nic);
free_data:
	kfree(data);
	return error;
}

void pro_self_test(struct net_device *dev, struct ethtool_test *test, u64 *data)
{
	struct pro *nic = netdev_priv(dev);
	bool running = netif_running(dev);

	memset(data, 0, sizeof(*data) * PRO_TESTS);
	data[0] = running && !netif_carrier_ok(dev);
	if (test->flags & ETH_TEST_FL_OFFLINE) {
		if (running)
			pro_stop(dev);
		data[1] = pro_test_registers(nic);
		data[2] = pro_test_loopback(nic) ? 1 : 0;
		if (running)
			pro_reopen(dev);
	}
	if (data[0] || data[1] || data[2])
		test->flags |= ETH_TEST_FL_FAILED;
}
