// SPDX-License-Identifier: GPL-2.0
/*
 * Takes from the kernel's process, and from all processes that it starts, every system call of the host that a running guest
 * does not need. So it holds for code that a guest's root brings into the kernel (a module), too.
 */
#include <fcntl.h>
#include <linux/sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <longhaul_confine.h>
#include <longhaul_filter.h>

/* Requests of ptrace() that <sys/ptrace.h> does not have, or not under a name of its own (asm/ptrace-abi.h). */
#define OLD_SETOPTIONS 21
#define ARCH_PRCTL 30
#define SYSEMU 31
#define SYSEMU_SINGLESTEP 32

#define NAMESPACES \
	(CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET)
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* A running kernel and its stubs (arch/um/os-Linux, arch/um/kernel/skas). */
static const unsigned int calls[] = {
	__NR_futex,	   __NR_wait4,	     __NR_munmap,     __NR_mprotect, __NR_rt_sigprocmask, __NR_rt_sigreturn,
	__NR_rt_sigaction, __NR_sigaltstack, __NR_write,      __NR_read,     __NR_close,	  __NR_epoll_wait,
	__NR_epoll_ctl,	   __NR_modify_ldt,  __NR_brk,	      __NR_getpid,   __NR_exit,		  __NR_exit_group,
};

/* What a kernel does with its own processes. To attach to another process is not among it. */
static const unsigned int ptrace_requests[] = {
	PTRACE_SETREGS,	   PTRACE_GETREGS,   PTRACE_SETREGSET,	 PTRACE_GETREGSET, SYSEMU,	       SYSEMU_SINGLESTEP,
	PTRACE_CONT,	   PTRACE_SYSCALL,   PTRACE_SINGLESTEP,	 PTRACE_POKEUSER,  PTRACE_PEEKUSER,    PTRACE_GETSIGINFO,
	PTRACE_GETFPREGS,  PTRACE_SETFPREGS, PTRACE_TRACEME,	 PTRACE_KILL,	   OLD_SETOPTIONS,     ARCH_PRCTL,
};

/* To let go of memory, and nothing that asks more of the host. */
static const unsigned int advices[] = { MADV_REMOVE, MADV_DONTNEED };

/* What a process sends its parent at its end: a parent is not stopped by that. */
static const unsigned int end_signals[] = { 0, SIGCHLD };

/* Not who gets a descriptor's signals. */
static const unsigned int fcntl_commands[] = { F_GETFL, F_SETFL };

static void allow_each(const unsigned int *values, unsigned int count)
{
	unsigned int i;

	for (i = 0; i < count; i++) {
		add(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, values[i]);
		allow();
	}
}

static void deny_if_has(unsigned int bits)
{
	add(BPF_JMP | BPF_JSET | BPF_K, 0, 1, bits);
	deny();
}

/* What follows, up to end_call(), is of this call only, and looks at the argument that is loaded. */
static unsigned short begin_call(unsigned int number, unsigned int argument)
{
	unsigned short begin = length;

	add(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, number);
	load(ARGUMENT(argument));
	return begin;
}

static void end_call(unsigned short begin)
{
	program[begin].jf = length - begin - 1;
}

/* Programs that are not traced are made by a process that the kernel has before it is confined (longhaul_stub_start.c). */
static void allow_tracing(void)
{
	unsigned short call;

	call = begin_call(__NR_ptrace, 0);
	allow_each(ptrace_requests, COUNT(ptrace_requests));
	deny();
	end_call(call);

	call = begin_call(__NR_clone, 0);
	deny_if_has(NAMESPACES);
	add(BPF_ALU | BPF_AND | BPF_K, 0, 0, CSIGNAL);
	allow_each(end_signals, COUNT(end_signals));
	deny();
	end_call(call);
}

static void write_program(int traces)
{
	unsigned short call;

	load(offsetof(struct seccomp_data, arch));
	add(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, AUDIT_ARCH_X86_64);
	deny();
	load(offsetof(struct seccomp_data, nr));

	/* The host remembers which calls a filter always allows, so those whose arguments are looked at come first. */
	if (traces)
		allow_tracing();

	/* No memory but the descriptors' and private memory, which RLIMIT_DATA bounds. */
	call = begin_call(__NR_mmap, 3);
	deny_if_has(MAP_HUGETLB | MAP_GROWSDOWN); /* a stack that grows is not counted by RLIMIT_DATA */
	add(BPF_ALU | BPF_AND | BPF_K, 0, 0, MAP_SHARED | MAP_ANONYMOUS);
	add(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, MAP_SHARED | MAP_ANONYMOUS);
	deny();
	allow();
	end_call(call);

	call = begin_call(__NR_madvise, 2);
	allow_each(advices, COUNT(advices));
	deny();
	end_call(call);

	call = begin_call(__NR_fcntl, 1);
	allow_each(fcntl_commands, COUNT(fcntl_commands));
	deny();
	end_call(call);

	allow_each(calls, COUNT(calls));
	deny();
}

int longhaul_confine(int traces)
{
	write_program(traces);
	return confine();
}
