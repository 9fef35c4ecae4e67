// SPDX-License-Identifier: GPL-2.0
/*
 * Messages of TCP offload from the chip: to the socket that they are for, or to its backlog while a
 * program has it.
 */
#include "t110.h"
#include "toe.h"
#include "cpl5_cmd.h"

/* Bytes that a message has at least; 0 for a message that is not for a connection with a tid. */
static unsigned int least_bytes(u8 opcode)
{
	switch (opcode) {
	case CPL_ACT_ESTABLISH:
		return sizeof(struct cpl_act_establish);
	case CPL_CLOSE_CON_RPL:
		return sizeof(struct cpl_close_con_rpl);
	case CPL_ABORT_REQ:
		return sizeof(struct cpl_abort_req);
	case CPL_ABORT_RPL:
		return sizeof(struct cpl_abort_rpl);
	case CPL_PEER_CLOSE:
		return sizeof(struct cpl_peer_close);
	case CPL_TX_DATA_ACK:
		return sizeof(struct cpl_tx_data_ack);
	case CPL_RX_DATA:
		return sizeof(struct cpl_rx_data);
	default:
		return 0;
	}
}

static u8 opcode_of(const struct sk_buff *skb)
{
	return skb->data[0];
}

/* A connection that has no socket: it was aborted, and waits until the chip has let go. */
static void without_socket(struct t110 *chip, struct toe_conn *conn, u8 opcode)
{
	if (opcode == CPL_ABORT_REQ)
		toe_answer_abort(chip, conn->tid);
	if (opcode == CPL_ABORT_REQ || opcode == CPL_ABORT_RPL)
		toe_conn_release_tid(conn);
}

/* One message for a socket. Returns whether the socket has kept the buffer. */
static bool handle(struct sock *sk, struct sk_buff *skb)
{
	struct toe_conn *conn = toe_conn_of(sk);
	u8 opcode = opcode_of(skb);

	if (!conn)
		return false;
	if (opcode == CPL_ACT_OPEN_RPL) {
		toe_open_reply(sk, skb);
		return false;
	}
	if (opcode == CPL_ABORT_REQ) {
		toe_aborted(sk, ((struct cpl_abort_req *)skb->data)->cmd);
		return false;
	}
	if (conn->aborting) {
		if (opcode == CPL_ABORT_RPL)
			toe_conn_release_tid(conn);
		return false;
	}
	switch (opcode) {
	case CPL_ACT_ESTABLISH:
		toe_act_establish(sk, skb);
		return false;
	case CPL_TX_DATA_ACK:
		toe_tx_ack(sk, skb);
		return false;
	case CPL_RX_DATA:
		return toe_rx_data(sk, skb);
	case CPL_PEER_CLOSE:
		toe_peer_close(sk);
		return false;
	case CPL_CLOSE_CON_RPL:
		toe_close_reply(sk);
		return false;
	default:
		return false;
	}
}

/* In the place of tcp_v4_do_rcv() */
int toe_backlog_rcv(struct sock *sk, struct sk_buff *skb)
{
	if (!handle(sk, skb))
		kfree_skb(skb);
	return 0;
}

static void for_connection(struct t110 *chip, struct sk_buff *skb)
{
	u32 tid = G_TID(ntohl(*(__be32 *)skb->data));
	struct toe *toe = &chip->toe;
	struct toe_conn *conn;
	struct sock *sk = NULL;

	spin_lock(&toe->lock);
	conn = xa_load(&toe->tids, tid);
	if (conn && conn->sk) {
		sk = conn->sk;
		sock_hold(sk);
	}
	spin_unlock(&toe->lock);
	if (!sk) {
		if (conn)
			without_socket(chip, conn, opcode_of(skb));
		kfree_skb(skb);
		return;
	}
	bh_lock_sock(sk);
	if (sock_owned_by_user(sk))
		__sk_add_backlog(sk, skb);
	else
		toe_backlog_rcv(sk, skb);
	bh_unlock_sock(sk);
	sock_put(sk);
}

/* A message of the chip, in the poll. Takes the buffer. */
void toe_receive(struct t110 *chip, struct sk_buff *skb)
{
	unsigned int least = least_bytes(opcode_of(skb));
	struct net_device *netdev = chip->netdev;

	if (least > 0) {
		if (skb->len >= least)
			for_connection(chip, skb);
		else
			kfree_skb(skb);
		return;
	}
	switch (opcode_of(skb)) {
	case CPL_ACT_OPEN_RPL:
		if (skb->len >= sizeof(struct cpl_act_open_rpl))
			toe_act_open_reply(chip, skb);
		break;
	case CPL_PASS_ACCEPT_REQ:
		if (skb->len >= sizeof(struct cpl_pass_accept_req))
			toe_accept_request(chip, skb);
		break;
	case CPL_PASS_ESTABLISH:
		if (skb->len >= sizeof(struct cpl_pass_establish))
			toe_pass_establish(chip, skb);
		break;
	case CPL_PASS_OPEN_RPL:
		if (skb->len >= sizeof(struct cpl_pass_open_rpl) &&
		    ((struct cpl_pass_open_rpl *)skb->data)->status)
			netif_info(chip, drv, netdev, "the chip has no room for a server\n");
		break;
	default:	/* replies to writes of tables and fields */
		break;
	}
	kfree_skb(skb);
}
