// SPDX-License-Identifier: GPL-2.0
/*
 * The code of the stub, which runs in a program's process (longhaul_stub.h). It is in a page of its own, which is mapped elsewhere
 * than it is linked: no absolute address, no constant in memory, no function of another file.
 */
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <longhaul_stub.h>
#include <longhaul_stub_filter.h>
#include <longhaul_stub_page.h>

#define IN_STUB __attribute__((section(".longhaul_stub"), noinline))
#define INLINE static inline __attribute__((always_inline))

INLINE long call(long number, unsigned long a, unsigned long b, unsigned long c, unsigned long d, unsigned long e,
		 unsigned long f)
{
	register unsigned long r10 __asm__("r10") = d;
	register unsigned long r8 __asm__("r8") = e;
	register unsigned long r9 __asm__("r9") = f;
	long answer;

	__asm__ volatile("syscall"
			 : "=a"(answer)
			 : "0"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return answer;
}

INLINE struct longhaul_stub *own(void)
{
	char *page;

	__asm__("lea longhaul_stub_begin(%%rip), %0" : "=r"(page));
	return (struct longhaul_stub *)(page + LONGHAUL_STUB_PAGE);
}

INLINE void __attribute__((noreturn)) end(void)
{
	for (;;)
		call(__NR_exit_group, 1, 0, 0, 0, 0, 0);
}

INLINE void give_turn(struct longhaul_stub *stub)
{
	__atomic_store_n(&stub->turn, LONGHAUL_TURN_KERNEL, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(&stub->kernel_waits, __ATOMIC_SEQ_CST))
		call(__NR_futex, (unsigned long)&stub->turn, FUTEX_WAKE, 1, 0, 0, 0);
}

INLINE unsigned int await_turn(struct longhaul_stub *stub)
{
	unsigned int turn;

	__atomic_store_n(&stub->stub_waits, 1, __ATOMIC_SEQ_CST);
	while ((turn = __atomic_load_n(&stub->turn, __ATOMIC_SEQ_CST)) == LONGHAUL_TURN_KERNEL)
		call(__NR_futex, (unsigned long)&stub->turn, FUTEX_WAIT, LONGHAUL_TURN_KERNEL, 0, 0, 0);
	__atomic_store_n(&stub->stub_waits, 0, __ATOMIC_SEQ_CST);
	return turn;
}

INLINE void make_calls(struct longhaul_stub *stub)
{
	const struct longhaul_stub_call *next = stub->call;
	unsigned int left;

	for (left = stub->calls; left && !stub->failed; left--, next++) {
		long answer = call(next->number, next->arguments[0], next->arguments[1], next->arguments[2],
				   next->arguments[3], next->arguments[4], next->arguments[5]);

		if (answer != next->expected) {
			stub->answer = answer;
			stub->failed = 1;
		}
	}
}

/*
 * The new process begins on the stack of the template, which goes on meanwhile. So it uses none until it has mapped its own. The
 * filter lets only the template's mapping of this page make processes.
 */
INLINE long clone_template(struct longhaul_stub *stub)
{
	register unsigned long bytes __asm__("r12") = stub->bytes;
	register unsigned long offset __asm__("r13") = stub->offset;
	register unsigned long fd __asm__("r14") = stub->fd;
	const unsigned long code = (unsigned long)stub - LONGHAUL_STUB_PAGE;
	register unsigned long distance __asm__("r15") = LONGHAUL_TEMPLATE_OF(code) - code;
	register unsigned long stack __asm__("r10") = 0;
	register unsigned long own_stack __asm__("rbx") = (stub->context - 256) & ~15UL;
	register unsigned long address __asm__("r9") = (unsigned long)stub;
	long answer;

	__asm__ volatile("lea 1f(%%rip), %%r8\n\t"
			 "add %%r15, %%r8\n\t"
			 "lea 2f(%%rip), %%r15\n\t"
			 "jmp *%%r8\n"
			 "1:\n\t"
			 "syscall\n\t"
			 "jmp *%%r15\n"
			 "2:\n\t"
			 "test %%rax, %%rax\n\t"
			 "jnz 3f\n\t"
			 "mov %%r9, %%rdi\n\t"
			 "mov %%r12, %%rsi\n\t"
			 "mov %[protection], %%edx\n\t"
			 "mov %[flags], %%r10d\n\t"
			 "mov %%r14, %%r8\n\t"
			 "mov %%r13, %%r9\n\t"
			 "mov %[mmap], %%eax\n\t"
			 "syscall\n\t"
			 "cmp %%rax, %%rdi\n\t"
			 "jne 4f\n\t"
			 "mov %%rbx, %%rsp\n\t"
			 "call longhaul_stub_child\n"
			 "4:\n\t"
			 "mov $1, %%edi\n\t"
			 "mov %[exit], %%eax\n\t"
			 "syscall\n\t"
			 "hlt\n"
			 "3:"
			 : "=a"(answer), "+r"(distance), "+r"(address)
			 : "0"((long)__NR_clone), "D"((long)(CLONE_PARENT | CLONE_FILES | SIGCHLD)), "S"(0L), "d"(0L),
			   "r"(stack), "r"(bytes), "r"(offset), "r"(fd), "r"(own_stack),
			   [protection] "i"(PROT_READ | PROT_WRITE), [flags] "i"(MAP_SHARED | MAP_FIXED),
			   [mmap] "i"(__NR_mmap), [exit] "i"(__NR_exit_group)
			 : "rcx", "r8", "r11", "memory");
	return answer;
}

INLINE void read_bases(struct longhaul_stub *stub)
{
	if (stub->loads_bases)
		__asm__ volatile("rdfsbase %0\n\trdgsbase %1" : "=r"(stub->fs_base), "=r"(stub->gs_base));
}

INLINE void load_bases(const struct longhaul_stub *stub)
{
	if (stub->loads_bases)
		__asm__ volatile("wrfsbase %0\n\twrgsbase %1" : : "r"(stub->fs_base), "r"(stub->gs_base));
}

/* Does what the kernel wants until the program is to go on. */
static void IN_STUB __attribute__((noreturn)) serve(struct longhaul_stub *stub)
{
	for (;;) {
		unsigned int turn = await_turn(stub);

		make_calls(stub);
		if (turn == LONGHAUL_TURN_PROGRAM && !stub->failed)
			break;
		if (turn == LONGHAUL_TURN_CLONE)
			stub->answer = clone_template(stub);
		give_turn(stub);
	}
	load_bases(stub);
	/* The host looks for the frame one word below the stack pointer. */
	__asm__ volatile("mov %0, %%rsp\n\tsyscall" : : "r"(stub->context), "a"((long)__NR_rt_sigreturn) : "memory");
	__builtin_unreachable();
}

/* Of all signals that stop a program, on the stub's stack and with all signals blocked. */
void IN_STUB longhaul_stub_handler(int signal, void *info, void *context)
{
	struct longhaul_stub *stub = own();

	stub->signal = signal;
	stub->info = (unsigned long)info;
	stub->context = (unsigned long)context;
	read_bases(stub);
	give_turn(stub);
	serve(stub);
}

/* Where a new process begins. It dies with its kernel, even with one that has died already. */
void IN_STUB longhaul_stub_child(void)
{
	struct longhaul_stub *stub = own();
	const unsigned long code = (unsigned long)stub - LONGHAUL_STUB_PAGE;

	if (call(__NR_munmap, LONGHAUL_TEMPLATE_OF(code), LONGHAUL_STUB_PAGE, 0, 0, 0, 0) ||
	    call(__NR_prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0, 0) ||
	    call(__NR_getppid, 0, 0, 0, 0, 0, 0) != stub->kernel)
		end();
	stub->kernel = 0; /* not for the program to read */
	serve(stub);
}
