// SPDX-License-Identifier: GPL-2.0
/*
 * Driver of mynic, a Gigabit Ethernet NIC. ../README.md describes rings and registers.
 *
 * The hardware never waits for the driver and the driver reads no register for a frame: the NIC
 * writes a descriptor back, sets its DONE bit, and then interrupts. NAPI masks all causes until the
 * poll is over. A fault of the NIC and a transmit timeout end in a reset, from a work item.
 */
#include <linux/dma-mapping.h>
#include <linux/etherdevice.h>
#include <linux/ethtool.h>
#include <linux/interrupt.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/pci.h>
#include <linux/rtnetlink.h>

#include "mynic.h"

static int mynic_poll(struct napi_struct *napi, int budget)
{
	struct mynic *nic = container_of(napi, struct mynic, napi);
	int done;
	bool filled;

	mynic_tx_clean(nic, budget);
	done = mynic_rx_clean(nic, budget);
	filled = mynic_rx_fill(nic, GFP_ATOMIC);
	/* Without one buffer no interrupt would come to try again. */
	if (!filled && nic->rx.head == nic->rx.tail)
		return budget;
	if (done < budget && napi_complete_done(napi, done))
		mynic_write(nic, MYNIC_REG_MASK, MYNIC_CAUSES);
	return done;
}

static irqreturn_t mynic_interrupt(int irq, void *data)
{
	struct mynic *nic = data;
	u32 cause = mynic_read(nic, MYNIC_REG_CAUSE) & mynic_read(nic, MYNIC_REG_MASK);

	if (!cause)
		return IRQ_NONE;
	mynic_write(nic, MYNIC_REG_MASK, 0);
	/* What happens after this sets its cause again; the poll sees all from before. */
	mynic_write(nic, MYNIC_REG_CAUSE, cause);
	/* INTx is asserted until the writes are there, and would be taken once more. */
	if (!nic->pdev->msi_enabled)
		mynic_read(nic, MYNIC_REG_MASK);
	if (cause & MYNIC_CAUSE_FAULT) {
		nic->sw.faults++;
		schedule_work(&nic->reset_work);
		return IRQ_HANDLED;
	}
	napi_schedule(&nic->napi);
	return IRQ_HANDLED;
}

/* With the rings there: everything on. */
static int mynic_up(struct mynic *nic)
{
	int error = mynic_hw_start(nic, MYNIC_CTRL_RX_ENABLE | MYNIC_CTRL_TX_ENABLE);

	if (error) {
		mynic_reset(nic);
		mynic_buffers_free(nic);
		return error;
	}
	napi_enable(&nic->napi);
	mynic_write(nic, MYNIC_REG_MASK, MYNIC_CAUSES);
	/* GMII has no word of the link; it is taken to be up. */
	netif_carrier_on(nic->dev);
	netif_trans_update(nic->dev);
	netif_wake_queue(nic->dev);
	return 0;
}

static void mynic_down(struct mynic *nic)
{
	netif_tx_disable(nic->dev);
	netif_carrier_off(nic->dev);
	mynic_write(nic, MYNIC_REG_MASK, 0);
	synchronize_irq(nic->irq);
	napi_disable(&nic->napi);
	/* A poll may have unmasked again. The reset masks, and ends all DMA. */
	mynic_reset(nic);
	synchronize_irq(nic->irq);
	mynic_buffers_free(nic);
}

int mynic_open(struct net_device *dev)
{
	struct mynic *nic = netdev_priv(dev);
	int error = mynic_rings_alloc(nic);

	if (error)
		return error;
	error = request_irq(nic->irq, mynic_interrupt, IRQF_SHARED, dev->name, nic);
	if (error)
		goto free_rings;
	error = mynic_up(nic);
	if (error)
		goto free_irq;
	nic->up = true;
	return 0;

free_irq:
	free_irq(nic->irq, nic);
free_rings:
	mynic_rings_free(nic);
	return error;
}

int mynic_stop(struct net_device *dev)
{
	struct mynic *nic = netdev_priv(dev);

	if (!nic->up)
		return 0;
	nic->up = false;
	mynic_down(nic);
	free_irq(nic->irq, nic);
	mynic_rings_free(nic);
	return 0;
}

/* Starts again with settings that worked before. If that fails, only down and up again help. */
void mynic_reopen(struct net_device *dev)
{
	if (mynic_open(dev))
		netdev_err(dev, "cannot start again; the interface is dead\n");
}

static void mynic_reset_task(struct work_struct *work)
{
	struct mynic *nic = container_of(work, struct mynic, reset_work);

	rtnl_lock();
	if (nic->up) {
		nic->sw.resets++;
		mynic_stop(nic->dev);
		mynic_reopen(nic->dev);
	}
	rtnl_unlock();
}

/* Network device */

static void mynic_tx_timeout(struct net_device *dev, unsigned int queue)
{
	struct mynic *nic = netdev_priv(dev);

	netdev_warn(dev, "transmit timeout: gave %u, NIC took %u\n", nic->tx.tail,
		    mynic_read(nic, MYNIC_REG_TX_HEAD));
	schedule_work(&nic->reset_work);
}

static void mynic_set_rx_mode(struct net_device *dev)
{
	mynic_set_filter(netdev_priv(dev));
}

static int mynic_set_mac_address(struct net_device *dev, void *address)
{
	int error = eth_mac_addr(dev, address);

	if (!error && netif_running(dev))
		mynic_set_address(netdev_priv(dev));
	return error;
}

static int mynic_change_mtu(struct net_device *dev, int mtu)
{
	bool running = netif_running(dev);
	unsigned int before = dev->mtu;
	int error;

	if (running)
		mynic_stop(dev);
	dev->mtu = mtu;
	if (!running)
		return 0;
	error = mynic_open(dev);
	if (error) {
		dev->mtu = before;
		mynic_reopen(dev);
	}
	return error;
}

static void mynic_get_stats64(struct net_device *dev, struct rtnl_link_stats64 *stats)
{
	struct mynic *nic = netdev_priv(dev);

	mynic_collect(nic);
	netdev_stats_to_stats64(stats, &dev->stats);
	dev_fetch_sw_netstats(stats, dev->tstats);
	stats->rx_crc_errors = nic->hw[MYNIC_RX_FCS];
	stats->rx_frame_errors = nic->hw[MYNIC_RX_ERROR];
	stats->rx_length_errors = nic->hw[MYNIC_RX_RUNT] + nic->hw[MYNIC_RX_LONG];
	stats->rx_missed_errors = nic->hw[MYNIC_RX_NO_DESC];
	stats->rx_over_errors = nic->hw[MYNIC_RX_OVERRUN];
	stats->rx_errors = stats->rx_crc_errors + stats->rx_frame_errors +
			   stats->rx_length_errors + stats->rx_over_errors;
	stats->tx_errors = nic->hw[MYNIC_TX_BAD];
}

static const struct net_device_ops mynic_netdev_ops = {
	.ndo_open		= mynic_open,
	.ndo_stop		= mynic_stop,
	.ndo_start_xmit		= mynic_start_xmit,
	.ndo_set_rx_mode	= mynic_set_rx_mode,
	.ndo_set_mac_address	= mynic_set_mac_address,
	.ndo_validate_addr	= eth_validate_addr,
	.ndo_change_mtu		= mynic_change_mtu,
	.ndo_get_stats64	= mynic_get_stats64,
	.ndo_tx_timeout		= mynic_tx_timeout,
};

/* PCI */

static int mynic_map(struct mynic *nic)
{
	struct pci_dev *pdev = nic->pdev;
	int error;

	nic->regs = pcim_iomap(pdev, 0, 0);
	if (!nic->regs)
		return -ENOMEM;
	if (mynic_read(nic, MYNIC_REG_ID) != MYNIC_ID) {
		dev_err(&pdev->dev, "ID register reads %#x, wants %#x\n",
			mynic_read(nic, MYNIC_REG_ID), MYNIC_ID);
		return -ENODEV;
	}
	error = dma_set_mask_and_coherent(&pdev->dev, DMA_BIT_MASK(64));
	if (error)
		error = dma_set_mask_and_coherent(&pdev->dev, DMA_BIT_MASK(32));
	if (error)
		dev_err(&pdev->dev, "no usable DMA mask\n");
	return error;
}

static void mynic_take_address(struct mynic *nic)
{
	u8 addr[ETH_ALEN];

	put_unaligned_le32(mynic_read(nic, MYNIC_REG_MAC_LOW), addr);
	put_unaligned_le16(mynic_read(nic, MYNIC_REG_MAC_HIGH), addr + 4);
	if (is_valid_ether_addr(addr))
		eth_hw_addr_set(nic->dev, addr);
	else
		eth_hw_addr_random(nic->dev);
}

static int mynic_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	struct net_device *dev;
	struct mynic *nic;
	int error;

	error = pcim_enable_device(pdev);
	if (error)
		return error;
	error = pci_request_region(pdev, 0, KBUILD_MODNAME);
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
	nic->tx_count = MYNIC_RING_DEFAULT;
	nic->rx_count = MYNIC_RING_DEFAULT;
	nic->moderation_us = MYNIC_MODERATION_DEFAULT;
	spin_lock_init(&nic->counter_lock);
	INIT_WORK(&nic->reset_work, mynic_reset_task);

	error = mynic_map(nic);
	if (error)
		return error;
	error = mynic_reset(nic);
	if (error)
		return error;
	memset(nic->hw, 0, sizeof(nic->hw));
	mynic_take_address(nic);
	pci_set_master(pdev);
	error = pci_alloc_irq_vectors(pdev, 1, 1, PCI_IRQ_MSI | PCI_IRQ_LEGACY);
	if (error < 0)
		return error;
	nic->irq = pci_irq_vector(pdev, 0);

	dev->netdev_ops = &mynic_netdev_ops;
	dev->ethtool_ops = &mynic_ethtool_ops;
	dev->watchdog_timeo = 5 * HZ;
	dev->min_mtu = ETH_MIN_MTU;
	dev->max_mtu = MYNIC_MTU_MAX;
	dev->hw_features = NETIF_F_SG;
	dev->features = NETIF_F_SG | NETIF_F_HIGHDMA;
	netif_napi_add(dev, &nic->napi, mynic_poll);
	netif_carrier_off(dev);

	error = register_netdev(dev);
	if (error)
		goto free_vectors;
	netdev_info(dev, "mynic %#x, %pM, %s\n", mynic_read(nic, MYNIC_REG_VERSION),
		    dev->dev_addr, pdev->msi_enabled ? "MSI" : "INTx");
	return 0;

free_vectors:
	pci_free_irq_vectors(pdev);
	return error;
}

static void mynic_remove(struct pci_dev *pdev)
{
	struct net_device *dev = pci_get_drvdata(pdev);
	struct mynic *nic = netdev_priv(dev);

	unregister_netdev(dev);
	cancel_work_sync(&nic->reset_work);
	pci_free_irq_vectors(pdev);
	pci_clear_master(pdev);
}

static const struct pci_device_id mynic_ids[] = {
	{ PCI_DEVICE(MYNIC_VENDOR, MYNIC_DEVICE) },
	{ }
};
MODULE_DEVICE_TABLE(pci, mynic_ids);

static struct pci_driver mynic_driver = {
	.name		= KBUILD_MODNAME,
	.id_table	= mynic_ids,
	.probe		= mynic_probe,
	.remove		= mynic_remove,
};
module_pci_driver(mynic_driver);

MODULE_DESCRIPTION("mynic Gigabit Ethernet NIC");
MODULE_LICENSE("GPL");
