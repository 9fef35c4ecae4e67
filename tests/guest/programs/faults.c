// SPDX-License-Identifier: Apache-2.0
/*
 * Looks what a program's handler of SIGSEGV is told of its fault: the reason, the address, whether it
 * was a write, the processor's trap. Says what is wrong, and ends with 1 if something is.
 */
#include "freestanding.h"

/* Of the kernel's siginfo and ucontext (asm-generic/siginfo.h, asm/ucontext.h), in words. */
enum { ADDRESS = 2, RIP = 5 + 16, ERROR = 5 + 19, TRAP = 5 + 20, CR2 = 5 + 22 };
enum { MAPERR = 1, ACCERR = 2, WRITTEN = 2, PAGE_FAULT = 14 };

static struct {
	int code;
	word address, error, trap, cr2;
} told;
static int times;

/* Goes on behind the instruction, which has two bytes. */
static void on_fault(int number, const int *info, word *context)
{
	(void)number;
	told.code = info[2];
	told.address = ((const word *)info)[ADDRESS];
	told.error = context[ERROR];
	told.trap = context[TRAP];
	told.cr2 = context[CR2];
	context[RIP] += 2;
	times++;
}

static int wrong(const char *what, volatile char *address, int write, int code)
{
	int before = times;

	if (write)
		__asm__ volatile(".byte 0x88, 0x00" : : "a"(address) : "memory"); /* mov %al, (%rax) */
	else
		__asm__ volatile(".byte 0x3a, 0x00" : : "a"(address) : "memory", "cc"); /* cmp (%rax), %al */
	if (times == before + 1 && told.code == code && told.address == (word)address && told.cr2 == (word)address &&
	    told.trap == PAGE_FAULT && !(told.error & WRITTEN) == !write)
		return 0;
	say("told wrongly: ");
	say(what);
	say("\n");
	return 1;
}

void start(void)
{
	struct action action = { on_fault, SA_SIGINFO | SA_RESTORER, back, 0 };
	volatile char *gone = map(1), *fixed = map(0), *fresh = map(0), *fine = map(1);
	int lost = 0, i;

	call(SIGACTION, 11, (word)&action, 0, 8, 0, 0);
	call(MUNMAP, (word)gone, PAGE, 0, 0, 0, 0);
	for (i = 0; i < 3; i++) {
		lost |= wrong("a read where nothing is", gone + 17, 0, MAPERR);
		lost |= wrong("a write where nothing is", gone + 18, 1, MAPERR);
		lost |= wrong("a read of address 8", (char *)8, 0, MAPERR);
		lost |= wrong("a write to what may be read, and was", fixed + (fixed[0], 19), 1, ACCERR);
		fine[PAGE - 1] = 1; /* a fault that is none of the program's business */
	}
	lost |= wrong("a write to what may be read, and was not", fresh + 20, 1, ACCERR);
	if (times != 13) {
		say("a handler was called for nothing\n");
		lost = 1;
	}
	if (!lost)
		say("kept\n");
	call(EXIT, lost, 0, 0, 0, 0, 0);
}
