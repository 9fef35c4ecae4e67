// SPDX-License-Identifier: Apache-2.0
/*
 * Looks whether a program keeps its FP registers, whatever its kernel does meanwhile: system calls,
 * page faults, other processes and threads in between, forks, handlers of signals that use the
 * registers, too, a debugger. Says what was lost, and ends with 1 if something was.
 */
#define PROCESSES 3
#define ROUNDS 300
#define REGISTERS 16

#include "freestanding.h"

typedef word pair[2] __attribute__((aligned(16)));

/* What is done to each of them, as one text of assembly. */
#define EACH(op) \
	op(0) op(1) op(2) op(3) op(4) op(5) op(6) op(7) op(8) op(9) op(10) op(11) op(12) op(13) op(14) op(15)
#define LOAD(n) "movaps 16*" #n "(%0), %%xmm" #n ";"
#define STORE(n) "movaps %%xmm" #n ", 16*" #n "(%0);"

static void load(pair *from)
{
	__asm__ volatile(EACH(LOAD) : : "r"(from) : "memory");
}

static void store(pair *to)
{
	__asm__ volatile(EACH(STORE) : : "r"(to) : "memory");
}

static void fill(pair *values, word seed)
{
	int i;

	for (i = 0; i < REGISTERS; i++) {
		values[i][0] = seed * 0x9e3779b97f4a7c15UL + i;
		values[i][1] = ~values[i][0];
	}
}

static int differs(pair *wanted, const char *after)
{
	pair found[REGISTERS];
	int i;

	store(found);
	for (i = 0; i < REGISTERS; i++) {
		if (found[i][0] != wanted[i][0] || found[i][1] != wanted[i][1]) {
			say("lost after ");
			say(after);
			say("\n");
			return 1;
		}
	}
	return 0;
}

static volatile int handled;

static void on_signal(int number)
{
	pair other[REGISTERS];

	fill(other, 4711 + number);
	load(other);
	call(YIELD, 0, 0, 0, 0, 0, 0);
	handled++;
}

/* The same registers over everything that may come between two instructions of a program. */
static int keeps(word seed)
{
	struct action action = { on_signal, SA_RESTORER, back, 0 };
	word self = call(GETPID, 0, 0, 0, 0, 0, 0);
	pair values[REGISTERS];
	int lost = 0;
	int round;

	call(SIGACTION, 10, (word)&action, 0, 8, 0, 0);
	for (round = 0; round < ROUNDS && !lost; round++) {
		volatile char *page;
		word child;
		int status = 0;

		fill(values, seed + round);
		load(values);
		call(GETPID, 0, 0, 0, 0, 0, 0);
		lost |= differs(values, "a system call");
		load(values);
		call(YIELD, 0, 0, 0, 0, 0, 0);
		lost |= differs(values, "another process");
		load(values);
		page = map(1);
		*page = 1;
		lost |= differs(values, "a page fault");
		call(MUNMAP, (word)page, PAGE, 0, 0, 0, 0);
		load(values);
		call(KILL, self, 10, 0, 0, 0, 0);
		lost |= differs(values, "a signal");
		if (round % 16)
			continue;
		load(values);
		child = call(FORK, 0, 0, 0, 0, 0, 0);
		lost |= differs(values, child ? "a fork" : "a fork, in the child");
		if (!child)
			call(EXIT, lost, 0, 0, 0, 0, 0);
		call(WAIT4, child, (word)&status, 0, 0, 0, 0);
		lost |= status != 0;
	}
	if (handled != round) {
		say("a signal's handler was not called\n");
		lost = 1;
	}
	return lost;
}

/* Begins a thread of this process, with a stack of its own. */
static word begin_thread(void (*body)(void))
{
	volatile char *stack = map(1);
	register word r10 __asm__("r10") = 0;
	register word r8 __asm__("r8") = 0;
	word *top = (word *)(stack + PAGE - 16);
	word result;

	*top = (word)body;
	__asm__ volatile("syscall; test %%rax, %%rax; jnz 1f; pop %%rax; and $-16, %%rsp; call *%%rax; 1:"
			 : "=a"(result)
			 : "a"(CLONE), "D"(0x50f00 /* VM, FS, FILES, SIGHAND, THREAD, SYSVSEM */), "S"(top), "d"(0),
			   "r"(r10), "r"(r8)
			 : "rcx", "r11", "memory");
	return result;
}

static volatile int ended, lost_in_thread;

static void thread(void)
{
	pair values[REGISTERS];
	int round;

	for (round = 0; round < ROUNDS / 4; round++) {
		fill(values, 815UL << 32 | round);
		load(values);
		call(YIELD, 0, 0, 0, 0, 0, 0);
		lost_in_thread |= differs(values, "another thread, in the younger one");
	}
	ended = 1;
	call(EXIT, 0, 0, 0, 0, 0, 0);
}

/* Threads come and go beside this one. */
static int keeps_beside_threads(void)
{
	pair values[REGISTERS];
	int lost = 0, i;

	for (i = 0; i < 4; i++) {
		fill(values, 42 + i);
		load(values);
		ended = 0;
		if ((long)begin_thread(thread) < 0) {
			say("no thread\n");
			return 1;
		}
		lost |= differs(values, "the begin of a thread");
		while (!ended) {
			load(values);
			call(YIELD, 0, 0, 0, 0, 0, 0);
			lost |= differs(values, "another thread");
		}
	}
	return lost | lost_in_thread;
}

/* A debugger sees a program's registers and changes them. */
static int shown_to_a_debugger(void)
{
	enum { TRACEME = 0, CONT = 7, GETFPREGS = 14, SETFPREGS = 15, XMM = 160 / 8 };
	static word shown[512 / 8] __attribute__((aligned(16)));
	pair values[REGISTERS], other[REGISTERS], own[REGISTERS];
	int lost = 0, status = 0, i;
	word child;

	fill(values, 1 << 24);
	fill(other, 2 << 24);
	fill(own, 3 << 24);
	load(values);
	child = call(FORK, 0, 0, 0, 0, 0, 0);
	if (!child) {
		call(PTRACE, TRACEME, 0, 0, 0, 0, 0);
		load(values);
		__asm__ volatile("int3");
		call(EXIT, differs(other, "a debugger has set them"), 0, 0, 0, 0, 0);
	}
	load(own);
	call(WAIT4, child, (word)&status, 0, 0, 0, 0);
	call(PTRACE, GETFPREGS, child, 0, (word)shown, 0, 0);
	for (i = 0; i < REGISTERS; i++) {
		if (shown[XMM + 2 * i] != values[i][0] || shown[XMM + 2 * i + 1] != values[i][1])
			lost = 1;
		shown[XMM + 2 * i] = other[i][0];
		shown[XMM + 2 * i + 1] = other[i][1];
	}
	if (lost)
		say("a debugger is shown others\n");
	call(PTRACE, SETFPREGS, child, 0, (word)shown, 0, 0);
	lost |= differs(own, "those of another program were set");
	call(PTRACE, CONT, child, 0, 0, 0, 0);
	call(WAIT4, child, (word)&status, 0, 0, 0, 0);
	return lost | (status != 0);
}

void start(void)
{
	int lost = 0;
	word i;

	for (i = 1; i < PROCESSES; i++) {
		if (!call(FORK, 0, 0, 0, 0, 0, 0))
			call(EXIT, keeps(i << 20), 0, 0, 0, 0, 0);
	}
	lost = keeps(0) | keeps_beside_threads() | shown_to_a_debugger();
	for (i = 1; i < PROCESSES; i++) {
		int status = 0;

		call(WAIT4, -1UL, (word)&status, 0, 0, 0, 0);
		lost |= status != 0;
	}
	if (!lost)
		say("kept\n");
	call(EXIT, lost, 0, 0, 0, 0, 0);
}
