// SPDX-License-Identifier: GPL-2.0
/* Says with which parameters it was loaded, and when: no interface but lo may be there yet. */
#include <linux/module.h>
#include <linux/netdevice.h>

#include "own_base.h"

static int number;
module_param(number, int, 0444);
static char *text = "none";
module_param(text, charp, 0444);

static int __init own_user_init(void)
{
	struct net_device *dev = dev_get_by_name(&init_net, "eth0");

	pr_info("number=%d text='%s' eth0 is %s, from %s\n", own_base(number), text,
		dev ? "there" : "not there", __FILE__);
	if (dev)
		dev_put(dev);
	return 0;
}
module_init(own_user_init);

MODULE_LICENSE("GPL");
