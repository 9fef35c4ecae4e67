// SPDX-License-Identifier: GPL-2.0
/*
 * What the chip must be told even when there is no memory for a message.
 *
 * A tid is the chip's until it has been aborted, or until its own abort has been answered. If such
 * a message finds no memory, the tid's bit is set here, and a work item sends the message later.
 * Data, closes and credits that find no memory mark their connection (needs_retry).
 */
#include "t110.h"
#include "toe.h"

int toe_owed_init(struct toe *toe)
{
	toe->owed_aborts = bitmap_zalloc(TOE_MAX_TIDS, GFP_KERNEL);
	toe->owed_replies = bitmap_zalloc(TOE_MAX_TIDS, GFP_KERNEL);
	if (toe->owed_aborts && toe->owed_replies)
		return 0;
	toe_owed_exit(toe);
	return -ENOMEM;
}

void toe_owed_exit(struct toe *toe)
{
	bitmap_free(toe->owed_aborts);
	bitmap_free(toe->owed_replies);
	toe->owed_aborts = NULL;
	toe->owed_replies = NULL;
}

/* The chip has forgotten all connections. */
void toe_owed_forget(struct toe *toe)
{
	bitmap_zero(toe->owed_aborts, TOE_MAX_TIDS);
	bitmap_zero(toe->owed_replies, TOE_MAX_TIDS);
}

void toe_retry_later(struct t110 *chip)
{
	if (READ_ONCE(chip->toe.on))
		schedule_delayed_work(&chip->toe.retry_work, TOE_RETRY);
}

static void owe(struct t110 *chip, unsigned long *tids, u32 tid)
{
	if (WARN_ON_ONCE(tid >= TOE_MAX_TIDS))
		return;
	set_bit(tid, tids);
	chip->counts.toe_no_memory++;
	toe_retry_later(chip);
}

/* Abort a connection, with a RST to its peer. The tid is the connection's until CPL_ABORT_RPL. */
void toe_abort_tid(struct t110 *chip, u32 tid)
{
	if (!toe_send_abort(chip, tid))
		owe(chip, chip->toe.owed_aborts, tid);
}

/* The chip has aborted a connection, and waits for the answer. */
void toe_answer_abort(struct t110 *chip, u32 tid)
{
	if (!toe_send_abort_reply(chip, tid))
		owe(chip, chip->toe.owed_replies, tid);
}

/* Send what is owed. Returns whether some of it still has no memory. */
bool toe_owed_send(struct t110 *chip)
{
	struct toe *toe = &chip->toe;
	unsigned long tid;

	for_each_set_bit(tid, toe->owed_replies, TOE_MAX_TIDS) {
		if (!toe_send_abort_reply(chip, tid))
			return true;
		clear_bit(tid, toe->owed_replies);
	}
	for_each_set_bit(tid, toe->owed_aborts, TOE_MAX_TIDS) {
		if (!toe_send_abort(chip, tid))
			return true;
		clear_bit(tid, toe->owed_aborts);
	}
	return false;
}
