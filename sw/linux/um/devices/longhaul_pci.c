// SPDX-License-Identifier: GPL-2.0
/*
 * PCI host bridge of a Longhaul guest: one bus whose configuration space, memory and I/O windows, INTx lines and MSI messages
 * are those of the simulated machine. Every access is one exchange, which returns when the simulated bus has done it.
 */
#include <linux/bitmap.h>
#include <linux/export.h>
#include <linux/init.h>
#include <linux/io.h>
#include <linux/irq.h>
#include <linux/irqdomain.h>
#include <linux/log2.h>
#include <linux/logic_iomem.h>
#include <linux/msi.h>
#include <linux/mutex.h>
#include <linux/pci.h>
#include <irq_kern.h>
#include <longhaul_core.h>
#include <longhaul_os.h>

#define MSI_VECTORS 32
#define LARGEST_MAPPING (1u << 24) /* lib/logic_iomem.c: AREA_SHIFT */

static int intx_irq[LH_PCI_SLOTS];
static int msi_irq[MSI_VECTORS];
static DECLARE_BITMAP(msi_used, MSI_VECTORS);
static DEFINE_MUTEX(msi_mutex);
static struct fwnode_handle *fwnode;

/* ---- configuration space */

static u64 config_address(unsigned int devfn, int where)
{
	return LH_PCI_CONFIG_BASE + PCI_SLOT(devfn) * LH_PCI_CONFIG_BYTES + PCI_FUNC(devfn) * LH_PCI_FUNCTION_BYTES + where;
}

static int config_read(struct pci_bus *bus, unsigned int devfn, int where, int size, u32 *value)
{
	if (bus->number) {
		PCI_SET_ERROR_RESPONSE(value);
		return PCIBIOS_DEVICE_NOT_FOUND;
	}
	*value = longhaul_bus_read(config_address(devfn, where), size);
	return PCIBIOS_SUCCESSFUL;
}

static int config_write(struct pci_bus *bus, unsigned int devfn, int where, int size, u32 value)
{
	if (bus->number)
		return PCIBIOS_DEVICE_NOT_FOUND;
	longhaul_bus_write(config_address(devfn, where), size, value);
	return PCIBIOS_SUCCESSFUL;
}

static struct pci_ops config_ops = {
	.read = config_read,
	.write = config_write,
};

/* ---- memory and I/O windows */

static struct resource memory_window = {
	.name = "Longhaul PCI memory",
	.start = LH_PCI_MEMORY_BASE,
	.end = LH_PCI_MEMORY_BASE + LH_PCI_MEMORY_BYTES - 1,
	.flags = IORESOURCE_MEM,
};

/* For 64-bit BARs. */
static struct resource high_window = {
	.name = "Longhaul PCI memory above 4 GiB",
	.start = LH_PCI_HIGH_BASE,
	.end = LH_PCI_HIGH_BASE + LH_PCI_HIGH_BYTES - 1,
	.flags = IORESOURCE_MEM,
};

static struct resource io_window = {
	.name = "Longhaul PCI I/O",
	.start = LH_PCI_IO_FIRST,
	.end = LH_PCI_IO_BYTES - 1,
	.flags = IORESOURCE_IO,
};

/* Where ports lie among the addresses that this bridge decodes. */
static struct resource io_ports = {
	.name = "Longhaul PCI I/O ports",
	.start = LH_PCI_IO_BASE,
	.end = LH_PCI_IO_BASE + LH_PCI_IO_BYTES - 1,
	.flags = IORESOURCE_MEM,
};

static struct resource bus_numbers = {
	.name = "Longhaul PCI bus",
	.start = 0,
	.end = 0,
	.flags = IORESOURCE_BUS,
};

static unsigned long memory_read(void *priv, unsigned int offset, int size)
{
	return longhaul_bus_read((u64)(uintptr_t)priv + offset, size);
}

static void memory_write(void *priv, unsigned int offset, int size, unsigned long value)
{
	longhaul_bus_write((u64)(uintptr_t)priv + offset, size, value);
}

static const struct logic_iomem_ops memory_ops = {
	.read = memory_read,
	.write = memory_write,
};

/*
 * The bus decodes addresses, so a mapping needs nothing but where it starts. The kernel's logical mappings have room for 16 MiB
 * and do not look at the size.
 */
static long map_window(unsigned long address, size_t size, const struct logic_iomem_ops **ops, void **priv)
{
	if (size > LARGEST_MAPPING) {
		pr_err("longhaul: a mapping of %zu bytes at %#lx is refused: this kernel maps 16 MiB at once\n", size, address);
		return -EINVAL;
	}
	*ops = &memory_ops;
	*priv = (void *)(uintptr_t)address;
	return 0;
}

static long map_memory(unsigned long offset, size_t size, const struct logic_iomem_ops **ops, void **priv)
{
	return map_window(LH_PCI_MEMORY_BASE + offset, size, ops, priv);
}

static const struct logic_iomem_region_ops memory_region_ops = {
	.map = map_memory,
};

static long map_high(unsigned long offset, size_t size, const struct logic_iomem_ops **ops, void **priv)
{
	return map_window(LH_PCI_HIGH_BASE + offset, size, ops, priv);
}

static const struct logic_iomem_region_ops high_region_ops = {
	.map = map_high,
};

static long map_io(unsigned long offset, size_t size, const struct logic_iomem_ops **ops, void **priv)
{
	*ops = &memory_ops;
	*priv = (void *)(uintptr_t)(LH_PCI_IO_BASE + offset);
	return 0;
}

static const struct logic_iomem_region_ops io_region_ops = {
	.map = map_io,
};

/* PCI_IOBASE: what inb() to outl() add a port to. */
void __iomem *longhaul_io_base;
EXPORT_SYMBOL(longhaul_io_base);

static int __init io_init(void)
{
	int err = logic_iomem_add_region(&io_ports, &io_region_ops);

	if (err)
		return err;
	longhaul_io_base = ioremap(io_ports.start, resource_size(&io_ports));
	if (!longhaul_io_base)
		return -ENOMEM;
	return request_resource(&ioport_resource, &io_window);
}

/*
 * ---- INTx: as many level-sensitive lines as slots, wired to their pins in turn: INTB# of a slot is on the line of INTA# of
 * the next one.
 */

static void intx_mask(struct irq_data *d)
{
	longhaul_page->intx_unmasked &= ~(1u << (uintptr_t)irq_data_get_irq_chip_data(d));
}

static void intx_unmask(struct irq_data *d)
{
	longhaul_page->intx_unmasked |= 1u << (uintptr_t)irq_data_get_irq_chip_data(d);
}

static struct irq_chip intx_chip = {
	.name = "INTx",
	.irq_mask = intx_mask,
	.irq_unmask = intx_unmask,
};

static void longhaul_handle_intx(unsigned int line)
{
	longhaul_take_irq(intx_irq[line]);
}

static int map_irq(const struct pci_dev *pdev, u8 slot, u8 pin)
{
	unsigned int line = (slot + pin - 1) % LH_PCI_SLOTS;

	if (!intx_irq[line]) {
		int irq = irq_alloc_desc(numa_node_id());

		if (irq < 0)
			return irq;
		irq_set_chip_and_handler(irq, &intx_chip, handle_level_irq);
		irq_set_chip_data(irq, (void *)(uintptr_t)line);
		irq_clear_status_flags(irq, IRQ_NOREQUEST);
		intx_irq[line] = irq;
	}
	return intx_irq[line];
}

/* ---- MSI: the message's data is the vector */

static void compose_message(struct irq_data *d, struct msi_msg *msg)
{
	msg->address_hi = 0;
	msg->address_lo = LH_MSI_BASE;
	msg->data = d->hwirq;
}

static struct irq_chip vector_chip = {
	.name = "MSI vector",
	.irq_compose_msi_msg = compose_message,
};

/*
 * Vectors of one MSI capability are a power of two in number and begin at a multiple of it: the device puts a vector's number
 * into the low bits of the data. Those beyond `count` are taken and lead nowhere.
 */
static int vector_alloc(struct irq_domain *domain, unsigned int virq, unsigned int count, void *args)
{
	unsigned long taken = roundup_pow_of_two(count);
	unsigned long vector;
	unsigned int i;

	mutex_lock(&msi_mutex);
	if (taken == 1)
		vector = find_first_zero_bit(msi_used, MSI_VECTORS);
	else
		vector = bitmap_find_next_zero_area(msi_used, MSI_VECTORS, 0, taken, taken - 1);
	if (vector < MSI_VECTORS) {
		for (i = 0; i < taken; i++)
			__set_bit(vector + i, msi_used);
		for (i = 0; i < count; i++)
			msi_irq[vector + i] = virq + i;
	}
	mutex_unlock(&msi_mutex);
	if (vector >= MSI_VECTORS)
		return -ENOSPC;
	for (i = 0; i < count; i++)
		irq_domain_set_info(domain, virq + i, vector + i, &vector_chip, domain->host_data, handle_simple_irq, NULL,
				    NULL);
	return 0;
}

static void vector_free(struct irq_domain *domain, unsigned int virq, unsigned int count)
{
	unsigned int vector = irq_domain_get_irq_data(domain, virq)->hwirq;
	unsigned int end = vector + count;

	mutex_lock(&msi_mutex);
	for (; vector < end; vector++) {
		__clear_bit(vector, msi_used);
		msi_irq[vector] = 0;
	}
	for (; vector < MSI_VECTORS && test_bit(vector, msi_used) && !msi_irq[vector]; vector++)
		__clear_bit(vector, msi_used);
	mutex_unlock(&msi_mutex);
}

static const struct irq_domain_ops vector_domain_ops = {
	.alloc = vector_alloc,
	.free = vector_free,
};

static struct irq_chip message_chip = {
	.name = "MSI",
	.irq_mask = pci_msi_mask_irq,
	.irq_unmask = pci_msi_unmask_irq,
};

static struct msi_domain_info message_domain_info = {
	.flags = MSI_FLAG_USE_DEF_DOM_OPS | MSI_FLAG_USE_DEF_CHIP_OPS | MSI_FLAG_MULTI_PCI_MSI | MSI_FLAG_PCI_MSIX,
	.chip = &message_chip,
};

static void longhaul_handle_msi(unsigned int vector)
{
	if (vector < MSI_VECTORS && msi_irq[vector])
		longhaul_take_irq(msi_irq[vector]);
	else
		pr_warn_ratelimited("longhaul: MSI with vector %u, which nobody asked for\n", vector);
}

void *pci_root_bus_fwnode(struct pci_bus *bus)
{
	return fwnode;
}

/* ---- */

static int __init longhaul_pci_init(void)
{
	struct irq_domain *vectors;
	struct pci_host_bridge *bridge;
	int err;

	longhaul_on_pci(longhaul_handle_intx, longhaul_handle_msi);
	err = logic_iomem_add_region(&memory_window, &memory_region_ops);
	if (!err && longhaul_page->pci_high)
		err = logic_iomem_add_region(&high_window, &high_region_ops);
	if (!err)
		err = io_init();
	if (err)
		return err;
	fwnode = irq_domain_alloc_named_fwnode("longhaul-pci");
	bridge = pci_alloc_host_bridge(0);
	if (!fwnode || !bridge)
		return -ENOMEM;
	vectors = irq_domain_create_linear(fwnode, MSI_VECTORS, &vector_domain_ops, NULL);
	if (!vectors || !pci_msi_create_irq_domain(fwnode, &message_domain_info, vectors))
		return -ENOMEM;
	pci_add_resource(&bridge->windows, &memory_window);
	if (longhaul_page->pci_high)
		pci_add_resource(&bridge->windows, &high_window);
	pci_add_resource(&bridge->windows, &io_window);
	pci_add_resource(&bridge->windows, &bus_numbers);
	bridge->ops = &config_ops;
	bridge->map_irq = map_irq;
	bridge->swizzle_irq = pci_common_swizzle;
	return pci_host_probe(bridge);
}
subsys_initcall(longhaul_pci_init);
