/* SPDX-License-Identifier: GPL-2.0 */
/* Writes a filter of the host's system calls and puts it in force. A file that includes this has one filter. */
#ifndef __UM_LONGHAUL_FILTER_H
#define __UM_LONGHAUL_FILTER_H

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ARGUMENT(n) (offsetof(struct seccomp_data, args) + 8 * (n)) /* its lower half */
#define ARGUMENT_UPPER(n) (ARGUMENT(n) + 4)

static struct sock_filter program[160];
static unsigned short length;

static void add(unsigned short code, unsigned char if_true, unsigned char if_false, unsigned int value)
{
	program[length++] = (struct sock_filter){ code, if_true, if_false, value };
}

static void load(unsigned int offset)
{
	add(BPF_LD | BPF_W | BPF_ABS, 0, 0, offset);
}

static void allow(void)
{
	add(BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW);
}

static void deny(void)
{
	add(BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | EPERM);
}

/* Confines the calling process to what was written. Returns 0, or the number of the error with which the host refuses it. */
static int confine(void)
{
	struct sock_fprog whole = { length, program };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return errno;
	/* Hosts before Linux 5.16 take a filter for a reason to slow a process down against attacks on its own secrets. */
	if (!syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &whole))
		return 0;
	return syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, 0, &whole) ? errno : 0;
}

#endif
