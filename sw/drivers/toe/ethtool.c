// SPDX-License-Identifier: GPL-2.0
/* What ethtool asks and sets. All of it runs under rtnl. */
#include <linux/ethtool.h>
#include <linux/rtnetlink.h>

#include "board_regs.h"
#include "t110.h"

#define EEPROM_BYTES	32	/* what the board's maker has written */
#define EEPROM_MAGIC	(PCI_VENDOR_ID_CHELSIO | 1 << 16)

static const char count_names[][ETH_GSTRING_LEN] = {
	"rx_csum_good", "rx_no_memory", "rx_copied", "tx_csum", "tx_stopped", "pure_responses",
	"respq_exhausted", "freelist_exhausted", "sge_errors", "pci_errors",
	"unhandled_interrupts", "resets", "toe_opened", "toe_closed",
	"toe_software", "toe_no_memory",
};

/* TP's statistics of the connections that are offloaded, which RFC 4022 defines. TP_MIB has
 * them in this order, the wide ones with the upper half first.
 */
static const char tp_names[][ETH_GSTRING_LEN] = {
	"tp_active_opens", "tp_passive_opens", "tp_attempt_fails", "tp_estab_resets",
	"tp_out_rsts", "tp_curr_estab", "tp_in_segs", "tp_out_segs", "tp_retrans_segs",
	"tp_in_errs",
};
#define TP_NARROW	6	/* the first ones have one word */

static_assert(sizeof(struct t110_counts) == ARRAY_SIZE(count_names) * sizeof(u64));

static void get_drvinfo(struct net_device *netdev, struct ethtool_drvinfo *info)
{
	struct t110 *chip = netdev_priv(netdev);

	strscpy(info->driver, T110_NAME, sizeof(info->driver));
	strscpy(info->bus_info, pci_name(chip->pdev), sizeof(info->bus_info));
}

static u32 get_msglevel(struct net_device *netdev)
{
	struct t110 *chip = netdev_priv(netdev);

	return chip->msg_enable;
}

static void set_msglevel(struct net_device *netdev, u32 value)
{
	struct t110 *chip = netdev_priv(netdev);

	chip->msg_enable = value;
}

static int get_link_ksettings(struct net_device *netdev, struct ethtool_link_ksettings *settings)
{
	ethtool_link_ksettings_zero_link_mode(settings, supported);
	ethtool_link_ksettings_add_link_mode(settings, supported, FIBRE);
	ethtool_link_ksettings_add_link_mode(settings, supported, Pause);
	ethtool_link_ksettings_add_link_mode(settings, supported, 10000baseSR_Full);
	ethtool_link_ksettings_add_link_mode(settings, supported, 10000baseLR_Full);
	ethtool_link_ksettings_zero_link_mode(settings, advertising);
	settings->base.port = PORT_FIBRE;
	settings->base.autoneg = AUTONEG_DISABLE;
	settings->base.phy_address = 1;
	settings->base.speed = netif_carrier_ok(netdev) ? SPEED_10000 : SPEED_UNKNOWN;
	settings->base.duplex = netif_carrier_ok(netdev) ? DUPLEX_FULL : DUPLEX_UNKNOWN;
	return 0;
}

static int get_regs_len(struct net_device *netdev)
{
	return T110_REGS_BYTES;
}

/* Registers whose reading has an effect are left out: they read as 0 here. */
static void get_regs(struct net_device *netdev, struct ethtool_regs *regs, void *data)
{
	static const struct {
		u16 first, last;
	} blocks[] = {
		{ SG_CONTROL, 0x0c0 }, { 0x100, 0x17c }, { 0x180, 0x1fc }, { TPI_ADDR, TPI_PAR },
		{ TP_IN_CONFIG, 0x4bc }, { 0x880, 0x8f0 }, { PL_ENABLE, PL_CAUSE },
		{ 0xc04, 0xc48 },
	};
	struct t110 *chip = netdev_priv(netdev);
	u32 *words = data;
	int i, reg;

	regs->version = TP_PC_REVISION_T1B;
	memset(data, 0, T110_REGS_BYTES);
	for (i = 0; i < ARRAY_SIZE(blocks); i++)
		for (reg = blocks[i].first; reg <= blocks[i].last; reg += 4)
			words[reg / 4] = t110_read(chip, reg);
}

static int get_eeprom_len(struct net_device *netdev)
{
	return EEPROM_BYTES;
}

static int get_eeprom(struct net_device *netdev, struct ethtool_eeprom *eeprom, u8 *data)
{
	eeprom->magic = EEPROM_MAGIC;
	return t110_vpd_read(netdev_priv(netdev), eeprom->offset, data, eeprom->len);
}

static int get_coalesce(struct net_device *netdev, struct ethtool_coalesce *coalesce,
			struct kernel_ethtool_coalesce *kernel, struct netlink_ext_ack *extack)
{
	struct t110 *chip = netdev_priv(netdev);

	coalesce->rx_coalesce_usecs = chip->usecs;
	return 0;
}

static int set_coalesce(struct net_device *netdev, struct ethtool_coalesce *coalesce,
			struct kernel_ethtool_coalesce *kernel, struct netlink_ext_ack *extack)
{
	struct t110 *chip = netdev_priv(netdev);

	if (coalesce->rx_coalesce_usecs > SG_INTRTIMER_MAX / T110_CORE_MHZ) {
		NL_SET_ERR_MSG_MOD(extack, "the hold-off is at most 134217 us");
		return -EINVAL;
	}
	chip->usecs = coalesce->rx_coalesce_usecs;
	sge_set_hold_off(chip, chip->usecs);
	return 0;
}

static void get_ringparam(struct net_device *netdev, struct ethtool_ringparam *ring,
			  struct kernel_ethtool_ringparam *kernel, struct netlink_ext_ack *extack)
{
	struct t110 *chip = netdev_priv(netdev);

	ring->rx_max_pending = SGE_MAX_ENTRIES;
	ring->rx_jumbo_max_pending = SGE_MAX_ENTRIES;
	ring->tx_max_pending = SGE_MAX_ENTRIES;
	ring->rx_pending = chip->sge.fl_entries[0];
	ring->rx_jumbo_pending = chip->sge.fl_entries[1];
	ring->tx_pending = chip->sge.cmdq_entries;
}

static int set_ringparam(struct net_device *netdev, struct ethtool_ringparam *ring,
			 struct kernel_ethtool_ringparam *kernel, struct netlink_ext_ack *extack)
{
	struct t110 *chip = netdev_priv(netdev);

	if (ring->rx_mini_pending || ring->rx_pending < SGE_MIN_ENTRIES ||
	    ring->rx_jumbo_pending < SGE_MIN_ENTRIES || ring->tx_pending < SGE_MIN_ENTRIES) {
		NL_SET_ERR_MSG_MOD(extack, "a queue has at least 64 entries");
		return -EINVAL;
	}
	return t110_resize(chip, ring->tx_pending, ring->rx_pending, ring->rx_jumbo_pending);
}

static void get_pauseparam(struct net_device *netdev, struct ethtool_pauseparam *pause)
{
	struct t110 *chip = netdev_priv(netdev);

	pause->autoneg = AUTONEG_DISABLE;
	pause->rx_pause = chip->pause_rx;
	pause->tx_pause = chip->pause_tx;
}

static int set_pauseparam(struct net_device *netdev, struct ethtool_pauseparam *pause)
{
	if (pause->autoneg)
		return -EINVAL;
	t110_mac_set_pause(netdev_priv(netdev), pause->rx_pause, pause->tx_pause);
	return 0;
}

static int get_sset_count(struct net_device *netdev, int set)
{
	if (set != ETH_SS_STATS)
		return -EOPNOTSUPP;
	return ARRAY_SIZE(count_names) + ARRAY_SIZE(tp_names) + t110_mac_stats_count();
}

static void get_strings(struct net_device *netdev, u32 set, u8 *data)
{
	if (set != ETH_SS_STATS)
		return;
	memcpy(data, count_names, sizeof(count_names));
	data += sizeof(count_names);
	memcpy(data, tp_names, sizeof(tp_names));
	t110_mac_stats_strings(data + sizeof(tp_names));
}

/* A carry between the halves of a count gives a wrong one, which the next reading mends. */
static void tp_stats(struct t110 *chip, u64 *data)
{
	int i;

	t110_write(chip, TP_MIB_INDEX, TP_MIB_TCP);
	for (i = 0; i < ARRAY_SIZE(tp_names); i++) {
		data[i] = t110_read(chip, TP_MIB_DATA);
		if (i >= TP_NARROW)
			data[i] = data[i] << 32 | t110_read(chip, TP_MIB_DATA);
	}
}

static void get_ethtool_stats(struct net_device *netdev, struct ethtool_stats *stats, u64 *data)
{
	struct t110 *chip = netdev_priv(netdev);

	t110_mac_update_stats(chip);
	memcpy(data, &chip->counts, sizeof(chip->counts));
	data += ARRAY_SIZE(count_names);
	tp_stats(chip, data);
	t110_mac_stats_values(chip, data + ARRAY_SIZE(tp_names));
}

/* Both LEDs of the board */
static int set_phys_id(struct net_device *netdev, enum ethtool_phys_id_state state)
{
	u32 leds = ELMER0_GPO_LINK_LED_OFF | ELMER0_GPO_ACTIVITY_LED_OFF;
	struct t110 *chip = netdev_priv(netdev);

	switch (state) {
	case ETHTOOL_ID_ACTIVE:
		return 2;	/* blinks a second */
	case ETHTOOL_ID_ON:
		t110_gpo_update(chip, leds, 0);
		return 0;
	case ETHTOOL_ID_OFF:
		t110_gpo_update(chip, 0, leds);
		return 0;
	default:
		t110_gpo_update(chip, netif_carrier_ok(netdev) ? ELMER0_GPO_LINK_LED_OFF : 0,
				ELMER0_GPO_ACTIVITY_LED_OFF);
		return 0;
	}
}

static int reset(struct net_device *netdev, u32 *flags)
{
	struct t110 *chip = netdev_priv(netdev);
	u32 whole = ETH_RESET_DMA | ETH_RESET_MAC | ETH_RESET_PHY | ETH_RESET_OFFLOAD;

	if ((*flags & whole) != whole)
		return -EOPNOTSUPP;	/* the chip has one reset for all of them */
	*flags &= ~whole;
	return t110_reset(chip);
}

const struct ethtool_ops t110_ethtool_ops = {
	.supported_coalesce_params = ETHTOOL_COALESCE_RX_USECS,
	.get_drvinfo = get_drvinfo,
	.get_msglevel = get_msglevel,
	.set_msglevel = set_msglevel,
	.get_link = ethtool_op_get_link,
	.get_link_ksettings = get_link_ksettings,
	.get_regs_len = get_regs_len,
	.get_regs = get_regs,
	.get_eeprom_len = get_eeprom_len,
	.get_eeprom = get_eeprom,
	.get_coalesce = get_coalesce,
	.set_coalesce = set_coalesce,
	.get_ringparam = get_ringparam,
	.set_ringparam = set_ringparam,
	.get_pauseparam = get_pauseparam,
	.set_pauseparam = set_pauseparam,
	.get_sset_count = get_sset_count,
	.get_strings = get_strings,
	.get_ethtool_stats = get_ethtool_stats,
	.set_phys_id = set_phys_id,
	.reset = reset,
};
