// SPDX-License-Identifier: GPL-2.0
/*
 * Programs that run without ptrace (longhaul_stub.h): their registers, which are in the frame of the signal that stopped them.
 */
#include <asm/prctl.h>
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/ucontext.h>
#include <sys/wait.h>
#include <as-layout.h>
#include <kern_util.h>
#include <os.h>
#include <ptrace_user.h>
#include <sysdep/ptrace.h>
#include <longhaul_fp.h>
#include <longhaul_os.h>
#include <longhaul_stub.h>
#include <longhaul_stub_frame.h>
#include <longhaul_userspace.h>

struct mm_id *longhaul_mm_id;
struct faultinfo longhaul_stub_fault;

/* The kernel's numbers of registers, and those of a signal's frame. */
static const unsigned char registers[][2] = {
	{ HOST_R8, REG_R8 },   { HOST_R9, REG_R9 },   { HOST_R10, REG_R10 }, { HOST_R11, REG_R11 },	{ HOST_R12, REG_R12 },
	{ HOST_R13, REG_R13 }, { HOST_R14, REG_R14 }, { HOST_R15, REG_R15 }, { HOST_DI, REG_RDI },	{ HOST_SI, REG_RSI },
	{ HOST_BP, REG_RBP },  { HOST_BX, REG_RBX },  { HOST_DX, REG_RDX },  { HOST_AX, REG_RAX },	{ HOST_CX, REG_RCX },
	{ HOST_SP, REG_RSP },  { HOST_IP, REG_RIP },  { HOST_EFLAGS, REG_EFL },
};

#define TRAP_FLAG 0x100UL /* of EFLAGS */
/* CS, GS, FS, SS from bit 0 up. */
#define SELECTOR 0xffffUL
#define SS_SHIFT 48

static int write_registers(struct mm_id *id, const struct uml_pt_regs *regs, int step)
{
	struct longhaul_stub *stub = longhaul_process_of(id)->stub;
	ucontext_t *context = longhaul_stub_seen(id, stub->context, offsetof(ucontext_t, __fpregs_mem));
	greg_t *theirs = context ? context->uc_mcontext.gregs : NULL;
	unsigned int i;

	if (!context)
		return -EINVAL;
	for (i = 0; i < sizeof(registers) / sizeof(registers[0]); i++)
		theirs[registers[i][1]] = regs->gp[registers[i][0]];
	if (step)
		theirs[REG_EFL] |= TRAP_FLAG;
	theirs[REG_CSGSFS] = (theirs[REG_CSGSFS] & ~(SELECTOR | SELECTOR << SS_SHIFT)) |
			     (regs->gp[HOST_CS] & SELECTOR) | (regs->gp[HOST_SS] & SELECTOR) << SS_SHIFT;
	return 0;
}

static int read_registers(const struct mm_id *id, struct uml_pt_regs *regs, struct faultinfo *fault,
			  siginfo_t *info, int step)
{
	struct longhaul_stub *stub = longhaul_process_of(id)->stub;
	const ucontext_t *context = longhaul_stub_seen(id, stub->context, offsetof(ucontext_t, __fpregs_mem));
	const siginfo_t *told = longhaul_stub_seen(id, stub->info, sizeof(*told));
	const greg_t *theirs = context ? context->uc_mcontext.gregs : NULL;
	unsigned int i;

	if (!context || !told)
		return -EINVAL;
	for (i = 0; i < sizeof(registers) / sizeof(registers[0]); i++)
		regs->gp[registers[i][0]] = theirs[registers[i][1]];
	if (step)
		regs->gp[HOST_EFLAGS] &= ~TRAP_FLAG;
	regs->gp[HOST_CS] = theirs[REG_CSGSFS] & SELECTOR;
	regs->gp[HOST_SS] = (unsigned long)theirs[REG_CSGSFS] >> SS_SHIFT;
	regs->gp[HOST_FS_BASE] = stub->fs_base;
	regs->gp[HOST_GS_BASE] = stub->gs_base;
	*fault = (struct faultinfo){ .error_code = theirs[REG_ERR], .cr2 = theirs[REG_CR2], .trap_no = theirs[REG_TRAPNO] };
	*info = *told;
	return 0;
}

/* A base that the host would refuse is the program's end, as it is when it is traced. */
static int set_base(struct mm_id *id, int option, unsigned long *loaded, unsigned long wanted)
{
	const unsigned long arguments[6] = { option, wanted };
	int err = 0;

	if (wanted >= LONGHAUL_HOST_END)
		return -EPERM;
	if (!longhaul_process_of(&longhaul_template)->stub->loads_bases && *loaded != wanted)
		err = longhaul_stub_call(id, __NR_arch_prctl, arguments, 0);
	*loaded = wanted;
	return err;
}

static int run(struct uml_pt_regs *regs, siginfo_t *info)
{
	const int step = singlestepping(NULL) != 0;
	struct mm_id *id = longhaul_mm_id;
	struct longhaul_stub *stub = longhaul_process_of(id)->stub;
	int err = write_registers(id, regs, step), signal;

	err = err ?: set_base(id, ARCH_SET_FS, &stub->fs_base, regs->gp[HOST_FS_BASE]);
	err = err ?: set_base(id, ARCH_SET_GS, &stub->gs_base, regs->gp[HOST_GS_BASE]);
	err = err ?: longhaul_fp_load();
	if (err)
		return err;
	signal = longhaul_stub_go(id, LONGHAUL_TURN_PROGRAM);
	if (signal < 0)
		return signal;
	err = read_registers(id, regs, &longhaul_stub_fault, info, step);
	return err ?: signal;
}

int longhaul_stub_run(struct uml_pt_regs *regs, void *info)
{
	int signal = run(regs, info);

	if (signal <= 0 || signal >= NSIG) {
		printk(UM_KERN_ERR "longhaul: a program's process is gone or damaged (%d)\n", signal);
		fatal_sigsegv();
	}
	regs->is_user = 1;
	PT_SYSCALL_NR(regs->gp) = -1;
	if (signal == SIGSYS) {
		PT_SYSCALL_NR(regs->gp) = UPT_AX(regs);
		UPT_AX(regs) = -ENOSYS;
		signal = SIGTRAP | 0x80;
	}
	return W_STOPCODE(signal);
}
