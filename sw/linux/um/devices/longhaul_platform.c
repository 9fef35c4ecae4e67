// SPDX-License-Identifier: GPL-2.0
/*
 * Platform devices of a Longhaul guest, of a kernel with CONFIG_OF: the window of their registers, and the controller of their
 * interrupt lines. The device tree says where the window is and which lines there are:
 *
 *	compatible = "longhaul,interrupts"; interrupt-controller; #interrupt-cells = <1>;
 *	longhaul,window = <BEGIN BYTES>; longhaul,lines = <FIRST COUNT>;
 */
#include <linux/init.h>
#include <linux/irqdomain.h>
#include <linux/logic_iomem.h>
#include <linux/of.h>
#include <linux/pci.h>
#include <longhaul_core.h>

#define WORD 4

static struct irq_domain *lines;

/* ---- registers: every access of a word or less is one exchange */

static unsigned long window_read(void *priv, unsigned int offset, int size)
{
	return longhaul_bus_read((u64)(uintptr_t)priv + offset, size);
}

static void window_write(void *priv, unsigned int offset, int size, unsigned long value)
{
	longhaul_bus_write((u64)(uintptr_t)priv + offset, size, value);
}

/* What a copy moves next: words where the device's side is aligned, as x86's memcpy_fromio() does. */
static unsigned int step(unsigned int offset, int size)
{
	return offset % WORD || size < WORD ? 1 : WORD;
}

static void window_copy_from(void *priv, void *buffer, unsigned int offset, int size)
{
	longhaul_touch(LH_MEMORY_WRITE, buffer, NULL, size);
	while (size > 0) {
		unsigned int bytes = step(offset, size);
		u32 value = window_read(priv, offset, bytes);

		memcpy(buffer, &value, bytes);
		buffer += bytes;
		offset += bytes;
		size -= bytes;
	}
}

static void window_copy_to(void *priv, unsigned int offset, const void *buffer, int size)
{
	longhaul_touch(LH_MEMORY_READ, NULL, buffer, size);
	while (size > 0) {
		unsigned int bytes = step(offset, size);
		u32 value = 0;

		memcpy(&value, buffer, bytes);
		window_write(priv, offset, bytes, value);
		buffer += bytes;
		offset += bytes;
		size -= bytes;
	}
}

static void window_set(void *priv, unsigned int offset, u8 value, int size)
{
	while (size > 0) {
		unsigned int bytes = step(offset, size);

		window_write(priv, offset, bytes, value * 0x01010101u);
		offset += bytes;
		size -= bytes;
	}
}

static const struct logic_iomem_ops window_ops = {
	.read = window_read,
	.write = window_write,
	.set = window_set,
	.copy_from = window_copy_from,
	.copy_to = window_copy_to,
};

static struct resource window = {
	.name = "Longhaul platform devices",
	.flags = IORESOURCE_MEM,
};

static long map_window(unsigned long offset, size_t size, const struct logic_iomem_ops **ops, void **priv)
{
	*ops = &window_ops;
	*priv = (void *)(uintptr_t)(window.start + offset);
	return 0;
}

static const struct logic_iomem_region_ops window_region_ops = {
	.map = map_window,
};

/* ---- interrupts: lines of the interrupt controller that the PCI host bridge has, above those of its slots */

static struct device_node *controller(void)
{
	return of_find_compatible_node(NULL, NULL, "longhaul,interrupts");
}

/* Before devices are made of the tree: they would wait for a driver of the controller, which is none. */
static int __init longhaul_platform_init(void)
{
	struct device_node *node = controller();
	u32 place[2];
	int err;

	if (!node)
		return 0;
	err = of_property_read_u32_array(node, "longhaul,window", place, ARRAY_SIZE(place));
	if (err)
		return err;
	window.start = place[0];
	window.end = place[0] + place[1] - 1;
	err = logic_iomem_add_region(&window, &window_region_ops);
	if (err)
		return err;
	lines = irq_domain_add_linear(node, LH_PCI_SLOTS, &irq_domain_simple_ops, NULL);
	of_node_set_flag(node, OF_POPULATED);
	return lines ? 0 : -ENOMEM;
}
arch_initcall(longhaul_platform_init);

/* When the bridge is there; drivers come later. */
static int __init longhaul_platform_lines_init(void)
{
	struct pci_bus *bus = pci_find_bus(0, 0);
	struct pci_host_bridge *bridge = bus ? to_pci_host_bridge(bus->bridge) : NULL;
	u32 range[2];
	u32 line;
	int err;

	if (!lines)
		return 0;
	if (!bridge)
		return -ENODEV;
	err = of_property_read_u32_array(to_of_node(lines->fwnode), "longhaul,lines", range, ARRAY_SIZE(range));
	for (line = range[0]; !err && line < range[0] + range[1]; line++) {
		int irq = bridge->map_irq(NULL, line, 1);

		err = irq < 0 ? irq : irq_domain_associate(lines, irq, line);
	}
	return err;
}
subsys_initcall_sync(longhaul_platform_lines_init);
