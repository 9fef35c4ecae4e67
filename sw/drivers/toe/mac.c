// SPDX-License-Identifier: GPL-2.0
/*
 * The PM3393, a 10-gigabit MAC between SPI-4.2 and XAUI: reset, set-up, filter, PAUSE.
 *
 * The set-up's values are those of Linux' cxgb (pm3393.c). Registers without a name there have
 * their number. After an access that changes the configuration of a direction, that direction is
 * off for a moment: the data sheet of the MAC, as cxgb quotes it, wants it so.
 */
#include <linux/crc32.h>
#include <linux/delay.h>
#include <linux/etherdevice.h>

#include "board_regs.h"
#include "t110.h"

#define PM_RESET_TRIES		3
#define PM_IPG			12	/* bytes, IEEE 802.3: 96 bit times */
#define PM_PAUSE_QUANTA		0x8000
#define PM_LANE_VALUE		0x8800
#define PM_SETTLE_US		20
#define FILTER_BROADCAST	0
#define FILTER_STATION		1
#define FILTER_UNICAST		2	/* and all behind it */

struct pm_setting {
	u16 reg;
	u16 value;
};

static const struct pm_setting pm_settings[] = {
	/* SPI-4.2 */
	{ PM_REVISION, 0x8000 },
	{ PM_REVISION, 0 },
	{ 0x2308, 0x9800 },
	{ PM_PL4IO_CONFIG, 0x1001 },
	{ 0x230d, 0x9c00 },
	{ PM_PL4IO_CALENDAR, 0x0202 },
	/* The FIFO of frames to send; limits in units of 16 blocks, thresholds in blocks */
	{ PM_EFLX_CONFIG, 0x8080 },
	{ PM_EFLX_PROVISION, 0 },
	{ PM_EFLX_LOW_LIMIT, 0 },
	{ PM_EFLX_HIGH_LIMIT, 0x40 },
	{ PM_EFLX_ALMOST_FULL, 0x2cc },
	{ PM_EFLX_ALMOST_EMPTY, 0x199 },
	{ PM_EFLX_CUT_THROUGH, 0x240 },
	{ PM_EFLX_INDIRECT, 0 },
	{ PM_EFLX_PROVISION, 1 },
	/* The FIFO of received frames */
	{ PM_IFLX_CONFIG, 0xc000 },
	{ PM_IFLX_PROVISION, 0 },
	{ PM_IFLX_LOW_LIMIT, 0 },
	{ PM_IFLX_HIGH_LIMIT, 0x100 },
	{ PM_IFLX_ALMOST_FULL, 0xc00 },
	{ PM_IFLX_ALMOST_EMPTY, 0x599 },
	{ PM_IFLX_INDIRECT, 0 },
	{ PM_IFLX_PROVISION, 1 },
	/* Bursts and training of SPI-4.2 */
	{ PM_PL4MOS_MASK, 0xfffe },
	{ PM_PL4MOS_FAIRNESS, 0xffff },
	{ PM_PL4MOS_MAXBURST1, 8 },
	{ PM_PL4MOS_MAXBURST2, 8 },
	{ PM_PL4MOS_TRANSFER, 8 },
	{ PM_PL4MOS_CONFIG, 5 },
	{ PM_PL4ODP_CONFIG, 0x2103 },
	{ PM_PL4ODP_MAX_T, 0 },
	{ PM_PL4IDU_CONFIG, 0x87 },
	{ PM_PL4IDU_INTERRUPT_MASK, 0x1f },
	/* MAC and XAUI. No interrupt: the link is polled. */
	{ PM_TXXG_PAUSE_TIMER, PM_PAUSE_QUANTA },
	{ PM_RXXG_CUT_THROUGH, 1 },
	{ PM_RXXG_FILTER_MODE, 0 },
	{ PM_LOOPBACK, 0 },
	{ PM_SERDES_1, 0x0ff0 },
	{ PM_SERDES_2, 0x0f0f },
	{ PM_INTERRUPT_ENABLE, 0 },
};

static void pm_write(struct t110 *chip, u16 reg, u16 value)
{
	t110_tpi_write(chip, reg * 4, value);
}

static void pm_write_address(struct t110 *chip, u16 reg, const u8 *address)
{
	int i;

	for (i = 0; i < 3; i++)
		pm_write(chip, reg + i, address[2 * i + 1] << 8 | address[2 * i]);
}

/* Write one filter's four bits; the other filters of the register keep theirs. */
static void pm_set_filter(struct t110 *chip, int number, const u8 *address)
{
	u16 reg = PM_RXXG_FILTER_CONTROL(number);
	int shift = number % 4 * 4;
	u32 control = t110_tpi_read(chip, reg * 4) & ~(0xf << shift);

	pm_write(chip, reg, control);
	if (!address)
		return;
	pm_write_address(chip, PM_RXXG_EXACT(number), address);
	pm_write(chip, reg, control | PM_FILTER_ON << shift);
}

static bool pm_is_out_of_reset(struct t110 *chip)
{
	u32 status = t110_tpi_read(chip, PM_DEVICE_STATUS * 4);

	return (status & PM_STATUS_EXPIRED) && (status & PM_STATUS_XAUI_STABLE) &&
	       !(status & PM_STATUS_UNLOCKED);
}

static int pm_reset(struct t110 *chip)
{
	int i;

	for (i = 0; i < PM_RESET_TRIES; i++) {
		t110_gpo_update(chip, ELMER0_GPO_MAC_RUN, 0);
		usleep_range(4000, 5000);	/* at least 1 ms, and clocks that settle */
		t110_gpo_update(chip, 0, ELMER0_GPO_MAC_RUN);
		usleep_range(16000, 17000);	/* 14 ms of timers, and 200 us of XAUI */
		if (pm_is_out_of_reset(chip))
			return 0;
	}
	dev_err(&chip->pdev->dev, "the PM3393 does not leave its reset, status 0x%x\n",
		t110_tpi_read(chip, PM_DEVICE_STATUS * 4));
	return -EIO;
}

/* What RXXG_CONFIG and TXXG_CONFIG are while the MAC is on, or off */
static void pm_switch_rx(struct t110 *chip, bool on)
{
	pm_write(chip, PM_RXXG_CONFIG, PM_RXXG_PUREP | PM_RXXG_FLCHK | PM_RXXG_CRC_STRIP |
		 PM_RXXG_UNNAMED | (on ? PM_RXXG_RXEN : 0));
	if (!on)
		udelay(PM_SETTLE_US);
}

static void pm_switch_tx(struct t110 *chip, bool on)
{
	u16 config = FIELD_PREP(PM_TXXG_IPGT, PM_IPG) | PM_TXXG_32BIT_ALIGN | PM_TXXG_CRCEN |
		     PM_TXXG_PADEN;

	if (on)
		config |= PM_TXXG_TXEN | (chip->pause_rx ? PM_TXXG_FCRX : 0) |
			  (chip->pause_tx ? PM_TXXG_FCTX : 0);
	pm_write(chip, PM_TXXG_CONFIG, config);
	if (!on)
		udelay(PM_SETTLE_US);
}

/* Reset the MAC and set it up, off. May sleep. */
int t110_mac_init(struct t110 *chip)
{
	static const u8 broadcast[ETH_ALEN] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };
	int err, i;

	err = pm_reset(chip);
	if (err)
		return err;
	for (i = 0; i < ARRAY_SIZE(pm_settings); i++)
		pm_write(chip, pm_settings[i].reg, pm_settings[i].value);
	for (i = 0; i < PM_PL4IO_LANES; i++)
		pm_write(chip, PM_PL4IO_LANE(i), PM_LANE_VALUE);
	pm_switch_rx(chip, false);
	pm_switch_tx(chip, false);
	for (i = FILTER_STATION; i < PM_EXACT_FILTERS; i++)
		pm_set_filter(chip, i, NULL);
	pm_set_filter(chip, FILTER_BROADCAST, broadcast);
	return 0;
}

void t110_mac_enable(struct t110 *chip)
{
	spin_lock_bh(&chip->mac_lock);
	chip->mac_on = true;
	pm_switch_rx(chip, true);
	pm_switch_tx(chip, true);
	spin_unlock_bh(&chip->mac_lock);
}

void t110_mac_disable(struct t110 *chip)
{
	spin_lock_bh(&chip->mac_lock);
	chip->mac_on = false;
	pm_switch_rx(chip, false);
	pm_switch_tx(chip, false);
	spin_unlock_bh(&chip->mac_lock);
}

void t110_mac_set_mtu(struct t110 *chip, unsigned int mtu)
{
	unsigned int frame = mtu + ETH_HLEN + ETH_FCS_LEN;

	spin_lock_bh(&chip->mac_lock);
	if (chip->mac_on) {
		pm_switch_rx(chip, false);
		pm_switch_tx(chip, false);
	}
	pm_write(chip, PM_RXXG_MAX_FRAME, frame);
	pm_write(chip, PM_TXXG_MAX_FRAME, frame);
	if (chip->mac_on) {
		pm_switch_rx(chip, true);
		pm_switch_tx(chip, true);
	}
	spin_unlock_bh(&chip->mac_lock);
}

/* The station's address: what the filter passes, and the source of PAUSE frames */
void t110_mac_set_address(struct t110 *chip)
{
	const u8 *address = chip->netdev->dev_addr;

	spin_lock_bh(&chip->mac_lock);
	if (chip->mac_on) {
		pm_switch_rx(chip, false);
		pm_switch_tx(chip, false);
	}
	pm_write_address(chip, PM_RXXG_STATION, address);
	pm_write_address(chip, PM_TXXG_STATION, address);
	pm_set_filter(chip, FILTER_STATION, address);
	if (chip->mac_on) {
		pm_switch_rx(chip, true);
		pm_switch_tx(chip, true);
	}
	spin_unlock_bh(&chip->mac_lock);
}

static void pm_set_unicast(struct t110 *chip, bool all)
{
	struct netdev_hw_addr *entry;
	int number = FILTER_UNICAST;

	if (!all)
		netdev_for_each_uc_addr(entry, chip->netdev)
			pm_set_filter(chip, number++, entry->addr);
	while (number < PM_EXACT_FILTERS)
		pm_set_filter(chip, number++, NULL);
}

/* Returns whether any group address is wanted. */
static bool pm_set_hash(struct t110 *chip)
{
	struct net_device *netdev = chip->netdev;
	struct netdev_hw_addr *entry;
	u16 hash[4] = {};
	int i;

	if (netdev->flags & IFF_ALLMULTI)
		memset(hash, 0xff, sizeof(hash));
	else
		netdev_for_each_mc_addr(entry, netdev) {
			u32 bit = ether_crc(ETH_ALEN, entry->addr) >> 23 & 0x3f;

			hash[bit / 16] |= 1 << bit % 16;
		}
	for (i = 0; i < ARRAY_SIZE(hash); i++)
		pm_write(chip, PM_RXXG_HASH + i, hash[i]);
	return (netdev->flags & IFF_ALLMULTI) || !netdev_mc_empty(netdev);
}

void t110_mac_set_rx_mode(struct t110 *chip)
{
	struct net_device *netdev = chip->netdev;
	bool promiscuous = (netdev->flags & IFF_PROMISC) ||
			   netdev_uc_count(netdev) > PM_EXACT_FILTERS - FILTER_UNICAST;
	u16 mode;

	spin_lock_bh(&chip->mac_lock);
	if (chip->mac_on)
		pm_switch_rx(chip, false);
	pm_set_unicast(chip, promiscuous);
	mode = pm_set_hash(chip) ? PM_FILTER_HASH : 0;
	if (promiscuous)
		mode |= PM_FILTER_PROMISCUOUS;
	pm_write(chip, PM_RXXG_FILTER_MODE, mode);
	if (chip->mac_on)
		pm_switch_rx(chip, true);
	spin_unlock_bh(&chip->mac_lock);
}

void t110_mac_set_pause(struct t110 *chip, bool rx, bool tx)
{
	spin_lock_bh(&chip->mac_lock);
	chip->pause_rx = rx;
	chip->pause_tx = tx;
	if (chip->mac_on)
		pm_switch_tx(chip, true);
	spin_unlock_bh(&chip->mac_lock);
}
