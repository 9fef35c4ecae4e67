/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/*
 * The I/O ports by which a guest's terminal reaches the simulator. Only the guest that `longhaul run --console` names has
 * them. An access takes no simulated time. The file is included by the module (C) and by the simulator (C++).
 */
#ifndef LONGHAUL_CONSOLE_H
#define LONGHAUL_CONSOLE_H

#define LH_CONSOLE_BASE 0xe00u /* below the ports that devices get (LH_PCI_IO_FIRST) */
#define LH_CONSOLE_BYTES 0x10u

/* Registers of 32 bits. */
#define LH_CONSOLE_INPUT 0x0u  /* read: the next event from the user's terminal, kind << 24 | data */
#define LH_CONSOLE_OUTPUT 0x4u /* write: count << 24 | up to three bytes, the first in bits 7:0 */
#define LH_CONSOLE_STATE 0x8u  /* write: enum lh_console_state */

enum lh_console_event {
	LH_CONSOLE_NONE,
	LH_CONSOLE_BYTE,    /* data: the byte */
	LH_CONSOLE_END,     /* there is no more input */
	LH_CONSOLE_HANG_UP, /* the user has closed the console */
	LH_CONSOLE_SIZE,    /* data: rows << 12 | columns of the user's terminal */
};

/* What the terminal does. While the shell waits, a read of the input is answered when there is some: time stands still. */
enum lh_console_state {
	LH_CONSOLE_CLOSED,
	LH_CONSOLE_BUSY,          /* nobody waits for input */
	LH_CONSOLE_PROGRAM_WAITS, /* a program other than the shell waits for input, or looks for it among other things */
	LH_CONSOLE_SHELL_WAITS,
};

#endif
