// SPDX-License-Identifier: GPL-2.0
/*
 * The link: on fibre the MAC negotiates by itself (1000BASE-X, TXCW and RXCW), on copper the
 * transceiver behind MDIC does.
 */
#include <linux/delay.h>
#include <linux/mii.h>

#include "pro.h"

/* A far end that does not negotiate is given two of these until the link is forced. */
#define PRO_LOOK_AGAIN		(HZ / 2)
#define PRO_NEGOTIATED		(PRO_TXCW_ANE | PRO_TXCW_FD | PRO_TXCW_PAUSE)

static int pro_mdic(struct pro *nic, u32 command)
{
	int tries;
	u32 value;

	pro_write(nic, PRO_MDIC, command | PRO_MDIC_PHY);
	for (tries = 0; tries < 40; tries++) {
		usleep_range(30, 60);
		value = pro_read(nic, PRO_MDIC);
		if (value & PRO_MDIC_READY)
			return value & PRO_MDIC_ERROR ? -EIO : value & 0xffff;
	}
	return -ETIMEDOUT;
}

static int pro_phy_read(struct pro *nic, unsigned int reg)
{
	return pro_mdic(nic, PRO_MDIC_READ | PRO_MDIC_REG(reg));
}

static void pro_phy_write(struct pro *nic, unsigned int reg, u16 value)
{
	if (pro_mdic(nic, PRO_MDIC_WRITE | PRO_MDIC_REG(reg) | value) < 0)
		netdev_warn(nic->dev, "the transceiver does not answer\n");
}

/* Offers 1000BASE-T, full duplex, and PAUSE. Negotiates again if another offer was made. */
static void pro_copper_start(struct pro *nic)
{
	const u16 offer = ADVERTISE_CSMA | ADVERTISE_PAUSE_CAP | ADVERTISE_PAUSE_ASYM;
	u32 ctrl = pro_read(nic, PRO_CTRL);

	pro_write(nic, PRO_CTRL, ctrl | PRO_CTRL_SLU | PRO_CTRL_ASDE | PRO_CTRL_FD);
	if (pro_phy_read(nic, MII_ADVERTISE) == offer &&
	    pro_phy_read(nic, MII_CTRL1000) == ADVERTISE_1000FULL)
		return;
	pro_phy_write(nic, MII_ADVERTISE, offer);
	pro_phy_write(nic, MII_CTRL1000, ADVERTISE_1000FULL);
	pro_phy_write(nic, MII_BMCR, BMCR_ANENABLE | BMCR_ANRESTART);
}

static void pro_fiber_negotiate(struct pro *nic, bool forced)
{
	u32 ctrl = pro_read(nic, PRO_CTRL) & ~(PRO_CTRL_LRST | PRO_CTRL_SLU);

	nic->forced = forced;
	pro_write(nic, PRO_TXCW, forced ? PRO_NEGOTIATED & ~PRO_TXCW_ANE : PRO_NEGOTIATED);
	pro_write(nic, PRO_CTRL, ctrl | PRO_CTRL_FD | (forced ? PRO_CTRL_SLU : 0));
}

/* After a reset: makes the link come up, some time later. */
void pro_link_start(struct pro *nic)
{
	nic->dark = 0;
	if (nic->fiber)
		pro_fiber_negotiate(nic, false);
	else
		pro_copper_start(nic);
}

/* On fibre the MAC has set RFCE and TFCE by itself. */
static void pro_copper_pause(struct pro *nic)
{
	int here = pro_phy_read(nic, MII_ADVERTISE), there = pro_phy_read(nic, MII_LPA);
	u32 ctrl = pro_read(nic, PRO_CTRL) & ~(PRO_CTRL_RFCE | PRO_CTRL_TFCE);
	u8 modes = here < 0 || there < 0 ? 0 : mii_resolve_flowctrl_fdx(here, there);

	if (modes & FLOW_CTRL_RX)
		ctrl |= PRO_CTRL_RFCE;
	if (modes & FLOW_CTRL_TX)
		ctrl |= PRO_CTRL_TFCE;
	pro_write(nic, PRO_CTRL, ctrl);
}

/* Light, and no link: the far end does not negotiate, or not yet. A forced link ends if it does. */
static void pro_fiber_look(struct pro *nic, bool up)
{
	bool asked = pro_read(nic, PRO_RXCW) & PRO_RXCW_C;

	if (nic->forced && asked) {
		nic->dark = 0;
		pro_fiber_negotiate(nic, false);
	} else if (up || asked || !(pro_read(nic, PRO_CTRL) & PRO_CTRL_SIGNAL)) {
		nic->dark = 0;
	} else if (!nic->forced && ++nic->dark > 2) {
		netdev_info(nic->dev, "the far end does not negotiate; the link is forced\n");
		pro_fiber_negotiate(nic, true);
	}
}

static void pro_link_changed(struct pro *nic, bool up)
{
	if (up) {
		if (!nic->fiber)
			pro_copper_pause(nic);
		netif_carrier_on(nic->dev);
		netdev_info(nic->dev, "link up, 1000 Mb/s%s\n", nic->forced ? ", forced" : "");
		return;
	}
	netif_carrier_off(nic->dev);
	netdev_info(nic->dev, "link down\n");
	/* Without a link the NIC sends nothing, and the frames in the ring would wait forever. */
	if (READ_ONCE(nic->tx.head) != READ_ONCE(nic->tx.tail))
		schedule_work(&nic->reset_work);
}

/* Looks at the link: after an interrupt by LSC or RXSEQ, and as long as there is a reason to. */
void pro_link_task(struct work_struct *work)
{
	struct pro *nic = container_of(work, struct pro, link_work.work);
	bool up = pro_read(nic, PRO_STATUS) & PRO_STATUS_LU;

	if (nic->fiber)
		pro_fiber_look(nic, up);
	if (up != netif_carrier_ok(nic->dev))
		pro_link_changed(nic, up);
	if ((!up || nic->forced) && READ_ONCE(nic->running))
		schedule_delayed_work(&nic->link_work, PRO_LOOK_AGAIN);
}
