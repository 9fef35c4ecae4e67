// SPDX-License-Identifier: GPL-2.0
/* A module that multiplies, each product being a factor of the next, and says how long it took. */
#include <linux/ktime.h>
#include <linux/module.h>

static unsigned long times = 1;
module_param(times, ulong, 0);

/* Compiled like code that runs often, not like code that only starts a module. */
static noinline __attribute__((hot)) unsigned long multiply(unsigned long n)
{
	unsigned long product = 3;

	while (n--) {
		product *= 0x9e3779b97f4a7c15UL;
		barrier(); /* the compiler moves no reading of the clock over it */
	}
	return product;
}

static int __init multiply_init(void)
{
	u64 begin = ktime_get_ns();
	unsigned long product = multiply(times);

	pr_info("%lu products in %llu ns: %lx\n", times, ktime_get_ns() - begin, product);
	return 0;
}
module_init(multiply_init);

MODULE_LICENSE("GPL");
