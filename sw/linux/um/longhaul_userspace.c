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
#include <longhaul.h>
#include <longhaul_stub.h>

struct mm_id *longhaul_mm_id;
struct faultinfo longhaul_stub_fault;

/* A signal's frame is where the stub says, if that is within its stack. */
static void *seen_by_kernel(const struct mm_id *id, unsigned long address, unsigned long bytes)
{
	const unsigned long at = address - STUB_DATA;

	if (address % sizeof(long) || at < sizeof(struct longhaul_stub) || at > longhaul_stub_bytes ||
	    bytes > longhaul_stub_bytes - at)
		return NULL;
	return (char *)longhaul_process_of(id)->stub + at;
}

/* Of a signal's frame (asm/sigcontext.h): the host's own words in the FP registers' area. */
#define SOFTWARE_WORDS 464
#define LEGACY_BYTES 512

static unsigned char *fp_of(const struct mm_id *id, unsigned long *bytes)
{
	struct longhaul_stub *stub = longhaul_process_of(id)->stub;
	const ucontext_t *context = seen_by_kernel(id, stub->context, offsetof(ucontext_t, __fpregs_mem));
	const struct _fpx_sw_bytes *software;
	unsigned char *fp;

	if (!context)
		return NULL;
	fp = seen_by_kernel(id, (unsigned long)context->uc_mcontext.fpregs, LEGACY_BYTES);
	if (!fp)
		return NULL;
	software = (const struct _fpx_sw_bytes *)(fp + SOFTWARE_WORDS);
	*bytes = software->magic1 == FP_XSTATE_MAGIC1 ? software->xstate_size : LEGACY_BYTES;
	if (*bytes < LEGACY_BYTES || *bytes > FP_SIZE * sizeof(unsigned long) ||
	    *bytes > (unsigned long)((unsigned char *)stub + longhaul_stub_bytes - fp))
		return NULL;
	return fp;
}

/* A thread's copy has the form that ptrace gives it: of the host's words it has the mask of components alone. */
int longhaul_stub_get_fp(const struct mm_id *id, unsigned long *copy)
{
	unsigned char *words = (unsigned char *)copy + SOFTWARE_WORDS;
	unsigned long bytes;
	const unsigned char *fp = fp_of(id, &bytes);
	unsigned long components;

	if (!fp)
		return -EINVAL;
	components = ((const struct _fpx_sw_bytes *)(fp + SOFTWARE_WORDS))->xstate_bv;
	memcpy(copy, fp, bytes);
	memset(words, 0, LEGACY_BYTES - SOFTWARE_WORDS);
	memcpy(words, &components, sizeof(components));
	return 0;
}

#define MXCSR 24
#define MXCSR_MASK 28
#define USUAL_MXCSR_MASK 0xffbfU /* where the processor tells none (Intel SDM volume 1, 11.6.6) */
#define XSTATE_HEADER_BYTES 64UL

/* Whether the host takes a thread's copy: it would give the program other registers than these, and no error. */
static int is_valid(const unsigned char *copy, const unsigned char *fp, unsigned long bytes)
{
	const struct _fpx_sw_bytes *host = (const struct _fpx_sw_bytes *)(fp + SOFTWARE_WORDS);
	unsigned int mxcsr, mask;
	unsigned long components, i;

	memcpy(&mxcsr, copy + MXCSR, sizeof(mxcsr));
	memcpy(&mask, fp + MXCSR_MASK, sizeof(mask));
	if (mxcsr & ~(mask ? mask : USUAL_MXCSR_MASK))
		return 0;
	if (bytes < LEGACY_BYTES + XSTATE_HEADER_BYTES)
		return 1;
	memcpy(&components, copy + LEGACY_BYTES, sizeof(components));
	if (components & ~host->xstate_bv)
		return 0;
	for (i = sizeof(components); i < XSTATE_HEADER_BYTES; i++) {
		if (copy[LEGACY_BYTES + i])
			return 0;
	}
	return 1;
}

int longhaul_stub_put_fp(const struct mm_id *id, const unsigned long *copy)
{
	unsigned long bytes;
	unsigned char *fp = fp_of(id, &bytes);

	if (!fp || !is_valid((const unsigned char *)copy, fp, bytes))
		return -EINVAL;
	memcpy(fp, copy, SOFTWARE_WORDS);
	memcpy(fp + LEGACY_BYTES, (const unsigned char *)copy + LEGACY_BYTES, bytes - LEGACY_BYTES);
	return 0;
}

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
	ucontext_t *context = seen_by_kernel(id, stub->context, offsetof(ucontext_t, __fpregs_mem));
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
	const ucontext_t *context = seen_by_kernel(id, stub->context, offsetof(ucontext_t, __fpregs_mem));
	const siginfo_t *told = seen_by_kernel(id, stub->info, sizeof(*told));
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
