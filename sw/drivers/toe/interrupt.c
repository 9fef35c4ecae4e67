// SPDX-License-Identifier: GPL-2.0
/*
 * Interrupts: MSI or INTA#.
 *
 * The chip interrupts for responses once, after a write of SG_SLEEPING, so nothing is masked while
 * the poll runs. All other causes are errors, and the board's.
 */
#include <linux/interrupt.h>

#include "t110.h"

#define CAUSES	(PL_SGE_ERR | PL_SGE_DATA | PL_PCIX | PL_EXT)

void t110_interrupts_mask(struct t110 *chip, u32 clear, u32 set)
{
	unsigned long flags;

	spin_lock_irqsave(&chip->irq_lock, flags);
	if (chip->irq_on) {
		chip->irq_mask = (chip->irq_mask & ~clear) | set;
		if (set)
			t110_write(chip, PL_CAUSE, set);
		t110_write(chip, PL_ENABLE, chip->irq_mask);
	}
	spin_unlock_irqrestore(&chip->irq_lock, flags);
}

void t110_interrupts_on(struct t110 *chip)
{
	unsigned long flags;

	t110_write(chip, SG_INT_CAUSE, ~0);
	t110_write(chip, SG_INT_ENABLE, SG_INT_ALL);
	pci_write_config_dword(chip->pdev, PCICFG_INTR_CAUSE, ~0);
	pci_write_config_dword(chip->pdev, PCICFG_INTR_ENABLE, ~0);
	t110_write(chip, PL_CAUSE, CAUSES);
	spin_lock_irqsave(&chip->irq_lock, flags);
	chip->irq_on = true;
	chip->irq_mask = CAUSES;
	t110_write(chip, PL_ENABLE, chip->irq_mask);
	spin_unlock_irqrestore(&chip->irq_lock, flags);
}

void t110_interrupts_off(struct t110 *chip)
{
	unsigned long flags;

	spin_lock_irqsave(&chip->irq_lock, flags);
	chip->irq_on = false;
	chip->irq_mask = 0;
	t110_write(chip, PL_ENABLE, 0);
	t110_read(chip, PL_ENABLE);
	spin_unlock_irqrestore(&chip->irq_lock, flags);
	t110_write(chip, SG_INT_ENABLE, 0);
	pci_write_config_dword(chip->pdev, PCICFG_INTR_ENABLE, 0);
}

/* An error from which only a reset helps: it must not interrupt again until then. */
static void fatal(struct t110 *chip, u32 source, const char *what, u32 cause)
{
	netif_err(chip, hw, chip->netdev, "%s, cause 0x%x: the adapter is reset\n", what, cause);
	t110_interrupts_mask(chip, source, 0);
	t110_reset_later(chip);
}

static void sge_error(struct t110 *chip)
{
	u32 cause = t110_read(chip, SG_INT_CAUSE);

	t110_write(chip, SG_INT_CAUSE, cause);
	if (cause & SG_INT_RESPQ_EXHAUSTED)
		chip->counts.respq_exhausted++;
	if (cause & SG_INT_FL_EXHAUSTED)
		chip->counts.freelist_exhausted++;
	/* In both cases the poll gives the chip what it lacks. */
	if (cause & (SG_INT_RESPQ_EXHAUSTED | SG_INT_FL_EXHAUSTED))
		napi_schedule(&chip->napi);
	if (!(cause & SG_INT_FATAL))
		return;
	chip->counts.sge_errors++;
	fatal(chip, PL_SGE_ERR, "error of the SGE", cause);
}

static void pci_error(struct t110 *chip)
{
	u32 cause;

	pci_read_config_dword(chip->pdev, PCICFG_INTR_CAUSE, &cause);
	pci_write_config_dword(chip->pdev, PCICFG_INTR_CAUSE, cause);
	chip->counts.pci_errors++;
	fatal(chip, PL_PCIX, "error on the bus", cause);
}

static irqreturn_t other_causes(struct t110 *chip)
{
	u32 cause = t110_read(chip, PL_CAUSE) & READ_ONCE(chip->irq_mask);

	if (!cause)
		return IRQ_NONE;
	if (cause & PL_SGE_ERR)
		sge_error(chip);
	if (cause & PL_PCIX)
		pci_error(chip);
	if (cause & PL_EXT) {
		t110_interrupts_mask(chip, PL_EXT, 0);
		t110_link_event(chip);
	}
	t110_write(chip, PL_CAUSE, cause);
	/* The level of INTA# has to be low when the handler returns. */
	if (!chip->has_msi)
		t110_read(chip, PL_CAUSE);
	return IRQ_HANDLED;
}

irqreturn_t t110_interrupt(int irq, void *data)
{
	struct t110 *chip = data;
	irqreturn_t result;

	if (sge_response_waits(chip)) {
		t110_write(chip, PL_CAUSE, PL_SGE_DATA);
		if (!chip->has_msi)
			t110_read(chip, PL_CAUSE);
		napi_schedule(&chip->napi);
		return IRQ_HANDLED;
	}
	result = other_causes(chip);
	if (result == IRQ_NONE)
		chip->counts.unhandled_interrupts++;
	return result;
}
