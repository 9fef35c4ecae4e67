// SPDX-License-Identifier: GPL-2.0
/* The bus to the chips beside the Terminator, and the MDIO station in one of them. */
#include <linux/delay.h>
#include <linux/iopoll.h>
#include <linux/mdio.h>

#include "board_regs.h"
#include "t110.h"

#define TPI_TIMEOUT_US	150
#define MDIO_TIMEOUT_US	2000
#define MDIO_PORT	1	/* the XPAK module of a T110 */

static bool tpi_run(struct t110 *chip, u32 address, u32 command)
{
	u32 csr;

	t110_write(chip, TPI_ADDR, address);
	t110_write(chip, TPI_CSR, command);
	if (!readl_poll_timeout_atomic(chip->regs + TPI_CSR, csr, csr & TPI_CSR_READY, 1,
				       TPI_TIMEOUT_US))
		return true;
	dev_err_ratelimited(&chip->pdev->dev, "TPI: no answer from address 0x%x\n", address);
	return false;
}

void t110_tpi_write(struct t110 *chip, u32 address, u32 value)
{
	spin_lock_bh(&chip->tpi_lock);
	t110_write(chip, TPI_WR_DATA, value);
	tpi_run(chip, address, TPI_CSR_WRITE);
	spin_unlock_bh(&chip->tpi_lock);
}

/* Return a register; all ones without an answer. */
u32 t110_tpi_read(struct t110 *chip, u32 address)
{
	u32 value = ~0;

	spin_lock_bh(&chip->tpi_lock);
	if (tpi_run(chip, address, 0))
		value = t110_read(chip, TPI_RD_DATA);
	spin_unlock_bh(&chip->tpi_lock);
	return value;
}

void t110_gpo_update(struct t110 *chip, u32 clear, u32 set)
{
	mutex_lock(&chip->gpo_lock);
	chip->gpo = (chip->gpo & ~clear) | set;
	t110_tpi_write(chip, ELMER0_GPO, chip->gpo);
	mutex_unlock(&chip->gpo_lock);
}

void t110_mdio_init(struct t110 *chip)
{
	/* MDC = clock / (2 * (CLK_DIV + 1)): 1 MHz */
	t110_tpi_write(chip, MI1_CFG, MI1_CFG_MDI_ENABLE | MI1_CFG_MDI_INVERT | MI1_CFG_PREAMBLE |
		       FIELD_PREP(MI1_CFG_CLK_DIV, ELMER0_CLOCK_MHZ / 2 - 1));
}

static int mdio_frame(struct t110 *chip, u32 op)
{
	u32 busy;

	t110_tpi_write(chip, MI1_OP, op);
	return read_poll_timeout(t110_tpi_read, busy, !(busy & MI1_OP_BUSY), 50, MDIO_TIMEOUT_US,
				 true, chip, MI1_OP);
}

/* Read a register of the module's device, clause 45. May sleep. Returns it, or an error. */
int t110_mdio_read(struct t110 *chip, int device, u16 reg)
{
	int result;

	mutex_lock(&chip->mdio_lock);
	t110_tpi_write(chip, MI1_ADDR, FIELD_PREP(MI1_ADDR_PORT, MDIO_PORT) |
		       FIELD_PREP(MI1_ADDR_DEVICE, device));
	t110_tpi_write(chip, MI1_DATA, reg);
	result = mdio_frame(chip, MI1_OP_ADDRESS);
	if (!result)
		result = mdio_frame(chip, MI1_OP_READ);
	if (!result)
		result = t110_tpi_read(chip, MI1_DATA) & 0xffff;
	mutex_unlock(&chip->mdio_lock);
	return result;
}
