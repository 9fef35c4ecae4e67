// SPDX-License-Identifier: GPL-2.0
/* /proc/longhaul: how a guest's programs talk to the simulation. docs/interfaces.md gives the meaning of the texts. */
#include <linux/init.h>
#include <linux/proc_fs.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <longhaul_core.h>

static ssize_t send(enum lh_message kind, const char __user *bytes, size_t count)
{
	char *text;

	if (!count)
		return 0;
	if (count > LH_MESSAGE_BYTES)
		return -EMSGSIZE;
	text = memdup_user(bytes, count);
	if (IS_ERR(text))
		return PTR_ERR(text);
	longhaul_message(kind, text, count);
	kfree(text);
	return count;
}

static ssize_t write_phase(struct file *file, const char __user *bytes, size_t count, loff_t *offset)
{
	return send(LH_MESSAGE_PHASE, bytes, count);
}

static ssize_t write_report(struct file *file, const char __user *bytes, size_t count, loff_t *offset)
{
	return send(LH_MESSAGE_REPORT, bytes, count);
}

static const struct proc_ops phase_ops = { .proc_write = write_phase };
static const struct proc_ops report_ops = { .proc_write = write_report };

static int __init longhaul_proc_init(void)
{
	struct proc_dir_entry *dir = proc_mkdir("longhaul", NULL);

	if (!dir || !proc_create("phase", 0200, dir, &phase_ops) || !proc_create("report", 0200, dir, &report_ops))
		return -ENOMEM;
	return 0;
}
fs_initcall(longhaul_proc_init);
