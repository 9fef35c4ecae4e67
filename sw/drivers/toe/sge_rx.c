// SPDX-License-Identifier: GPL-2.0
/*
 * Free lists, the response queue, and the poll that empties it.
 *
 * A received packet has one buffer, of free list 0 if it is short. Buffers come back in the order
 * in which they were given. A response may also return entries of the command queues, and tell
 * which queues have fallen asleep.
 */
#include <linux/etherdevice.h>
#include <linux/ip.h>
#include <linux/slab.h>
#include <net/ip.h>

#include "t110.h"
#include "cpl5_cmd.h"

#define RX_ALIGN	2	/* puts the IP header behind 8 + 14 bytes at a multiple of 4 */
#define RX_COPY_BYTES	256	/* shorter packets are copied, and their buffer stays */
#define RX_REFILL	16	/* free entries that are worth a refill */
#define REFILL_RETRY	(HZ / 20)
#define SMALL_BUFFER	(1536 + sizeof(struct cpl_rx_data))
#define OFFLOAD_BUFFER	(16224 + sizeof(struct cpl_rx_data))	/* the longest CPL_RX_DATA */
#define LARGE_BUFFER	(16384 - SKB_DATA_ALIGN(sizeof(struct skb_shared_info)) - \
			 NET_SKB_PAD - RX_ALIGN)

static void advance(struct sge_freelist *fl)
{
	if (++fl->head == fl->size) {
		fl->head = 0;
		fl->generation = !fl->generation;
	}
	fl->filled++;
}

/* Make the buffer at the head valid. */
static void publish(struct sge_freelist *fl)
{
	struct sge_entry *entry = &fl->entries[fl->head];

	sge_put_entry(entry, fl->buffers[fl->head].address, fl->bytes, fl->generation);
	wmb();	/* address and length before the second generation bit */
	entry->flags = cpu_to_le32(fl->generation ? SGE_FLAGS_GEN2 : 0);
	advance(fl);
}

static bool add_buffer(struct t110 *chip, struct sge_freelist *fl, gfp_t gfp)
{
	struct sge_rx_buffer *buffer = &fl->buffers[fl->head];
	struct sk_buff *skb = __netdev_alloc_skb(chip->netdev, fl->bytes + RX_ALIGN, gfp);

	if (!skb)
		return false;
	skb_reserve(skb, RX_ALIGN);
	buffer->address = dma_map_single(&chip->pdev->dev, skb->data, fl->bytes, DMA_FROM_DEVICE);
	if (dma_mapping_error(&chip->pdev->dev, buffer->address)) {
		dev_kfree_skb_any(skb);
		return false;
	}
	buffer->skb = skb;
	publish(fl);
	return true;
}

/* Fill a free list, and wake it if it sleeps. A list that stays empty is tried again later. */
static void fill(struct t110 *chip, int number, gfp_t gfp)
{
	struct sge_freelist *fl = &chip->sge.fl[number];

	while (fl->filled < fl->size && add_buffer(chip, fl, gfp))
		;
	if (fl->filled < fl->size / 2) {
		chip->counts.rx_no_memory++;
		mod_timer(&chip->sge.refill_timer, jiffies + REFILL_RETRY);
	}
	if (fl->asleep && fl->filled > 0) {
		fl->asleep = false;
		wmb();	/* the entries before the doorbell */
		sge_ring(chip, SGE_FL_BELL(number));
	}
}

/* Before the chip has the lists */
void sge_rx_fill_all(struct t110 *chip, gfp_t gfp)
{
	int i;

	for (i = 0; i < SGE_FREELISTS; i++)
		fill(chip, i, gfp);
}

static void refill_later(struct timer_list *timer)
{
	struct t110 *chip = from_timer(chip, timer, sge.refill_timer);

	napi_schedule(&chip->napi);
}

void sge_rx_init(struct t110 *chip)
{
	timer_setup(&chip->sge.refill_timer, refill_later, 0);
}

static int alloc_freelist(struct t110 *chip, struct sge_freelist *fl, unsigned int size)
{
	fl->size = size;
	fl->head = 0;
	fl->tail = 0;
	fl->filled = 0;
	fl->generation = true;
	fl->asleep = false;
	fl->entries = dma_alloc_coherent(&chip->pdev->dev, size * sizeof(*fl->entries),
					 &fl->address, GFP_KERNEL);
	fl->buffers = kvcalloc(size, sizeof(*fl->buffers), GFP_KERNEL);
	return fl->entries && fl->buffers ? 0 : -ENOMEM;
}

int sge_rx_alloc(struct t110 *chip)
{
	struct sge *sge = &chip->sge;
	struct sge_respq *q = &sge->respq;
	int i, err = 0;

	sge->fl[0].bytes = SMALL_BUFFER;
	sge->fl[1].bytes = toe_mode == TOE_OFF ? LARGE_BUFFER : OFFLOAD_BUFFER;
	for (i = 0; i < SGE_FREELISTS && !err; i++)
		err = alloc_freelist(chip, &sge->fl[i], sge->fl_entries[i]);
	q->size = SGE_RESPQ_ENTRIES;
	q->head = 0;
	q->credits = 0;
	q->generation = true;
	q->entries = dma_alloc_coherent(&chip->pdev->dev, q->size * sizeof(*q->entries),
					&q->address, GFP_KERNEL);
	if (!q->entries)
		err = -ENOMEM;
	if (!err) {
		sge_rx_fill_all(chip, GFP_KERNEL);
		/* Without one buffer of each list no frame could come. */
		if (!sge->fl[0].filled || !sge->fl[1].filled)
			err = -ENOMEM;
	}
	if (err)
		sge_rx_free(chip);
	return err;
}

static void free_freelist(struct t110 *chip, struct sge_freelist *fl)
{
	while (fl->buffers && fl->filled > 0) {
		struct sge_rx_buffer *buffer = &fl->buffers[fl->tail];

		dma_unmap_single(&chip->pdev->dev, buffer->address, fl->bytes, DMA_FROM_DEVICE);
		dev_kfree_skb_any(buffer->skb);
		fl->tail = fl->tail + 1 == fl->size ? 0 : fl->tail + 1;
		fl->filled--;
	}
	kvfree(fl->buffers);
	fl->buffers = NULL;
	if (fl->entries)
		dma_free_coherent(&chip->pdev->dev, fl->size * sizeof(*fl->entries), fl->entries,
				  fl->address);
	fl->entries = NULL;
}

/* The chip has let go of the lists, and the poll is off. */
void sge_rx_free(struct t110 *chip)
{
	struct sge_respq *q = &chip->sge.respq;
	int i;

	del_timer_sync(&chip->sge.refill_timer);
	for (i = 0; i < SGE_FREELISTS; i++)
		free_freelist(chip, &chip->sge.fl[i]);
	if (q->entries)
		dma_free_coherent(&chip->pdev->dev, q->size * sizeof(*q->entries), q->entries,
				  q->address);
	q->entries = NULL;
}

/*
 * Take the packet of the oldest buffer. A short one is copied, and its buffer goes to the head of
 * the list. Without memory for the copy it keeps its buffer: no message of the chip may be lost.
 */
static struct sk_buff *take_packet(struct t110 *chip, struct sge_freelist *fl, u32 length)
{
	struct device *dev = &chip->pdev->dev;
	struct sge_rx_buffer buffer = fl->buffers[fl->tail];
	struct sk_buff *skb = NULL;

	fl->tail = fl->tail + 1 == fl->size ? 0 : fl->tail + 1;
	fl->filled--;
	if (length <= RX_COPY_BYTES)
		skb = napi_alloc_skb(&chip->napi, length + RX_ALIGN);
	if (!skb) {
		dma_unmap_single(dev, buffer.address, fl->bytes, DMA_FROM_DEVICE);
		skb_put(buffer.skb, length);
		return buffer.skb;
	}
	skb_reserve(skb, RX_ALIGN);
	dma_sync_single_for_cpu(dev, buffer.address, length, DMA_FROM_DEVICE);
	skb_put_data(skb, buffer.skb->data, length);
	dma_sync_single_for_device(dev, buffer.address, length, DMA_FROM_DEVICE);
	chip->counts.rx_copied++;
	fl->buffers[fl->head] = buffer;
	publish(fl);
	return skb;
}

/* The chip's sum covers a datagram of TCP or UDP that is in one piece. */
static bool sum_is_good(const struct t110 *chip, const struct sk_buff *skb, __be16 csum)
{
	const struct iphdr *ip = (const struct iphdr *)skb->data;

	return (chip->netdev->features & NETIF_F_RXCSUM) && csum == htons(0xffff) &&
	       skb->protocol == htons(ETH_P_IP) && skb->len >= sizeof(*ip) &&
	       (ip->protocol == IPPROTO_TCP || ip->protocol == IPPROTO_UDP) &&
	       !ip_is_fragment(ip);
}

static void receive_frame(struct t110 *chip, struct sk_buff *skb)
{
	const struct cpl_rx_pkt *cpl = (const struct cpl_rx_pkt *)skb->data;
	__be16 csum = (__force __be16)cpl->csum;

	__skb_pull(skb, sizeof(*cpl));
	u64_stats_update_begin(&chip->rx.sync);
	chip->rx.packets++;
	chip->rx.bytes += skb->len;
	u64_stats_update_end(&chip->rx.sync);
	skb->protocol = eth_type_trans(skb, chip->netdev);
	if (sum_is_good(chip, skb, csum)) {
		skb->ip_summed = CHECKSUM_UNNECESSARY;
		chip->counts.rx_csum_good++;
	}
	napi_gro_receive(&chip->napi, skb);
}

/* One response's packet. A length that no packet of this chip can have is an error of the chip. */
static void receive(struct t110 *chip, u32 word, u32 length)
{
	struct sge_freelist *fl = &chip->sge.fl[FIELD_GET(SGE_RSP_FREELIST, word) & 1];
	bool is_whole = (word & SGE_RSP_SOP) && (word & SGE_RSP_EOP);
	struct sk_buff *skb;

	if (unlikely(fl->filled == 0 || length > fl->bytes)) {
		chip->counts.sge_errors++;
		t110_reset_later(chip);
		return;
	}
	skb = take_packet(chip, fl, length);
	if (likely(is_whole && !(word & SGE_RSP_OFFLOAD) &&
		   length >= sizeof(struct cpl_rx_pkt) + ETH_HLEN &&
		   skb->data[0] == CPL_RX_PKT)) {
		receive_frame(chip, skb);
		return;
	}
	if (is_whole && (word & SGE_RSP_OFFLOAD) && toe_mode != TOE_OFF && length >= 8) {
		toe_receive(chip, skb);
		return;
	}
	chip->netdev->stats.rx_dropped++;
	dev_kfree_skb_any(skb);
}

bool sge_response_waits(const struct t110 *chip)
{
	const struct sge_respq *q = &chip->sge.respq;
	u32 word = le32_to_cpu(READ_ONCE(q->entries[q->head].word));

	return !!(word & SGE_RSP_GEN) == q->generation;
}

static void take_response(struct sge_respq *q)
{
	if (++q->head == q->size) {
		q->head = 0;
		q->generation = !q->generation;
	}
	q->credits++;
}

static void return_credits(struct t110 *chip, unsigned int least)
{
	struct sge_respq *q = &chip->sge.respq;

	if (q->credits < least)
		return;
	t110_write(chip, SG_RSPQUEUECREDIT, q->credits);
	q->credits = 0;
}

static void command_queues(struct t110 *chip, u32 word)
{
	u32 sleeping = FIELD_GET(SGE_RSP_SLEEPING, word);
	unsigned int credits[SGE_CMDQS] = {
		FIELD_GET(SGE_RSP_CREDITS0, word), FIELD_GET(SGE_RSP_CREDITS1, word),
	};
	int i;

	for (i = 0; i < SGE_CMDQS; i++)
		if (credits[i] || (sleeping & SGE_CMDQ_BELL(i)))
			sge_tx_done(chip, i, credits[i], sleeping & SGE_CMDQ_BELL(i));
	for (i = 0; i < SGE_FREELISTS; i++)
		if (sleeping & SGE_FL_BELL(i))
			chip->sge.fl[i].asleep = true;
}

int sge_poll(struct napi_struct *napi, int budget)
{
	struct t110 *chip = container_of(napi, struct t110, napi);
	struct sge_respq *q = &chip->sge.respq;
	int i, done = 0;

	while (done < budget && sge_response_waits(chip)) {
		const struct sge_response *entry = &q->entries[q->head];
		u32 word, length;

		dma_rmb();	/* the generation before all else of the entry */
		word = le32_to_cpu(entry->word);
		length = le32_to_cpu(entry->length);
		command_queues(chip, word);
		if (word & SGE_RSP_DATA) {
			receive(chip, word, length);
			done++;
		} else {
			chip->counts.pure_responses++;
		}
		take_response(q);
		return_credits(chip, SGE_RESPQ_ENTRIES / 4);
	}
	for (i = 0; i < SGE_FREELISTS; i++)
		if (chip->sge.fl[i].asleep ||
		    chip->sge.fl[i].size - chip->sge.fl[i].filled >= RX_REFILL)
			fill(chip, i, GFP_ATOMIC);
	if (done < budget && napi_complete_done(napi, done))
		t110_write(chip, SG_SLEEPING, q->head);
	return done;
}
