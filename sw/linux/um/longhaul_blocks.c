// SPDX-License-Identifier: GPL-2.0
/*
 * The cost of code that runs. The compiler makes every basic block of the kernel call the hook below; a table made from the
 * kernel's disassembly says what the block costs on the modelled core, and counts how often it ran. When a quantum is
 * full the work is paid for, and when a sample period is full the stack is sampled.
 */
#include <linux/irqflags.h>
#include <linux/minmax.h>
#include <linux/cache.h>
#include <linux/export.h>
#include <linux/math64.h>
#include <asm/thread_info.h>
#include <kern_util.h>
#include <longhaul.h>

#define COST_MASK ((1U << LH_BLOCK_COST_BITS) - 1)
#define ONE_RUN (1U << LH_BLOCK_COST_BITS)
#define Q24 24
/* Never so long that a sum of units times unit_ps_q24 could overflow. */
#define MOST_UNITS (1ULL << 24)

/* What every block touches, together in one line of the host's cache. */
static struct {
	unsigned int *table;
	unsigned long base;
	unsigned long cells; /* of text; 0 until the table is there: nothing is counted */
	long left; /* units until there is something to do */
	unsigned int line_shift;
	unsigned int set_mask;
	unsigned int miss_units; /* of an instruction fetch */
} hook ____cacheline_aligned;

/*
 * The instruction cache: two lines for each set, the younger one in the low half. A block is fetched where it begins; what
 * follows is prefetched.
 */
static unsigned long long fetched[LH_FETCH_SETS];

static unsigned long long due_at;   /* units since boot at which hook.left is 0 */
static unsigned long long booked;   /* of what was spent: handed to the page */
static unsigned long long on_state; /* of what was spent: booked on a state */
static enum lh_state state = LH_STATE_SYSTEM;
static unsigned long long quantum_units, quantum_end;
static unsigned long long sample_units, sample_due = ~0ULL;
static unsigned long long sample_debt_ps[LH_SAMPLES];
static bool busy, pay_now;

/* Units since boot. */
static unsigned long long spent(void)
{
	return due_at - hook.left;
}

static void be_due_at(unsigned long long units)
{
	hook.left += units - due_at;
	due_at = units;
}

static void set_due(void)
{
	be_due_at(min(quantum_end, sample_due));
}

enum lh_state longhaul_state(void)
{
	return state;
}

static void book_on_state(void)
{
	longhaul_page->work[state][LH_WORK_EXECUTED] += spent() - on_state;
	on_state = spent();
}

enum lh_state longhaul_enter_state(enum lh_state next)
{
	enum lh_state before = state;

	book_on_state();
	state = next;
	return before;
}

unsigned long long longhaul_executed_ps(void)
{
	return ((spent() - booked) * longhaul_page->unit_ps_q24) >> Q24;
}

void longhaul_book_executed(void)
{
	longhaul_page->ahead_ps += longhaul_executed_ps();
	book_on_state();
	booked = spent();
	/* After the exchange that this is for, a whole quantum is free. */
	quantum_end = spent() + quantum_units;
	set_due();
}

void longhaul_pay_at_next_block(void)
{
	pay_now = true;
	be_due_at(spent());
}

/* Walks frame pointers as long as they stay inside the current stack, which is THREAD_SIZE aligned, and rise. */
static unsigned int walk(unsigned long long *pcs, unsigned int most)
{
	unsigned long *frame = __builtin_frame_address(0);
	unsigned long bottom = (unsigned long)frame & ~(THREAD_SIZE - 1);
	unsigned int depth = 0;

	while (depth < most) {
		unsigned long here = (unsigned long)frame;

		if (here < bottom || here > bottom + THREAD_SIZE - 2 * sizeof(*frame) || here % sizeof(*frame))
			break;
		if ((frame[1] - hook.base) >> LH_BLOCK_SHIFT >= hook.cells)
			break;
		pcs[depth++] = frame[1];
		if (frame[0] <= here)
			break;
		frame = (unsigned long *)frame[0];
	}
	return depth;
}

static void sample(enum lh_sample_kind kind, unsigned long long weight)
{
	struct lh_page *page = longhaul_page;
	unsigned int depth;
	unsigned long long *record = &page->sample[page->sample_words];

	/* The simulator empties the page at each exchange; what does not fit until then is lost, and with it no time. */
	if (page->sample_words + 1 + LH_SAMPLE_DEPTH > LH_SAMPLE_WORDS)
		return;
	depth = walk(record + 1, LH_SAMPLE_DEPTH);
	record[0] = kind | (unsigned long long)state << 8 | (unsigned long long)depth << 16 | weight << 32;
	page->sample_words += 1 + depth;
}

void longhaul_sample(enum lh_sample_kind kind, unsigned long long ps)
{
	unsigned long long period_ps = longhaul_page->sample_ps;
	unsigned long long weight;

	if (!period_ps)
		return;
	sample_debt_ps[kind] += ps;
	if (sample_debt_ps[kind] < period_ps)
		return;
	weight = div64_u64(sample_debt_ps[kind], period_ps);
	sample_debt_ps[kind] -= weight * period_ps;
	sample(kind, weight);
}

/*
 * Something is due. Paying is harmless anywhere; interrupts are taken only where they are enabled. The code below may run
 * instrumented code (a handler), which may come back here.
 */
static noinline void due(void)
{
	bool pay = pay_now || spent() >= quantum_end;

	if (spent() >= sample_due) {
		sample(LH_SAMPLE_CODE, 1);
		sample_due = spent() + sample_units;
	}
	pay_now = false;
	set_due();
	if (!pay || busy)
		return;
	busy = true;
	longhaul_exchange(LH_OP_SYNC);
	busy = false;
	if (!irqs_disabled())
		longhaul_deliver_interrupts();
}

/*
 * The work of a hook. A return address in the first plane's cells names the block; blocks of one cell differ in their planes,
 * which platform/python/longhaul/kernel_blocks.py gave them by the hooks that they call.
 */
static __always_inline void ran(unsigned long pc, unsigned int plane)
{
	unsigned long cell = (pc - hook.base) >> LH_BLOCK_SHIFT;
	unsigned int *entry, line, cost;
	unsigned long long *set, lines;

	if (unlikely(cell >= hook.cells))
		return;
	entry = hook.table + cell + plane * hook.cells;
	cost = *entry & COST_MASK;
	if (unlikely(__builtin_add_overflow(*entry, ONE_RUN, entry)))
		entry[LH_BLOCK_PLANES * hook.cells]++;
	line = pc >> hook.line_shift;
	set = &fetched[line & hook.set_mask];
	lines = *set;
	if ((unsigned int)lines != line) {
		if (lines >> 32 != line) {
			cost += hook.miss_units;
			entry[2 * LH_BLOCK_PLANES * hook.cells]++;
		}
		*set = lines << 32 | line;
	}
	hook.left -= cost;
	if (unlikely(hook.left <= 0))
		due();
}

/* They run at every block: without frames of their own, and going on to due() so that its frame names the block. */
#define HOOK(name, plane) \
	void name(void); \
	__attribute__((optimize("omit-frame-pointer", "optimize-sibling-calls"))) void name(void) \
	{ \
		ran((unsigned long)__builtin_return_address(0), plane); \
	}

HOOK(__sanitizer_cov_trace_pc, 0)
HOOK(longhaul_trace_pc_1, 1)
HOOK(longhaul_trace_pc_2, 2)
HOOK(longhaul_trace_pc_3, 3)
EXPORT_SYMBOL(__sanitizer_cov_trace_pc);

/* Called when the page and the table are there, long before there is a second process or an interrupt. */
void longhaul_blocks_start(void)
{
	const struct lh_page *page = longhaul_page;

	quantum_units = min((page->quantum_ps << Q24) / page->unit_ps_q24 + 1, MOST_UNITS);
	if (page->sample_ps) {
		sample_units = max((page->sample_ps << Q24) / page->unit_ps_q24, 1ULL);
		sample_due = sample_units;
	}
	if (page->fetch_sets && page->fetch_sets <= LH_FETCH_SETS) {
		hook.line_shift = page->fetch_line_shift;
		hook.set_mask = page->fetch_sets - 1;
		hook.miss_units = page->fetch_miss_units;
	}
	hook.table = longhaul_block_table;
	hook.base = page->block_base;
	hook.cells = page->block_cells;
}
