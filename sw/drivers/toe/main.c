// SPDX-License-Identifier: GPL-2.0
/*
 * Driver of Chelsio's T110 with fibre, a 10-gigabit adapter of 2004 for PCI-X: probe and remove.
 *
 * The link's work runs from probe to remove, because the module needs 5 s to start.
 */
#include <linux/dma-mapping.h>
#include <linux/etherdevice.h>
#include <linux/module.h>

#include "t110.h"

#define T110_DEVICE	0x0006
#define VPD_ADDRESS	20	/* of the MAC address */

static bool disable_msi;
module_param(disable_msi, bool, 0444);
MODULE_PARM_DESC(disable_msi, "use INTA# in place of MSI");

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
	err = t110_init_state(chip, pdev, netdev);
	if (err)
		return err;
	pci_set_drvdata(pdev, chip);
	err = map_device(chip);
	if (err) {
		dev_err_probe(&pdev->dev, err, "no access to the device\n");
		goto exit;
	}
	err = t110_check_revision(chip);
	if (err)
		goto exit;
	err = read_address(chip);
	if (err)
		goto exit;
	err = t110_board_init(chip);
	if (err)
		goto exit;
	err = pci_alloc_irq_vectors(pdev, 1, 1, PCI_IRQ_LEGACY | (disable_msi ? 0 : PCI_IRQ_MSI));
	if (err < 0)
		goto exit;
	chip->has_msi = pdev->msi_enabled;
	t110_init_netdev(chip);
	err = register_netdev(netdev);
	if (err) {
		pci_free_irq_vectors(pdev);
		goto exit;
	}
	tell(chip);
	t110_link_start(chip);
	return 0;

exit:
	toe_exit(chip);
	return err;
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
	toe_exit(chip);
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

static int __init t110_init(void)
{
	int err = toe_register();

	if (err)
		return err;
	err = pci_register_driver(&t110_driver);
	if (err)
		toe_unregister();
	return err;
}
module_init(t110_init);

static void __exit t110_exit(void)
{
	pci_unregister_driver(&t110_driver);
	toe_unregister();
}
module_exit(t110_exit);

MODULE_DESCRIPTION("Chelsio T110 with fibre, 10-gigabit Ethernet");
MODULE_LICENSE("GPL");
