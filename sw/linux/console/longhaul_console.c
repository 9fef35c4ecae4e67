// SPDX-License-Identifier: GPL-2.0
/*
 * The guest's side of `longhaul run --console`: a terminal, /dev/ttyLH0, whose other end is the simulator's (longhaul_console.h).
 * It is loaded in the guest of that console only, so no other run has it.
 *
 * A thread looks every millisecond of simulated time who waits for the terminal, tells the simulator, and takes the input.
 */
#include <linux/delay.h>
#include <linux/io.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/tty.h>
#include <linux/tty_driver.h>
#include <linux/tty_flip.h>
#include "longhaul_console.h"

#define LOOK_EVERY_US 1000
/* A reader that has been woken stays in the queue until it runs. So it waits if it was there so often in a row. */
#define LOOKS_OF_A_WAIT 3
#define MOST_EVENTS 512 /* in one look */

static struct tty_port port;
static struct tty_driver *driver;
static struct task_struct *looker;
static bool throttled;

static void tell(unsigned int reg, u32 value)
{
	outl(value, LH_CONSOLE_BASE + reg);
}

/* With job control the shell is the leader of the session, and in the foreground while it asks for a line. */
static bool shell_is_in_foreground(struct tty_struct *tty)
{
	unsigned long flags;
	bool is;

	spin_lock_irqsave(&tty->ctrl.lock, flags);
	is = tty->ctrl.pgrp == tty->ctrl.session;
	spin_unlock_irqrestore(&tty->ctrl.lock, flags);
	return is;
}

static enum lh_console_state state_of(struct tty_struct *tty)
{
	static unsigned int looks;

	looks = waitqueue_active(&tty->read_wait) ? looks + 1 : 0;
	if (looks < LOOKS_OF_A_WAIT)
		return LH_CONSOLE_BUSY;
	looks = LOOKS_OF_A_WAIT;
	return shell_is_in_foreground(tty) ? LH_CONSOLE_SHELL_WAITS : LH_CONSOLE_PROGRAM_WAITS;
}

static void resize(struct tty_struct *tty, u32 data)
{
	struct winsize size = { .ws_row = data >> 12 & 0xfff, .ws_col = data & 0xfff };

	tty_do_resize(tty, &size);
}

/* Takes one event; false: there is no more at present. */
static bool take(struct tty_struct *tty, u32 event)
{
	const u32 data = event & 0xffffff;

	switch (event >> 24) {
	case LH_CONSOLE_BYTE:
		tty_insert_flip_char(&port, data, TTY_NORMAL);
		return true;
	case LH_CONSOLE_END:
		tty_insert_flip_char(&port, EOF_CHAR(tty), TTY_NORMAL);
		return false;
	case LH_CONSOLE_HANG_UP:
		tty_hangup(tty);
		return false;
	case LH_CONSOLE_SIZE:
		resize(tty, data);
		return true;
	}
	return false;
}

static void look(struct tty_struct *tty)
{
	unsigned int events;

	tell(LH_CONSOLE_STATE, state_of(tty));
	for (events = 0; events < MOST_EVENTS && !READ_ONCE(throttled); events++) {
		if (!take(tty, inl(LH_CONSOLE_BASE + LH_CONSOLE_INPUT)))
			break;
	}
	tty_flip_buffer_push(&port);
}

static int keep_looking(void *unused)
{
	while (!kthread_should_stop()) {
		struct tty_struct *tty = tty_port_tty_get(&port);

		if (tty)
			look(tty);
		tty_kref_put(tty);
		usleep_range(LOOK_EVERY_US, LOOK_EVERY_US);
	}
	return 0;
}

static int activate(struct tty_port *opened, struct tty_struct *tty)
{
	struct task_struct *task = kthread_run(keep_looking, NULL, "longhaul_console");

	if (IS_ERR(task))
		return PTR_ERR(task);
	looker = task;
	throttled = false;
	tell(LH_CONSOLE_STATE, LH_CONSOLE_BUSY);
	return 0;
}

static void shutdown(struct tty_port *closed)
{
	kthread_stop(looker);
	tell(LH_CONSOLE_STATE, LH_CONSOLE_CLOSED);
}

static const struct tty_port_operations port_ops = { .activate = activate, .shutdown = shutdown };

static int console_open(struct tty_struct *tty, struct file *file)
{
	return tty_port_open(&port, tty, file);
}

static void console_close(struct tty_struct *tty, struct file *file)
{
	tty_port_close(&port, tty, file);
}

static void console_hangup(struct tty_struct *tty)
{
	tty_port_hangup(&port);
}

static int console_write(struct tty_struct *tty, const unsigned char *bytes, int count)
{
	int at = 0;

	while (at < count) {
		u32 word = 0;
		int n;

		for (n = 0; n < 3 && at < count; n++)
			word |= (u32)bytes[at++] << 8 * n;
		tell(LH_CONSOLE_OUTPUT, n << 24 | word);
	}
	return count;
}

static unsigned int console_write_room(struct tty_struct *tty)
{
	return PAGE_SIZE;
}

static void console_throttle(struct tty_struct *tty)
{
	WRITE_ONCE(throttled, true);
}

static void console_unthrottle(struct tty_struct *tty)
{
	WRITE_ONCE(throttled, false);
}

static const struct tty_operations console_ops = {
	.open = console_open,
	.close = console_close,
	.hangup = console_hangup,
	.write = console_write,
	.write_room = console_write_room,
	.throttle = console_throttle,
	.unthrottle = console_unthrottle,
};

static int __init longhaul_console_init(void)
{
	struct device *device;
	int failed;

	driver = tty_alloc_driver(1, TTY_DRIVER_REAL_RAW | TTY_DRIVER_DYNAMIC_DEV);
	if (IS_ERR(driver))
		return PTR_ERR(driver);
	driver->driver_name = "longhaul_console";
	driver->name = "ttyLH";
	driver->type = TTY_DRIVER_TYPE_SERIAL;
	driver->subtype = SERIAL_TYPE_NORMAL;
	driver->init_termios = tty_std_termios;
	driver->init_termios.c_iflag |= IUTF8;
	tty_set_operations(driver, &console_ops);
	tty_port_init(&port);
	port.ops = &port_ops;
	failed = tty_register_driver(driver);
	if (failed)
		goto no_driver;
	device = tty_port_register_device(&port, driver, 0, NULL);
	if (!IS_ERR(device))
		return 0;
	failed = PTR_ERR(device);
	tty_unregister_driver(driver);
no_driver:
	tty_driver_kref_put(driver);
	tty_port_destroy(&port);
	return failed;
}
module_init(longhaul_console_init);

MODULE_DESCRIPTION("The terminal of longhaul run --console");
MODULE_LICENSE("GPL");
