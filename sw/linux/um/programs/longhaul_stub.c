// SPDX-License-Identifier: GPL-2.0
/* The kernel's side of programs that run without ptrace (longhaul_stub.h): turns, calls, processes. */
#include <errno.h>
#include <linux/futex.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <as-layout.h>
#include <os.h>
#include <longhaul_os.h>
#include <longhaul_stub.h>

/* So often the kernel looks whether a process that it waits for is still there. */
#define LOOK_NS 200000000L

int longhaul_stubs;
unsigned long longhaul_stub_bytes;
unsigned int longhaul_stub_calls;
struct mm_id longhaul_template;

static void wake(struct longhaul_stub *stub)
{
	if (__atomic_load_n(&stub->stub_waits, __ATOMIC_SEQ_CST))
		syscall(__NR_futex, &stub->turn, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static void await(struct mm_id *id, unsigned int turn)
{
	const struct timespec look = { .tv_nsec = LOOK_NS };
	struct longhaul_process *process = longhaul_process_of(id);
	struct longhaul_stub *stub = process->stub;

	__atomic_store_n(&stub->kernel_waits, 1, __ATOMIC_SEQ_CST);
	while (!process->ended && __atomic_load_n(&stub->turn, __ATOMIC_SEQ_CST) == turn) {
		if (syscall(__NR_futex, &stub->turn, FUTEX_WAIT, turn, &look, NULL, 0) && errno == ETIMEDOUT)
			process->ended = waitpid(id->u.pid, NULL, WNOHANG | __WALL) != 0;
	}
	__atomic_store_n(&stub->kernel_waits, 0, __ATOMIC_SEQ_CST);
}

int longhaul_stub_go(struct mm_id *id, unsigned int turn)
{
	struct longhaul_process *process = longhaul_process_of(id);
	struct longhaul_stub *stub = process->stub;

	stub->calls = process->calls;
	stub->failed = 0;
	process->calls = 0;
	__atomic_store_n(&stub->turn, turn, __ATOMIC_SEQ_CST);
	wake(stub);
	await(id, turn);
	if (process->ended)
		return -ESRCH;
	if (stub->failed) {
		long answer = stub->answer;

		return answer < 0 && answer > -4096 ? answer : -EINVAL;
	}
	return stub->signal;
}

long longhaul_stub_flush(struct mm_id *id)
{
	int err = longhaul_stub_go(id, LONGHAUL_TURN_CALLS);

	return err < 0 ? err : 0;
}

long longhaul_stub_call(struct mm_id *id, long number, const unsigned long *arguments, long expected)
{
	struct longhaul_process *process = longhaul_process_of(id);
	struct longhaul_stub_call *next;
	long err = process->calls == longhaul_stub_calls ? longhaul_stub_flush(id) : 0;

	if (err)
		return err;
	next = &process->stub->call[process->calls++];
	next->number = number;
	memcpy(next->arguments, arguments, sizeof(next->arguments));
	next->expected = expected;
	return 0;
}

long longhaul_stub_syscall(struct mm_id *id, long number, const unsigned long *arguments, long expected)
{
	long err = longhaul_stub_call(id, number, arguments, expected);

	return err || number != __NR_modify_ldt ? err : longhaul_stub_flush(id);
}

void *longhaul_stub_data(struct mm_id *id, const void *data, unsigned long bytes)
{
	struct longhaul_stub *stub = longhaul_process_of(id)->stub;

	if (bytes > sizeof(stub->data))
		panic("longhaul: %lu bytes of data for a stub", bytes);
	memcpy(stub->data, data, bytes);
	return (void *)(STUB_DATA + offsetof(struct longhaul_stub, data));
}

static unsigned char taken[LONGHAUL_STUB_SLOTS];
static unsigned long slot_count;
static char *shared;

void longhaul_stub_share(void *memory, unsigned long slots)
{
	shared = memory;
	slot_count = slots;
}

static struct longhaul_stub *slot(unsigned long index)
{
	return (struct longhaul_stub *)(shared + index * longhaul_stub_bytes);
}

static struct longhaul_stub *take_slot(void)
{
	unsigned long i;

	for (i = 0; i < slot_count; i++) {
		if (!taken[i]) {
			taken[i] = 1;
			return slot(i);
		}
	}
	return NULL;
}

static unsigned long index_of(const struct longhaul_stub *stub)
{
	return ((const char *)stub - shared) / longhaul_stub_bytes;
}

int longhaul_stub_new(struct mm_id *id)
{
	struct longhaul_stub *template = longhaul_process_of(&longhaul_template)->stub, *stub = take_slot();
	struct longhaul_process *process = longhaul_process_of(id);
	int pid;

	*process = (struct longhaul_process){ .stub = stub };
	if (!stub)
		return -ENOMEM;
	memcpy(stub, template, longhaul_stub_bytes);
	stub->turn = LONGHAUL_TURN_KERNEL;
	stub->stub_waits = 0;
	template->bytes = longhaul_stub_bytes;
	template->offset = index_of(stub) * longhaul_stub_bytes;
	template->fd = longhaul_ram_fd;
	pid = longhaul_stub_go(&longhaul_template, LONGHAUL_TURN_CLONE);
	if (longhaul_process_of(&longhaul_template)->ended)
		panic("longhaul: the process that programs' processes are made from is gone; the host ended it");
	if (pid >= 0)
		pid = template->answer;
	if (pid < 0) {
		taken[index_of(stub)] = 0;
		printk(UM_KERN_ERR "longhaul: the host makes no process for a program (error %d)\n", -pid);
	}
	return pid;
}

void longhaul_stub_exit(struct mm_id *id)
{
	static const unsigned long arguments[6];
	struct longhaul_process *process = longhaul_process_of(id);
	struct longhaul_stub *stub = process->stub;

	if (!process->ended) {
		process->calls = 0;
		longhaul_stub_call(id, __NR_exit_group, arguments, 0);
		stub->calls = process->calls;
		stub->failed = 0;
		__atomic_store_n(&stub->turn, LONGHAUL_TURN_CALLS, __ATOMIC_SEQ_CST);
		wake(stub);
		CATCH_EINTR(waitpid(id->u.pid, NULL, __WALL));
		process->ended = 1;
	}
	taken[index_of(stub)] = 0;
}
