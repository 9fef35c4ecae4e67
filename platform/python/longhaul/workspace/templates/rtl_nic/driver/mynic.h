/* SPDX-License-Identifier: GPL-2.0 */
/* Registers, descriptors and state of the mynic driver. */
#ifndef MYNIC_H
#define MYNIC_H

#include <linux/io.h>
#include <linux/netdevice.h>
#include <linux/pci.h>
#include <linux/skbuff.h>

/*
 * Of the drivers of Linux 6.1 bochs-drm alone claims vendor 0x1234, for device 0x1111. Replace both
 * by ids of your own.
 */
#define MYNIC_VENDOR		0x1234
#define MYNIC_DEVICE		0x4e43

/* Registers: rtl/mynic.rdl. */
#define MYNIC_REG_ID		0x00
#define MYNIC_REG_VERSION	0x04
#define MYNIC_REG_CTRL		0x08
#define MYNIC_REG_STATUS	0x0c
#define MYNIC_REG_CAUSE		0x10
#define MYNIC_REG_MASK		0x14
#define MYNIC_REG_MODERATION	0x18
#define MYNIC_REG_MAC_LOW	0x20
#define MYNIC_REG_MAC_HIGH	0x24
#define MYNIC_REG_HASH_LOW	0x28
#define MYNIC_REG_HASH_HIGH	0x2c
#define MYNIC_REG_RX_BUF_SIZE	0x30
#define MYNIC_REG_TX_BASE_LOW	0x40
#define MYNIC_REG_TX_BASE_HIGH	0x44
#define MYNIC_REG_TX_SIZE_LOG2	0x48
#define MYNIC_REG_TX_TAIL	0x4c
#define MYNIC_REG_TX_HEAD	0x50
#define MYNIC_REG_RX_BASE_LOW	0x60
#define MYNIC_REG_RX_BASE_HIGH	0x64
#define MYNIC_REG_RX_SIZE_LOG2	0x68
#define MYNIC_REG_RX_TAIL	0x6c
#define MYNIC_REG_RX_HEAD	0x70
#define MYNIC_REG_RX_GOOD	0x80

/* From the BASE_LOW of a ring. */
#define MYNIC_RING_BASE_LOW	0x0
#define MYNIC_RING_BASE_HIGH	0x4
#define MYNIC_RING_SIZE_LOG2	0x8

#define MYNIC_ID		0x4d594e43
#define MYNIC_CTRL_RESET	BIT(0)
#define MYNIC_CTRL_RX_ENABLE	BIT(1)
#define MYNIC_CTRL_TX_ENABLE	BIT(2)
#define MYNIC_CTRL_LOOPBACK	BIT(3)
#define MYNIC_CTRL_PROMISCUOUS	BIT(4)
#define MYNIC_CTRL_ALL_MULTICAST	BIT(5)
#define MYNIC_CAUSE_RX		BIT(0)
#define MYNIC_CAUSE_TX		BIT(1)
#define MYNIC_CAUSE_RX_DROP	BIT(2)
#define MYNIC_CAUSE_FAULT	BIT(3)
#define MYNIC_CAUSES		0xf

/* Of a descriptor's word and status. */
#define MYNIC_TX_EOP		BIT(31)
#define MYNIC_DONE		BIT(31)
#define MYNIC_RX_LENGTH		0x7fff

/* A frame begins two bytes into its buffer, which aligns its IP header. */
#define MYNIC_RX_PAD		2
#define MYNIC_RX_HEADROOM	ALIGN(NET_SKB_PAD, 8)
#define MYNIC_MTU_MAX		9000
#define MYNIC_RING_MIN		64
#define MYNIC_RING_MAX		4096
#define MYNIC_RING_DEFAULT	256
#define MYNIC_MODERATION_MAX	65535
#define MYNIC_MODERATION_DEFAULT	20

/* A frame takes a descriptor for its head and one for each fragment: all are below 16 KB. */
#define MYNIC_TX_NEEDED		(MAX_SKB_FRAGS + 1)
#define MYNIC_TX_WAKE		(2 * MYNIC_TX_NEEDED)

/* Counters of the NIC, in the order of their registers. */
enum {
	MYNIC_RX_GOOD,
	MYNIC_RX_FCS,
	MYNIC_RX_ERROR,
	MYNIC_RX_RUNT,
	MYNIC_RX_LONG,
	MYNIC_RX_FILTERED,
	MYNIC_RX_NO_DESC,
	MYNIC_RX_OVERRUN,
	MYNIC_TX_GOOD,
	MYNIC_TX_BAD,
	MYNIC_COUNTERS,
};

/* Counters of the driver, in the order of their names in mynic_ethtool.c. */
struct mynic_sw_counters {
	u64 rx_no_memory;
	u64 rx_map_failed;
	u64 tx_map_failed;
	u64 faults;
	u64 resets;
};

struct mynic_desc {
	__le64 addr;
	__le32 word;		/* transmit: bytes, and MYNIC_TX_EOP */
	__le32 status;		/* the NIC writes this, and this alone */
};

struct mynic_buffer {
	dma_addr_t dma;
	u32 bytes;
	bool is_page;		/* of a transmit fragment: dma_map_page() made it */
	struct page *page;	/* receive */
	struct sk_buff *skb;	/* transmit: with a frame's last descriptor */
};

/* head and tail run freely modulo 2^16, as the NIC's do; mask makes places of them. */
struct mynic_ring {
	struct mynic_desc *descs;
	struct mynic_buffer *buffers;
	dma_addr_t dma;
	u16 mask;
	u16 head;		/* oldest descriptor that the NIC has not given back */
	u16 tail;		/* next one to give */
};

struct mynic {
	void __iomem *regs;
	struct net_device *dev;
	struct pci_dev *pdev;
	struct napi_struct napi;
	struct mynic_ring tx;
	struct mynic_ring rx;
	u32 ctrl;
	int irq;
	bool up;		/* between open and stop */
	unsigned int rx_size;	/* bytes of a receive buffer, as the NIC knows it */
	unsigned int rx_order;	/* of its pages */
	unsigned int tx_count;
	unsigned int rx_count;
	unsigned int moderation_us;
	struct work_struct reset_work;
	spinlock_t counter_lock;	/* hw, hw_seen, and a reset, which clears the NIC's */
	u64 hw[MYNIC_COUNTERS];
	u32 hw_seen[MYNIC_COUNTERS];
	struct mynic_sw_counters sw;
};

static inline u32 mynic_read(struct mynic *nic, u32 offset)
{
	return readl(nic->regs + offset);
}

static inline void mynic_write(struct mynic *nic, u32 offset, u32 value)
{
	writel(value, nic->regs + offset);
}

extern const struct ethtool_ops mynic_ethtool_ops;

/* mynic_main.c */
int mynic_open(struct net_device *dev);
int mynic_stop(struct net_device *dev);
void mynic_reopen(struct net_device *dev);

/* mynic_hw.c */
int mynic_reset(struct mynic *nic);
void mynic_collect(struct mynic *nic);
void mynic_set_filter(struct mynic *nic);
void mynic_set_address(struct mynic *nic);
int mynic_rings_alloc(struct mynic *nic);
void mynic_rings_free(struct mynic *nic);
int mynic_hw_start(struct mynic *nic, u32 ctrl);
void mynic_buffers_free(struct mynic *nic);

/* mynic_rx.c */
bool mynic_rx_fill(struct mynic *nic, gfp_t gfp);
int mynic_rx_clean(struct mynic *nic, int budget);
void mynic_rx_free(struct mynic *nic);

/* mynic_tx.c */
int mynic_tx_add(struct mynic *nic, u16 index, struct page *page, void *data,
		 unsigned int offset, unsigned int bytes);
netdev_tx_t mynic_start_xmit(struct sk_buff *skb, struct net_device *dev);
void mynic_tx_clean(struct mynic *nic, int budget);
void mynic_tx_free(struct mynic *nic);

#endif
