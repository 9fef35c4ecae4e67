// SPDX-License-Identifier: Apache-2.0
/*
 * Looks whether a program keeps its FP registers, whatever its kernel does meanwhile: system calls,
 * page faults, other processes in between, forks, handlers of signals that use the registers, too.
 * Says what was lost, and ends with 1 if something was. Freestanding, so it is small.
 *
 * cc -O1 -static -nostdlib -ffreestanding -mno-red-zone -fno-stack-protector -mgeneral-regs-only
 * The last option keeps the compiler from using the registers itself.
 */
#define PROCESSES 3
#define ROUNDS 300
#define REGISTERS 16
#define PAGE 4096

typedef unsigned long word;
typedef word pair[2] __attribute__((aligned(16)));

enum { WRITE = 1, MMAP = 9, SIGACTION = 13, YIELD = 24, GETPID = 39, FORK = 57, EXIT = 60,
       WAIT4 = 61, KILL = 62, MUNMAP = 11 };

static word call(word number, word a, word b, word c, word d, word e, word f)
{
	register word r10 __asm__("r10") = d;
	register word r8 __asm__("r8") = e;
	register word r9 __asm__("r9") = f;
	word result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return result;
}

static void say(const char *text)
{
	word length = 0;

	while (text[length])
		length++;
	call(WRITE, 1, (word)text, length, 0, 0, 0);
}

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

void back(void);
__asm__("back: mov $15, %eax; syscall"); /* rt_sigreturn */

/* The same registers over everything that may come between two instructions of a program. */
static int keeps(word seed)
{
	struct { void (*handler)(int); word flags; void (*restorer)(void); word mask; } action = {
		on_signal, 0x04000000 /* SA_RESTORER */, back, 0 };
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
		page = (char *)call(MMAP, 0, PAGE, 3, 0x22, -1UL, 0);
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

void start(void)
{
	int lost = 0;
	word i;

	for (i = 1; i < PROCESSES; i++) {
		if (!call(FORK, 0, 0, 0, 0, 0, 0))
			call(EXIT, keeps(i << 20), 0, 0, 0, 0, 0);
	}
	lost = keeps(0);
	for (i = 1; i < PROCESSES; i++) {
		int status = 0;

		call(WAIT4, -1UL, (word)&status, 0, 0, 0, 0);
		lost |= status != 0;
	}
	if (!lost)
		say("kept\n");
	call(EXIT, lost, 0, 0, 0, 0, 0);
}

__asm__(".globl _start; _start: xor %ebp, %ebp; and $-16, %rsp; call start");
