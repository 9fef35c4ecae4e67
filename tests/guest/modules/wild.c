// SPDX-License-Identifier: GPL-2.0
/* A module that reads the kernel's virtual memory where nothing was ever allocated. */
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/pgtable.h>
#include <linux/sizes.h>

static int __init wild_init(void)
{
	return READ_ONCE(*(int *)(VMALLOC_START + SZ_512M));
}
module_init(wild_init);

MODULE_LICENSE("GPL");
