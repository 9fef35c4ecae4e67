// SPDX-License-Identifier: GPL-2.0
/*
 * The cost of code that runs. Every basic block of the kernel holds a site (asm/longhaul_block.h) that counts the block, looks
 * it up in the instruction cache and pays its cost on the modelled core. When a quantum is full the work is paid for, and when
 * a sample period is full the stack is sampled.
 */
#include <linux/errno.h>
#include <linux/irqflags.h>
#include <linux/minmax.h>
#include <linux/cache.h>
#include <linux/export.h>
#include <linux/math64.h>
#include <linux/string.h>
#include <asm/sections.h>
#include <asm/thread_info.h>
#include <kern_util.h>
#include <longhaul_blocks.h>
#include <longhaul_os.h>

#define Q24 24
/* Never so long that a sum of units times unit_ps_q24 could overflow, or longhaul_left. */
#define MOST_UNITS (1ULL << 24)

/* What every site touches. */
int longhaul_left ____cacheline_aligned; /* units until there is something to do */
EXPORT_SYMBOL(longhaul_left);
/* The instruction cache: of each set the younger line, then of each set the older one. A block is fetched where it begins;
 * what follows is prefetched. */
unsigned int longhaul_lines[2 * LH_FETCH_SETS] ____cacheline_aligned;
EXPORT_SYMBOL(longhaul_lines);
/* The simulator's table is mapped here. */
struct lh_block_table longhaul_block_table __aligned(LH_BLOCK_TABLE_ALIGN);
/* What sites count in that no table knows; several, so that they do not wait for each other. */
unsigned long longhaul_uncounted[64];
EXPORT_SYMBOL(longhaul_uncounted);

/* The bytes of a site: instructions, with what is written into them. Displacements count from their instruction's end. */
struct site {
	u8 incq[3];
	s32 runs; /* to the block's count */
	u8 cmpl[2];
	s32 younger; /* to its set's younger line */
	u32 line;
	u8 jne[2];
	s32 fetch;
	u8 subl[2];
	s32 left;
	u32 cost; /* in units */
	u8 js[2];
	s32 due;
} __packed;

void longhaul_block_slow(const struct site *site);

static unsigned int miss_units; /* what the core waits for a line that is not in the instruction cache */
static unsigned long long due_at;   /* units since boot at which longhaul_left is 0 */
static unsigned long long booked;   /* of what was spent: handed to the page */
static unsigned long long on_state; /* of what was spent: booked on a state */
static enum lh_state state = LH_STATE_SYSTEM;
static unsigned long long quantum_units, quantum_end;
static unsigned long long sample_units, sample_due = ~0ULL;
static unsigned long long sample_debt_ps[LH_SAMPLES];
static bool busy, pay_now;
static void (*exchange_due)(lh_u32 op);
static void (*deliver_due)(void);
static unsigned int set_mask; /* of a line's number: its set */

/* Text of modules, beside the kernel's own. */
#define TEXTS 128
static struct text {
	unsigned long begin, bytes;
} texts[TEXTS];

/* Units since boot. */
static unsigned long long spent(void)
{
	return due_at - longhaul_left;
}

static void be_due_at(unsigned long long units)
{
	longhaul_left += units - due_at;
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

void longhaul_on_full_quantum(void (*exchange)(lh_u32 op), void (*deliver)(void))
{
	exchange_due = exchange;
	deliver_due = deliver;
}

void longhaul_pay_at_next_block(void)
{
	pay_now = true;
	be_due_at(spent());
}

/* What a displacement in a site leads to; `next` is the instruction behind it. */
static void *target(const void *next, s32 displacement)
{
	return (void *)next + displacement;
}

static s32 displacement(const void *next, const void *target)
{
	return target - next;
}

/*
 * The code behind a function that its sites jump to is named by another symbol, or by none: for a return address in there, the
 * address of the site.
 */
static unsigned long in_function(unsigned long pc)
{
	const u8 *call = (const u8 *)pc - 5, *lea = call - 7;

	if (call[0] != 0xe8 || target(call + 5, *(const s32 *)(call + 1)) != longhaul_block_slow)
		return pc;
	return (unsigned long)target(lea + 7, *(const s32 *)(lea + 3));
}

/* A module that finds no place here is counted like all others, but no stack is followed into it. */
void longhaul_add_text(const void *begin, unsigned long bytes)
{
	unsigned int i;

	for (i = 0; i < TEXTS; i++) {
		if (texts[i].bytes)
			continue;
		texts[i] = (struct text){ .begin = (unsigned long)begin, .bytes = bytes };
		return;
	}
}

void longhaul_remove_text(const void *begin)
{
	unsigned int i;

	for (i = 0; i < TEXTS; i++) {
		if (texts[i].begin == (unsigned long)begin)
			texts[i].bytes = 0;
	}
}

static bool is_text(unsigned long pc)
{
	unsigned int i;

	if (pc - (unsigned long)_text < _end - _text)
		return true;
	for (i = 0; i < TEXTS; i++) {
		if (pc - texts[i].begin < texts[i].bytes)
			return true;
	}
	return false;
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
		if (!is_text(frame[1]))
			break;
		pcs[depth++] = in_function(frame[1]);
		if (frame[0] <= here)
			break;
		frame = (unsigned long *)frame[0];
	}
	return depth;
}

static void sample(enum lh_sample_kind kind, unsigned long long weight)
{
	struct lh_page *page = longhaul_page;
	unsigned long long *record = &page->sample[page->sample_words];
	unsigned int depth;

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
	exchange_due(LH_OP_SYNC);
	busy = false;
	if (!irqs_disabled())
		deliver_due();
}

/*
 * A block's line was not the younger one of its set, or something is due after its cost. Called in the block's place of a hook,
 * from code behind its function.
 */
void longhaul_block_slow(const struct site *site)
{
	unsigned int *younger = target(site->jne, site->younger);
	unsigned int *older = younger + LH_FETCH_SETS;

	if (*younger != site->line) {
		if (*older != site->line) {
			const lh_u64 *runs = target(site->cmpl, site->runs);

			longhaul_left -= miss_units;
			longhaul_block_table.misses[runs - longhaul_block_table.runs]++;
		}
		*older = *younger;
		*younger = site->line;
		longhaul_left -= site->cost;
	}
	if (longhaul_left < 0)
		due();
}
EXPORT_SYMBOL(longhaul_block_slow);

static bool is_uncounted(const struct site *site)
{
	const unsigned long *count = target(site->cmpl, site->runs);

	return !memcmp(site->incq, "\x48\xff\x05", sizeof(site->incq)) && count >= longhaul_uncounted &&
	       count < longhaul_uncounted + ARRAY_SIZE(longhaul_uncounted);
}

int longhaul_start_site(unsigned long address, unsigned long index)
{
	const struct lh_block *block = &longhaul_block_table.block[index];
	struct site *site = (struct site *)address;

	if (index >= LH_BLOCKS_MOST || !is_uncounted(site))
		return 0;
	site->runs = displacement(site->cmpl, &longhaul_block_table.runs[index]);
	site->younger = displacement(site->jne, &longhaul_lines[block->line & set_mask]);
	site->line = block->line;
	site->cost = block->cost;
	return 1;
}

/*
 * Called when the page is there and the table is mapped over longhaul_block_table, and the text can be written; long before there is
 * a second process or an interrupt.
 */
int longhaul_blocks_start(void)
{
	const struct lh_page *page = longhaul_page;
	unsigned long i;

	set_mask = page->fetch_sets ? page->fetch_sets - 1 : 0;
	if (page->fetch_sets > LH_FETCH_SETS || page->block_count > LH_BLOCKS_MOST)
		return -EINVAL;
	/* The loop's own blocks count as soon as they are written; without a quantum each would be an exchange. */
	quantum_units = min((page->quantum_ps << Q24) / page->unit_ps_q24 + 1, MOST_UNITS);
	for (i = 0; i < page->block_count; i++) {
		const char *site = (const char *)page->block_base + longhaul_block_table.block[i].offset;

		if (site < _text || site + sizeof(struct site) > _end || !longhaul_start_site((unsigned long)site, i))
			return -EINVAL;
	}
	miss_units = page->fetch_miss_units;
	if (page->sample_ps) {
		sample_units = max((page->sample_ps << Q24) / page->unit_ps_q24, 1ULL);
		sample_due = sample_units;
	}
	return 0;
}
