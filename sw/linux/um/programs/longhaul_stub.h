/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A program's process without ptrace. The process has two mappings of its kernel's at the end of its address space: a page of
 * code, the stub (longhaul_stub_page.c), and behind it this structure and a stack. A filter of the host turns each system call of
 * the program into a signal. The stub's handler hands the turn over to the kernel, which finds the registers in the signal's
 * frame on that stack. The kernel leaves calls of the host for the stub to make, and gives the turn back.
 *
 * A program can write to all of this, so the kernel checks what it reads here and keeps what it relies on in its mm_id.
 */
#ifndef __UM_LONGHAUL_STUB_H
#define __UM_LONGHAUL_STUB_H

#include <mm_id.h>
#include <longhaul_fp_owner.h>

enum longhaul_stub_turn {
	LONGHAUL_TURN_KERNEL,
	LONGHAUL_TURN_PROGRAM, /* make the calls, then go on with the program */
	LONGHAUL_TURN_CALLS,   /* make the calls, then give the turn back */
	LONGHAUL_TURN_CLONE,   /* make a new process (the template only) */
};

struct longhaul_stub_call {
	long number;
	unsigned long arguments[6];
	long expected; /* any other answer ends the calls */
};

struct longhaul_stub {
	unsigned int turn; /* enum longhaul_stub_turn; a futex word */
	unsigned int kernel_waits; /* 0: a wake would be for nothing */
	unsigned int stub_waits;
	/* from the kernel */
	unsigned int calls;
	unsigned int loads_bases; /* the host lets programs read and write FS and GS base themselves */
	int kernel; /* its process */
	/* both ways */
	unsigned long fs_base, gs_base;
	/* from the stub */
	unsigned int failed; /* not 0: a call failed */
	int signal;
	long answer; /* of the call that failed, or the new process */
	unsigned long info, context; /* addresses in the program's address space */
	/* for a new process: its mapping of such a structure and stack */
	unsigned long bytes, offset;
	int fd;
	unsigned char data[16]; /* that a call points to */
	struct longhaul_stub_call call[];
};

/* What a kernel knows of a program's process, in the room that mm_id has for it. */
struct longhaul_process {
	struct longhaul_fp fp; /* mm_id.fp */
	struct longhaul_stub *stub;
	unsigned int calls; /* that the stub is to make */
	int ended;
};
_Static_assert(sizeof(struct longhaul_process) <= sizeof(((struct mm_id *)0)->room), "mm_id has room for it");

static inline struct longhaul_process *longhaul_process_of(const struct mm_id *id)
{
	return (struct longhaul_process *)id->room;
}

/* How programs run; longhaul_stubs_start() decides it. */
extern int longhaul_stubs; /* 1: in this way; 0: they are traced */
extern unsigned long longhaul_stub_bytes; /* of a structure and its stack */
extern unsigned int longhaul_stub_calls; /* that it has room for */
extern struct mm_id longhaul_template; /* the process that others are made from */

/* What programs' processes share with their kernel: at most so many times longhaul_stub_bytes. */
#define LONGHAUL_STUB_SLOTS 4096
void longhaul_stub_share(void *memory, unsigned long slots);

/* Makes a process without any mapping but the stub's. Its number, or an error below 0. */
int longhaul_stub_new(struct mm_id *id);
void longhaul_stub_exit(struct mm_id *id);
/* Lets the process make a call before its program goes on. Not 0: an error of this call, or of one before it. */
long longhaul_stub_call(struct mm_id *id, long number, const unsigned long *arguments, long expected);
/* The same for what arch/um has the stub of a traced program do; the answer of modify_ldt is not put off. */
long longhaul_stub_syscall(struct mm_id *id, long number, const unsigned long *arguments, long expected);
/* Makes the calls at once. */
long longhaul_stub_flush(struct mm_id *id);
/* Where the process finds data that the next call points to. */
void *longhaul_stub_data(struct mm_id *id, const void *data, unsigned long bytes);
/* Returns with the next stop of a process, whose signal it is; an error below 0: the process is gone, or not to be trusted. */
int longhaul_stub_go(struct mm_id *id, unsigned int turn);

#endif
