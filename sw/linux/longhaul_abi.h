/* SPDX-License-Identifier: GPL-2.0 OR Apache-2.0 */
/*
 * The page that a guest kernel shares with the simulator, and the protocol on it.
 *
 * A guest is a coroutine of the simulation: at any moment either the guest runs or the simulator does, and `turn` says
 * which. The guest does one thing with the outside world, the exchange: it fills in a request, gives the turn to the
 * simulator and sleeps until it gets it back; by then simulated time has moved to now_ps and the answer is in the page.
 * Because only one side runs, nothing here needs a lock.
 *
 * The file is included by the guest kernel (C) and by the simulator (C++); it uses fixed-width types only.
 */
#ifndef LONGHAUL_ABI_H
#define LONGHAUL_ABI_H

typedef __UINT32_TYPE__ lh_u32;
typedef unsigned long long lh_u64;

#define LH_ABI_MAGIC 0x4c6e6748u
#define LH_ABI_VERSION 8u

/* Whose turn it is; a futex word. */
#define LH_TURN_SIMULATOR 0u
#define LH_TURN_GUEST 1u

/* With this exit code a guest's process ends when its kernel restarts; with 0 when it powers off. */
#define LH_EXIT_RESTART 77

/* Requests. Before it answers any of them, the simulator lets pass the time that the work done since the last one takes. */
enum lh_op {
	LH_OP_ATTACH = 1, /* first exchange of a guest: size = LH_ABI_VERSION */
	LH_OP_SYNC,       /* nothing else: pay for the work */
	LH_OP_ELAPSE,     /* spend time in state `size` until deadline_ps; LH_FLAG_INTERRUPTIBLE: answer early on an interrupt */
	LH_OP_IDLE,       /* sleep until an interrupt is pending or the timer is due */
	LH_OP_READ,       /* bus read: address, size 1, 2, 4 or 8; answer in data */
	LH_OP_WRITE,      /* bus write: address, size, data; answered when the write is posted */
	LH_OP_MEMORY,     /* the guest has settled its memory: ram_begin is set, and from now on holds for devices */
	LH_OP_MESSAGE,    /* text for the simulator: flags = enum lh_message, size = bytes in message[] */
	LH_OP_BLOCKS,     /* blocks of a module: size records in message[]; answer: index of the first in data, or LH_NO_ROOM */
};

#define LH_FLAG_INTERRUPTIBLE 1u

enum lh_message {
	LH_MESSAGE_PHASE = 1, /* one line, see docs/interfaces.md */
	LH_MESSAGE_REPORT,    /* "@NAME\n" and bytes to append to the report file NAME */
	LH_MESSAGE_PANIC,     /* the kernel's last words */
	LH_MESSAGE_SYMBOLS,   /* functions of a module, a line each: "ADDRESS NAME", the address in hexadecimal */
};

/* Accounting states of a core that only the guest can tell apart. */
enum lh_state { LH_STATE_USER, LH_STATE_SYSTEM, LH_STATE_SOFTIRQ, LH_STATE_HARDIRQ, LH_STATES };

/* Kinds of work that a guest counts. */
enum lh_work {
	LH_WORK_DELAY_PS,         /* explicit delays (udelay), in picoseconds */
	LH_WORK_EXECUTED,         /* code that ran: the costs of its basic blocks, in 1/64 cycles */
	LH_WORK_USER_SYSCALL,     /* user-space work between two system calls */
	LH_WORK_SYSCALL,          /* a system call */
	LH_WORK_BYTE_COPIED,      /* bytes between user and kernel memory */
	LH_WORK_BYTE_CHECKSUMMED, /* bytes summed by the CPU because the adapter did not */
	LH_WORK_PACKET_TX,        /* packets handed to a driver */
	LH_WORK_PACKET_RX,        /* packets that a driver hands up */
	LH_WORK_NAPI_POLL,        /* polls of a NAPI context */
	LH_WORK_INTERRUPT,        /* interrupt handlers entered */
	LH_WORK_SWITCH,           /* context switches */
	LH_WORK_CLOCK_READ,       /* reads of the clock source */
	LH_WORKS
};

/*
 * Memory that the CPU touched in bulk: which lines of it are cached is the simulator's business. Addresses are physical.
 * A copy's cost without any miss is in the work counters already.
 */
enum lh_memory_kind {
	LH_MEMORY_COPY = 1, /* source to target */
	LH_MEMORY_READ,     /* source: headers of a received packet, bytes that are summed */
	LH_MEMORY_WRITE,    /* target: bytes that are cleared */
	LH_MEMORY_POLL,     /* the descriptors that adapters have written back since the last poll */
};

struct lh_memory_op {
	lh_u64 source;
	lh_u64 target;
	lh_u32 bytes;
	lh_u32 kind_and_state; /* enum lh_memory_kind | enum lh_state << 8 */
};

#define LH_MEMORY_OPS 256u

/*
 * The block table, a file of its own. At a basic block's address in the kernel's text, block_base + offset, is its site: the
 * instructions that count it (sw/linux/um/cost/longhaul_block.h). The simulator says what it costs
 * and in which line of the instruction cache it begins; the kernel writes both into the site when
 * it starts, and then counts.
 */
#define LH_BLOCKS_MOST (1u << 18)
#define LH_BLOCK_TABLE_ALIGN 4096 /* of the kernel's room for it: a page */

struct lh_block {
	lh_u32 offset; /* of its site; a module's blocks have none */
	lh_u32 cost; /* in 1/64 cycles */
	lh_u32 line; /* its number; a set is line modulo fetch_sets */
};

struct lh_block_table {
	lh_u64 runs[LH_BLOCKS_MOST];
	lh_u64 misses[LH_BLOCKS_MOST]; /* runs whose line was not in the instruction cache */
	struct lh_block block[LH_BLOCKS_MOST];
};

/*
 * Blocks of a module, which is loaded while the guest runs: their operations are in the module's own file
 * (longhaul.guest.module_blocks). The kernel hands them over, and the simulator appends their costs to the table.
 */
#define LH_OP_CLASSES 16u

struct lh_module_block {
	lh_u64 address; /* of its site */
	lh_u64 place;   /* where it would begin if there were no sites */
	unsigned char ops[LH_OP_CLASSES]; /* its operations by class */
};

#define LH_NO_ROOM (~(lh_u64)0)

#define LH_UNITS_PER_CYCLE 64u

#define LH_FETCH_SETS 2048u

/*
 * Stack samples, one after another in samples[]: a word {kind : 8, state : 8, depth : 16, weight : 32} from bit 0 up, then
 * `depth` text addresses, innermost first. A sample stands for weight * sample_ps of time.
 */
enum lh_sample_kind {
	LH_SAMPLE_CODE, /* executed code */
	LH_SAMPLE_WORK, /* what code does not show: copies, checksums, entries, delays */
	LH_SAMPLE_MMIO, /* the core stood still for a bus access */
	LH_SAMPLE_COLD, /* the core waited for lines that were not in its cache */
	LH_SAMPLES
};

#define LH_SAMPLE_WORDS 4096u
#define LH_SAMPLE_DEPTH 48u

#define LH_MESSAGE_BYTES 4096
#define LH_NO_DEADLINE (~(lh_u64)0)
#define LH_PCI_SLOTS 32u

/* Physical addresses that the guest knows (docs/interfaces.md). */
#define LH_PCI_CONFIG_BASE 0xeff00000u
#define LH_PCI_CONFIG_BYTES 0x1000u /* per slot */
#define LH_PCI_FUNCTION_BYTES 0x100u /* of a slot's, per function */
#define LH_PCI_IO_BASE 0xeff80000u /* I/O ports 0 and up */
#define LH_PCI_IO_BYTES 0x10000u
#define LH_PCI_IO_FIRST 0x1000u /* the first port that devices get */
#define LH_PCI_MEMORY_BASE 0xf0000000u
#define LH_PCI_MEMORY_BYTES 0x0ec00000u
#define LH_PCI_HIGH_BASE 0x10000000000ull /* 64-bit BARs */
#define LH_PCI_HIGH_BYTES 0x100000000ull
#define LH_MSI_BASE 0xfee00000u

/* How a guest's kernel runs programs. No result depends on it. */
enum lh_programs {
	LH_PROGRAMS_ANY,     /* as the host allows */
	LH_PROGRAMS_PTRACE,
	LH_PROGRAMS_SECCOMP,
};

struct lh_page {
	/* set by the simulator before the guest starts */
	lh_u32 magic;
	lh_u32 version;
	lh_u64 seed;         /* of the guest's random numbers */
	lh_u64 time_of_day_ns; /* wall clock at simulated time zero */
	lh_u64 quantum_ps;   /* longest stretch of work that may stay unpaid */
	lh_u64 cost_ps[LH_WORKS]; /* what a unit of work costs at least: the guest's clock between exchanges */
	lh_u64 unit_ps_q24; /* LH_WORK_EXECUTED: picoseconds per unit * 2^24, rounded down */
	lh_u64 block_base;  /* address that the block table's offsets count from */
	lh_u64 block_count; /* in the block table, the kernel's own; 0: there is none, code that runs costs nothing */
	lh_u64 sample_ps;   /* one stack sample for so much time; 0: none */
	lh_u32 fetch_sets;  /* of the instruction cache: sets of two lines, a power of two up to LH_FETCH_SETS; 0: all hit */
	lh_u32 fetch_miss_units; /* what a miss costs, in 1/64 cycles */
	lh_u32 pci_high; /* whether a device has a 64-bit BAR: else the kernel has no window for them, and boots as it would without */

	lh_u32 turn;
	/* request */
	lh_u32 op;
	lh_u32 size;
	lh_u32 flags;
	lh_u64 address;
	lh_u64 data; /* also answer */
	lh_u64 deadline_ps;
	lh_u64 timer_ps; /* when the guest's timer is due; LH_NO_DEADLINE: it is off */
	lh_u32 intx_unmasked; /* bit per slot: the guest would take its INTx */
	lh_u32 programs; /* enum lh_programs: set before the guest starts to what it shall use, then by the guest to what it uses */
	lh_u64 ahead_ps; /* how far the guest's clock is ahead of now_ps */
	lh_u64 work[LH_STATES][LH_WORKS]; /* counts since boot */
	lh_u32 memory_ops;   /* in memory_op[]; the simulator sets it to 0 */
	lh_u32 sample_words; /* in sample[]; the simulator sets it to 0 */
	/*
	 * First physical address that a device can reach. Below lies the kernel's image, which is in the memory of its process and
	 * not in the shared RAM: what a device read or wrote there would not be what the guest sees.
	 */
	lh_u64 ram_begin;

	/* answer */
	lh_u64 now_ps;       /* never less than the now_ps + ahead_ps that came with the request */
	lh_u32 intx_level;   /* bit per slot: its INTA# is asserted */
	lh_u32 msi_pending;  /* bit per vector: set by the simulator, cleared by the guest when it takes the interrupt */
	lh_u64 waited_ps;    /* of the time that passed, what the core waited for memory */

	struct lh_memory_op memory_op[LH_MEMORY_OPS];
	lh_u64 sample[LH_SAMPLE_WORDS];
	char message[LH_MESSAGE_BYTES];
};

#endif
