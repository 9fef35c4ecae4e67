/* SPDX-License-Identifier: GPL-2.0 */
/* The cost of code that runs, by state, and samples of the stack. */
#ifndef __UM_LONGHAUL_BLOCKS_H
#define __UM_LONGHAUL_BLOCKS_H

#include "longhaul_abi.h"

extern struct lh_block_table longhaul_block_table;

/*
 * What pays for a full quantum, and what takes interrupts afterwards. To be called before
 * longhaul_blocks_start().
 */
void longhaul_on_full_quantum(void (*exchange)(lh_u32 op), void (*deliver)(void));
/* Not 0: the table is not of this kernel. */
int longhaul_blocks_start(void);
enum lh_state longhaul_state(void);
/* Books what ran since the last call on the state that it ran in; returns that state. */
enum lh_state longhaul_enter_state(enum lh_state next);
/* Units of LH_WORK_EXECUTED that are not in an exchange yet, in picoseconds. */
unsigned long long longhaul_executed_ps(void);
/* Books what ran; called before each exchange. */
void longhaul_book_executed(void);
/* Makes the next basic block pay for what has piled up. */
void longhaul_pay_at_next_block(void);
/*
 * Lets the uncounted site at an address count as the block of a number in the table; 0: there is
 * no such site.
 */
int longhaul_start_site(unsigned long address, unsigned long index);
/* Stacks are followed into this code, too. */
void longhaul_add_text(const void *begin, unsigned long bytes);
void longhaul_remove_text(const void *begin);
/* Samples the stack if `ps` more of this kind make a sample period full. */
void longhaul_sample(enum lh_sample_kind kind, unsigned long long ps);

#endif
