// SPDX-License-Identifier: GPL-2.0
/*
 * /proc/longhaul/bench: loops whose rates are known of real machines, to hold the modelled core and memory against.
 * "loop N" runs an empty loop, "chase BYTES N" follows N pointers through BYTES in an order that no prefetcher knows. Reading
 * the file gives the last one's duration in simulated nanoseconds; after "clock", the time since boot. This file is instrumented like the kernel's own.
 */
#include <linux/init.h>
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>
#include <linux/uaccess.h>
#include <longhaul_core.h>

#define LINE 64UL
#define MOST_BYTES (4UL << 20)
#define MOST_STEPS 100000000UL

static u64 last_ns;

static noinline void empty_loop(unsigned long n)
{
	while (n--)
		barrier();
}

/* A cycle through all lines whose step is the golden section of their number, made coprime to it: a power of two. */
static void link_lines(char *memory, unsigned long lines)
{
	unsigned long step = (lines * 618 / 1000) | 1, i;

	for (i = 0; i < lines; i++)
		*(unsigned long *)(memory + i * LINE) = (i + step) & (lines - 1);
}

/* No hook shows an address, so each load is announced. */
static noinline unsigned long chase(char *memory, unsigned long n)
{
	unsigned long at = 0;

	while (n--) {
		const unsigned long *line = (unsigned long *)(memory + at * LINE);

		longhaul_touch(LH_MEMORY_READ, NULL, line, sizeof(*line));
		at = *line;
	}
	return at;
}

static int run_chase(unsigned long bytes, unsigned long n)
{
	unsigned long end;
	char *memory;
	u64 start;

	if (bytes < LINE || bytes > MOST_BYTES || !is_power_of_2(bytes))
		return -EINVAL;
	memory = (char *)__get_free_pages(GFP_KERNEL, get_order(bytes));
	if (!memory)
		return -ENOMEM;
	link_lines(memory, bytes / LINE);
	chase(memory, bytes / LINE); /* once through, so that what fits is there */
	longhaul_sync();
	start = ktime_get_ns();
	end = chase(memory, n);
	longhaul_sync();
	last_ns = ktime_get_ns() - start;
	free_pages((unsigned long)memory, get_order(bytes));
	return end < bytes / LINE ? 0 : -EIO;
}

static ssize_t write_bench(struct file *file, const char __user *bytes, size_t count, loff_t *offset)
{
	unsigned long size, n;
	char text[64];
	u64 start;
	int err = -EINVAL;

	if (count >= sizeof(text))
		return -EINVAL;
	if (copy_from_user(text, bytes, count))
		return -EFAULT;
	text[count] = 0;
	if (sscanf(text, "loop %lu", &n) == 1 && n <= MOST_STEPS) {
		longhaul_sync();
		start = ktime_get_ns();
		empty_loop(n);
		last_ns = ktime_get_ns() - start;
		err = 0;
	} else if (!strncmp(text, "clock", 5)) {
		last_ns = ktime_get_ns();
		err = 0;
	} else if (sscanf(text, "chase %lu %lu", &size, &n) == 2 && n <= MOST_STEPS) {
		err = run_chase(size, n);
	}
	return err ? err : count;
}

static int show_bench(struct seq_file *out, void *unused)
{
	seq_printf(out, "%llu\n", last_ns);
	return 0;
}

static int open_bench(struct inode *inode, struct file *file)
{
	return single_open(file, show_bench, NULL);
}

static const struct proc_ops bench_ops = {
	.proc_open = open_bench,
	.proc_read = seq_read,
	.proc_lseek = seq_lseek,
	.proc_release = single_release,
	.proc_write = write_bench,
};

static int __init longhaul_bench_init(void)
{
	return proc_create("longhaul/bench", 0600, NULL, &bench_ops) ? 0 : -ENOMEM;
}
late_initcall(longhaul_bench_init);
