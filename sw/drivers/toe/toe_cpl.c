// SPDX-License-Identifier: GPL-2.0
/*
 * Messages of TCP offload to the chip. Structs and opcodes are those of the kernel's cpl5_cmd.h.
 * It has no bits of opt0, opt1 and params: those are as in the maker's next chip
 * (drivers/net/ethernet/chelsio/cxgb3/t3_cpl.h).
 *
 * Messages whose order counts go through command queue 0: stations, opens, data, closes, aborts. An
 * abort that overtook data would free the tid, and the data would reach the next connection with
 * it. Credits and fields go through queue 1, since data can wait for memory of the chip.
 *
 * A function that sends returns false without memory. See toe_owed.c for what must not be lost.
 */
#include "t110.h"
#include "toe.h"
#include "cpl5_cmd.h"

#define OPT0H_SOURCE		GENMASK(3, 2)
#define OPT0H_STATION		GENMASK(14, 4)
#define OPT0H_NAGLE		BIT(17)
#define OPT0H_WINDOW_SCALE	GENMASK(21, 18)
#define OPT0H_KEEP_ALIVE	BIT(22)
#define OPT0H_MTU_INDEX		GENMASK(31, 28)
#define OPT0L_STATUS		GENMASK(7, 0)
#define OPT0L_WINDOW_KIB	GENMASK(25, 12)
#define OPT0L_DSCP		GENMASK(31, 26)
#define OPT1_POLICY		GENMASK(20, 19)
#define L2T_INDEX		GENMASK(10, 0)
#define L2T_VLAN		GENMASK(22, 11)
#define L2T_NO_VLAN		0xfff
#define TX_FLAGS_SHOVE		BIT(14)
#define RX_CREDITS		GENMASK(26, 0)
#define FIRST_WINDOW		65535U

enum { ORDERED, CONTROL };

#define be(value) ((__force u32)htonl(value))

/* A message of zeros but for its first word; NULL without memory */
static void *begin(u8 opcode, u32 tid, unsigned int bytes, struct sk_buff **skb)
{
	union opcode_tid *head;

	*skb = alloc_skb(bytes, GFP_ATOMIC);
	if (!*skb)
		return NULL;
	head = skb_put_zero(*skb, bytes);
	head->opcode_tid = be(MK_OPCODE_TID(opcode, tid));
	return head;
}

#define BEGIN(type, opcode, tid, skb) ((struct type *)begin(opcode, tid, sizeof(struct type), skb))

/* The shift with which a window of so many bytes is told */
u8 toe_window_scale(u32 window)
{
	u8 scale = 0;

	while (scale < TCP_MAX_WSCALE && FIRST_WINDOW << scale < window)
		scale++;
	return scale;
}

static u32 opt0h(const struct toe_conn *conn, const struct sock *sk)
{
	bool nagle = !(tcp_sk(sk)->nonagle & TCP_NAGLE_OFF);

	return FIELD_PREP(OPT0H_STATION, conn->station) | (nagle ? OPT0H_NAGLE : 0) |
	       FIELD_PREP(OPT0H_WINDOW_SCALE, conn->window_scale) |
	       (sock_flag(sk, SOCK_KEEPOPEN) ? OPT0H_KEEP_ALIVE : 0) |
	       FIELD_PREP(OPT0H_SOURCE, 0) | FIELD_PREP(OPT0H_MTU_INDEX, 0);
}

static u32 opt0l(const struct toe_conn *conn, const struct sock *sk)
{
	return FIELD_PREP(OPT0L_WINDOW_KIB, conn->window >> 10) |
	       FIELD_PREP(OPT0L_DSCP, inet_sk(sk)->tos >> 2);
}

bool toe_send_station(struct t110 *chip, u16 index, const u8 *address)
{
	struct sk_buff *skb;
	struct cpl_l2t_write_req *m = BEGIN(cpl_l2t_write_req, CPL_L2T_WRITE_REQ, index, &skb);

	if (!m)
		return false;
	m->params = be(FIELD_PREP(L2T_INDEX, index) | FIELD_PREP(L2T_VLAN, L2T_NO_VLAN));
	ether_addr_copy(m->dst_mac, address);
	sge_send(chip, ORDERED, skb);
	return true;
}

/* The only source address: that of the interface */
bool toe_send_source(struct t110 *chip)
{
	struct sk_buff *skb;
	struct cpl_smt_write_req *m = BEGIN(cpl_smt_write_req, CPL_SMT_WRITE_REQ, 0, &skb);

	if (!m)
		return false;
	memcpy(m->src_mac0, chip->netdev->dev_addr, ETH_ALEN);
	memcpy(m->src_mac1, chip->netdev->dev_addr, ETH_ALEN);
	sge_send(chip, ORDERED, skb);
	return true;
}

bool toe_send_act_open(struct toe_conn *conn)
{
	const struct inet_sock *inet = inet_sk(conn->sk);
	struct sk_buff *skb;
	struct cpl_act_open_req *m = BEGIN(cpl_act_open_req, CPL_ACT_OPEN_REQ, conn->atid, &skb);

	if (!m)
		return false;
	m->local_port = (__force u16)inet->inet_sport;
	m->peer_port = (__force u16)inet->inet_dport;
	m->local_ip = (__force u32)inet->inet_saddr;
	m->peer_ip = (__force u32)inet->inet_daddr;
	m->opt0h = be(opt0h(conn, conn->sk));
	m->opt0l = be(opt0l(conn, conn->sk));
	sge_send(conn->chip, ORDERED, skb);
	return true;
}

void toe_send_pass_open(struct t110 *chip, const struct sock *listener, u32 stid)
{
	struct sk_buff *skb;
	struct cpl_pass_open_req *m = BEGIN(cpl_pass_open_req, CPL_PASS_OPEN_REQ, stid, &skb);

	if (!m)
		return;
	m->local_port = (__force u16)htons(listener->sk_num);
	m->local_ip = (__force u32)listener->sk_rcv_saddr;
	m->peer_netmask = listener->sk_rcv_saddr ? ~0U : 0;
	m->opt1 = be(FIELD_PREP(OPT1_POLICY, CPL_CONN_POLICY_ASK));
	sge_send(chip, ORDERED, skb);
}

bool toe_send_close_server(struct t110 *chip, u32 stid)
{
	struct sk_buff *skb;

	if (!BEGIN(cpl_close_listserv_req, CPL_CLOSE_LISTSRV_REQ, stid, &skb))
		return false;
	sge_send(chip, ORDERED, skb);
	return true;
}

/* The answer to a SYN. Options are those of the server's socket. */
bool toe_send_accept(struct toe_conn *conn, const struct sock *listener, __be32 peer)
{
	struct sk_buff *skb;
	struct cpl_pass_accept_rpl *m = BEGIN(cpl_pass_accept_rpl, CPL_PASS_ACCEPT_RPL, conn->tid,
					      &skb);

	if (!m)
		return false;
	m->peer_ip = (__force u32)peer;
	m->opt0h = be(opt0h(conn, listener));
	m->opt0l = be(opt0l(conn, listener) | FIELD_PREP(OPT0L_STATUS, CPL_PASS_OPEN_ACCEPT));
	sge_send(conn->chip, ORDERED, skb);
	return true;
}

bool toe_send_credits(struct toe_conn *conn, u32 bytes)
{
	struct sk_buff *skb;
	struct cpl_rx_data_ack *m = BEGIN(cpl_rx_data_ack, CPL_RX_DATA_ACK, conn->tid, &skb);

	if (!m)
		return false;
	m->credit = be(FIELD_PREP(RX_CREDITS, bytes));
	conn->credited += bytes;
	sge_send(conn->chip, CONTROL, skb);
	return true;
}

bool toe_send_close(struct toe_conn *conn)
{
	struct sk_buff *skb;

	if (!BEGIN(cpl_close_con_req, CPL_CLOSE_CON_REQ, conn->tid, &skb))
		return false;
	sge_send(conn->chip, ORDERED, skb);
	return true;
}

/* The chip sends a RST to the peer. */
bool toe_send_abort(struct t110 *chip, u32 tid)
{
	struct sk_buff *skb;
	struct cpl_abort_req *m = BEGIN(cpl_abort_req, CPL_ABORT_REQ, tid, &skb);

	if (!m)
		return false;
	m->cmd = CPL_ABORT_SEND_RST;
	sge_send(chip, ORDERED, skb);
	return true;
}

bool toe_send_abort_reply(struct t110 *chip, u32 tid)
{
	struct sk_buff *skb;

	if (!BEGIN(cpl_abort_rpl, CPL_ABORT_RPL, tid, &skb))
		return false;
	sge_send(chip, ORDERED, skb);
	return true;
}

void toe_send_field(struct toe_conn *conn, u8 field, u32 mask, u32 value)
{
	struct sk_buff *skb;
	struct cpl_set_tcb_field *m = BEGIN(cpl_set_tcb_field, CPL_SET_TCB_FIELD, conn->tid, &skb);

	if (!m)
		return;
	m->offset = field;
	m->mask = be(mask);
	m->val = be(value);
	sge_send(conn->chip, CONTROL, skb);
}

/*
 * Send a copy of a socket's buffer; both have the same data.
 * The buffer's head belongs to this socket alone, so the copy's header may lie in it.
 */
bool toe_send_data(struct toe_conn *conn, struct sk_buff *skb, bool push)
{
	struct cpl_tx_data *m;
	struct sk_buff *copy;

	tcp_skb_tsorted_save(skb) {
		copy = skb_clone(skb, GFP_ATOMIC);
	} tcp_skb_tsorted_restore(skb);
	if (!copy)
		return false;
	m = skb_push(copy, sizeof(*m));
	memset(m, 0, sizeof(*m));
	OPCODE_TID(m) = be(MK_OPCODE_TID(CPL_TX_DATA, conn->tid));
	m->len = be(skb->len);
	m->flags = (__force u16)htons(push ? TX_FLAGS_SHOVE : 0);
	sge_send(conn->chip, ORDERED, copy);
	return true;
}
