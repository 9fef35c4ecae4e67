// SPDX-License-Identifier: GPL-2.0
/*
 * The end of connections: close, shutdown, linger, abort, and what the peer and the chip's timers
 * do. States are TCP's. TIME-WAIT is the chip's: a socket that has had both FINs is closed.
 */
#include "t110.h"
#include "toe.h"
#include "cpl5_cmd.h"

/* This direction ends behind the data that are in the queue. The socket is locked. */
static void send_fin(struct sock *sk)
{
	struct toe_conn *conn = toe_conn_of(sk);

	switch (sk->sk_state) {
	case TCP_ESTABLISHED:
		tcp_set_state(sk, TCP_FIN_WAIT1);
		break;
	case TCP_CLOSE_WAIT:
		tcp_set_state(sk, TCP_LAST_ACK);
		break;
	default:
		return;
	}
	WRITE_ONCE(tcp_sk(sk)->write_seq, tcp_sk(sk)->write_seq + 1);
	conn->fin_wanted = true;
	toe_push(sk);
}

void toe_shutdown(struct sock *sk, int how)
{
	if (!(how & SEND_SHUTDOWN))
		return;
	if (sk->sk_state == TCP_SYN_SENT)
		toe_abort(sk);
	else
		send_fin(sk);
}

/* End at once. The tid stays the connection's until CPL_ABORT_RPL. The socket is locked. */
void toe_abort(struct sock *sk)
{
	struct toe_conn *conn = toe_conn_of(sk);

	if (conn && !conn->aborting) {
		conn->aborting = true;
		if (conn->has_tid)
			toe_abort_tid(conn->chip, conn->tid);
		toe_purge(sk);
	}
	if (sk->sk_state != TCP_CLOSE)
		tcp_done(sk);
}

static bool drop_unread(struct sock *sk)
{
	struct sk_buff *skb;
	bool any = false;

	while ((skb = __skb_dequeue(&sk->sk_receive_queue))) {
		if (TCP_SKB_CB(skb)->end_seq != tcp_sk(sk)->copied_seq)
			any = true;
		__kfree_skb(skb);
	}
	return any;
}

/* As tcp_close(): unread data, and a linger of zero seconds, are answered with a RST. */
static void begin_close(struct sock *sk, long timeout)
{
	bool unread = drop_unread(sk);

	if (sk->sk_state == TCP_CLOSE)
		return;
	if (unread || sk->sk_state == TCP_SYN_SENT ||
	    (sock_flag(sk, SOCK_LINGER) && !sk->sk_lingertime)) {
		if (unread)
			NET_INC_STATS(sock_net(sk), LINUX_MIB_TCPABORTONCLOSE);
		else
			NET_INC_STATS(sock_net(sk), LINUX_MIB_TCPABORTONDATA);
		toe_abort(sk);
		return;
	}
	send_fin(sk);
	sk_stream_wait_close(sk, timeout);
}

void toe_close(struct sock *sk, long timeout)
{
	int state;

	lock_sock(sk);
	WRITE_ONCE(sk->sk_shutdown, SHUTDOWN_MASK);
	begin_close(sk, timeout);
	state = sk->sk_state;
	sock_hold(sk);
	sock_orphan(sk);
	release_sock(sk);
	/* Now the messages have the socket for themselves. */
	local_bh_disable();
	bh_lock_sock(sk);
	WARN_ON(sock_owned_by_user(sk));
	this_cpu_inc(tcp_orphan_count);
	/* The backlog may have ended the socket, and tcp_done() has destroyed it then. */
	if (state == TCP_CLOSE)
		inet_csk_destroy_sock(sk);
	bh_unlock_sock(sk);
	local_bh_enable();
	sock_put(sk);
}

int toe_disconnect(struct sock *sk, int flags)
{
	if (sk->sk_state != TCP_CLOSE) {
		WRITE_ONCE(sk->sk_err, ECONNRESET);
		tcp_set_state(sk, TCP_CLOSE);
	}
	tcp_sk(sk)->packets_out = 0;
	toe_conn_detach(sk);
	toe_unoffload(sk);
	return tcp_disconnect(sk, flags);
}

/* A socket whose connection has failed or ended is TCP's when it is used again. */
int toe_connect_again(struct sock *sk, struct sockaddr *address, int length)
{
	toe_conn_detach(sk);
	toe_unoffload(sk);
	return tcp_prot.connect(sk, address, length);
}

int toe_hash_again(struct sock *sk)
{
	toe_conn_detach(sk);
	toe_unoffload(sk);
	return tcp_prot.hash(sk);
}

/* ss -K */
int toe_diag_destroy(struct sock *sk, int err)
{
	lock_sock(sk);
	local_bh_disable();
	bh_lock_sock(sk);
	if (!sock_flag(sk, SOCK_DEAD)) {
		WRITE_ONCE(sk->sk_err, err);
		sk_error_report(sk);
	}
	toe_abort(sk);
	bh_unlock_sock(sk);
	local_bh_enable();
	release_sock(sk);
	return 0;
}

/* Both directions have ended: the chip keeps what is left, TIME-WAIT. */
static void both_ended(struct sock *sk, struct toe_conn *conn)
{
	conn->aborting = true;	/* no message names the tid from here on */
	toe_conn_release_tid(conn);
	tcp_done(sk);
}

/* CPL_PEER_CLOSE: the peer's FIN, behind all of its data */
void toe_peer_close(struct sock *sk)
{
	struct toe_conn *conn = toe_conn_of(sk);
	struct tcp_sock *tp = tcp_sk(sk);

	if (conn->peer_closed)
		return;
	conn->peer_closed = true;
	WRITE_ONCE(tp->rcv_nxt, tp->rcv_nxt + 1);
	tp->rcv_wup = tp->rcv_nxt;
	WRITE_ONCE(sk->sk_shutdown, sk->sk_shutdown | RCV_SHUTDOWN);
	sock_set_flag(sk, SOCK_DONE);
	switch (sk->sk_state) {
	case TCP_ESTABLISHED:
		tcp_set_state(sk, TCP_CLOSE_WAIT);
		break;
	case TCP_FIN_WAIT1:
		tcp_set_state(sk, TCP_CLOSING);
		break;
	case TCP_FIN_WAIT2:
		both_ended(sk, conn);
		return;
	default:
		return;
	}
	if (sock_flag(sk, SOCK_DEAD))
		return;
	sk->sk_state_change(sk);
	sk_wake_async(sk, SOCK_WAKE_WAITD, POLL_IN);
}

/* CPL_CLOSE_CON_RPL: the peer has acknowledged this side's FIN. */
void toe_close_reply(struct sock *sk)
{
	struct toe_conn *conn = toe_conn_of(sk);

	conn->fin_acked = true;
	switch (sk->sk_state) {
	case TCP_FIN_WAIT1:
		tcp_set_state(sk, TCP_FIN_WAIT2);
		WRITE_ONCE(sk->sk_shutdown, sk->sk_shutdown | SEND_SHUTDOWN);
		if (!sock_flag(sk, SOCK_DEAD))
			sk->sk_state_change(sk);
		break;
	case TCP_CLOSING:
	case TCP_LAST_ACK:
		both_ended(sk, conn);
		break;
	default:
		break;
	}
}

static int error_of(const struct sock *sk, u8 status)
{
	switch (status) {
	case CPL_ERR_XMIT_TIMEDOUT:
	case CPL_ERR_PERSIST_TIMEDOUT:
	case CPL_ERR_KEEPALIVE_TIMEDOUT:
	case CPL_ERR_CONN_TIMEDOUT:
		return sk->sk_err_soft ? -sk->sk_err_soft : -ETIMEDOUT;
	case CPL_ERR_FINWAIT2_TIMEDOUT:
		return 0;
	default:
		break;
	}
	switch (sk->sk_state) {		/* as tcp_reset() */
	case TCP_SYN_SENT:
		return -ECONNREFUSED;
	case TCP_CLOSE_WAIT:
		return -EPIPE;
	default:
		return -ECONNRESET;
	}
}

/* CPL_ABORT_REQ of the chip: a RST, or a timer of TCP that gave up */
void toe_aborted(struct sock *sk, u8 status)
{
	struct toe_conn *conn = toe_conn_of(sk);
	int err = error_of(sk, status);

	conn->aborting = true;
	toe_answer_abort(conn->chip, conn->tid);
	toe_conn_release_tid(conn);
	toe_purge(sk);
	if (sk->sk_state == TCP_CLOSE)
		return;
	if (err) {
		WRITE_ONCE(sk->sk_err, -err);
		if (!sock_flag(sk, SOCK_DEAD))
			sk_error_report(sk);
	}
	tcp_done(sk);
}
