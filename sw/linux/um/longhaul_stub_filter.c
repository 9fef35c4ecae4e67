// SPDX-License-Identifier: GPL-2.0
/*
 * The filter of programs' processes (longhaul_stub.h): a call that is not the stub's is a signal, and of the stub's calls only
 * those pass that it makes.
 */
#include <asm/prctl.h>
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <longhaul_stub_filter.h>

static struct sock_filter program[128];
static unsigned short length;

static void add(unsigned short code, unsigned char if_true, unsigned char if_false, unsigned int value)
{
	program[length++] = (struct sock_filter){ code, if_true, if_false, value };
}

static void load(unsigned int offset)
{
	add(BPF_LD | BPF_W | BPF_ABS, 0, 0, offset);
}

static void answer(unsigned int action)
{
	add(BPF_RET | BPF_K, 0, 0, action);
}

#define REFUSE (SECCOMP_RET_ERRNO | EPERM)
#define LOWER(n) (offsetof(struct seccomp_data, args) + 8 * (n))
#define UPPER(n) (LOWER(n) + 4)

/* Refuses the call unless the word is that value. */
static void demand(unsigned int offset, unsigned int value)
{
	load(offset);
	add(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, value);
	answer(REFUSE);
}

/* Refuses the call if the word is greater. */
static void demand_at_most(unsigned int offset, unsigned int value)
{
	load(offset);
	add(BPF_JMP | BPF_JGT | BPF_K, 0, 1, value);
	answer(REFUSE);
}

/* What follows, up to end_call(), is of this call only; the call's number is loaded. */
static unsigned short begin_call(unsigned int number)
{
	add(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, number);
	return length - 1;
}

static void end_call(unsigned short begin)
{
	answer(SECCOMP_RET_ALLOW);
	program[begin].jf = length - begin - 1;
}

static void allow(unsigned int number)
{
	end_call(begin_call(number));
}

/*
 * A program cannot make a call of the host. If it jumps into the stub, it can make those that the stub makes: they reach nothing
 * but its own address space, the guest's RAM and its own end.
 */
static void write_program(unsigned long code, int ram)
{
	const unsigned int ip = offsetof(struct seccomp_data, instruction_pointer);
	unsigned short call;

	/* The vsyscall page of the host tells its time. */
	load(ip + 4);
	add(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, ~0U);
	answer(REFUSE);

	/* Whatever is not in one of the stub's two mappings is a program's. */
	add(BPF_JMP | BPF_JEQ | BPF_K, 2, 0, code >> 32);
	add(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, LONGHAUL_TEMPLATE_UPPER);
	answer(SECCOMP_RET_TRAP);
	load(ip);
	add(BPF_ALU | BPF_AND | BPF_K, 0, 0, (unsigned int)~(LONGHAUL_STUB_PAGE - 1));
	add(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, (unsigned int)code);
	answer(SECCOMP_RET_TRAP);
	demand(offsetof(struct seccomp_data, arch), AUDIT_ARCH_X86_64);

	load(offsetof(struct seccomp_data, nr));
	allow(__NR_rt_sigreturn);
	allow(__NR_munmap);
	allow(__NR_mprotect);
	allow(__NR_modify_ldt);
	allow(__NR_getppid);
	allow(__NR_exit_group);

	/* To wait, without a limit of time, and to wake. */
	call = begin_call(__NR_futex);
	demand_at_most(LOWER(1), FUTEX_WAKE); /* FUTEX_WAIT is one less */
	demand(LOWER(3), 0);
	demand(UPPER(3), 0);
	end_call(call);

	/* Only RAM of the guest, and not where the template has its second mapping: 2^40 and up. */
	call = begin_call(__NR_mmap);
	demand_at_most(UPPER(0), 0x7f);
	demand(UPPER(1), 0);
	load(LOWER(3));
	add(BPF_ALU | BPF_AND | BPF_K, 0, 0, ~MAP_POPULATE);
	add(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, MAP_SHARED | MAP_FIXED);
	answer(REFUSE);
	demand(LOWER(4), ram);
	end_call(call);

	call = begin_call(__NR_arch_prctl);
	demand_at_most(LOWER(0), ARCH_SET_FS); /* ARCH_SET_GS is one less */
	end_call(call);

	call = begin_call(__NR_prctl);
	demand(LOWER(0), PR_SET_PDEATHSIG);
	demand(LOWER(1), SIGKILL);
	end_call(call);

	call = begin_call(__NR_clone);
	demand(ip + 4, LONGHAUL_TEMPLATE_UPPER);
	demand(LOWER(0), CLONE_PARENT | CLONE_FILES | SIGCHLD);
	end_call(call);

	answer(REFUSE);
}

int longhaul_stub_filter(unsigned long code, int ram)
{
	struct sock_fprog whole = { 0, program };

	write_program(code, ram);
	whole.len = length;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -1;
	/* Hosts before Linux 5.16 take a filter for a reason to slow a process down against attacks on its own secrets. */
	if (!syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &whole))
		return 0;
	return syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, 0, &whole);
}
