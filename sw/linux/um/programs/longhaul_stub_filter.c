// SPDX-License-Identifier: GPL-2.0
/*
 * The filter of programs' processes (longhaul_stub.h): a call that is not the stub's is a signal, and of the stub's calls only
 * those pass that it makes.
 */
#include <asm/prctl.h>
#include <linux/futex.h>
#include <linux/sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <longhaul_filter.h>
#include <longhaul_stub_filter.h>

/* The call becomes a signal. */
static void be_signalled(void)
{
	add(BPF_RET | BPF_K, 0, 0, SECCOMP_RET_TRAP);
}

/* Refuses the call unless the word is that value. */
static void demand(unsigned int offset, unsigned int value)
{
	load(offset);
	add(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, value);
	deny();
}

/* Refuses the call if the word is greater. */
static void demand_at_most(unsigned int offset, unsigned int value)
{
	load(offset);
	add(BPF_JMP | BPF_JGT | BPF_K, 0, 1, value);
	deny();
}

/* What follows, up to end_call(), is of this call only; the call's number is loaded. */
static unsigned short begin_call(unsigned int number)
{
	add(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, number);
	return length - 1;
}

static void end_call(unsigned short begin)
{
	allow();
	program[begin].jf = length - begin - 1;
}

static void allow_call(unsigned int number)
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
	deny();

	/* Whatever is not in one of the stub's two mappings is a program's. */
	add(BPF_JMP | BPF_JEQ | BPF_K, 2, 0, code >> 32);
	add(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, LONGHAUL_TEMPLATE_UPPER);
	be_signalled();
	load(ip);
	add(BPF_ALU | BPF_AND | BPF_K, 0, 0, (unsigned int)~(LONGHAUL_STUB_PAGE - 1));
	add(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, (unsigned int)code);
	be_signalled();
	demand(offsetof(struct seccomp_data, arch), AUDIT_ARCH_X86_64);

	load(offsetof(struct seccomp_data, nr));
	allow_call(__NR_rt_sigreturn);
	allow_call(__NR_munmap);
	allow_call(__NR_mprotect);
	allow_call(__NR_modify_ldt);
	allow_call(__NR_getppid);
	allow_call(__NR_exit_group);

	/* To wait, without a limit of time, and to wake. */
	call = begin_call(__NR_futex);
	demand_at_most(ARGUMENT(1), FUTEX_WAKE); /* FUTEX_WAIT is one less */
	demand(ARGUMENT(3), 0);
	demand(ARGUMENT_UPPER(3), 0);
	end_call(call);

	/* Only RAM of the guest, and not where the template has its second mapping: 2^40 and up. */
	call = begin_call(__NR_mmap);
	demand_at_most(ARGUMENT_UPPER(0), 0x7f);
	demand(ARGUMENT_UPPER(1), 0);
	load(ARGUMENT(3));
	add(BPF_ALU | BPF_AND | BPF_K, 0, 0, ~MAP_POPULATE);
	add(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, MAP_SHARED | MAP_FIXED);
	deny();
	demand(ARGUMENT(4), ram);
	end_call(call);

	call = begin_call(__NR_arch_prctl);
	demand_at_most(ARGUMENT(0), ARCH_SET_FS); /* ARCH_SET_GS is one less */
	end_call(call);

	call = begin_call(__NR_prctl);
	demand(ARGUMENT(0), PR_SET_PDEATHSIG);
	demand(ARGUMENT(1), SIGKILL);
	end_call(call);

	call = begin_call(__NR_clone);
	demand(ip + 4, LONGHAUL_TEMPLATE_UPPER);
	demand(ARGUMENT(0), CLONE_PARENT | CLONE_FILES | SIGCHLD);
	end_call(call);

	deny();
}

int longhaul_stub_filter(unsigned long code, int ram)
{
	write_program(code, ram);
	return confine();
}
