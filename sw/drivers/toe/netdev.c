// SPDX-License-Identifier: GPL-2.0
/* The network device: start, stop, reset, settings. Queues have memory while it is up. */
#include <linux/etherdevice.h>
#include <linux/interrupt.h>
#include <linux/ip.h>
#include <linux/rtnetlink.h>

#include "t110.h"

#define WATCHDOG	(5 * HZ)
#define MESSAGES	(NETIF_MSG_DRV | NETIF_MSG_PROBE | NETIF_MSG_LINK | NETIF_MSG_HW | \
			 NETIF_MSG_TX_ERR)

void t110_reset_later(struct t110 *chip)
{
	schedule_work(&chip->reset_work);
}

/* Board and MAC, as after power-on or as the driver has left them. May sleep. */
int t110_board_init(struct t110 *chip)
{
	int err;

	t110_write(chip, TPI_PAR, 0xf);
	t110_link_init(chip);
	err = t110_mac_init(chip);
	if (err)
		return err;
	t110_mac_clear_stats(chip);
	t110_espi_init(chip);
	t110_tp_init(chip);
	return 0;
}

/* A chip that has not given back its queues is reset before it gets new ones. */
static int reset_if_needed(struct t110 *chip)
{
	int err;

	if (!chip->chip_reset)
		return 0;
	chip->counts.resets++;
	t110_link_stop(chip);
	t110_mac_update_stats(chip);
	t110_chip_reset(chip);
	err = t110_board_init(chip);
	if (err)
		return err;
	t110_link_start(chip);
	chip->chip_reset = false;
	return 0;
}

static int t110_up(struct t110 *chip)
{
	int err;

	err = reset_if_needed(chip);
	if (err)
		return err;
	err = sge_alloc(chip);
	if (err)
		return err;
	err = request_irq(pci_irq_vector(chip->pdev, 0), t110_interrupt,
			  chip->has_msi ? 0 : IRQF_SHARED, chip->netdev->name, chip);
	if (err)
		goto free;
	t110_mac_set_mtu(chip, chip->netdev->mtu);
	t110_mac_set_address(chip);
	t110_mac_set_rx_mode(chip);
	napi_enable(&chip->napi);
	sge_start(chip);
	t110_interrupts_on(chip);
	t110_mac_enable(chip);
	t110_tp_set_mtu(chip, chip->netdev->mtu);
	toe_up(chip);
	WRITE_ONCE(chip->up, true);
	t110_link_event(chip);
	return 0;

free:
	sge_free(chip);
	return err;
}

static void t110_down(struct t110 *chip)
{
	WRITE_ONCE(chip->up, false);
	netif_tx_disable(chip->netdev);
	toe_down(chip);
	netif_carrier_off(chip->netdev);
	sge_tx_off(chip);
	sge_drain(chip);
	t110_mac_disable(chip);
	sge_stop(chip);
	t110_interrupts_off(chip);
	napi_disable(&chip->napi);
	free_irq(pci_irq_vector(chip->pdev, 0), chip);
	sge_free(chip);
}

static int t110_open(struct net_device *netdev)
{
	int err = t110_up(netdev_priv(netdev));

	if (!err)
		netif_start_queue(netdev);
	return err;
}

static int t110_close(struct net_device *netdev)
{
	struct t110 *chip = netdev_priv(netdev);

	if (chip->up)	/* not after a reset that failed */
		t110_down(chip);
	return 0;
}

/* Stop and start with whatever has changed. Under rtnl. */
static int restart(struct t110 *chip)
{
	int err;

	if (!chip->up)
		return 0;
	t110_down(chip);
	err = t110_up(chip);
	if (err)
		netdev_err(chip->netdev, "the adapter did not start again (%d)\n", err);
	else
		netif_wake_queue(chip->netdev);
	return err;
}

int t110_reset(struct t110 *chip)
{
	chip->chip_reset = true;
	return restart(chip);
}

int t110_resize(struct t110 *chip, unsigned int tx, unsigned int rx, unsigned int rx_jumbo)
{
	unsigned int old_tx = chip->sge.cmdq_entries, old_rx = chip->sge.fl_entries[0];
	unsigned int old_jumbo = chip->sge.fl_entries[1];
	bool was_up = chip->up;
	int err;

	sge_set_entries(chip, tx, rx, rx_jumbo);
	err = restart(chip);
	if (err == -ENOMEM && was_up) {
		sge_set_entries(chip, old_tx, old_rx, old_jumbo);
		if (!t110_up(chip))
			netif_wake_queue(chip->netdev);
	}
	return err;
}

/* After an error of the chip, or a queue that stands still */
static void reset_work(struct work_struct *work)
{
	struct t110 *chip = container_of(work, struct t110, reset_work);

	rtnl_lock();
	if (chip->up)
		t110_reset(chip);
	rtnl_unlock();
}

static void t110_tx_timeout(struct net_device *netdev, unsigned int queue)
{
	struct t110 *chip = netdev_priv(netdev);

	netif_err(chip, tx_err, netdev, "nothing was sent for a while: the adapter is reset\n");
	t110_reset_later(chip);
}

/* The chip computes TCP's checksum over IPv4. That of UDP is wrong in some packets. */
static netdev_features_t t110_features_check(struct sk_buff *skb, struct net_device *netdev,
					     netdev_features_t features)
{
	if (skb->ip_summed == CHECKSUM_PARTIAL &&
	    (skb->protocol != htons(ETH_P_IP) || ip_hdr(skb)->protocol != IPPROTO_TCP))
		return features & ~NETIF_F_CSUM_MASK;
	return features;
}

static void t110_set_rx_mode(struct net_device *netdev)
{
	t110_mac_set_rx_mode(netdev_priv(netdev));
}

static int t110_change_mtu(struct net_device *netdev, int mtu)
{
	struct t110 *chip = netdev_priv(netdev);

	netdev->mtu = mtu;
	if (chip->up) {
		t110_mac_set_mtu(chip, mtu);
		t110_tp_set_mtu(chip, mtu);
	}
	return 0;
}

static int t110_set_mac_address(struct net_device *netdev, void *address)
{
	int err = eth_mac_addr(netdev, address);

	if (!err)
		t110_mac_set_address(netdev_priv(netdev));
	return err;
}

static void add_traffic(const struct t110_traffic *traffic, u64 *packets, u64 *bytes)
{
	unsigned int start;

	do {
		start = u64_stats_fetch_begin(&traffic->sync);
		*packets = traffic->packets;
		*bytes = traffic->bytes;
	} while (u64_stats_fetch_retry(&traffic->sync, start));
}

static void t110_get_stats64(struct net_device *netdev, struct rtnl_link_stats64 *stats)
{
	struct t110 *chip = netdev_priv(netdev);

	add_traffic(&chip->rx, &stats->rx_packets, &stats->rx_bytes);
	add_traffic(&chip->tx, &stats->tx_packets, &stats->tx_bytes);
	t110_mac_errors(chip, stats);
	stats->rx_dropped = netdev->stats.rx_dropped;
	stats->tx_dropped = netdev->stats.tx_dropped;
}

static const struct net_device_ops netdev_ops = {
	.ndo_open = t110_open,
	.ndo_stop = t110_close,
	.ndo_start_xmit = sge_xmit,
	.ndo_tx_timeout = t110_tx_timeout,
	.ndo_features_check = t110_features_check,
	.ndo_set_rx_mode = t110_set_rx_mode,
	.ndo_change_mtu = t110_change_mtu,
	.ndo_set_mac_address = t110_set_mac_address,
	.ndo_validate_addr = eth_validate_addr,
	.ndo_get_stats64 = t110_get_stats64,
};

int t110_init_state(struct t110 *chip, struct pci_dev *pdev, struct net_device *netdev)
{
	chip->pdev = pdev;
	chip->netdev = netdev;
	chip->msg_enable = MESSAGES;
	chip->usecs = T110_USECS;
	chip->pause_rx = true;
	chip->pause_tx = true;
	spin_lock_init(&chip->tpi_lock);
	spin_lock_init(&chip->irq_lock);
	spin_lock_init(&chip->mac_lock);
	mutex_init(&chip->mdio_lock);
	mutex_init(&chip->gpo_lock);
	mutex_init(&chip->stats_lock);
	u64_stats_init(&chip->rx.sync);
	u64_stats_init(&chip->tx.sync);
	INIT_WORK(&chip->reset_work, reset_work);
	t110_link_prepare(chip);
	sge_init(chip);
	return toe_init(chip);
}

void t110_init_netdev(struct t110 *chip)
{
	struct net_device *netdev = chip->netdev;

	SET_NETDEV_DEV(netdev, &chip->pdev->dev);
	netdev->netdev_ops = &netdev_ops;
	netdev->ethtool_ops = &t110_ethtool_ops;
	netdev->watchdog_timeo = WATCHDOG;
	netdev->hw_features = NETIF_F_SG | NETIF_F_IP_CSUM | NETIF_F_RXCSUM;
	netdev->features = netdev->hw_features | NETIF_F_HIGHDMA;
	netdev->vlan_features = NETIF_F_SG | NETIF_F_IP_CSUM;
	netdev->priv_flags |= IFF_UNICAST_FLT | IFF_LIVE_ADDR_CHANGE;
	netdev->needed_headroom = 8;	/* the chip's header of a packet */
	netdev->max_mtu = T110_MAX_MTU;
	netif_napi_add(netdev, &chip->napi, sge_poll);
	netif_carrier_off(netdev);
}
