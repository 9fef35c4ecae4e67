/* SPDX-License-Identifier: GPL-2.0 */
/* State of the driver of Chelsio's T110, and what its files offer to each other. */
#ifndef T110_H
#define T110_H

#include <linux/if_ether.h>
#include <linux/io.h>
#include <linux/mutex.h>
#include <linux/netdevice.h>
#include <linux/pci.h>
#include <linux/spinlock.h>
#include <linux/u64_stats_sync.h>
#include <linux/workqueue.h>

#include "regs.h"
#include "sge.h"
#include "toe.h"

#define T110_NAME		"t110"
#define T110_MAX_FRAME		9600	/* the PM3393's longest, with header and FCS */
#define T110_MAX_MTU		(T110_MAX_FRAME - ETH_HLEN - ETH_FCS_LEN)
#define T110_CORE_MHZ		125
#define T110_USECS		50	/* hold-off of interrupts */
#define T110_MSTAT_COUNTERS	54

/* The XPAK module's way from reset to a link */
enum t110_phy {
	T110_PHY_ABSENT,
	T110_PHY_RESET,
	T110_PHY_STARTING,
	T110_PHY_READY,
};

/* What the driver counts, for ethtool -S */
struct t110_counts {
	u64 rx_csum_good;
	u64 rx_no_memory;
	u64 rx_copied;
	u64 tx_csum;
	u64 tx_stopped;
	u64 pure_responses;
	u64 respq_exhausted;
	u64 freelist_exhausted;
	u64 sge_errors;
	u64 pci_errors;
	u64 unhandled_interrupts;
	u64 resets;
	u64 toe_opened;		/* connections that the chip has named */
	u64 toe_closed;		/* those that it has let go of, or has lost by a reset */
	u64 toe_software;	/* connections that found no room in the chip */
	u64 toe_no_memory;	/* messages that were sent later for lack of memory */
};

struct t110_traffic {
	u64 packets;
	u64 bytes;
	struct u64_stats_sync sync;
};

struct t110 {
	struct pci_dev *pdev;
	struct net_device *netdev;
	void __iomem *regs;
	struct napi_struct napi;
	struct sge sge;
	struct toe toe;
	bool up;			/* SGE and interrupt are on; under rtnl */
	bool has_msi;

	spinlock_t tpi_lock;		/* one access to TPI */
	struct mutex mdio_lock;		/* the accesses of one MDIO frame */
	spinlock_t irq_lock;		/* PL_ENABLE and what follows */
	bool irq_on;
	u32 irq_mask;

	spinlock_t mac_lock;		/* what follows, and the MAC's configuration */
	bool mac_on;
	bool pause_rx;
	bool pause_tx;

	struct delayed_work link_work;	/* the only user of what follows */
	enum t110_phy phy;
	unsigned long phy_until;	/* in jiffies */
	unsigned int link_polls;

	struct mutex gpo_lock;		/* Elmer0's outputs, which follow */
	u32 gpo;

	struct work_struct reset_work;
	bool chip_reset;		/* the next open has to reset the chip; under rtnl */

	struct mutex stats_lock;	/* a reading of the MAC's counters */
	u64 mstat[T110_MSTAT_COUNTERS];
	u64 mstat_seen[T110_MSTAT_COUNTERS];	/* as the MAC had them last */
	struct t110_traffic rx;
	struct t110_traffic tx;
	struct t110_counts counts;
	unsigned int usecs;
	u32 msg_enable;
};

static inline u32 t110_read(const struct t110 *chip, u32 reg)
{
	return readl(chip->regs + reg);
}

static inline void t110_write(struct t110 *chip, u32 reg, u32 value)
{
	writel(value, chip->regs + reg);
}

/* netdev.c */
int t110_board_init(struct t110 *chip);
int t110_init_state(struct t110 *chip, struct pci_dev *pdev, struct net_device *netdev);
void t110_init_netdev(struct t110 *chip);
void t110_reset_later(struct t110 *chip);
int t110_reset(struct t110 *chip);
int t110_resize(struct t110 *chip, unsigned int tx, unsigned int rx, unsigned int rx_jumbo);

/* chip.c */
int t110_check_revision(struct t110 *chip);
void t110_chip_reset(struct t110 *chip);
void t110_espi_init(struct t110 *chip);
void t110_tp_init(struct t110 *chip);
void t110_tp_reset(struct t110 *chip);
void t110_tp_set_mtu(struct t110 *chip, unsigned int mtu);
int t110_vpd_read(struct t110 *chip, unsigned int offset, u8 *data, unsigned int length);

/* tpi.c */
void t110_tpi_write(struct t110 *chip, u32 address, u32 value);
u32 t110_tpi_read(struct t110 *chip, u32 address);
void t110_mdio_init(struct t110 *chip);
int t110_mdio_read(struct t110 *chip, int device, u16 reg);
void t110_gpo_update(struct t110 *chip, u32 clear, u32 set);

/* mac.c */
int t110_mac_init(struct t110 *chip);
void t110_mac_enable(struct t110 *chip);
void t110_mac_disable(struct t110 *chip);
void t110_mac_set_mtu(struct t110 *chip, unsigned int mtu);
void t110_mac_set_address(struct t110 *chip);
void t110_mac_set_rx_mode(struct t110 *chip);
void t110_mac_set_pause(struct t110 *chip, bool rx, bool tx);

/* mac_stats.c */
void t110_mac_clear_stats(struct t110 *chip);
void t110_mac_update_stats(struct t110 *chip);
int t110_mac_stats_count(void);
void t110_mac_stats_strings(u8 *data);
void t110_mac_stats_values(struct t110 *chip, u64 *data);
void t110_mac_errors(struct t110 *chip, struct rtnl_link_stats64 *stats);

/* link.c */
void t110_link_prepare(struct t110 *chip);
void t110_link_init(struct t110 *chip);
void t110_link_start(struct t110 *chip);
void t110_link_stop(struct t110 *chip);
void t110_link_event(struct t110 *chip);

/* interrupt.c */
irqreturn_t t110_interrupt(int irq, void *data);
void t110_interrupts_on(struct t110 *chip);
void t110_interrupts_off(struct t110 *chip);
void t110_interrupts_mask(struct t110 *chip, u32 clear, u32 set);

/* ethtool.c */
extern const struct ethtool_ops t110_ethtool_ops;

#endif
