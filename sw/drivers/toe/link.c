// SPDX-License-Identifier: GPL-2.0
/*
 * The XPAK module: power, reset, laser, link state.
 *
 * A module needs 5 s after its reset (illumos, chxge/com/xpak.c, erratum 26). No one waits for it:
 * a work item takes it from state to state, and polls the link when it is ready. A module that
 * answers on MDIO when the driver comes is left as it is.
 */
#include <linux/mdio.h>

#include "board_regs.h"
#include "t110.h"

#define RESET_MS	100
#define START_MS	5000
#define POLL_UP_MS	250
#define POLL_DOWN_MS	50
#define POLL_ABSENT_MS	1000
#define STATS_POLLS	8	/* polls of a link that is up, for a reading of the counters */

static bool module_is_there(struct t110 *chip)
{
	return !(t110_tpi_read(chip, ELMER0_GPI_STAT) & ELMER0_GPI_NO_MODULE);
}

/* Tell whether the module is out of reset: a device of nobody reads as all ones. */
static bool module_answers(struct t110 *chip)
{
	int devices;

	if (!(chip->gpo & ELMER0_GPO_PHY_RUN))
		return false;
	devices = t110_mdio_read(chip, MDIO_MMD_PMAPMD, MDIO_DEVS1);
	return devices > 0 && devices != 0xffff;
}

/* Light, code blocks and XAUI are there. Status latches a loss, so the second reading counts. */
static bool module_has_link(struct t110 *chip)
{
	static const int devices[] = { MDIO_MMD_PMAPMD, MDIO_MMD_PCS, MDIO_MMD_PHYXS };
	int i, status;

	for (i = 0; i < ARRAY_SIZE(devices); i++) {
		status = t110_mdio_read(chip, devices[i], MDIO_STAT1);
		if (status >= 0 && !(status & MDIO_STAT1_LSTATUS))
			status = t110_mdio_read(chip, devices[i], MDIO_STAT1);
		if (status < 0 || status == 0xffff || !(status & MDIO_STAT1_LSTATUS))
			return false;
	}
	return true;
}

static void set_carrier(struct t110 *chip, bool on)
{
	struct net_device *netdev = chip->netdev;

	if (on == netif_carrier_ok(netdev))
		return;
	if (on) {
		t110_gpo_update(chip, ELMER0_GPO_LINK_LED_OFF, 0);
		netif_carrier_on(netdev);
		netif_info(chip, link, netdev, "link up, 10 Gb/s, full duplex, PAUSE %s\n",
			   chip->pause_rx ? chip->pause_tx ? "both" : "rx" :
			   chip->pause_tx ? "tx" : "off");
	} else {
		t110_gpo_update(chip, 0, ELMER0_GPO_LINK_LED_OFF);
		netif_carrier_off(netdev);
		netif_info(chip, link, netdev, "link down\n");
	}
}

/* A state lasts for its time, whatever wakes the work meanwhile. */
static unsigned int enter(struct t110 *chip, enum t110_phy phy, unsigned int ms)
{
	chip->phy = phy;
	chip->phy_until = jiffies + (phy == T110_PHY_READY ? 0 : msecs_to_jiffies(ms));
	return ms;
}

/* Take the module to its next state. Returns after how many ms to look again. */
static unsigned int step(struct t110 *chip)
{
	if (chip->phy != T110_PHY_ABSENT && !module_is_there(chip)) {
		netif_info(chip, link, chip->netdev, "the XPAK module was removed\n");
		t110_gpo_update(chip, ELMER0_GPO_PHY_RUN | ELMER0_GPO_LASER |
				ELMER0_GPO_MODULE_POWER, 0);
		enter(chip, T110_PHY_ABSENT, 0);
	}
	if (time_before(jiffies, chip->phy_until))
		return jiffies_to_msecs(chip->phy_until - jiffies);
	switch (chip->phy) {
	case T110_PHY_ABSENT:
		if (!module_is_there(chip))
			return POLL_ABSENT_MS;
		t110_gpo_update(chip, ELMER0_GPO_PHY_RUN, ELMER0_GPO_MODULE_POWER);
		return enter(chip, T110_PHY_RESET, RESET_MS);
	case T110_PHY_RESET:
		t110_gpo_update(chip, 0, ELMER0_GPO_PHY_RUN);
		return enter(chip, T110_PHY_STARTING, START_MS);
	case T110_PHY_STARTING:
		if (!module_answers(chip)) {
			netif_err(chip, link, chip->netdev, "the XPAK module does not answer\n");
			t110_gpo_update(chip, ELMER0_GPO_PHY_RUN, 0);
			return enter(chip, T110_PHY_RESET, RESET_MS);
		}
		t110_gpo_update(chip, 0, ELMER0_GPO_LASER);
		return enter(chip, T110_PHY_READY, POLL_DOWN_MS);
	default:
		return netif_carrier_ok(chip->netdev) ? POLL_UP_MS : POLL_DOWN_MS;
	}
}

static void link_work(struct work_struct *work)
{
	struct t110 *chip = container_of(to_delayed_work(work), struct t110, link_work);
	u32 cause = t110_tpi_read(chip, ELMER0_INT_CAUSE);
	unsigned int wait;

	t110_tpi_write(chip, ELMER0_INT_CAUSE, cause);
	wait = step(chip);
	set_carrier(chip, chip->phy == T110_PHY_READY && READ_ONCE(chip->up) &&
		    module_has_link(chip));
	if (chip->phy == T110_PHY_READY && ++chip->link_polls % STATS_POLLS == 0)
		t110_mac_update_stats(chip);
	t110_interrupts_mask(chip, 0, PL_EXT);
	schedule_delayed_work(&chip->link_work, msecs_to_jiffies(wait));
}

/* Outputs of the board are as the driver has found them, and the module's state follows. */
void t110_link_init(struct t110 *chip)
{
	u32 lit = ELMER0_GPO_LINK_LED_OFF | ELMER0_GPO_ACTIVITY_LED_OFF;

	chip->gpo = t110_tpi_read(chip, ELMER0_GPO);
	t110_mdio_init(chip);
	enter(chip, T110_PHY_ABSENT, 0);
	if (module_is_there(chip) && module_answers(chip))
		enter(chip, T110_PHY_STARTING, 0);
	t110_gpo_update(chip, 0, ELMER0_GPO_BOARD | lit);
}

void t110_link_start(struct t110 *chip)
{
	t110_tpi_write(chip, ELMER0_INT_ENABLE, ELMER0_GPI_NO_MODULE);
	schedule_delayed_work(&chip->link_work, 0);
}

/* The module keeps its power, so the next start finds it ready. */
void t110_link_stop(struct t110 *chip)
{
	cancel_delayed_work_sync(&chip->link_work);
	t110_tpi_write(chip, ELMER0_INT_ENABLE, 0);
	t110_gpo_update(chip, ELMER0_GPO_LASER, ELMER0_GPO_LINK_LED_OFF);
}

/* An interrupt of the board; called with the interrupt masked. */
void t110_link_event(struct t110 *chip)
{
	mod_delayed_work(system_wq, &chip->link_work, 0);
}

void t110_link_prepare(struct t110 *chip)
{
	INIT_DELAYED_WORK(&chip->link_work, link_work);
}
