// SPDX-License-Identifier: GPL-2.0
/*
 * Driver of Intel's 82545EM, a Gigabit Ethernet controller for PCI-X, with optics or with copper.
 *
 * The driver reads one register for an interrupt and none for a frame: the NIC writes a descriptor
 * back, sets its DD bit, and then interrupts. NAPI masks all causes until the poll is over. A
 * transmit timeout, and frames that wait when the link is lost, end in a reset from a work item.
 */
#include <linux/dma-mapping.h>
#include <linux/etherdevice.h>
#include <linux/ethtool.h>
#include <linux/interrupt.h>
#include <linux/module.h>
#include <linux/rtnetlink.h>

#include "pro.h"

static int pro_poll(struct napi_struct *napi, int budget)
{
	struct pro *nic = container_of(napi, struct pro, napi);
	bool filled;
	int done;

	pro_tx_clean(nic, budget);
	done = pro_rx_clean(nic, budget);
	filled = pro_rx_fill(nic, GFP_ATOMIC);
	/* Without one buffer no interrupt would come to try again. */
	if (!filled && nic->rx.head == nic->rx.tail)
		return budget;
	if (done < budget && napi_complete_done(napi, done))
		pro_write(nic, PRO_IMS, PRO_CAUSES);
	return done;
}

static irqreturn_t pro_interrupt(int irq, void *data)
{
	struct pro *nic = data;
	u32 cause = pro_read(nic, PRO_ICR);

	if (!cause)
		return IRQ_NONE;
	if (!READ_ONCE(nic->running))
		return IRQ_HANDLED;
	if (cause & PRO_CAUSES_LINK)
		mod_delayed_work(system_wq, &nic->link_work, 0);
	/* Also where a poll goes on: the read has cleared causes, so it has to look again. */
	if (napi_schedule_prep(&nic->napi)) {
		pro_write(nic, PRO_IMC, ~0U);
		__napi_schedule(&nic->napi);
		/* INTx is asserted until the write is there, and would be taken once more. */
		if (!nic->pdev->msi_enabled)
			pro_read(nic, PRO_STATUS);
	}
	return IRQ_HANDLED;
}

/* With the rings there: everything on. */
static int pro_up(struct pro *nic)
{
	int error = pro_hw_start(nic, 0);

	if (error) {
		pro_rx_off(nic);
		pro_reset(nic);
		pro_buffers_free(nic);
		return error;
	}
	pro_link_start(nic);
	napi_enable(&nic->napi);
	WRITE_ONCE(nic->running, true);
	pro_write(nic, PRO_IMS, PRO_CAUSES);
	netif_trans_update(nic->dev);
	netif_wake_queue(nic->dev);
	schedule_delayed_work(&nic->link_work, 0);
	return 0;
}

static void pro_down(struct pro *nic)
{
	WRITE_ONCE(nic->running, false);
	pro_write(nic, PRO_IMC, ~0U);
	synchronize_irq(nic->irq);
	cancel_delayed_work_sync(&nic->link_work);
	/* The poll may wake the queue, so the queue is stopped after the last poll. */
	napi_disable(&nic->napi);
	netif_carrier_off(nic->dev);
	netif_tx_disable(nic->dev);
	pro_rx_off(nic);
	/* A poll may have unmasked again. The reset masks, and ends all DMA. */
	pro_reset(nic);
	synchronize_irq(nic->irq);
	pro_buffers_free(nic);
}

int pro_open(struct net_device *dev)
{
	struct pro *nic = netdev_priv(dev);
	int error = pro_rings_alloc(nic);

	if (error)
		return error;
	error = request_irq(nic->irq, pro_interrupt, IRQF_SHARED, dev->name, nic);
	if (error)
		goto free_rings;
	error = pro_up(nic);
	if (error)
		goto free_irq;
	nic->up = true;
	return 0;

free_irq:
	free_irq(nic->irq, nic);
free_rings:
	pro_rings_free(nic);
	return error;
}

int pro_stop(struct net_device *dev)
{
	struct pro *nic = netdev_priv(dev);

	if (!nic->up)
		return 0;
	nic->up = false;
	pro_down(nic);
	free_irq(nic->irq, nic);
	pro_rings_free(nic);
	return 0;
}

/* Starts again with settings that worked before. If that fails, only down and up again help. */
void pro_reopen(struct net_device *dev)
{
	if (pro_open(dev))
		netdev_err(dev, "cannot start again; the interface is dead\n");
}

static void pro_reset_task(struct work_struct *work)
{
	struct pro *nic = container_of(work, struct pro, reset_work);

	rtnl_lock();
	if (nic->up) {
		nic->sw.resets++;
		pro_stop(nic->dev);
		pro_reopen(nic->dev);
	}
	rtnl_unlock();
}

/* Network device */

static void pro_tx_timeout(struct net_device *dev, unsigned int queue)
{
	struct pro *nic = netdev_priv(dev);

	netdev_warn(dev, "transmit timeout: gave %u, NIC took %u\n", nic->tx.tail & nic->tx.mask,
		    pro_read(nic, PRO_TDH));
	schedule_work(&nic->reset_work);
}

static void pro_set_rx_mode(struct net_device *dev)
{
	pro_set_filter(netdev_priv(dev));
}

static int pro_set_mac_address(struct net_device *dev, void *address)
{
	int error = eth_mac_addr(dev, address);

	if (!error && netif_running(dev)) {
		netif_addr_lock_bh(dev);
		pro_set_filter(netdev_priv(dev));
		netif_addr_unlock_bh(dev);
	}
	return error;
}

static int pro_set_features(struct net_device *dev, netdev_features_t features)
{
	if (netif_running(dev))
		pro_set_checksums(netdev_priv(dev), features);
	return 0;
}

static int pro_change_mtu(struct net_device *dev, int mtu)
{
	bool running = netif_running(dev);
	unsigned int before = dev->mtu;
	int error;

	if (running)
		pro_stop(dev);
	dev->mtu = mtu;
	if (!running)
		return 0;
	error = pro_open(dev);
	if (error) {
		dev->mtu = before;
		pro_reopen(dev);
	}
	return error;
}

static void pro_get_stats64(struct net_device *dev, struct rtnl_link_stats64 *stats)
{
	struct pro *nic = netdev_priv(dev);

	pro_collect(nic);
	netdev_stats_to_stats64(stats, &dev->stats);
	dev_fetch_sw_netstats(stats, dev->tstats);
	stats->rx_crc_errors = nic->hw[PRO_RX_CRC];
	stats->rx_frame_errors = nic->hw[PRO_RX_SYMBOL];
	stats->rx_length_errors = nic->hw[PRO_RX_LENGTH] + nic->hw[PRO_RX_SHORT] +
				  nic->hw[PRO_RX_FRAGMENT] + nic->hw[PRO_RX_LONG] +
				  nic->hw[PRO_RX_JABBER];
	stats->rx_missed_errors = nic->hw[PRO_RX_MISSED];
	stats->rx_errors = stats->rx_crc_errors + stats->rx_frame_errors +
			   stats->rx_length_errors;
}

static const struct net_device_ops pro_netdev_ops = {
	.ndo_open		= pro_open,
	.ndo_stop		= pro_stop,
	.ndo_start_xmit		= pro_start_xmit,
	.ndo_set_rx_mode	= pro_set_rx_mode,
	.ndo_set_mac_address	= pro_set_mac_address,
	.ndo_validate_addr	= eth_validate_addr,
	.ndo_set_features	= pro_set_features,
	.ndo_change_mtu		= pro_change_mtu,
	.ndo_get_stats64	= pro_get_stats64,
	.ndo_tx_timeout		= pro_tx_timeout,
};

/* PCI */

/* Registers in BAR 0; the window for I/O ports is where the board has its flash or does not. */
static int pro_map(struct pro *nic)
{
	struct pci_dev *pdev = nic->pdev;
	int error, bar;

	error = pci_request_regions(pdev, KBUILD_MODNAME);
	if (error)
		return error;
	nic->regs = pcim_iomap(pdev, 0, 0);
	if (!nic->regs)
		return -ENOMEM;
	for (bar = 1; bar < PCI_STD_NUM_BARS && !nic->ports; bar++) {
		if (pci_resource_flags(pdev, bar) & IORESOURCE_IO)
			nic->ports = pci_resource_start(pdev, bar);
	}
	error = dma_set_mask_and_coherent(&pdev->dev, DMA_BIT_MASK(64));
	if (error)
		error = dma_set_mask_and_coherent(&pdev->dev, DMA_BIT_MASK(32));
	if (error)
		dev_err(&pdev->dev, "no usable DMA mask\n");
	return error;
}

/* The 82545 reads 2 KB at once at most, also where firmware has set more. */
static void pro_set_bus(struct pro *nic)
{
	int bytes = pcix_get_mmrbc(nic->pdev);

	nic->pcix = bytes > 0;
	if (bytes > 2048 && pcix_set_mmrbc(nic->pdev, 2048))
		dev_warn(&nic->pdev->dev, "PCI-X reads of %d bytes stay\n", bytes);
}

/* The reset has brought it from the EEPROM. */
static void pro_take_address(struct pro *nic)
{
	u32 high = pro_read(nic, PRO_RAH(0));
	u8 addr[ETH_ALEN];

	put_unaligned_le32(pro_read(nic, PRO_RAL(0)), addr);
	put_unaligned_le16(high, addr + 4);
	if (high & PRO_RAH_AV && is_valid_ether_addr(addr))
		eth_hw_addr_set(nic->dev, addr);
	else
		eth_hw_addr_random(nic->dev);
}

static void pro_describe(struct net_device *dev)
{
	dev->netdev_ops = &pro_netdev_ops;
	dev->ethtool_ops = &pro_ethtool_ops;
	dev->watchdog_timeo = 5 * HZ;
	dev->min_mtu = ETH_MIN_MTU;
	dev->max_mtu = PRO_MTU_MAX;
	dev->hw_features = NETIF_F_SG | NETIF_F_HW_CSUM | NETIF_F_RXCSUM;
	dev->features = dev->hw_features | NETIF_F_HIGHDMA;
	dev->vlan_features = NETIF_F_SG | NETIF_F_HW_CSUM | NETIF_F_HIGHDMA;
	dev->priv_flags |= IFF_UNICAST_FLT | IFF_LIVE_ADDR_CHANGE;
}

static int pro_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	struct net_device *dev;
	struct pro *nic;
	int error;

	error = pcim_enable_device(pdev);
	if (error)
		return error;
	dev = devm_alloc_etherdev(&pdev->dev, sizeof(*nic));
	if (!dev)
		return -ENOMEM;
	dev->tstats = devm_netdev_alloc_pcpu_stats(&pdev->dev, struct pcpu_sw_netstats);
	if (!dev->tstats)
		return -ENOMEM;
	SET_NETDEV_DEV(dev, &pdev->dev);
	pci_set_drvdata(pdev, dev);
	nic = netdev_priv(dev);
	nic->dev = dev;
	nic->pdev = pdev;
	nic->fiber = id->device == PRO_ID_FIBER;
	nic->tx_count = PRO_RING_DEFAULT;
	nic->rx_count = PRO_RING_DEFAULT;
	nic->usecs = PRO_USECS_DEFAULT;
	spin_lock_init(&nic->counter_lock);
	INIT_WORK(&nic->reset_work, pro_reset_task);
	INIT_DELAYED_WORK(&nic->link_work, pro_link_task);

	error = pro_map(nic);
	if (error)
		return error;
	pro_set_bus(nic);
	error = pro_reset(nic);
	if (error)
		return error;
	pro_take_address(nic);
	pci_set_master(pdev);
	error = pci_alloc_irq_vectors(pdev, 1, 1, PCI_IRQ_MSI | PCI_IRQ_LEGACY);
	if (error < 0)
		return error;
	nic->irq = pci_irq_vector(pdev, 0);

	pro_describe(dev);
	netif_napi_add(dev, &nic->napi, pro_poll);
	netif_carrier_off(dev);
	error = register_netdev(dev);
	if (error)
		goto free_vectors;
	netdev_info(dev, "82545EM, %s, %pM, %s\n", nic->fiber ? "fibre" : "copper", dev->dev_addr,
		    pdev->msi_enabled ? "MSI" : "INTx");
	return 0;

free_vectors:
	pci_free_irq_vectors(pdev);
	return error;
}

static void pro_remove(struct pci_dev *pdev)
{
	struct net_device *dev = pci_get_drvdata(pdev);
	struct pro *nic = netdev_priv(dev);

	unregister_netdev(dev);
	cancel_work_sync(&nic->reset_work);
	pci_free_irq_vectors(pdev);
	pci_clear_master(pdev);
}

static const struct pci_device_id pro_ids[] = {
	{ PCI_VDEVICE(INTEL, PRO_ID_FIBER) },
	{ PCI_VDEVICE(INTEL, PRO_ID_COPPER) },
	{ }
};
MODULE_DEVICE_TABLE(pci, pro_ids);

static struct pci_driver pro_driver = {
	.name		= KBUILD_MODNAME,
	.id_table	= pro_ids,
	.probe		= pro_probe,
	.remove		= pro_remove,
};
module_pci_driver(pro_driver);

MODULE_DESCRIPTION("Intel 82545EM Gigabit Ethernet controller");
MODULE_LICENSE("GPL");
