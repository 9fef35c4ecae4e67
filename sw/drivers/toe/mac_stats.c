// SPDX-License-Identifier: GPL-2.0
/*
 * MSTAT, the statistics of the PM3393: counters of 40 bits, read as of a snapshot.
 *
 * A counter of octets rolls over in 15 minutes at 10 Gb/s. The link's work reads all counters every
 * few seconds, so the difference to the last reading is the whole of what came.
 */
#include <linux/ethtool.h>

#include "board_regs.h"
#include "t110.h"

#define MSTAT_MASK	GENMASK_ULL(39, 0)

struct mstat_counter {
	char name[ETH_GSTRING_LEN];
	u8 number;
};

enum {
	RX_LOST = 11,
	RX_FCS = 10,
	RX_SYMBOL = 12,
	RX_LENGTH = 13,
	RX_TOO_LONG = 15,
	RX_JABBERS = 16,
	RX_FRAGMENTS = 17,
	RX_UNDERSIZED = 18,
	RX_MULTICAST = 5,
	TX_LOST = 35,
	TX_SYSTEM = 36,
};

static const struct mstat_counter mstat[] = {
	{ "mac_rx_octets_ok", 1 },
	{ "mac_rx_unicast", 4 },
	{ "mac_rx_multicast", RX_MULTICAST },
	{ "mac_rx_broadcast", 6 },
	{ "mac_rx_pause", 8 },
	{ "mac_rx_fcs_errors", RX_FCS },
	{ "mac_rx_lost", RX_LOST },
	{ "mac_rx_symbol_errors", RX_SYMBOL },
	{ "mac_rx_length_errors", RX_LENGTH },
	{ "mac_rx_too_long", RX_TOO_LONG },
	{ "mac_rx_jabbers", RX_JABBERS },
	{ "mac_rx_fragments", RX_FRAGMENTS },
	{ "mac_rx_undersized", RX_UNDERSIZED },
	{ "mac_rx_jumbo", 25 },
	{ "mac_rx_jumbo_octets", 26 },
	{ "mac_tx_octets_ok", 33 },
	{ "mac_tx_lost", TX_LOST },
	{ "mac_tx_system_errors", TX_SYSTEM },
	{ "mac_tx_unicast", 38 },
	{ "mac_tx_multicast", 40 },
	{ "mac_tx_broadcast", 42 },
	{ "mac_tx_pause", 43 },
	{ "mac_tx_jumbo", 51 },
	{ "mac_tx_jumbo_octets", 52 },
};

static u32 pm_read(struct t110 *chip, u16 reg)
{
	return t110_tpi_read(chip, reg * 4) & 0xffff;
}

/* The MAC was reset, so its counters begin at zero; the driver's go on. */
void t110_mac_clear_stats(struct t110 *chip)
{
	mutex_lock(&chip->stats_lock);
	t110_tpi_write(chip, PM_MSTAT_CONTROL * 4, PM_MSTAT_CLEAR);
	memset(chip->mstat_seen, 0, sizeof(chip->mstat_seen));
	mutex_unlock(&chip->stats_lock);
}

static u64 mstat_read(struct t110 *chip, int number)
{
	u16 reg = PM_MSTAT_COUNTER(number);
	u64 value = pm_read(chip, reg);

	value |= (u64)pm_read(chip, reg + 1) << 16;
	value |= (u64)(pm_read(chip, reg + 2) & 0xff) << 32;
	return value;
}

/* May sleep. */
void t110_mac_update_stats(struct t110 *chip)
{
	int i;

	mutex_lock(&chip->stats_lock);
	t110_tpi_write(chip, PM_MSTAT_CONTROL * 4, PM_MSTAT_SNAP);
	for (i = 0; i < ARRAY_SIZE(mstat); i++) {
		int number = mstat[i].number;
		u64 value = mstat_read(chip, number);
		u64 grown = (value - chip->mstat_seen[number]) & MSTAT_MASK;

		chip->mstat_seen[number] = value;
		WRITE_ONCE(chip->mstat[number], chip->mstat[number] + grown);
	}
	mutex_unlock(&chip->stats_lock);
}

int t110_mac_stats_count(void)
{
	return ARRAY_SIZE(mstat);
}

void t110_mac_stats_strings(u8 *data)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(mstat); i++)
		memcpy(data + i * ETH_GSTRING_LEN, mstat[i].name, ETH_GSTRING_LEN);
}

void t110_mac_stats_values(struct t110 *chip, u64 *data)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(mstat); i++)
		data[i] = READ_ONCE(chip->mstat[mstat[i].number]);
}

/* Errors as of the last reading of the counters; does not sleep. */
void t110_mac_errors(struct t110 *chip, struct rtnl_link_stats64 *stats)
{
	const u64 *sum = chip->mstat;

	stats->multicast = READ_ONCE(sum[RX_MULTICAST]);
	stats->rx_crc_errors = READ_ONCE(sum[RX_FCS]);
	stats->rx_frame_errors = READ_ONCE(sum[RX_SYMBOL]);
	stats->rx_length_errors = READ_ONCE(sum[RX_LENGTH]) + READ_ONCE(sum[RX_TOO_LONG]) +
				  READ_ONCE(sum[RX_JABBERS]) + READ_ONCE(sum[RX_FRAGMENTS]) +
				  READ_ONCE(sum[RX_UNDERSIZED]);
	stats->rx_fifo_errors = READ_ONCE(sum[RX_LOST]);
	stats->rx_errors = stats->rx_crc_errors + stats->rx_frame_errors +
			   stats->rx_length_errors + stats->rx_fifo_errors;
	stats->tx_fifo_errors = READ_ONCE(sum[TX_LOST]);
	stats->tx_errors = stats->tx_fifo_errors + READ_ONCE(sum[TX_SYSTEM]);
}
