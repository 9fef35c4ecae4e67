// SPDX-License-Identifier: GPL-2.0
/* The frame of the signal that stopped a program (longhaul_stub.h), and the FP registers in it. */
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/ucontext.h>
#include <as-layout.h>
#include <ptrace_user.h>
#include <longhaul_stub.h>
#include <longhaul_stub_frame.h>

/* A signal's frame is where the stub says, if that is within its stack. */
void *longhaul_stub_seen(const struct mm_id *id, unsigned long address, unsigned long bytes)
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
	const ucontext_t *context = longhaul_stub_seen(id, stub->context, offsetof(ucontext_t, __fpregs_mem));
	const struct _fpx_sw_bytes *software;
	unsigned char *fp;

	if (!context)
		return NULL;
	fp = longhaul_stub_seen(id, (unsigned long)context->uc_mcontext.fpregs, LEGACY_BYTES);
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
