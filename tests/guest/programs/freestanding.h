// SPDX-License-Identifier: Apache-2.0
/*
 * System calls for programs without a library, which are small and move no register unasked.
 *
 * cc -O1 -static -nostdlib -ffreestanding -mno-red-zone -fno-stack-protector -mgeneral-regs-only
 * The last option keeps the compiler from using FP registers itself.
 */
#define PAGE 4096

typedef unsigned long word;

enum { WRITE = 1, MMAP = 9, MUNMAP = 11, SIGACTION = 13, YIELD = 24, GETPID = 39, CLONE = 56, FORK = 57, EXIT = 60,
       WAIT4 = 61, KILL = 62, PTRACE = 101 };

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

/* What the kernel is told of a signal's handler. */
struct action {
	void *handler;
	word flags;
	void (*restorer)(void);
	word mask;
};
#define SA_SIGINFO 4
#define SA_RESTORER 0x04000000

void back(void);
__asm__("back: mov $15, %eax; syscall"); /* rt_sigreturn */

/* A new page that may be read, and written if `writable`. */
static volatile char *map(int writable)
{
	return (char *)call(MMAP, 0, PAGE, writable ? 3 : 1, 0x22 /* private, anonymous */, -1UL, 0);
}

__asm__(".globl _start; _start: xor %ebp, %ebp; and $-16, %rsp; call start");
