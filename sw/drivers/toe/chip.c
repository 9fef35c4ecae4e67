// SPDX-License-Identifier: GPL-2.0
/*
 * The Terminator's parts beside the SGE: revision, VPD, reset, ESPI, TP.
 *
 * Values of ESPI and TP are those that Linux' cxgb gives a T1B beside a PM3393.
 */
#include <linux/delay.h>

#include "t110.h"

#define VPD_TRIES		20
#define ESPI_TOKENS		0x1f4
#define ESPI_ALMOST_EMPTY	0x100
#define ESPI_ALMOST_FULL	0x4000
#define ESPI_MAXBURSTS		0x00800100
#define ESPI_TRAINING		0x08000008
/* Between modulation events: 9 us at 1 Gb/s, a tenth of it at 10, in core clocks, even (chxge) */
#define TIMER_SEPARATOR		(9 * T110_CORE_MHZ / 10 & ~1)

int t110_check_revision(struct t110 *chip)
{
	u32 revision = FIELD_GET(TP_PC_REVISION, t110_read(chip, TP_PC_CONFIG));

	if (revision == TP_PC_REVISION_T1B)
		return 0;
	dev_err(&chip->pdev->dev, "revision %u of the chip, wants %u (T1B)\n", revision,
		TP_PC_REVISION_T1B);
	return -ENODEV;
}

/*
 * Reset the chip through its power state. MAC and PHY are in reset then. PCI's base addresses and
 * MSI stay.
 */
void t110_chip_reset(struct t110 *chip)
{
	pci_write_config_dword(chip->pdev, PCICFG_PM_CSR, PCICFG_PM_D3);
	pci_write_config_dword(chip->pdev, PCICFG_PM_CSR, 0);
	usleep_range(10000, 12000);	/* PCI Power Management 1.1: D3hot to D0 takes 10 ms */
}

void t110_espi_init(struct t110 *chip)
{
	int i;

	t110_write(chip, ESPI_TRAIN, 0);
	t110_write(chip, ESPI_MAXBURST, ESPI_MAXBURSTS);
	for (i = 0; i < 4; i++)
		t110_write(chip, ESPI_SCH_TOKEN(i), ESPI_TOKENS);
	t110_write(chip, ESPI_RX_ALMOST_EMPTY, ESPI_ALMOST_EMPTY);
	t110_write(chip, ESPI_RX_ALMOST_FULL, ESPI_ALMOST_FULL);
	t110_write(chip, ESPI_CALENDAR_LENGTH, 3);
	t110_write(chip, ESPI_TRAIN, ESPI_TRAINING);
	t110_write(chip, ESPI_PORT_CONFIG,
		   FIELD_PREP(ESPI_PORT_RX, 1) | FIELD_PREP(ESPI_PORT_TX, 1));
	t110_write(chip, ESPI_FIFO_STATUS_ENABLE, ESPI_FIFO_STATUS_RX);
	/* A T1B raises RXDROP without a drop, and nothing clears it. */
	t110_write(chip, ESPI_INTR_ENABLE, 0);
}

/* TP forgets all that it has of connections. */
void t110_tp_reset(struct t110 *chip)
{
	t110_write(chip, TP_RESET, TP_RESET_TP);
}

/* All connections use entry 0 of the table of MTUs. */
void t110_tp_set_mtu(struct t110 *chip, unsigned int mtu)
{
	t110_write(chip, TP_MTU(0), mtu);
}

void t110_tp_init(struct t110 *chip)
{
	u32 offload = toe_mode == TOE_OFF ? TP_IN_OFFLOAD_DISABLE :
					    TP_IN_ESPI_CHECK_IP | TP_IN_ESPI_CHECK_TCP;
	u32 shifts;

	t110_write(chip, TP_IN_CONFIG, TP_IN_CSPI_CPL | TP_IN_CSPI_CHECK_IP |
		   TP_IN_CSPI_CHECK_TCP | TP_IN_ESPI_ETHERNET | offload);
	t110_write(chip, TP_OUT_CONFIG, TP_OUT_CSPI_CPL | TP_OUT_ESPI_ETHERNET |
		   TP_OUT_ESPI_IP_CSUM | TP_OUT_ESPI_TCP_CSUM);
	t110_write(chip, TP_GLOBAL_CONFIG, FIELD_PREP(TP_GLOBAL_IP_TTL, 64) | TP_GLOBAL_PATH_MTU |
		   FIELD_PREP(TP_GLOBAL_SYN_COOKIE, 29) | TP_GLOBAL_TCP_CSUM);
	t110_write(chip, TP_INT_ENABLE, 0);
	if (toe_mode != TOE_OFF) {
		t110_write(chip, TP_TIMER_SEPARATOR, TIMER_SEPARATOR);
		shifts = t110_read(chip, TP_SHIFT_CNT) & ~TP_SHIFT_RETRANSMISSIONS;
		t110_write(chip, TP_SHIFT_CNT,
			   shifts | FIELD_PREP(TP_SHIFT_RETRANSMISSIONS, toe_retransmissions));
	}
	t110_tp_reset(chip);
}

static int vpd_read_word(struct t110 *chip, unsigned int offset, __le32 *word)
{
	u16 flag = 0;
	u32 value;
	int i;

	pci_write_config_word(chip->pdev, PCICFG_VPD_ADDR, offset);
	for (i = 0; i < VPD_TRIES && !(flag & PCICFG_VPD_READY); i++) {
		usleep_range(50, 100);
		pci_read_config_word(chip->pdev, PCICFG_VPD_ADDR, &flag);
	}
	if (!(flag & PCICFG_VPD_READY))
		return -EIO;
	pci_read_config_dword(chip->pdev, PCICFG_VPD_DATA, &value);
	*word = cpu_to_le32(value);
	return 0;
}

/* Read the serial EEPROM. The caller is alone with it: the probe, or under rtnl. */
int t110_vpd_read(struct t110 *chip, unsigned int offset, u8 *data, unsigned int length)
{
	while (length > 0) {
		unsigned int skip = offset % 4, bytes = min(length, 4 - skip);
		__le32 word;
		int err = vpd_read_word(chip, offset - skip, &word);

		if (err)
			return err;
		memcpy(data, (u8 *)&word + skip, bytes);
		data += bytes;
		offset += bytes;
		length -= bytes;
	}
	return 0;
}
