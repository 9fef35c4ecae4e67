// SPDX-License-Identifier: GPL-2.0
/*
 * Active opens. TCP's own connect() does all but the sending: it finds the route and the port, and
 * makes a SYN, which stays in the socket. The chip sends its own. If the chip cannot take the
 * connection, TCP sends that SYN, and the connection is the software's.
 */
#include <linux/module.h>
#include <linux/wait_bit.h>
#include <net/ip.h>
#include <net/route.h>

#include "t110.h"
#include "toe.h"
#include "cpl5_cmd.h"

#define RESOLVE_WAIT	(HZ / 50)
#define RESOLVE_TRIES	10

static atomic_t connects;	/* programs in toe_connect() */

/* A socket that uses what the chip does not have */
static bool is_special(const struct sock *sk)
{
	const struct tcp_sock *tp = tcp_sk(sk);

	return tp->repair || tp->fastopen_req || inet_sk(sk)->defer_connect ||
	       rcu_access_pointer(inet_sk(sk)->inet_opt) || sk->sk_state != TCP_CLOSE ||
	       (inet_csk(sk)->icsk_ulp_ops && inet_csk(sk)->icsk_ulp_ops != &toe_ulp);
}

/* Returns the route to an address if it leaves through a chip that is up. */
static struct rtable *route_by_chip(struct sock *sk, const struct sockaddr_in *to)
{
	struct rtable *route = ip_route_output(sock_net(sk), to->sin_addr.s_addr,
					       inet_sk(sk)->inet_saddr, RT_CONN_FLAGS(sk),
					       sk->sk_bound_dev_if);

	if (IS_ERR(route))
		return NULL;
	if (!(route->rt_flags & (RTCF_MULTICAST | RTCF_BROADCAST)) &&
	    toe_chip_of(route->dst.dev))
		return route;
	ip_rt_put(route);
	return NULL;
}

static bool may_wait(const struct sock *sk)
{
	return sk->sk_socket && sk->sk_socket->file &&
	       !(sk->sk_socket->file->f_flags & O_NONBLOCK);
}

/*
 * Returns the chip, and the entry of the next station. A program that waits in connect() waits for
 * the station's address, too. For all others the software opens the connection if the address is
 * not known. The chip may go down meanwhile: then there is none.
 */
static struct t110 *resolve(struct sock *sk, struct rtable *route, __be32 to, int *station)
{
	__be32 next = rt_nexthop(route, to);
	struct t110 *chip;
	int i;

	for (i = 0; i < RESOLVE_TRIES; i++) {
		chip = toe_chip_of(route->dst.dev);
		if (!chip || sk->sk_state != TCP_CLOSE)
			return NULL;
		*station = toe_station_resolve(chip, &route->dst, next);
		if (*station >= 0)
			return chip;
		if (*station != -EAGAIN || !may_wait(sk))
			return NULL;
		release_sock(sk);
		schedule_timeout_uninterruptible(RESOLVE_WAIT);
		lock_sock(sk);
	}
	return NULL;
}

static u32 window_of(const struct sock *sk)
{
	u32 bytes = sk->sk_userlocks & SOCK_RCVBUF_LOCK ?
		    READ_ONCE(sk->sk_rcvbuf) / 2 :
		    READ_ONCE(sock_net(sk)->ipv4.sysctl_tcp_rmem[2]);

	return clamp(bytes, 2048U, TOE_MAX_WINDOW) & ~1023U;
}

void toe_set_window(struct toe_conn *conn, const struct sock *sk)
{
	conn->window = window_of(sk);
	conn->window_scale = toe_window_scale(conn->window);
}

/*
 * The chip has no room for a connection, or no message can be sent: TCP goes on where it stopped.
 * The socket is locked.
 */
static void go_on_in_software(struct sock *sk)
{
	toe_conn_of(sk)->chip->counts.toe_software++;
	toe_conn_detach(sk);
	toe_unoffload(sk);
	inet_csk_reset_xmit_timer(sk, ICSK_TIME_RETRANS, 1, TCP_RTO_MAX);
}

/* Open by the chip. Returns false if TCP has to do it, with the socket as it was. */
static bool open_by_chip(struct sock *sk, struct sockaddr *address, int length, int *err)
{
	const struct sockaddr_in *to = (const struct sockaddr_in *)address;
	struct toe_conn *conn;
	struct rtable *route;
	struct t110 *chip;
	int station;

	if (length < sizeof(*to) || to->sin_family != AF_INET || is_special(sk))
		return false;
	route = route_by_chip(sk, to);
	if (!route)
		return false;
	chip = resolve(sk, route, to->sin_addr.s_addr, &station);
	ip_rt_put(route);
	if (!chip)
		return false;
	if (!try_module_get(THIS_MODULE))
		return false;
	conn = toe_conn_alloc(chip, sk, GFP_ATOMIC);
	if (!conn) {
		module_put(THIS_MODULE);
		return false;
	}
	conn->station = station;
	toe_set_window(conn, sk);
	toe_offload(sk);
	*err = toe_tcp_connect(sk, address, length);
	inet_csk_clear_xmit_timer(sk, ICSK_TIME_RETRANS);
	if (*err) {
		toe_conn_detach(sk);
		toe_unoffload(sk);
	} else if (toe_conn_set_atid(conn) || !toe_send_act_open(conn)) {
		toe_conn_release_atid(conn);
		go_on_in_software(sk);
	}
	return true;
}

static int connect(struct sock *sk, struct sockaddr *address, int length)
{
	bool asked = inet_csk(sk)->icsk_ulp_ops == &toe_ulp;
	unsigned int mode = READ_ONCE(toe_mode);
	int err = 0;

	if ((mode == TOE_ALL || (mode == TOE_ASKED && asked)) &&
	    open_by_chip(sk, address, length, &err))
		return err;
	if (inet_csk(sk)->icsk_ulp_ops == &toe_ulp) {	/* the socket is TCP's from here on */
		inet_csk(sk)->icsk_ulp_ops = NULL;
		module_put(THIS_MODULE);
	}
	return toe_tcp_connect(sk, address, length);
}

/* In the place of tcp_v4_connect(), which may wait for memory. The socket is locked. */
int toe_connect(struct sock *sk, struct sockaddr *address, int length)
{
	int err;

	atomic_inc(&connects);
	err = connect(sk, address, length);
	if (atomic_dec_and_test(&connects))
		wake_up_var(&connects);
	return err;
}

/* No program calls toe_connect() from here on. Returns when none is in it. */
void toe_wait_for_connects(void)
{
	wait_var_event(&connects, !atomic_read(&connects));
}

static int error_of(u8 status)
{
	switch (status) {
	case CPL_ERR_CONN_RESET:
		return -ECONNREFUSED;
	case CPL_ERR_CONN_EXIST:
		return -EADDRNOTAVAIL;
	case CPL_ERR_ARP_MISS:
		return -EHOSTUNREACH;
	default:
		return -ETIMEDOUT;
	}
}

static void open_failed(struct sock *sk, struct toe_conn *conn, u8 status)
{
	bool is_full = status == CPL_ERR_TCAM_FULL || status == CPL_ERR_GENERAL;

	conn->aborting = true;
	toe_conn_release_tid(conn);
	if (sk->sk_state != TCP_SYN_SENT)
		return;
	if (is_full && !sock_flag(sk, SOCK_DEAD)) {
		go_on_in_software(sk);
		return;
	}
	WRITE_ONCE(sk->sk_err, -error_of(status));
	sk_error_report(sk);
	tcp_done(sk);
}

/* The connection's socket is gone or closed: the chip must forget it, too. */
static void open_reply_of_ended(struct toe_conn *conn, const struct cpl_act_open_rpl *m)
{
	u32 tid = G_TID(ntohl((__force __be32)m->new_tid));

	if (!m->status)
		toe_abort_tid(conn->chip, tid);
	if (m->status || toe_conn_set_tid(conn, tid))
		toe_conn_release_tid(conn);
}

/* CPL_ACT_OPEN_RPL: the chip has taken a connection. A second one tells that it has failed. */
void toe_open_reply(struct sock *sk, const struct sk_buff *skb)
{
	const struct cpl_act_open_rpl *m = (const struct cpl_act_open_rpl *)skb->data;
	struct toe_conn *conn = toe_conn_of(sk);
	u32 tid = G_TID(ntohl((__force __be32)m->new_tid));

	if (!conn)
		return;
	if (conn->aborting) {
		open_reply_of_ended(conn, m);
	} else if (m->status) {
		open_failed(sk, conn, m->status);
	} else if (toe_conn_set_tid(conn, tid)) {
		toe_abort_tid(conn->chip, tid);
		open_failed(sk, conn, CPL_ERR_GENERAL);
	}
}

void toe_act_open_reply(struct t110 *chip, const struct sk_buff *skb)
{
	const struct cpl_act_open_rpl *m = (const struct cpl_act_open_rpl *)skb->data;
	u32 atid = GET_TID(m);
	struct toe *toe = &chip->toe;
	struct toe_conn *conn;
	struct sock *sk = NULL;

	spin_lock(&toe->lock);
	conn = xa_load(&toe->atids, atid);
	if (conn && conn->sk) {
		sk = conn->sk;
		sock_hold(sk);
	}
	spin_unlock(&toe->lock);
	if (!conn)
		return;
	if (!sk) {
		open_reply_of_ended(conn, m);
		return;
	}
	bh_lock_sock(sk);
	if (sock_owned_by_user(sk))
		__sk_add_backlog(sk, skb_get((struct sk_buff *)skb));
	else
		toe_open_reply(sk, skb);
	bh_unlock_sock(sk);
	sock_put(sk);
}

/* CPL_ACT_ESTABLISH */
void toe_act_establish(struct sock *sk, const struct sk_buff *skb)
{
	const struct cpl_act_establish *m = (const struct cpl_act_establish *)skb->data;

	toe_conn_release_atid(toe_conn_of(sk));
	if (sk->sk_state != TCP_SYN_SENT) {
		toe_abort(sk);
		return;
	}
	toe_set_numbers(sk, ntohl((__force __be32)m->snd_isn), ntohl((__force __be32)m->rcv_isn));
	tcp_set_state(sk, TCP_ESTABLISHED);
	sk->sk_state_change(sk);
	sk_wake_async(sk, SOCK_WAKE_IO, POLL_OUT);
	toe_push(sk);
}
