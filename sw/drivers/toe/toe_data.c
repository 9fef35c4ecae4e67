// SPDX-License-Identifier: GPL-2.0
/*
 * Data of open connections.
 *
 * Programs write into TCP's own queue, and read from it. toe_release_cb() runs whenever a program
 * lets go of its socket, so also before it sleeps. It gives the chip what is in the queue, and
 * credits for the bytes that were read. Bytes count for the socket's limit until the peer has them.
 */
#include "t110.h"
#include "toe.h"
#include "cpl5_cmd.h"

/* States in which data, or a FIN behind them, can still be sent */
#define SENDING	(TCPF_ESTABLISHED | TCPF_CLOSE_WAIT | TCPF_FIN_WAIT1 | TCPF_CLOSING | \
		 TCPF_LAST_ACK)

static void retry_later(struct toe_conn *conn)
{
	conn->needs_retry = true;
	toe_retry_later(conn->chip);
}

/* A corked socket keeps its last buffer until that is full. */
static bool is_held(const struct sock *sk, const struct sk_buff *skb)
{
	return (tcp_sk(sk)->nonagle & TCP_NAGLE_CORK) && skb->len < TOE_TX_BYTES &&
	       skb_queue_is_last(&sk->sk_write_queue, skb) && !toe_conn_of(sk)->fin_wanted;
}

static bool send_one(struct sock *sk, struct toe_conn *conn, struct sk_buff *skb)
{
	struct tcp_sock *tp = tcp_sk(sk);

	if (skb->len == 0) {
		tcp_unlink_write_queue(skb, sk);
		tcp_wmem_free_skb(sk, skb);
		return true;
	}
	if (WARN_ON_ONCE(skb->len > SGE_ENTRY_MAX_BYTES - sizeof(struct cpl_tx_data))) {
		toe_abort(sk);	/* the chip would stop: sk_gso_max_size was changed */
		return true;
	}
	if (!toe_send_data(conn, skb, skb_queue_is_last(&sk->sk_write_queue, skb)))
		return false;
	tcp_unlink_write_queue(skb, sk);
	__skb_queue_tail(&conn->in_flight, skb);
	WRITE_ONCE(tp->snd_nxt, TCP_SKB_CB(skb)->end_seq);
	tp->bytes_sent += skb->len;
	return true;
}

/* Give the chip all that it may have, and the close behind it. The socket is locked. */
void toe_push(struct sock *sk)
{
	struct toe_conn *conn = toe_conn_of(sk);
	struct sk_buff *skb;

	if (!conn || !conn->is_open || conn->aborting || conn->fin_sent ||
	    !((1 << sk->sk_state) & SENDING))
		return;
	while (!conn->aborting && (skb = tcp_send_head(sk)) && !is_held(sk, skb))
		if (!send_one(sk, conn, skb)) {
			retry_later(conn);
			return;
		}
	if (!conn->fin_wanted || conn->aborting)
		return;
	if (toe_send_close(conn))
		conn->fin_sent = true;
	else
		retry_later(conn);
}

/* Tell the chip what the program has read. A window's quarter is worth a message. */
static void give_credits(struct sock *sk)
{
	struct toe_conn *conn = toe_conn_of(sk);
	u32 bytes;

	if (!conn || !conn->is_open || conn->aborting || conn->peer_closed)
		return;
	bytes = tcp_sk(sk)->copied_seq - conn->credited;
	if (bytes > 0 && bytes >= min_t(u32, TOE_CREDIT_BYTES, conn->window / 4) &&
	    !toe_send_credits(conn, bytes))
		retry_later(conn);
}

/* A program lets go of its socket. The socket's spinlock is held. */
void toe_release_cb(struct sock *sk)
{
	tcp_release_cb(sk);
	toe_push(sk);
	give_credits(sk);
}

/* CPL_TX_DATA_ACK: the peer has bytes, whose buffers end. */
void toe_tx_ack(struct sock *sk, const struct sk_buff *skb)
{
	const struct cpl_tx_data_ack *m = (const struct cpl_tx_data_ack *)skb->data;
	struct toe_conn *conn = toe_conn_of(sk);
	u32 una = ntohl((__force __be32)m->ack_seq);
	struct tcp_sock *tp = tcp_sk(sk);
	struct sk_buff *sent;

	if (!after(una, tp->snd_una) || after(una, tp->snd_nxt + 1))
		return;
	tp->bytes_acked += una - tp->snd_una;
	tp->snd_una = una;
	while ((sent = skb_peek(&conn->in_flight)) && !after(TCP_SKB_CB(sent)->end_seq, una)) {
		__skb_unlink(sent, &conn->in_flight);
		tcp_wmem_free_skb(sk, sent);
	}
	if (sk->sk_socket && test_bit(SOCK_NOSPACE, &sk->sk_socket->flags))
		sk->sk_write_space(sk);
}

/*
 * CPL_RX_DATA. Returns whether the socket has taken the buffer. The chip has acknowledged these
 * bytes, so they are charged without asking; credits keep them within the socket's limit.
 */
bool toe_rx_data(struct sock *sk, struct sk_buff *skb)
{
	const struct cpl_rx_data *m = (const struct cpl_rx_data *)skb->data;
	u32 length = ntohl((__force __be32)m->len), seq = ntohl((__force __be32)m->seq);
	struct tcp_sock *tp = tcp_sk(sk);

	if (skb->len < sizeof(*m) + length || seq != tp->rcv_nxt || length == 0) {
		toe_abort(sk);
		return false;
	}
	/* Nobody will read it: TCP answers with a RST, too. An open socket can be read even so. */
	if (sock_flag(sk, SOCK_DEAD) ||
	    ((sk->sk_shutdown & RCV_SHUTDOWN) && sk->sk_state != TCP_ESTABLISHED)) {
		toe_abort(sk);
		return false;
	}
	__skb_pull(skb, sizeof(*m));
	skb_trim(skb, length);
	skb->dev = NULL;
	memset(skb->cb, 0, sizeof(skb->cb));
	TCP_SKB_CB(skb)->seq = seq;
	TCP_SKB_CB(skb)->end_seq = seq + length;
	TCP_SKB_CB(skb)->tcp_flags = TCPHDR_ACK;
	skb_set_owner_r(skb, sk);
	__skb_queue_tail(&sk->sk_receive_queue, skb);
	WRITE_ONCE(tp->rcv_nxt, seq + length);
	tp->rcv_wup = seq + length;
	tp->bytes_received += length;
	if (!sock_flag(sk, SOCK_DEAD))
		sk->sk_data_ready(sk);
	return true;
}

/* Buffers that the chip has had end with the connection. */
void toe_purge(struct sock *sk)
{
	struct toe_conn *conn = toe_conn_of(sk);
	struct sk_buff *skb;

	while ((skb = __skb_dequeue(&conn->in_flight)))
		tcp_wmem_free_skb(sk, skb);
}
