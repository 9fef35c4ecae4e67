// SPDX-License-Identifier: GPL-2.0
/* What the other module needs, so that it has to be loaded first. */
#include <linux/module.h>

#include "own_base.h"

int own_base(int n)
{
	return n + 40;
}
EXPORT_SYMBOL_GPL(own_base);

MODULE_LICENSE("GPL");
