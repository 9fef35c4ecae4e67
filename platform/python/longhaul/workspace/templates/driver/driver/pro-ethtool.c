// SPDX-License-Identifier: GPL-2.0
/* ethtool: link, rings, coalescing, counters. */
#include <linux/etherdevice.h>
#include <linux/ethtool.h>
#include <linux/linkmode.h>

#include "pro.h"

static const char pro_counter_names[][ETH_GSTRING_LEN] = {
	"rx_good", "rx_crc", "rx_symbol", "rx_missed", "rx_no_desc", "rx_length", "rx_short",
	"rx_fragment", "rx_long", "rx_jabber", "rx_sequence", "rx_xon", "rx_xoff", "tx_good",
	"tx_xon", "tx_xoff",
	"rx_no_memory", "rx_map_failed", "rx_bad", "rx_checksum_bad", "tx_map_failed", "resets",
};

static void pro_get_drvinfo(struct net_device *dev, struct ethtool_drvinfo *info)
{
	struct pro *nic = netdev_priv(dev);

	strscpy(info->driver, KBUILD_MODNAME, sizeof(info->driver));
	strscpy(info->bus_info, pci_name(nic->pdev), sizeof(info->bus_info));
}

static int pro_get_link_ksettings(struct net_device *dev, struct ethtool_link_ksettings *cmd)
{
	struct pro *nic = netdev_priv(dev);
	bool up = netif_carrier_ok(dev);

	ethtool_link_ksettings_zero_link_mode(cmd, supported);
	ethtool_link_ksettings_add_link_mode(cmd, supported, Autoneg);
	ethtool_link_ksettings_add_link_mode(cmd, supported, Pause);
	ethtool_link_ksettings_add_link_mode(cmd, supported, Asym_Pause);
	if (nic->fiber) {
		ethtool_link_ksettings_add_link_mode(cmd, supported, FIBRE);
		ethtool_link_ksettings_add_link_mode(cmd, supported, 1000baseX_Full);
	} else {
		ethtool_link_ksettings_add_link_mode(cmd, supported, TP);
		ethtool_link_ksettings_add_link_mode(cmd, supported, 1000baseT_Full);
	}
	linkmode_copy(cmd->link_modes.advertising, cmd->link_modes.supported);
	cmd->base.speed = up ? SPEED_1000 : SPEED_UNKNOWN;
	cmd->base.duplex = up ? DUPLEX_FULL : DUPLEX_UNKNOWN;
	cmd->base.autoneg = AUTONEG_ENABLE;
	cmd->base.port = nic->fiber ? PORT_FIBRE : PORT_TP;
	return 0;
}

static void pro_get_pauseparam(struct net_device *dev, struct ethtool_pauseparam *pause)
{
	u32 ctrl = pro_read(netdev_priv(dev), PRO_CTRL);

	pause->autoneg = AUTONEG_ENABLE;
	pause->rx_pause = !!(ctrl & PRO_CTRL_RFCE);
	pause->tx_pause = !!(ctrl & PRO_CTRL_TFCE);
}

static void pro_get_ringparam(struct net_device *dev, struct ethtool_ringparam *ring,
			      struct kernel_ethtool_ringparam *kernel_ring,
			      struct netlink_ext_ack *extack)
{
	struct pro *nic = netdev_priv(dev);

	ring->rx_max_pending = PRO_RING_MAX;
	ring->tx_max_pending = PRO_RING_MAX;
	ring->rx_pending = nic->rx_count;
	ring->tx_pending = nic->tx_count;
}

static int pro_set_ringparam(struct net_device *dev, struct ethtool_ringparam *ring,
			     struct kernel_ethtool_ringparam *kernel_ring,
			     struct netlink_ext_ack *extack)
{
	struct pro *nic = netdev_priv(dev);
	unsigned int tx_before = nic->tx_count, rx_before = nic->rx_count;
	bool running = netif_running(dev);
	int error;

	if (ring->rx_mini_pending || ring->rx_jumbo_pending)
		return -EINVAL;
	if (running)
		pro_stop(dev);
	nic->tx_count = roundup_pow_of_two(max_t(u32, ring->tx_pending, PRO_RING_MIN));
	nic->rx_count = roundup_pow_of_two(max_t(u32, ring->rx_pending, PRO_RING_MIN));
	if (!running)
		return 0;
	error = pro_open(dev);
	if (error) {
		nic->tx_count = tx_before;
		nic->rx_count = rx_before;
		pro_reopen(dev);
	}
	return error;
}

static int pro_get_coalesce(struct net_device *dev, struct ethtool_coalesce *coalesce,
			    struct kernel_ethtool_coalesce *kernel_coalesce,
			    struct netlink_ext_ack *extack)
{
	struct pro *nic = netdev_priv(dev);

	coalesce->rx_coalesce_usecs = nic->usecs;
	return 0;
}

static int pro_set_coalesce(struct net_device *dev, struct ethtool_coalesce *coalesce,
			    struct kernel_ethtool_coalesce *kernel_coalesce,
			    struct netlink_ext_ack *extack)
{
	struct pro *nic = netdev_priv(dev);

	if (coalesce->rx_coalesce_usecs > PRO_USECS_MAX) {
		NL_SET_ERR_MSG(extack, "rx-usecs is 10000 at most");
		return -EINVAL;
	}
	nic->usecs = coalesce->rx_coalesce_usecs;
	if (netif_running(dev))
		pro_set_usecs(nic);
	return 0;
}

static int pro_get_sset_count(struct net_device *dev, int set)
{
	switch (set) {
	case ETH_SS_STATS:
		return ARRAY_SIZE(pro_counter_names);
	case ETH_SS_TEST:
		return PRO_TESTS;
	default:
		return -EOPNOTSUPP;
	}
}

static void pro_get_strings(struct net_device *dev, u32 set, u8 *data)
{
	if (set == ETH_SS_STATS)
		memcpy(data, pro_counter_names, sizeof(pro_counter_names));
	else if (set == ETH_SS_TEST)
		memcpy(data, pro_test_names, sizeof(pro_test_names));
}

static void pro_get_ethtool_stats(struct net_device *dev, struct ethtool_stats *stats, u64 *data)
{
	struct pro *nic = netdev_priv(dev);

	BUILD_BUG_ON(ARRAY_SIZE(pro_counter_names) != PRO_COUNTERS + sizeof(nic->sw) / sizeof(u64));
	pro_collect(nic);
	memcpy(data, nic->hw, sizeof(nic->hw));
	memcpy(data + PRO_COUNTERS, &nic->sw, sizeof(nic->sw));
}

const struct ethtool_ops pro_ethtool_ops = {
	.supported_coalesce_params = ETHTOOL_COALESCE_RX_USECS,
	.get_drvinfo		= pro_get_drvinfo,
	.get_link		= ethtool_op_get_link,
	.get_link_ksettings	= pro_get_link_ksettings,
	.get_pauseparam		= pro_get_pauseparam,
	.get_ringparam		= pro_get_ringparam,
	.set_ringparam		= pro_set_ringparam,
	.get_coalesce		= pro_get_coalesce,
	.set_coalesce		= pro_set_coalesce,
	.get_sset_count		= pro_get_sset_count,
	.get_strings		= pro_get_strings,
	.get_ethtool_stats	= pro_get_ethtool_stats,
	.self_test		= pro_self_test,
	.get_ts_info		= ethtool_op_get_ts_info,
};
