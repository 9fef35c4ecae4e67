// SPDX-License-Identifier: GPL-2.0
/* The SGE as a whole: memory of its queues, set-up, start, stop, hold-off. */
#include <linux/delay.h>

#include "t110.h"

#define SMALL_FRAME	1536	/* payload of a buffer of free list 0 */
#define DRAIN_TRIES	50	/* of a millisecond each */

static const struct {
	u16 base;
	u16 size;
} cmdq_regs[SGE_CMDQS] = {
	{ SG_CMD0_BASE, SG_CMD0_SIZE },
	{ SG_CMD1_BASE, SG_CMD1_SIZE },
}, fl_regs[SGE_FREELISTS] = {
	{ SG_FL0_BASE, SG_FL0_SIZE },
	{ SG_FL1_BASE, SG_FL1_SIZE },
};

/* The caller writes the flags, whose generation makes the entry valid, and orders the writes. */
void sge_put_entry(struct sge_entry *entry, dma_addr_t address, u32 length, bool generation)
{
	entry->address_low = cpu_to_le32(lower_32_bits(address));
	entry->address_high = cpu_to_le32(upper_32_bits(address));
	entry->length_gen = cpu_to_le32(length | (generation ? SGE_ENTRY_GEN1 : 0));
}

void sge_ring(struct t110 *chip, u32 bells)
{
	t110_write(chip, SG_DOORBELL, bells);
}

void sge_set_hold_off(struct t110 *chip, unsigned int usecs)
{
	t110_write(chip, SG_INTRTIMER, usecs * T110_CORE_MHZ);
}

/* Sizes that the queues get with the next start */
void sge_set_entries(struct t110 *chip, unsigned int tx, unsigned int rx, unsigned int rx_jumbo)
{
	chip->sge.cmdq_entries = tx;
	chip->sge.fl_entries[0] = rx;
	chip->sge.fl_entries[1] = rx_jumbo;
}

void sge_init(struct t110 *chip)
{
	sge_set_entries(chip, SGE_CMDQ0_ENTRIES, SGE_FL0_ENTRIES, SGE_FL1_ENTRIES);
	sge_tx_init(chip);
	sge_rx_init(chip);
}

int sge_alloc(struct t110 *chip)
{
	int err = sge_tx_alloc(chip);

	if (err)
		return err;
	err = sge_rx_alloc(chip);
	if (err)
		sge_tx_free(chip);
	return err;
}

void sge_free(struct t110 *chip)
{
	sge_rx_free(chip);
	sge_tx_free(chip);
}

/* A write of a queue's size sets the chip back to entry 0 and generation 1. */
static void set_queue(struct t110 *chip, u16 base, u16 size, dma_addr_t address, u32 entries)
{
	t110_write(chip, base, lower_32_bits(address));
	t110_write(chip, base + 4, upper_32_bits(address));
	t110_write(chip, size, entries);
}

/* Hand the queues to the chip. Interrupts and MAC are still off. */
void sge_start(struct t110 *chip)
{
	struct sge *sge = &chip->sge;
	u32 control = SG_CONTROL_CMDQ0 | SG_CONTROL_CMDQ1 | SG_CONTROL_FL0 | SG_CONTROL_FL1 |
		      SG_CONTROL_CPL | SG_CONTROL_RESPQ | SG_CONTROL_ISCSI_COALESCE |
		      FIELD_PREP(SG_CONTROL_CMDQ_PRIORITY, 2);
	int i;

	t110_write(chip, SG_CONTROL, 0);
	for (i = 0; i < SGE_CMDQS; i++)
		set_queue(chip, cmdq_regs[i].base, cmdq_regs[i].size, sge->cmdq[i].address,
			  sge->cmdq[i].size);
	for (i = 0; i < SGE_FREELISTS; i++)
		set_queue(chip, fl_regs[i].base, fl_regs[i].size, sge->fl[i].address,
			  sge->fl[i].size);
	set_queue(chip, SG_RSP_BASE, SG_RSP_SIZE, sge->respq.address, sge->respq.size);
	/* The chip compares with <, and without the message's header. */
	t110_write(chip, SG_FLTHRESHOLD, SMALL_FRAME + 1);
	t110_write(chip, SG_RSPQUEUECREDIT, sge->respq.size - 1);
	sge_set_hold_off(chip, chip->usecs);
	t110_write(chip, SG_CONTROL, control);
	wmb();	/* buffers are in the free lists before the chip looks there */
	sge_ring(chip, SGE_FL_BELLS);
	t110_read(chip, SG_CONTROL);
}

/*
 * Wait until the chip has sent what it has, while MAC and poll still run. A chip that does not
 * finish needs a reset: it would tell later of entries of these queues.
 */
void sge_drain(struct t110 *chip)
{
	int i;

	for (i = 0; i < DRAIN_TRIES && !sge_tx_is_drained(chip); i++)
		usleep_range(1000, 1100);
	if (i == DRAIN_TRIES)
		chip->chip_reset = true;
	usleep_range(200, 300);	/* what the chip has read leaves: 32 KB at most */
}

/* Take the queues from the chip. The MAC is off, and the poll takes received frames. */
void sge_stop(struct t110 *chip)
{
	usleep_range(1000, 1100);	/* 80 KB at most, in the FIFOs of MAC, ESPI and SGE */
	t110_write(chip, SG_CONTROL, 0);
	t110_read(chip, SG_CONTROL);
}
