// SPDX-License-Identifier: GPL-2.0
/*
 * How programs run, and the template: the process that all processes of programs are made from. The kernel makes it before its
 * first program. It has the stub, the handlers and the filter, and no other mapping.
 */
#include <elf.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <as-layout.h>
#include <mem.h>
#include <os.h>
#include <longhaul_os.h>
#include <longhaul_processes.h>
#include <longhaul_stub.h>
#include <longhaul_stub_filter.h>
#include <longhaul_stub_page.h>
#include <longhaul_stub_start.h>

#ifndef AT_MINSIGSTKSZ
#define AT_MINSIGSTKSZ 51
#endif
#define HWCAP2_FSGSBASE 2 /* asm/hwcap2.h */

#define STUB_STACK 512 /* what the handler and longhaul_stub_child() use, with room to spare */
#define FEWEST_CALLS 32
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

extern char __syscall_stub_start[];

static const int signals[] = { SIGSYS, SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE };

/* A page of the template's own: what a program writes to the guest's RAM does not reach the stub's code. */
static int map_code(unsigned long address)
{
	void *page = mmap((void *)address, LONGHAUL_STUB_PAGE, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);

	if (page != (void *)address)
		return -1;
	memcpy(page, longhaul_stub_begin, LONGHAUL_STUB_PAGE);
	return mprotect(page, LONGHAUL_STUB_PAGE, PROT_READ | PROT_EXEC);
}

static int move_data(void)
{
	void *target = (void *)STUB_DATA;

	return mremap(longhaul_process_of(&longhaul_template)->stub, longhaul_stub_bytes, longhaul_stub_bytes, MREMAP_MAYMOVE | MREMAP_FIXED,
		      target) != target;
}

static int handle_signals(void)
{
	struct sigaction action = { .sa_flags = SA_ONSTACK | SA_SIGINFO };
	const unsigned long stack = longhaul_stub_bytes - offsetof(struct longhaul_stub, call[longhaul_stub_calls]);
	const stack_t place = { .ss_sp = (void *)(STUB_DATA + longhaul_stub_bytes - stack), .ss_size = stack };
	unsigned int i;

	action.sa_sigaction = (void *)(STUB_CODE + ((unsigned long)longhaul_stub_handler -
						    (unsigned long)longhaul_stub_begin));
	sigfillset(&action.sa_mask);
	if (sigaltstack(&place, NULL))
		return -1;
	/* Handlers of the kernel, which is not mapped in a program's process. */
	signal(SIGTERM, SIG_DFL);
	signal(SIGINT, SIG_DFL);
	signal(SIGWINCH, SIG_IGN);
	signal(SIGIO, SIG_IGN);
	signal(SIGALRM, SIG_IGN);
	for (i = 0; i < COUNT(signals); i++) {
		if (sigaction(signals[i], &action, NULL))
			return -1;
	}
	return 0;
}

/* Runs in the template. The trap leads to the stub's handler, which does not come back. */
static int become_template(void *kernel)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != (int)(long)kernel || map_code(STUB_CODE) || map_code(LONGHAUL_TEMPLATE_OF(STUB_CODE)) ||
	    move_data() || handle_signals() || longhaul_stub_filter(STUB_CODE, longhaul_ram_fd))
		_exit(1);
	__asm__ volatile("int3");
	_exit(1);
}

static int unmap_between(unsigned long begin, unsigned long end)
{
	const unsigned long arguments[6] = { begin, end - begin };

	return longhaul_stub_call(&longhaul_template, __NR_munmap, arguments, 0);
}

static int empty_template(void)
{
	const unsigned long code = LONGHAUL_TEMPLATE_OF(STUB_CODE);

	return unmap_between(0, STUB_CODE) ?: unmap_between(STUB_DATA + longhaul_stub_bytes, code) ?:
	       unmap_between(code + LONGHAUL_STUB_PAGE, LONGHAUL_HOST_END) ?: longhaul_stub_flush(&longhaul_template);
}

/* The template's memory is not in the RAM file: no program may have it make processes. */
static int make_template(void)
{
	const unsigned long bytes = 16 * LONGHAUL_STUB_PAGE;
	struct longhaul_stub *stub = mmap(NULL, longhaul_stub_bytes, PROT_READ | PROT_WRITE,
					  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	char *stack = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int pid;

	if (stub == MAP_FAILED || stack == MAP_FAILED)
		return -1;
	stub->loads_bases = (getauxval(AT_HWCAP2) & HWCAP2_FSGSBASE) != 0;
	stub->fs_base = stub->gs_base = ~0UL; /* not known */
	stub->kernel = getpid();
	longhaul_process_of(&longhaul_template)->stub = stub;
	pid = clone(become_template, stack + bytes, CLONE_FILES | SIGCHLD, (void *)(long)getpid());
	longhaul_template.u.pid = pid;
	if (pid > 0 && longhaul_stub_go(&longhaul_template, LONGHAUL_TURN_CALLS) == SIGTRAP && !empty_template()) {
		munmap(stack, bytes);
		return 0;
	}
	if (pid > 0 && !longhaul_process_of(&longhaul_template)->ended) {
		kill(pid, SIGKILL);
		waitpid(pid, NULL, __WALL);
	}
	return -1;
}

/*
 * What programs' processes share with the kernel is in the RAM file, below the guest's RAM: where
 * the kernel's image would be, the file has a hole, which neither the guest nor a device reaches.
 * The stub of traced programs ends it.
 */
static const char *prepare(void)
{
	const unsigned long slots = longhaul_most_processes();
	const unsigned long stack = getauxval(AT_MINSIGSTKSZ) + STUB_STACK;
	const unsigned long rest = offsetof(struct longhaul_stub, call[FEWEST_CALLS]);
	void *hole;

	if (!getauxval(AT_MINSIGSTKSZ))
		return "it does not tell how large a signal's frame is";
	longhaul_stub_bytes = (rest + stack + LONGHAUL_STUB_PAGE - 1) & ~(LONGHAUL_STUB_PAGE - 1);
	longhaul_stub_calls = (longhaul_stub_bytes - stack - offsetof(struct longhaul_stub, call)) /
			      sizeof(struct longhaul_stub_call);
	if (slots > LONGHAUL_STUB_SLOTS ||
	    slots * longhaul_stub_bytes > uml_to_phys(__syscall_stub_start))
		return "its signals' frames are too large for so much RAM of the guest";
	hole = mmap(NULL, slots * longhaul_stub_bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
		    longhaul_ram_fd, 0);
	if (hole == MAP_FAILED)
		return "it does not map the stubs' memory";
	longhaul_stub_share(hole, slots);
	if (make_template())
		return "it refuses the template";
	return NULL;
}

/* To the console, past the kernel's log, where a line takes simulated time. So does the kernel's own strlen(). */
#define SAY(line) (void)!write(STDERR_FILENO, line, sizeof(line) - 1)

/* Byte by byte: the length would be counted by the kernel's strlen(), whose time would reach results. */
static void say_why_not(const char *text)
{
	SAY("longhaul: programs run by ptrace, as the host does not run them by seccomp: ");
	for (; *text; text++) {
		if (write(STDERR_FILENO, text, 1) != 1)
			return;
	}
	SAY("\n");
}

int longhaul_stubs_start(void)
{
	static int decided;
	const unsigned int wanted = longhaul_page->programs;
	const char *why_not = NULL;

	if (decided)
		return longhaul_stubs;
	decided = 1;
	if (wanted != LH_PROGRAMS_PTRACE) {
		why_not = prepare();
		longhaul_stubs = !why_not;
		if (why_not && wanted == LH_PROGRAMS_SECCOMP)
			panic("longhaul: the host runs no programs by seccomp: %s", why_not);
	}
	longhaul_page->programs = longhaul_stubs ? LH_PROGRAMS_SECCOMP : LH_PROGRAMS_PTRACE;
	if (longhaul_stubs)
		SAY("longhaul: programs run by seccomp\n");
	else if (wanted == LH_PROGRAMS_PTRACE)
		SAY("longhaul: programs run by ptrace\n");
	else
		say_why_not(why_not);
	return longhaul_stubs;
}
