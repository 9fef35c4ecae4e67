/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Registers of the chips behind the Terminator's TPI bus: Elmer0, the board's gate array, and the
 * PM3393, its MAC.
 *
 * Names and numbers are those of Linux 6.1, drivers/net/ethernet/chelsio/cxgb/elmer0.h and
 * suni1x10gexp_regs.h. The meaning of Elmer0's pins follows from that driver's subr.c and pm3393.c,
 * and for the XPAK module from illumos' chxge (com/xpak.c).
 */
#ifndef T110_BOARD_REGS_H
#define T110_BOARD_REGS_H

#include <linux/bitfield.h>
#include <linux/bits.h>

/* Elmer0 */
#define ELMER0_INT_ENABLE		0x100008
#define ELMER0_INT_CAUSE		0x10000c
#define ELMER0_GPI_STAT			0x100014
#define ELMER0_GPI_NO_MODULE		BIT(5)
#define ELMER0_GPO			0x100018
#define ELMER0_GPO_MAC_RUN		BIT(0)
#define ELMER0_GPO_PHY_RUN		BIT(2)
#define ELMER0_GPO_BOARD		(BIT(11) | BIT(12))	/* set on every T110 */
#define ELMER0_GPO_LASER		BIT(15)
#define ELMER0_GPO_MODULE_POWER		BIT(18)
#define ELMER0_GPO_LINK_LED_OFF		BIT(19)
#define ELMER0_GPO_ACTIVITY_LED_OFF	BIT(20)
#define ELMER0_CLOCK_MHZ		44

/* MI1: Elmer0's MDIO station, clause 45 */
#define MI1_CFG				0x400000
#define MI1_CFG_MDI_ENABLE		BIT(0)
#define MI1_CFG_MDI_INVERT		BIT(1)
#define MI1_CFG_PREAMBLE		BIT(2)
#define MI1_CFG_CLK_DIV			GENMASK(12, 5)
#define MI1_ADDR			0x400004
#define MI1_ADDR_DEVICE			GENMASK(4, 0)
#define MI1_ADDR_PORT			GENMASK(9, 5)
#define MI1_DATA			0x400008
#define MI1_OP				0x40000c
#define MI1_OP_ADDRESS			0
#define MI1_OP_READ			3
#define MI1_OP_BUSY			BIT(31)

/* A register of the PM3393 has 16 bits. On TPI its address is four times its number. */
#define PM_REVISION			0x0001
#define PM_LOOPBACK			0x0003
#define PM_DEVICE_STATUS		0x0004
#define PM_STATUS_XAUI_STABLE		BIT(9)	/* TOP_SXRA_EXPIRED */
#define PM_STATUS_EXPIRED		BIT(6)
#define PM_STATUS_ID_DOOL		BIT(4)
#define PM_STATUS_ID_ROOL		BIT(2)
#define PM_STATUS_IS_ROOL		BIT(1)
#define PM_STATUS_OUT_ROOL		BIT(0)
#define PM_STATUS_UNLOCKED	(PM_STATUS_ID_DOOL | PM_STATUS_ID_ROOL | PM_STATUS_IS_ROOL | \
				 PM_STATUS_OUT_ROOL)
#define PM_INTERRUPT_ENABLE		0x000e
#define PM_SERDES_1			0x0100
#define PM_SERDES_2			0x0101

#define PM_RXXG_CONFIG			0x2040
#define PM_RXXG_RXEN			BIT(15)
#define PM_RXXG_PUREP			BIT(10)
#define PM_RXXG_FLCHK			BIT(7)
#define PM_RXXG_CRC_STRIP		BIT(3)
#define PM_RXXG_UNNAMED			(BIT(4) | BIT(2))	/* Linux' driver sets them */
#define PM_RXXG_MAX_FRAME		0x2045
#define PM_RXXG_STATION			0x2046	/* three, low first */
#define PM_RXXG_CUT_THROUGH		0x2049
#define PM_RXXG_EXACT(n)		(0x204a + 3 * (n))	/* three each, low first */
#define PM_EXACT_FILTERS		8
#define PM_RXXG_HASH			0x206a	/* four, low first */
#define PM_RXXG_FILTER_CONTROL(n)	(0x206e + (n) / 4)
#define PM_FILTER_ON			0x9	/* of four bits: FORWARD, MATCH */
#define PM_RXXG_FILTER_MODE		0x2070
#define PM_FILTER_PROMISCUOUS		BIT(1)
#define PM_FILTER_HASH			BIT(0)

#define PM_MSTAT_CONTROL		0x2100
#define PM_MSTAT_SNAP			BIT(0)
#define PM_MSTAT_CLEAR			BIT(1)
#define PM_MSTAT_ROLLOVER		0x2101	/* four, cleared when read */
#define PM_MSTAT_COUNTER(n)		(0x2110 + 4 * (n))	/* three, low first, 40 bits */

#define PM_IFLX_CONFIG			0x2200
#define PM_IFLX_PROVISION		0x2201
#define PM_IFLX_INDIRECT		0x220d
#define PM_IFLX_LOW_LIMIT		0x220e
#define PM_IFLX_HIGH_LIMIT		0x220f
#define PM_IFLX_ALMOST_FULL		0x2210
#define PM_IFLX_ALMOST_EMPTY		0x2211
#define PM_PL4MOS_CONFIG		0x2240
#define PM_PL4MOS_MASK			0x2241
#define PM_PL4MOS_FAIRNESS		0x2242
#define PM_PL4MOS_MAXBURST1		0x2243
#define PM_PL4MOS_MAXBURST2		0x2244
#define PM_PL4MOS_TRANSFER		0x2245
#define PM_PL4ODP_CONFIG		0x2280
#define PM_PL4ODP_MAX_T			0x2284
#define PM_PL4IO_CALENDAR		0x2304
#define PM_PL4IO_CONFIG			0x2305
#define PM_PL4IO_LANE(n)		(0x2320 + (n))
#define PM_PL4IO_LANES			16

#define PM_TXXG_CONFIG			0x3040
#define PM_TXXG_TXEN			BIT(15)
#define PM_TXXG_IPGT			GENMASK(12, 7)
#define PM_TXXG_32BIT_ALIGN		BIT(5)
#define PM_TXXG_CRCEN			BIT(4)
#define PM_TXXG_FCTX			BIT(3)
#define PM_TXXG_FCRX			BIT(2)
#define PM_TXXG_PADEN			BIT(1)
#define PM_TXXG_MAX_FRAME		0x3045
#define PM_TXXG_STATION			0x3047	/* three, low first */
#define PM_TXXG_PAUSE_TIMER		0x304d
#define PM_EFLX_CONFIG			0x3200
#define PM_EFLX_INDIRECT		0x3202
#define PM_EFLX_LOW_LIMIT		0x3203
#define PM_EFLX_HIGH_LIMIT		0x3204
#define PM_EFLX_ALMOST_FULL		0x3205
#define PM_EFLX_ALMOST_EMPTY		0x3206
#define PM_EFLX_CUT_THROUGH		0x3207
#define PM_EFLX_PROVISION		0x3210
#define PM_PL4IDU_CONFIG		0x3280
#define PM_PL4IDU_INTERRUPT_MASK	0x3282

#endif
