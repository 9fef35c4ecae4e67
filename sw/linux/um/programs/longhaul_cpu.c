// SPDX-License-Identifier: GPL-2.0
/*
 * The processor that a guest's programs see: an Opteron of family 15 (K8), whatever the host has. The host's own answers would
 * choose other code in libc and other folders in the dynamic loader on every make of processor, and with them other page faults.
 *
 * In the programs of a guest's root `cpuid` and `rdtsc` are replaced by opcodes that are invalid on every processor
 * (longhaul.guest.image). Each raises SIGILL, and this file does what the instruction would have done.
 */
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/string.h>
#include <linux/types.h>
#include <linux/uaccess.h>
#include <sysdep/ptrace.h>
#include <longhaul_core.h>
#include <longhaul_cpu.h>
#include <longhaul_os.h>

/* UD0 and UD1 (Intel SDM volume 2, UD): no compiler makes them, and both have the length of what they stand for. */
#define OPCODE_BYTES 2
static const u8 stands_for_cpuid[OPCODE_BYTES] = { 0x0f, 0xff };
static const u8 stands_for_rdtsc[OPCODE_BYTES] = { 0x0f, 0xb9 };

struct leaf {
	u32 number, eax, ebx, ecx, edx;
};

/*
 * AMD 25481, CPUID Specification: family 15, model 5, stepping 10 (Opteron 248, revision CG). Features: FPU to SSE2, and of AMD's
 * SYSCALL, NX, long mode and 3DNow!. No SSE3, no XSAVE: there is one form of each of libc's functions to choose.
 */
static const struct leaf leaves[] = {
	{ 0x00000000, 0x00000001, 0x68747541, 0x444d4163, 0x69746e65 }, /* AuthenticAMD */
	{ 0x00000001, 0x00000f5a, 0x00000800, 0x00000000, 0x078bfbff },
	{ 0x80000000, 0x80000008, 0x68747541, 0x444d4163, 0x69746e65 },
	{ 0x80000001, 0x00000f5a, 0x00000000, 0x00000000, 0xe1d3fbff },
	{ 0x80000002, 0x20444d41, 0x6574704f, 0x286e6f72, 0x20296d74 }, /* AMD Opteron(tm) */
	{ 0x80000003, 0x636f7250, 0x6f737365, 0x34322072, 0x00000038 }, /* Processor 248 */
	{ 0x80000004, 0x00000000, 0x00000000, 0x00000000, 0x00000000 },
	{ 0x80000005, 0xff08ff08, 0xff20ff20, 0x40020140, 0x40020140 }, /* 64 KiB each, 2 ways, lines of 64 B */
	{ 0x80000006, 0x00000000, 0x42004200, 0x04008140, 0x00000000 }, /* 1 MiB, 16 ways, lines of 64 B */
	{ 0x80000007, 0x00000000, 0x00000000, 0x00000000, 0x00000000 },
	{ 0x80000008, 0x00003028, 0x00000000, 0x00000000, 0x00000000 }, /* 48 bits virtual, 40 physical */
};

/* Leaves that a K8 does not have read as zero. */
static void cpuid(struct uml_pt_regs *regs)
{
	static const struct leaf nothing;
	const struct leaf *found = &nothing;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(leaves); i++) {
		if (leaves[i].number == (u32)UPT_AX(regs))
			found = &leaves[i];
	}
	UPT_AX(regs) = found->eax;
	UPT_BX(regs) = found->ebx;
	UPT_CX(regs) = found->ecx;
	UPT_DX(regs) = found->edx;
}

/* Cycles of the modelled core since simulated time zero. */
static u64 cycles(void)
{
	return mul_u64_u64_div_u64(longhaul_clock_ps(), (1ULL << 24) / LH_UNITS_PER_CYCLE, longhaul_page->unit_ps_q24);
}

/* Costs what a read of the clock costs, so that a program that waits by it comes to an end. */
static void rdtsc(struct uml_pt_regs *regs)
{
	u64 now;

	longhaul_charge(LH_STATE_USER, LH_WORK_CLOCK_READ, 1);
	now = cycles();
	UPT_AX(regs) = (u32)now;
	UPT_DX(regs) = now >> 32;
}

int longhaul_emulated(struct uml_pt_regs *regs)
{
	u8 code[OPCODE_BYTES];

	if (copy_from_user(code, (const void __user *)UPT_IP(regs), sizeof(code)))
		return 0;
	if (!memcmp(code, stands_for_cpuid, sizeof(code)))
		cpuid(regs);
	else if (!memcmp(code, stands_for_rdtsc, sizeof(code)))
		rdtsc(regs);
	else
		return 0;
	UPT_IP(regs) += sizeof(code);
	return 1;
}
