// SPDX-License-Identifier: GPL-2.0
/*
 * Connections: their numbers, and how a socket of TCP becomes one that the chip runs.
 *
 * Such a socket stays in TCP's tables. Segments for it that the chip did not take, such as
 * fragments, must not reach it: its least TTL is 255, so TCP drops them. toe_register() has
 * switched that check on. Its congestion window is full, so TCP sends nothing of its queue.
 */
#include <linux/module.h>

#include "t110.h"
#include "toe.h"

#define NO_SEGMENTS	255	/* a TTL that no segment of another station has */

/* A connection of a chip that is up, of a socket if there is one; NULL if it cannot be. */
struct toe_conn *toe_conn_alloc(struct t110 *chip, struct sock *sk, gfp_t gfp)
{
	struct toe_conn *conn = kzalloc(sizeof(*conn), gfp);
	bool on;

	if (!conn)
		return NULL;
	conn->chip = chip;
	conn->sk = sk;
	skb_queue_head_init(&conn->in_flight);
	spin_lock_bh(&chip->toe.lock);
	on = chip->toe.on;
	if (on)
		list_add_tail(&conn->link, &chip->toe.conns);
	spin_unlock_bh(&chip->toe.lock);
	if (!on) {
		kfree(conn);
		return NULL;
	}
	if (sk)
		inet_csk(sk)->icsk_ulp_data = conn;
	return conn;
}

/* Under toe->lock */
static void free_if_unused(struct toe_conn *conn)
{
	if (conn->sk || conn->has_atid || conn->has_tid)
		return;
	list_del(&conn->link);
	kfree_rcu(conn, rcu);
}

int toe_conn_set_atid(struct toe_conn *conn)
{
	int err = xa_alloc_bh(&conn->chip->toe.atids, &conn->atid, conn,
			      XA_LIMIT(0, TOE_MAX_ATIDS - 1), GFP_ATOMIC);

	conn->has_atid = !err;
	return err;
}

/* The chip has named the connection's tid. */
int toe_conn_set_tid(struct toe_conn *conn, u32 tid)
{
	void *old = xa_store_bh(&conn->chip->toe.tids, tid, conn, GFP_ATOMIC);

	if (xa_is_err(old))
		return xa_err(old);
	conn->tid = tid;
	conn->has_tid = true;
	conn->chip->counts.toe_opened++;
	return 0;
}

/* The handshake is over: no message names the atid from here on. */
void toe_conn_release_atid(struct toe_conn *conn)
{
	if (conn->has_atid)
		xa_erase_bh(&conn->chip->toe.atids, conn->atid);
	conn->has_atid = false;
}

static void forget_numbers(struct toe_conn *conn)
{
	struct toe *toe = &conn->chip->toe;

	if (conn->has_tid) {
		xa_erase(&toe->tids, conn->tid);
		conn->chip->counts.toe_closed++;
	}
	if (conn->has_atid)
		xa_erase(&toe->atids, conn->atid);
	conn->has_tid = false;
	conn->has_atid = false;
}

/* The chip has forgotten all its connections. No socket has one. */
void toe_conns_forget(struct toe *toe)
{
	struct toe_conn *conn, *next;

	spin_lock_bh(&toe->lock);
	list_for_each_entry_safe(conn, next, &toe->conns, link) {
		forget_numbers(conn);
		list_del(&conn->link);
		kfree_rcu(conn, rcu);
	}
	memset(toe->stations, 0, sizeof(toe->stations));
	toe_owed_forget(toe);
	spin_unlock_bh(&toe->lock);
}

/* The chip has let go of the connection: of its tid, or of its atid. */
void toe_conn_release_tid(struct toe_conn *conn)
{
	struct toe *toe = &conn->chip->toe;

	spin_lock_bh(&toe->lock);
	forget_numbers(conn);
	free_if_unused(conn);
	spin_unlock_bh(&toe->lock);
}

void toe_conn_attach(struct toe_conn *conn, struct sock *sk)
{
	spin_lock_bh(&conn->chip->toe.lock);
	conn->sk = sk;
	inet_csk(sk)->icsk_ulp_data = conn;
	spin_unlock_bh(&conn->chip->toe.lock);
}

/* The socket ends, or goes on without the chip. The connection in the chip is aborted. */
void toe_conn_detach(struct sock *sk)
{
	struct toe_conn *conn = toe_conn_of(sk);

	if (!conn)
		return;
	toe_purge(sk);
	if (conn->has_tid && !conn->aborting) {
		conn->aborting = true;
		toe_abort_tid(conn->chip, conn->tid);
	}
	conn->aborting = true;	/* an atid without a tid yet: see toe_act_open_reply() */
	spin_lock_bh(&conn->chip->toe.lock);
	inet_csk(sk)->icsk_ulp_data = NULL;
	conn->sk = NULL;
	free_if_unused(conn);
	spin_unlock_bh(&conn->chip->toe.lock);
}

/*
 * Hand a socket to the chip. Its connection is attached. The caller has got a reference of the
 * module for the socket: a module that is being unloaded gives none.
 */
void toe_offload(struct sock *sk)
{
	struct inet_connection_sock *icsk = inet_csk(sk);

	if (icsk->icsk_ulp_ops)		/* a socket that asked has a reference */
		module_put(THIS_MODULE);
	else
		icsk->icsk_ulp_ops = &toe_ulp;
	icsk->icsk_af_ops = &toe_af_ops;
	icsk->icsk_mtup.enabled = 0;
	WRITE_ONCE(inet_sk(sk)->min_ttl, NO_SEGMENTS);
	sk->sk_backlog_rcv = toe_backlog_rcv;
	WRITE_ONCE(sk->sk_prot, &toe_proto);
}

/* Give a socket back to TCP: it is closed, or it opens. Its connection is detached by then. */
void toe_unoffload(struct sock *sk)
{
	struct inet_connection_sock *icsk = inet_csk(sk);

	icsk->icsk_af_ops = &ipv4_specific;
	WRITE_ONCE(inet_sk(sk)->min_ttl, 0);
	sk->sk_backlog_rcv = tcp_v4_do_rcv;
	WRITE_ONCE(sk->sk_prot, &tcp_prot);
	icsk->icsk_ulp_ops = NULL;
	module_put(THIS_MODULE);
}

/* Numbers of an open connection, and limits that keep TCP from sending */
void toe_set_numbers(struct sock *sk, u32 snd_isn, u32 rcv_isn)
{
	struct toe_conn *conn = toe_conn_of(sk);
	struct tcp_sock *tp = tcp_sk(sk);
	struct sk_buff *skb;

	inet_csk_clear_xmit_timer(sk, ICSK_TIME_RETRANS);
	while ((skb = tcp_rtx_queue_head(sk)))	/* TCP's own SYN, which was never sent */
		tcp_rtx_queue_unlink_and_free(skb, sk);
	tp->highest_sack = NULL;
	inet_csk(sk)->icsk_mtup.enabled = 0;
	tp->rx_opt.mss_clamp = tp->advmss;
	tcp_sync_mss(sk, inet_csk(sk)->icsk_pmtu_cookie);
	WRITE_ONCE(tp->write_seq, snd_isn + 1);
	tp->snd_una = snd_isn + 1;
	WRITE_ONCE(tp->snd_nxt, snd_isn + 1);
	tp->pushed_seq = snd_isn + 1;
	WRITE_ONCE(tp->copied_seq, rcv_isn + 1);
	WRITE_ONCE(tp->rcv_nxt, rcv_isn + 1);
	tp->rcv_wup = rcv_isn + 1;
	tp->rcv_wnd = conn->window;
	tp->window_clamp = 0;	/* reading never makes TCP tell a window */
	tp->packets_out = 1;
	tp->snd_cwnd = 1;
	tp->nonagle &= ~TCP_NAGLE_PUSH;
	conn->credited = rcv_isn + 1;
	conn->is_open = true;
	sk->sk_gso_max_size = TOE_TX_BYTES;
	if (!(sk->sk_userlocks & SOCK_SNDBUF_LOCK))
		WRITE_ONCE(sk->sk_sndbuf, READ_ONCE(sock_net(sk)->ipv4.sysctl_tcp_wmem[2]));
	if (!(sk->sk_userlocks & SOCK_RCVBUF_LOCK))
		WRITE_ONCE(sk->sk_rcvbuf, READ_ONCE(sock_net(sk)->ipv4.sysctl_tcp_rmem[2]));
}
