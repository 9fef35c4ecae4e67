/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Registers of the Terminator 1 (revision T1B) as far as this driver uses them.
 *
 * Names and offsets are those of Linux 6.1, drivers/net/ethernet/chelsio/cxgb/regs.h. Registers of
 * the chips behind TPI are in board_regs.h.
 */
#ifndef T110_REGS_H
#define T110_REGS_H

#include <linux/bitfield.h>
#include <linux/bits.h>

/* SGE: the DMA engine */
#define SG_CONTROL			0x000
#define SG_CONTROL_CMDQ0		BIT(0)
#define SG_CONTROL_CMDQ1		BIT(1)
#define SG_CONTROL_FL0			BIT(2)
#define SG_CONTROL_FL1			BIT(3)
#define SG_CONTROL_CPL			BIT(4)
#define SG_CONTROL_RESPQ		BIT(5)
#define SG_CONTROL_CMDQ_PRIORITY	GENMASK(7, 6)
#define SG_CONTROL_BIG_ENDIAN		BIT(12)
#define SG_CONTROL_ISCSI_COALESCE	BIT(14)
#define SG_DOORBELL			0x004	/* bits as Qsleeping of a response */
#define SG_CMD0_BASE			0x008	/* each base: low word, then high word */
#define SG_CMD1_BASE			0x010
#define SG_FL0_BASE			0x018
#define SG_FL1_BASE			0x020
#define SG_CMD0_SIZE			0x028
#define SG_FL0_SIZE			0x02c
#define SG_RSP_SIZE			0x030
#define SG_RSP_BASE			0x034
#define SG_FLTHRESHOLD			0x03c
#define SG_RSPQUEUECREDIT		0x040
#define SG_SLEEPING			0x048
#define SG_INTRTIMER			0x04c
#define SG_INTRTIMER_MAX		GENMASK(23, 0)
#define SG_CMD1_SIZE			0x0b0
#define SG_FL1_SIZE			0x0b4
#define SG_INT_ENABLE			0x0b8
#define SG_INT_CAUSE			0x0bc
#define SG_INT_RESPQ_EXHAUSTED		BIT(0)
#define SG_INT_RESPQ_OVERFLOW		BIT(1)
#define SG_INT_FL_EXHAUSTED		BIT(2)
#define SG_INT_PACKET_TOO_BIG		BIT(3)
#define SG_INT_PACKET_MISMATCH		BIT(4)
#define SG_INT_FATAL	(SG_INT_RESPQ_OVERFLOW | SG_INT_PACKET_TOO_BIG | SG_INT_PACKET_MISMATCH)
#define SG_INT_ALL	(SG_INT_FATAL | SG_INT_RESPQ_EXHAUSTED | SG_INT_FL_EXHAUSTED)

/* TPI: the bus to MAC and board */
#define TPI_ADDR			0x280
#define TPI_WR_DATA			0x284
#define TPI_RD_DATA			0x288
#define TPI_CSR				0x28c
#define TPI_CSR_WRITE			BIT(0)
#define TPI_CSR_READY			BIT(1)
#define TPI_PAR				0x29c

/* TP: protocols */
#define TP_IN_CONFIG			0x300
#define TP_IN_CSPI_CPL			BIT(3)
#define TP_IN_CSPI_CHECK_IP		BIT(5)
#define TP_IN_CSPI_CHECK_TCP		BIT(6)
#define TP_IN_ESPI_ETHERNET		BIT(8)
#define TP_IN_ESPI_CHECK_IP		BIT(12)
#define TP_IN_ESPI_CHECK_TCP		BIT(13)
#define TP_IN_OFFLOAD_DISABLE		BIT(14)
#define TP_OUT_CONFIG			0x304
#define TP_OUT_CSPI_CPL			BIT(2)
#define TP_OUT_ESPI_ETHERNET		BIT(6)
#define TP_OUT_ESPI_IP_CSUM		BIT(10)
#define TP_OUT_ESPI_TCP_CSUM		BIT(11)
#define TP_GLOBAL_CONFIG		0x308
#define TP_GLOBAL_IP_TTL		GENMASK(7, 0)
#define TP_GLOBAL_TCP_CSUM		BIT(11)
#define TP_GLOBAL_PATH_MTU		BIT(15)
#define TP_GLOBAL_SYN_COOKIE		GENMASK(31, 26)
#define TP_PC_CONFIG			0x348
#define TP_PC_REVISION			GENMASK(31, 30)
#define TP_PC_REVISION_T1B		2
#define TP_SHIFT_CNT			0x3c4
#define TP_SHIFT_RETRANSMISSIONS	GENMASK(23, 16)
#define TP_MTU(n)			(0x404 + 4 * (n))	/* eight MTUs of connections */
#define TP_RESET			0x44c
#define TP_RESET_TP			BIT(0)
#define TP_MIB_INDEX			0x450	/* of the word that TP_MIB_DATA reads */
#define TP_MIB_DATA			0x454	/* reading it moves the index */
#define TP_MIB_TCP			30	/* first word of TCP's group: tp_mib_statistics */
#define TP_INT_ENABLE			0x470
#define TP_INT_CAUSE			0x474
#define TP_TIMER_SEPARATOR		0x4a4

/* ESPI: SPI-4.2 to the MAC */
#define ESPI_SCH_TOKEN(n)		(0x880 + 4 * (n))
#define ESPI_RX_ALMOST_EMPTY		0x890
#define ESPI_RX_ALMOST_FULL		0x894
#define ESPI_CALENDAR_LENGTH		0x898
#define ESPI_PORT_CONFIG		0x89c
#define ESPI_PORT_RX			GENMASK(7, 0)
#define ESPI_PORT_TX			GENMASK(15, 8)
#define ESPI_FIFO_STATUS_ENABLE		0x8a0
#define ESPI_FIFO_STATUS_RX		BIT(0)
#define ESPI_MAXBURST			0x8a8
#define ESPI_TRAIN			0x8ac
#define ESPI_INTR_STATUS		0x8c8
#define ESPI_INTR_ENABLE		0x8cc

/* PL: interrupts */
#define PL_ENABLE			0xa00
#define PL_CAUSE			0xa04
#define PL_SGE_ERR			BIT(0)
#define PL_SGE_DATA			BIT(1)
#define PL_PCIX				BIT(10)
#define PL_EXT				BIT(11)
#define T110_REGS_BYTES			0xd00

/* Configuration space */
#define PCICFG_PM_CSR			0x44
#define PCICFG_PM_D3			3
#define PCICFG_VPD_ADDR			0x4a
#define PCICFG_VPD_READY		BIT(15)
#define PCICFG_VPD_DATA			0x4c
#define PCICFG_INTR_ENABLE		0xf4
#define PCICFG_INTR_CAUSE		0xf8
#define PCICFG_MODE			0xfc
#define PCICFG_MODE_64BIT		BIT(0)
#define PCICFG_MODE_CLOCK		GENMASK(7, 6)
#define PCICFG_MODE_PCIX		BIT(5)

#endif
