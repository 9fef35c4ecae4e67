// SPDX-License-Identifier: GPL-2.0
/* ethtool of mynic: rings, coalescing, counters, self test. */
#include <linux/delay.h>
#include <linux/dma-mapping.h>
#include <linux/etherdevice.h>
#include <linux/ethtool.h>

#include "mynic.h"

static const char mynic_counter_names[][ETH_GSTRING_LEN] = {
	"rx_good", "rx_fcs", "rx_error", "rx_runt", "rx_long", "rx_filtered", "rx_no_desc",
	"rx_overrun", "tx_good", "tx_bad",
	"rx_no_memory", "rx_map_failed", "tx_map_failed", "faults", "resets",
};

static const char mynic_test_names[][ETH_GSTRING_LEN] = {
	"registers (offline)", "loopback  (offline)",
};

static void mynic_get_drvinfo(struct net_device *dev, struct ethtool_drvinfo *info)
{
	struct mynic *nic = netdev_priv(dev);
	u32 version = mynic_read(nic, MYNIC_REG_VERSION);

	strscpy(info->driver, KBUILD_MODNAME, sizeof(info->driver));
	strscpy(info->bus_info, pci_name(nic->pdev), sizeof(info->bus_info));
	snprintf(info->fw_version, sizeof(info->fw_version), "%u.%u", version >> 16,
		 version & 0xffff);
}

static int mynic_get_link_ksettings(struct net_device *dev, struct ethtool_link_ksettings *cmd)
{
	cmd->base.speed = SPEED_1000;
	cmd->base.duplex = DUPLEX_FULL;
	cmd->base.autoneg = AUTONEG_DISABLE;
	cmd->base.port = PORT_OTHER;
	return 0;
}

static void mynic_get_ringparam(struct net_device *dev, struct ethtool_ringparam *ring,
				struct kernel_ethtool_ringparam *kernel_ring,
				struct netlink_ext_ack *extack)
{
	struct mynic *nic = netdev_priv(dev);

	ring->rx_max_pending = MYNIC_RING_MAX;
	ring->tx_max_pending = MYNIC_RING_MAX;
	ring->rx_pending = nic->rx_count;
	ring->tx_pending = nic->tx_count;
}

static int mynic_set_ringparam(struct net_device *dev, struct ethtool_ringparam *ring,
			       struct kernel_ethtool_ringparam *kernel_ring,
			       struct netlink_ext_ack *extack)
{
	struct mynic *nic = netdev_priv(dev);
	unsigned int tx_before = nic->tx_count, rx_before = nic->rx_count;
	bool running = netif_running(dev);
	int error;

	if (ring->rx_mini_pending || ring->rx_jumbo_pending)
		return -EINVAL;
	if (running)
		mynic_stop(dev);
	nic->tx_count = roundup_pow_of_two(max_t(u32, ring->tx_pending, MYNIC_RING_MIN));
	nic->rx_count = roundup_pow_of_two(max_t(u32, ring->rx_pending, MYNIC_RING_MIN));
	if (!running)
		return 0;
	error = mynic_open(dev);
	if (error) {
		nic->tx_count = tx_before;
		nic->rx_count = rx_before;
		mynic_reopen(dev);
	}
	return error;
}

static int mynic_get_coalesce(struct net_device *dev, struct ethtool_coalesce *coalesce,
			      struct kernel_ethtool_coalesce *kernel_coalesce,
			      struct netlink_ext_ack *extack)
{
	struct mynic *nic = netdev_priv(dev);

	coalesce->rx_coalesce_usecs = nic->moderation_us;
	return 0;
}

static int mynic_set_coalesce(struct net_device *dev, struct ethtool_coalesce *coalesce,
			      struct kernel_ethtool_coalesce *kernel_coalesce,
			      struct netlink_ext_ack *extack)
{
	struct mynic *nic = netdev_priv(dev);

	if (coalesce->rx_coalesce_usecs > MYNIC_MODERATION_MAX) {
		NL_SET_ERR_MSG(extack, "rx-usecs is 65535 at most");
		return -EINVAL;
	}
	nic->moderation_us = coalesce->rx_coalesce_usecs;
	if (netif_running(dev))
		mynic_write(nic, MYNIC_REG_MODERATION, nic->moderation_us);
	return 0;
}

static int mynic_get_sset_count(struct net_device *dev, int set)
{
	switch (set) {
	case ETH_SS_STATS:
		return ARRAY_SIZE(mynic_counter_names);
	case ETH_SS_TEST:
		return ARRAY_SIZE(mynic_test_names);
	default:
		return -EOPNOTSUPP;
	}
}

static void mynic_get_strings(struct net_device *dev, u32 set, u8 *data)
{
	if (set == ETH_SS_STATS)
		memcpy(data, mynic_counter_names, sizeof(mynic_counter_names));
	else if (set == ETH_SS_TEST)
		memcpy(data, mynic_test_names, sizeof(mynic_test_names));
}

static void mynic_get_ethtool_stats(struct net_device *dev, struct ethtool_stats *stats, u64 *data)
{
	struct mynic *nic = netdev_priv(dev);

	BUILD_BUG_ON(ARRAY_SIZE(mynic_counter_names) !=
		     MYNIC_COUNTERS + sizeof(nic->sw) / sizeof(u64));
	mynic_collect(nic);
	memcpy(data, nic->hw, sizeof(nic->hw));
	memcpy(data + MYNIC_COUNTERS, &nic->sw, sizeof(nic->sw));
}

/* Each bit of some registers holds both values. Returns the number of those that do not. */
static u64 mynic_test_registers(struct mynic *nic)
{
	static const struct {
		u32 offset;
		u32 bits;
	} tests[] = {
		{ MYNIC_REG_HASH_LOW, 0xffffffff }, { MYNIC_REG_HASH_HIGH, 0xffffffff },
		{ MYNIC_REG_MODERATION, 0xffff }, { MYNIC_REG_TX_BASE_LOW, 0xffffffc0 },
		{ MYNIC_REG_TX_BASE_HIGH, 0xffffffff }, { MYNIC_REG_RX_BASE_LOW, 0xffffffc0 },
		{ MYNIC_REG_RX_BASE_HIGH, 0xffffffff }, { MYNIC_REG_MAC_LOW, 0xffffffff },
		{ MYNIC_REG_MAC_HIGH, 0xffff },
	};
	static const u32 words[] = { 0x55555555, 0xaaaaaaaa, 0xffffffff, 0 };
	unsigned int i, j;
	u64 wrong = 0;

	for (i = 0; i < ARRAY_SIZE(tests); i++) {
		for (j = 0; j < ARRAY_SIZE(words); j++) {
			mynic_write(nic, tests[i].offset, words[j]);
			if (mynic_read(nic, tests[i].offset) != (words[j] & tests[i].bits))
				wrong++;
		}
	}
	return wrong;
}

/* The frame that came back is the one that was sent. */
static bool mynic_loopback_came(struct mynic *nic, const void *sent, unsigned int bytes)
{
	struct mynic_buffer *buffer = &nic->rx.buffers[0];
	int tries;

	for (tries = 0; tries < 1000; tries++) {
		u32 status = le32_to_cpu(READ_ONCE(nic->rx.descs[0].status));

		if (status & MYNIC_DONE) {
			dma_rmb();
			dma_sync_single_for_cpu(&nic->pdev->dev, buffer->dma, nic->rx_size,
						DMA_FROM_DEVICE);
			return (status & MYNIC_RX_LENGTH) == bytes &&
			       !memcmp(page_address(buffer->page) + MYNIC_RX_HEADROOM +
				       MYNIC_RX_PAD, sent, bytes);
		}
		udelay(10);
	}
	return false;
}

/*
 * Sends a frame to itself. Returns 0 if it came back whole; the interface is down. The frame counts
 * nowhere: it is not on the line.
 */
static int mynic_test_loopback(struct mynic *nic)
{
	const unsigned int bytes = 1000;
	struct mynic_ring *ring = &nic->tx;
	u64 counted[MYNIC_COUNTERS];
	unsigned int i;
	u8 *data;
	int error;

	data = kmalloc(bytes, GFP_KERNEL);
	if (!data)
		return -ENOMEM;
	error = mynic_rings_alloc(nic);
	if (error)
		goto free_data;
	mynic_collect(nic);
	memcpy(counted, nic->hw, sizeof(counted));
	error = mynic_hw_start(nic, MYNIC_CTRL_RX_ENABLE | MYNIC_CTRL_TX_ENABLE |
			       MYNIC_CTRL_LOOPBACK);
	if (error)
		goto free;
	for (i = 0; i < bytes; i++)
		data[i] = i * 7;
	ether_addr_copy(data, nic->dev->dev_addr);
	ether_addr_copy(data + ETH_ALEN, nic->dev->dev_addr);
	error = mynic_tx_add(nic, 0, NULL, data, 0, bytes);
	if (error)
		goto free;
	ring->descs[0].word |= cpu_to_le32(MYNIC_TX_EOP);
	ring->tail = 1;
	dma_wmb();
	mynic_write(nic, MYNIC_REG_TX_TAIL, ring->tail);
	error = mynic_loopback_came(nic, data, bytes) ? 0 : -EIO;
free:
	mynic_reset(nic);
	spin_lock_bh(&nic->counter_lock);
	memcpy(nic->hw, counted, sizeof(counted));
	spin_unlock_bh(&nic->counter_lock);
	mynic_buffers_free(nic);
	mynic_rings_free(nic);
free_data:
	kfree(data);
	return error;
}

static void mynic_self_test(struct net_device *dev, struct ethtool_test *test, u64 *data)
{
	struct mynic *nic = netdev_priv(dev);
	bool running = netif_running(dev);

	memset(data, 0, sizeof(*data) * ARRAY_SIZE(mynic_test_names));
	if (!(test->flags & ETH_TEST_FL_OFFLINE))
		return;
	if (running)
		mynic_stop(dev);
	data[0] = mynic_test_registers(nic);
	data[1] = mynic_test_loopback(nic) ? 1 : 0;
	if (data[0] || data[1])
		test->flags |= ETH_TEST_FL_FAILED;
	if (running)
		mynic_reopen(dev);
}

const struct ethtool_ops mynic_ethtool_ops = {
	.supported_coalesce_params = ETHTOOL_COALESCE_RX_USECS,
	.get_drvinfo		= mynic_get_drvinfo,
	.get_link		= ethtool_op_get_link,
	.get_link_ksettings	= mynic_get_link_ksettings,
	.get_ringparam		= mynic_get_ringparam,
	.set_ringparam		= mynic_set_ringparam,
	.get_coalesce		= mynic_get_coalesce,
	.set_coalesce		= mynic_set_coalesce,
	.get_sset_count		= mynic_get_sset_count,
	.get_strings		= mynic_get_strings,
	.get_ethtool_stats	= mynic_get_ethtool_stats,
	.self_test		= mynic_self_test,
	.get_ts_info		= ethtool_op_get_ts_info,
};
