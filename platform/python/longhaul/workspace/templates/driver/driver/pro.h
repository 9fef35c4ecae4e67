/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Registers, descriptors and state of the driver. Names and meanings are those of Intel's
 * "PCI/PCI-X Family of Gigabit Ethernet Controllers Software Developer's Manual" (8254x), chapters 3
 * and 13.
 */
#ifndef PRO_H
#define PRO_H

#include <linux/ethtool.h>
#include <linux/io.h>
#include <linux/netdevice.h>
#include <linux/pci.h>
#include <linux/skbuff.h>
#include <linux/workqueue.h>

#define PRO_ID_FIBER		0x1011
#define PRO_ID_COPPER		0x100f

/* General */
#define PRO_CTRL		0x0000
#define PRO_CTRL_FD		BIT(0)
#define PRO_CTRL_LRST		BIT(3)	/* fibre: the link is in reset */
#define PRO_CTRL_ASDE		BIT(5)	/* copper: speed as the transceiver says */
#define PRO_CTRL_SLU		BIT(6)	/* copper, or forced: the link may be up */
#define PRO_CTRL_SIGNAL		BIT(19)	/* fibre: SWDPIN1, the optics see light */
#define PRO_CTRL_RST		BIT(26)
#define PRO_CTRL_RFCE		BIT(27)
#define PRO_CTRL_TFCE		BIT(28)
#define PRO_STATUS		0x0008
#define PRO_STATUS_LU		BIT(1)
#define PRO_MDIC		0x0020
#define PRO_MDIC_REG(reg)	((reg) << 16)
#define PRO_MDIC_PHY		(1 << 21)
#define PRO_MDIC_WRITE		BIT(26)
#define PRO_MDIC_READ		BIT(27)
#define PRO_MDIC_READY		BIT(28)
#define PRO_MDIC_ERROR		BIT(30)
#define PRO_FCAL		0x0028
#define PRO_FCAH		0x002c
#define PRO_FCT			0x0030
#define PRO_VET			0x0038
#define PRO_FCTTV		0x0170
#define PRO_TXCW		0x0178
#define PRO_TXCW_FD		BIT(5)
#define PRO_TXCW_PAUSE		(BIT(7) | BIT(8))
#define PRO_TXCW_ANE		BIT(31)
#define PRO_RXCW		0x0180
#define PRO_RXCW_C		BIT(29)	/* the far end negotiates */
#define PRO_PBA			0x1000
#define PRO_FCRTL		0x2160
#define PRO_FCRTL_XONE		BIT(31)
#define PRO_FCRTH		0x2168

/* Interrupts: a read of ICR clears it */
#define PRO_ICR			0x00c0
#define PRO_ITR			0x00c4	/* least gap, in 256 ns */
#define PRO_IMS			0x00d0
#define PRO_IMC			0x00d8
#define PRO_CAUSE_TXDW		BIT(0)
#define PRO_CAUSE_LSC		BIT(2)
#define PRO_CAUSE_RXSEQ		BIT(3)
#define PRO_CAUSE_RXDMT0	BIT(4)
#define PRO_CAUSE_RXO		BIT(6)
#define PRO_CAUSE_RXT0		BIT(7)
#define PRO_CAUSES_LINK		(PRO_CAUSE_LSC | PRO_CAUSE_RXSEQ)
#define PRO_CAUSES_RINGS	(PRO_CAUSE_TXDW | PRO_CAUSE_RXDMT0 | PRO_CAUSE_RXO | PRO_CAUSE_RXT0)
#define PRO_CAUSES		(PRO_CAUSES_LINK | PRO_CAUSES_RINGS)

/* Receive */
#define PRO_RCTL		0x0100
#define PRO_RCTL_EN		BIT(1)
#define PRO_RCTL_UPE		BIT(3)
#define PRO_RCTL_MPE		BIT(4)
#define PRO_RCTL_LPE		BIT(5)	/* frames of more than 1522 bytes */
#define PRO_RCTL_LBM_MAC	BIT(6)
#define PRO_RCTL_BAM		BIT(15)
#define PRO_RCTL_SECRC		BIT(26)	/* leave the FCS out */
#define PRO_RDBAL		0x2800
#define PRO_RDT			0x2818
#define PRO_RDTR		0x2820
#define PRO_RADV		0x282c
#define PRO_RXCSUM		0x5000
#define PRO_RXCSUM_IPOFL	BIT(8)
#define PRO_RXCSUM_TUOFL	BIT(9)
#define PRO_MTA			0x5200
#define PRO_MTA_WORDS		128
#define PRO_RAL(i)		(0x5400 + 8 * (i))
#define PRO_RAH(i)		(0x5404 + 8 * (i))
#define PRO_RAH_AV		BIT(31)
#define PRO_ADDRESSES		16

/* Transmit */
#define PRO_TCTL		0x0400
#define PRO_TCTL_EN		BIT(1)
#define PRO_TCTL_PSP		BIT(3)
#define PRO_TCTL_COLD		(0x40 << 12)	/* 13.4.33: full duplex */
#define PRO_TIPG		0x0410
#define PRO_TDBAL		0x3800
#define PRO_TDH			0x3810
#define PRO_TDT			0x3818
#define PRO_TIDV		0x3820

/* From the base register of a ring. */
#define PRO_RING_BAL		0x00
#define PRO_RING_BAH		0x04
#define PRO_RING_LEN		0x08
#define PRO_RING_HEAD		0x10
#define PRO_RING_TAIL		0x18

/* Through BAR 2 or 4, by I/O ports: the 82545EM takes its reset by this way only. */
#define PRO_IOADDR		0
#define PRO_IODATA		4

struct pro_rx_desc {
	__le64 addr;
	__le16 length;
	__le16 checksum;
	u8 status;
	u8 errors;
	__le16 special;
};

#define PRO_RX_DD		BIT(0)
#define PRO_RX_EOP		BIT(1)
#define PRO_RX_IXSM		BIT(2)	/* the checksum bits say nothing */
#define PRO_RX_TCPCS		BIT(5)
#define PRO_RX_BAD		0x97	/* errors of the frame: CE, SE, SEQ, CXE, RXE */
#define PRO_RX_TCPE		BIT(5)
#define PRO_RX_IPE		BIT(6)

/* The legacy one: DEXT is zero. */
struct pro_tx_desc {
	__le64 addr;
	__le32 command;		/* 15:0 bytes, 23:16 CSO, 31:24 bits */
	__le32 status;		/* 0 DD, 15:8 CSS */
};

#define PRO_TX_EOP		BIT(24)
#define PRO_TX_IFCS		BIT(25)
#define PRO_TX_IC		BIT(26)	/* insert a checksum at CSO, over what is from CSS on */
#define PRO_TX_RS		BIT(27)
#define PRO_TX_CSO_SHIFT	16
#define PRO_TX_CSS_SHIFT	8
#define PRO_TX_DD		BIT(0)

/*
 * A frame takes as many receive buffers as it needs, each half a page with room for an skb around
 * it. 16128 bytes with header and FCS is the longest frame that the 82545 takes.
 */
#define PRO_RX_BYTES		2048
#define PRO_RX_HEADROOM		(NET_SKB_PAD + NET_IP_ALIGN)
#define PRO_MTU_MAX		(16128 - ETH_HLEN - ETH_FCS_LEN)
#define PRO_BUFFER_KIB		64
#define PRO_RING_MIN		64
#define PRO_RING_MAX		4096
#define PRO_RING_DEFAULT	256
#define PRO_USECS_MAX		10000
#define PRO_USECS_DEFAULT	50

/* Bytes of a frame's first buffer on PCI-X at most, by Intel's specification update. */
#define PRO_TX_FIRST		2015
/* A frame takes two descriptors for its head and one for each fragment: all are below 16 KB. */
#define PRO_TX_NEEDED		(MAX_SKB_FRAGS + 2)
#define PRO_TX_WAKE		(2 * PRO_TX_NEEDED)

/* The NIC's counters, in the order of pro_counter_registers and of their names. */
enum {
	PRO_RX_GOOD,
	PRO_RX_CRC,
	PRO_RX_SYMBOL,
	PRO_RX_MISSED,
	PRO_RX_NO_DESC,
	PRO_RX_LENGTH,
	PRO_RX_SHORT,
	PRO_RX_FRAGMENT,
	PRO_RX_LONG,
	PRO_RX_JABBER,
	PRO_RX_SEQUENCE,
	PRO_RX_XON,
	PRO_RX_XOFF,
	PRO_TX_GOOD,
	PRO_TX_XON,
	PRO_TX_XOFF,
	PRO_COUNTERS,
};

/* Counters of the driver, in the order of their names. */
struct pro_sw_counters {
	u64 rx_no_memory;
	u64 rx_map_failed;
	u64 rx_bad;
	u64 rx_checksum_bad;
	u64 tx_map_failed;
	u64 resets;
};

struct pro_buffer {
	dma_addr_t dma;
	u32 bytes;
	bool is_page;		/* of a transmit fragment: dma_map_page() made it */
	struct page *page;	/* receive */
	struct sk_buff *skb;	/* transmit: with a frame's last descriptor */
};

/*
 * head and tail run freely modulo 2^16; mask makes places of them. The NIC takes head == tail for
 * an empty ring, so one descriptor is never given.
 */
struct pro_ring {
	void *descs;
	struct pro_buffer *buffers;
	dma_addr_t dma;
	u16 mask;
	u16 head;		/* oldest descriptor that the NIC has not given back */
	u16 tail;		/* next one to give */
};

struct pro {
	void __iomem *regs;
	unsigned long ports;	/* 0 if the board has none */
	struct net_device *dev;
	struct pci_dev *pdev;
	struct napi_struct napi;
	struct pro_ring tx;
	struct pro_ring rx;
	struct sk_buff *rx_skb;	/* the frame that comes in, without its last buffer */
	bool rx_broken;		/* and it cannot be taken */
	bool fiber;
	bool pcix;
	bool up;		/* between open and stop */
	bool running;		/* the link is looked after */
	bool counting;		/* not within a reset; counter_lock */
	bool forced;		/* fibre: the far end does not negotiate */
	unsigned int dark;	/* looks at a link that has light and is not up */
	u32 rctl;		/* with the address lock */
	int irq;
	unsigned int tx_count;
	unsigned int rx_count;
	unsigned int usecs;
	struct work_struct reset_work;
	struct delayed_work link_work;
	spinlock_t counter_lock;
	u64 hw[PRO_COUNTERS];
	struct pro_sw_counters sw;
};

static inline u32 pro_read(struct pro *nic, u32 offset)
{
	return readl(nic->regs + offset);
}

static inline void pro_write(struct pro *nic, u32 offset, u32 value)
{
	writel(value, nic->regs + offset);
}

extern const struct ethtool_ops pro_ethtool_ops;

/* pro-main.c */
int pro_open(struct net_device *dev);
int pro_stop(struct net_device *dev);
void pro_reopen(struct net_device *dev);

/* pro-hw.c */
int pro_reset(struct pro *nic);
void pro_collect(struct pro *nic);
void pro_set_filter(struct pro *nic);
void pro_rx_off(struct pro *nic);
void pro_set_checksums(struct pro *nic, netdev_features_t features);
void pro_set_usecs(struct pro *nic);
int pro_rings_alloc(struct pro *nic);
void pro_rings_free(struct pro *nic);
int pro_hw_start(struct pro *nic, u32 rctl);
void pro_buffers_free(struct pro *nic);

/* pro-link.c */
void pro_link_start(struct pro *nic);
void pro_link_task(struct work_struct *work);

/* pro-rx.c */
bool pro_rx_fill(struct pro *nic, gfp_t gfp);
int pro_rx_clean(struct pro *nic, int budget);
void pro_rx_free(struct pro *nic);

/* pro-tx.c */
int pro_tx_add(struct pro *nic, u16 index, struct page *page, void *data, unsigned int offset,
	       unsigned int bytes);
void pro_tx_finish(struct pro *nic, u16 first, u16 end, u32 command, u32 status);
netdev_tx_t pro_start_xmit(struct sk_buff *skb, struct net_device *dev);
void pro_tx_clean(struct pro *nic, int budget);
void pro_tx_free(struct pro *nic);

/* pro-test.c */
#define PRO_TESTS		3
extern const char pro_test_names[PRO_TESTS][ETH_GSTRING_LEN];
void pro_self_test(struct net_device *dev, struct ethtool_test *test, u64 *data);

#endif
