// SPDX-License-Identifier: GPL-2.0
/*
 * Driver of Chelsio's T110 with fibre, a 10-gigabit adapter of 2004 for PCI-X: probe, network
 * device, reset.
 *
 * The link's work runs from probe to remove, because the module needs 5 s to start. The queues have
 * memory while the interface is up.
 */
#include <linux/dma-mapping.h>
#include <linux/etherdevice.h>
#include <linux/interrupt.h>
#include <linux/ip.h>
#include <linux/module.h>
#include <linux/rtnetlink.h>

#include "board_regs.h"
#include "t110.h"

#define T110_DEVICE	0x0006
#define VPD_ADDRESS	20	/* of the MAC address */
#define WATCHDOG	(5 * HZ)
#define MESSAGES	(NETIF_MSG_DRV | NETIF_MSG_PROBE | NETIF_MSG_LINK | NETIF_MSG_HW | \
			 NETIF_MSG_TX_ERR)

static bool disable_msi;
module_param(disable_msi, bool, 0444);
MODULE_PARM_DESC(disable_msi, "use INTA# in place of MSI");

void t110_reset_later(struct t110 *chip)
{
	schedule_work(&chip->reset_work);
}

/* Board and MAC, as after power-on or as the driver has left them. May sleep. */
static int board_init(struct t110 *chip)
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
	err = board_init(chip);
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
	chip->sge.cmdq_entries = tx;
	chip->sge.fl_entries[0] = rx;
	chip->sge.fl_entries[1] = rx_jumbo;
	return restart(chip);
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
	if (chip->up)
		t110_mac_set_mtu(chip, mtu);
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

static void init_state(struct t110 *chip, struct pci_dev *pdev, struct net_device *netdev)
{
	chip->pdev = pdev;
	chip->netdev = netdev;
	chip->msg_enable = MESSAGES;
	chip->usecs = T110_USECS;
	chip->pause_rx = chip->pause_tx = true;
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
}

static void init_netdev(struct t110 *chip)
{
	struct net_device *netdev = chip->netdev;

	SET_NETDEV_DEV(netdev, &chip->pdev->dev);
	netdev->netdev_ops = &netdev_ops;
	netdev->ethtool_ops = &t110_ethtool_ops;
	netdev->watchdog_timeo = WATCHDOG;
	netdev->hw_features = NETIF_F_SG | NETIF_F_IP_CSUM | NETIF_F_RXCSUM;
	netdev->features = netdev->hw_features | NETIF_F_HIGHDMA;
	netdev->vlan_features = NETIF_F_SG | NETIF_F_IP_CSUM;
	netdev->priv_flags |= IFF_UNICAST_FLT;
	netdev->needed_headroom = 8;	/* the chip's header of a packet */
	netdev->max_mtu = T110_MAX_MTU;
	netif_napi_add(netdev, &chip->napi, sge_poll);
	netif_carrier_off(netdev);
}

static int map_device(struct t110 *chip)
{
	struct pci_dev *pdev = chip->pdev;
	int err;

	err = pcim_enable_device(pdev);
	if (err)
		return err;
	err = pcim_iomap_regions(pdev, BIT(0), T110_NAME);
	if (err)
		return err;
	err = dma_set_mask_and_coherent(&pdev->dev, DMA_BIT_MASK(64));
	if (err)
		return err;
	chip->regs = pcim_iomap_table(pdev)[0];
	pci_set_master(pdev);
	return 0;
}

static int read_address(struct t110 *chip)
{
	u8 address[ETH_ALEN];
	int err = t110_vpd_read(chip, VPD_ADDRESS, address, sizeof(address));

	if (err)
		return err;
	if (!is_valid_ether_addr(address)) {
		dev_err(&chip->pdev->dev, "the EEPROM has no MAC address: %pM\n", address);
		return -EINVAL;
	}
	eth_hw_addr_set(chip->netdev, address);
	return 0;
}

static void tell(struct t110 *chip)
{
	static const u16 clocks[] = { 33, 66, 100, 133 };
	u32 mode;

	pci_read_config_dword(chip->pdev, PCICFG_MODE, &mode);
	netif_info(chip, probe, chip->netdev, "Chelsio T110, %s %u MHz, %u bits, %s, %pM\n",
		   mode & PCICFG_MODE_PCIX ? "PCI-X" : "PCI",
		   clocks[FIELD_GET(PCICFG_MODE_CLOCK, mode)],
		   mode & PCICFG_MODE_64BIT ? 64 : 32, chip->has_msi ? "MSI" : "INTA#",
		   chip->netdev->dev_addr);
}

static int t110_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	struct net_device *netdev;
	struct t110 *chip;
	int err;

	netdev = devm_alloc_etherdev(&pdev->dev, sizeof(*chip));
	if (!netdev)
		return -ENOMEM;
	chip = netdev_priv(netdev);
	init_state(chip, pdev, netdev);
	pci_set_drvdata(pdev, chip);
	err = map_device(chip);
	if (err)
		return dev_err_probe(&pdev->dev, err, "no access to the device\n");
	err = t110_check_revision(chip);
	if (err)
		return err;
	err = read_address(chip);
	if (err)
		return err;
	err = board_init(chip);
	if (err)
		return err;
	err = pci_alloc_irq_vectors(pdev, 1, 1, PCI_IRQ_LEGACY | (disable_msi ? 0 : PCI_IRQ_MSI));
	if (err < 0)
		return err;
	chip->has_msi = pdev->msi_enabled;
	init_netdev(chip);
	err = register_netdev(netdev);
	if (err) {
		pci_free_irq_vectors(pdev);
		return err;
	}
	tell(chip);
	t110_link_start(chip);
	return 0;
}

static void t110_remove(struct pci_dev *pdev)
{
	struct t110 *chip = pci_get_drvdata(pdev);

	unregister_netdev(chip->netdev);
	cancel_work_sync(&chip->reset_work);
	t110_link_stop(chip);
	/* A chip that still has a closed interface's queues must not find them in memory. */
	if (chip->chip_reset)
		t110_chip_reset(chip);
	pci_free_irq_vectors(pdev);
}

static const struct pci_device_id ids[] = {
	{ PCI_DEVICE(PCI_VENDOR_ID_CHELSIO, T110_DEVICE) },
	{ }
};
MODULE_DEVICE_TABLE(pci, ids);

static struct pci_driver t110_driver = {
	.name = T110_NAME,
	.id_table = ids,
	.probe = t110_probe,
	.remove = t110_remove,
};
module_pci_driver(t110_driver);

MODULE_DESCRIPTION("Chelsio T110 with fibre, 10-gigabit Ethernet");
MODULE_LICENSE("GPL");
