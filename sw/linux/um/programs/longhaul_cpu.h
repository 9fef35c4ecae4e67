/* SPDX-License-Identifier: GPL-2.0 */
/* The processor that programs see. */
#ifndef __UM_LONGHAUL_CPU_H
#define __UM_LONGHAUL_CPU_H

/* For /proc/cpuinfo: names of its features as UML finds them in the host's. */
#define LONGHAUL_CPU_FLAGS \
	"fpu vme de pse tsc msr pae mce cx8 apic sep mtrr pge mca cmov pat pse36 clflush mmx fxsr " \
	"sse sse2 syscall nx mmxext lm 3dnowext 3dnow"

struct uml_pt_regs;

/* Does what the instruction that raised SIGILL stands for; 0: it stands for nothing. */
int longhaul_emulated(struct uml_pt_regs *regs);

#endif
