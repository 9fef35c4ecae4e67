// SPDX-License-Identifier: GPL-2.0
/* The driver of beam.sv: a frame at a time each way, two vectors, two BARs. */
#include <linux/dma-mapping.h>
#include <linux/etherdevice.h>
#include <linux/interrupt.h>
#include <linux/module.h>
#include <linux/pci.h>

#define IDENTITY 0xbea30001
#define TX_ADDRESS 0x10
#define TX_BYTES 0x18
#define RX_ADDRESS 0x20
#define RX_GIVE 0x28
#define RX_BYTES 0x2c
#define SLOW 0x30
#define SCRATCH 0x800000
#define BUFFER 2048
#define VECTORS 2
#define SLOW_WRITES 64

struct beam {
	struct pci_dev *pdev;
	void __iomem *regs;
	void __iomem *scratch;
	u8 *tx, *rx;
	dma_addr_t tx_at, rx_at;
};

static irqreturn_t beam_sent(int irq, void *data)
{
	netif_wake_queue(data);
	return IRQ_HANDLED;
}

static irqreturn_t beam_received(int irq, void *data)
{
	struct net_device *dev = data;
	struct beam *beam = netdev_priv(dev);
	u32 bytes = readl(beam->regs + RX_BYTES);
	struct sk_buff *skb = netdev_alloc_skb_ip_align(dev, bytes);

	if (skb) {
		skb_put_data(skb, beam->rx, bytes);
		skb->protocol = eth_type_trans(skb, dev);
		dev->stats.rx_packets++;
		dev->stats.rx_bytes += bytes;
		netif_rx(skb);
	} else {
		dev->stats.rx_dropped++;
	}
	writel(1, beam->regs + RX_GIVE);
	return IRQ_HANDLED;
}

static netdev_tx_t beam_xmit(struct sk_buff *skb, struct net_device *dev)
{
	struct beam *beam = netdev_priv(dev);

	if (skb_put_padto(skb, ETH_ZLEN))
		return NETDEV_TX_OK;
	netif_stop_queue(dev);
	skb_copy_bits(skb, 0, beam->tx, skb->len);
	dev->stats.tx_packets++;
	dev->stats.tx_bytes += skb->len;
	writel(skb->len, beam->regs + TX_BYTES);
	dev_consume_skb_any(skb);
	return NETDEV_TX_OK;
}

static int beam_open(struct net_device *dev)
{
	struct beam *beam = netdev_priv(dev);
	static bool given;

	writel(lower_32_bits(beam->tx_at), beam->regs + TX_ADDRESS);
	writel(upper_32_bits(beam->tx_at), beam->regs + TX_ADDRESS + 4);
	writel(lower_32_bits(beam->rx_at), beam->regs + RX_ADDRESS);
	writel(upper_32_bits(beam->rx_at), beam->regs + RX_ADDRESS + 4);
	if (!given)
		writel(1, beam->regs + RX_GIVE);
	given = true;
	netif_start_queue(dev);
	return 0;
}

static int beam_stop(struct net_device *dev)
{
	netif_stop_queue(dev);
	return 0;
}

static const struct net_device_ops beam_ops = {
	.ndo_open = beam_open,
	.ndo_stop = beam_stop,
	.ndo_start_xmit = beam_xmit,
	.ndo_set_mac_address = eth_mac_addr,
	.ndo_validate_addr = eth_validate_addr,
};

/* Both BARs lead to the same registers; more slow writes than fit on their way arrive all the same. */
static int beam_check(struct beam *beam)
{
	u32 seen, i;

	if (readl(beam->regs) != IDENTITY)
		return dev_err_probe(&beam->pdev->dev, -ENODEV, "identity %#x\n", readl(beam->regs));
	for (i = 1; i <= SLOW_WRITES; i++) {
		writel(50, beam->regs + SLOW);
		writel(i, beam->scratch);
	}
	seen = readl(beam->regs + SCRATCH);
	if (seen != SLOW_WRITES)
		return dev_err_probe(&beam->pdev->dev, -EIO, "scratch %u\n", seen);
	return 0;
}

static int beam_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	static const u8 address[ETH_ALEN] = {2, 0xbe, 0xa3, 0, 0, 1};
	struct net_device *dev = devm_alloc_etherdev(&pdev->dev, sizeof(struct beam));
	struct beam *beam;
	int err, vectors;

	if (!dev)
		return -ENOMEM;
	beam = netdev_priv(dev);
	beam->pdev = pdev;
	err = pcim_enable_device(pdev);
	if (!err)
		err = dma_set_mask_and_coherent(&pdev->dev, DMA_BIT_MASK(64));
	if (err)
		return err;
	pci_set_master(pdev);
	beam->regs = pcim_iomap(pdev, 0, 0);
	beam->scratch = pcim_iomap(pdev, 2, 0);
	beam->tx = dmam_alloc_coherent(&pdev->dev, BUFFER, &beam->tx_at, GFP_KERNEL);
	beam->rx = dmam_alloc_coherent(&pdev->dev, BUFFER, &beam->rx_at, GFP_KERNEL);
	if (!beam->regs || !beam->scratch || !beam->tx || !beam->rx)
		return -ENOMEM;
	err = beam_check(beam);
	if (err)
		return err;
	vectors = pci_alloc_irq_vectors(pdev, VECTORS, VECTORS, PCI_IRQ_MSI | PCI_IRQ_MSIX);
	if (vectors < 0)
		return dev_err_probe(&pdev->dev, vectors, "vectors\n");
	err = devm_request_irq(&pdev->dev, pci_irq_vector(pdev, 0), beam_sent, 0, "beam-sent", dev);
	if (!err)
		err = devm_request_irq(&pdev->dev, pci_irq_vector(pdev, 1), beam_received, 0, "beam-received", dev);
	if (err)
		return err;
	SET_NETDEV_DEV(dev, &pdev->dev);
	pci_set_drvdata(pdev, dev);
	dev->netdev_ops = &beam_ops;
	eth_hw_addr_set(dev, address);
	dev_info(&pdev->dev, "BAR 0 at %pa, BAR 2 at %pa, %s\n", &pdev->resource[0].start, &pdev->resource[2].start,
		 pdev->msix_enabled ? "MSI-X" : "MSI");
	return register_netdev(dev);
}

static void beam_remove(struct pci_dev *pdev)
{
	unregister_netdev(pci_get_drvdata(pdev));
}

static const struct pci_device_id beam_ids[] = {{PCI_DEVICE(0x1234, 0xbea3)}, {}};
MODULE_DEVICE_TABLE(pci, beam_ids);

static struct pci_driver beam_driver = {
	.name = "beam",
	.id_table = beam_ids,
	.probe = beam_probe,
	.remove = beam_remove,
};
module_pci_driver(beam_driver);
MODULE_LICENSE("GPL");
