// SPDX-License-Identifier: GPL-2.0
/*
 * Servers and passive opens. Each listening socket of IPv4 is a server in every chip that is up.
 * The chip asks for each SYN. When the handshake is over, the child is made as TCP makes it, and
 * put into the server's accept queue.
 */
#include <linux/ip.h>
#include <linux/module.h>
#include <net/inet_common.h>
#include <net/inet_hashtables.h>

#include "t110.h"
#include "toe.h"
#include "cpl5_cmd.h"

#define CHILD_TTL	64

struct toe_server {
	struct sock *sk;	/* NULL: closed, and a chip has not been told for lack of memory */
	struct list_head link;
	u32 stid;
};

static DEFINE_SPINLOCK(servers_lock);
static LIST_HEAD(servers);
static DEFINE_IDA(stids);

static bool may_serve(const struct sock *sk)
{
	bool asked = inet_csk(sk)->icsk_ulp_ops == &toe_ulp;
	unsigned int mode = READ_ONCE(toe_mode);

	return sk->sk_family == AF_INET && net_eq(sock_net(sk), &init_net) &&
	       (mode == TOE_ALL || (mode == TOE_ASKED && asked));
}

static void open_server(struct t110 *chip, void *data)
{
	const struct toe_server *server = data;

	toe_send_pass_open(chip, server->sk, server->stid);
}

struct closing {
	u32 stid;
	bool is_told;
};

static void close_server(struct t110 *chip, void *data)
{
	struct closing *closing = data;

	if (!toe_send_close_server(chip, closing->stid)) {
		closing->is_told = false;
		chip->counts.toe_no_memory++;
		toe_retry_later(chip);
	}
}

/* Returns whether all chips that are up have been told. A second message for one does no harm. */
static bool tell_closed(u32 stid)
{
	struct closing closing = { .stid = stid, .is_told = true };

	toe_for_each_up(close_server, &closing);
	return closing.is_told;
}

static void add_server(struct sock *sk)
{
	struct toe_server *server = kzalloc(sizeof(*server), GFP_ATOMIC);
	int stid;

	if (!server)
		return;
	stid = ida_alloc_max(&stids, TOE_SERVERS - 1, GFP_ATOMIC);
	if (stid < 0) {		/* the table is full: the software serves */
		kfree(server);
		return;
	}
	server->sk = sk;
	server->stid = stid;
	spin_lock_bh(&servers_lock);
	list_add_tail(&server->link, &servers);
	spin_unlock_bh(&servers_lock);
	toe_for_each_up(open_server, server);
}

static void free_server(struct toe_server *server)
{
	list_del(&server->link);
	ida_free(&stids, server->stid);
	kfree(server);
}

static void remove_server(const struct sock *sk)
{
	struct toe_server *server;

	spin_lock_bh(&servers_lock);
	list_for_each_entry(server, &servers, link)
		if (server->sk == sk) {
			server->sk = NULL;
			if (tell_closed(server->stid))
				free_server(server);
			break;
		}
	spin_unlock_bh(&servers_lock);
}

/* Tell of closed servers again. Returns whether some chip still has not been told. */
bool toe_servers_retry(void)
{
	struct toe_server *server, *next;
	bool any = false;

	spin_lock_bh(&servers_lock);
	list_for_each_entry_safe(server, next, &servers, link) {
		if (server->sk)
			continue;
		if (tell_closed(server->stid))
			free_server(server);
		else
			any = true;
	}
	spin_unlock_bh(&servers_lock);
	return any;
}

/* In the place of inet_hash(): a socket begins to listen, or gets its ports. */
int toe_hash(struct sock *sk)
{
	int err = inet_hash(sk);

	if (!err && sk->sk_state == TCP_LISTEN && may_serve(sk))
		add_server(sk);
	return err;
}

/* In the place of inet_unhash() */
void toe_unhash(struct sock *sk)
{
	if (sk->sk_state == TCP_LISTEN)
		remove_server(sk);
	inet_unhash(sk);
}

/* A chip has come up: it gets the servers that there are. */
void toe_servers_open(struct t110 *chip)
{
	struct toe_server *server;

	spin_lock_bh(&servers_lock);
	list_for_each_entry(server, &servers, link)
		if (server->sk)
			toe_send_pass_open(chip, server->sk, server->stid);
	spin_unlock_bh(&servers_lock);
}

/* The module ends, and no chip is there. */
void toe_servers_forget(void)
{
	struct toe_server *server, *next;

	list_for_each_entry_safe(server, next, &servers, link)
		free_server(server);
}

/* Returns a server's socket, held. */
static struct sock *listener_of(u32 stid)
{
	struct toe_server *server;
	struct sock *sk = NULL;

	spin_lock_bh(&servers_lock);
	list_for_each_entry(server, &servers, link)
		if (server->stid == stid && server->sk) {
			sk = server->sk;
			sock_hold(sk);
			break;
		}
	spin_unlock_bh(&servers_lock);
	return sk;
}

static bool fill_connection(struct toe_conn *conn, struct sock *listener,
			    const struct cpl_pass_accept_req *m)
{
	int station = toe_station_get(conn->chip, m->src_mac);

	/* Another port: the number belonged to a server that has closed since. */
	if (station < 0 || !listener || sk_acceptq_is_full(listener) ||
	    listener->sk_num != ntohs((__force __be16)m->local_port))
		return false;
	conn->station = station;
	conn->syn.mss = ntohs((__force __be16)m->tcp_options.mss);
	conn->syn.window_scale = m->tcp_options.wsf;
	conn->syn.scales = m->tcp_options.wsf > 0;
	conn->syn.timestamps = m->tcp_options.tstamp;
	conn->syn.tos = ntohl((__force __be32)m->tos_tid) >> 24;
	conn->syn.isn = ntohl((__force __be32)m->rcv_isn);
	toe_set_window(conn, listener);
	return true;
}

/* CPL_PASS_ACCEPT_REQ: a SYN for a server. Without room in its queue the peer gets a RST. */
void toe_accept_request(struct t110 *chip, const struct sk_buff *skb)
{
	const struct cpl_pass_accept_req *m = (const struct cpl_pass_accept_req *)skb->data;
	u32 stid = G_TID(ntohl((__force __be32)m->tos_tid));
	struct toe_conn *conn = toe_conn_alloc(chip, NULL, GFP_ATOMIC);
	struct sock *listener;

	if (!conn) {
		toe_abort_tid(chip, GET_TID(m));
		return;
	}
	conn->stid = stid;
	listener = listener_of(stid);
	if (!fill_connection(conn, listener, m) || toe_conn_set_tid(conn, GET_TID(m)) ||
	    !toe_send_accept(conn, listener, (__force __be32)m->peer_ip)) {
		toe_abort_tid(chip, GET_TID(m));
		toe_conn_release_tid(conn);
	}
	if (listener)
		sock_put(listener);
}

/* What TCP would have of the peer's SYN at the end of a handshake */
static struct request_sock *make_request(struct sock *listener, const struct toe_conn *conn,
					 const struct cpl_pass_establish *m)
{
	struct request_sock *req = inet_reqsk_alloc(listener->sk_prot->rsk_prot, listener, false);
	struct inet_request_sock *ireq;
	struct tcp_request_sock *treq;

	if (!req)
		return NULL;
	ireq = inet_rsk(req);
	treq = tcp_rsk(req);
	ireq->ir_num = ntohs((__force __be16)m->local_port);
	ireq->ir_rmt_port = (__force __be16)m->peer_port;
	sk_rcv_saddr_set(req_to_sk(req), (__force __be32)m->local_ip);
	sk_daddr_set(req_to_sk(req), (__force __be32)m->peer_ip);
	ireq->ir_mark = listener->sk_mark;
	ireq->snd_wscale = conn->syn.window_scale;
	ireq->rcv_wscale = conn->window_scale;
	ireq->wscale_ok = conn->syn.scales;
	ireq->tstamp_ok = conn->syn.timestamps;
	ireq->acked = 1;
	req->mss = conn->syn.mss ? : TCP_MSS_DEFAULT;
	req->rsk_rcv_wnd = min(conn->window, 65535U);
	req->rsk_window_clamp = conn->window;
	treq->rcv_isn = ntohl((__force __be32)m->rcv_isn);
	treq->rcv_nxt = treq->rcv_isn + 1;
	treq->snt_isn = ntohl((__force __be32)m->snd_isn);
	treq->syn_tos = conn->syn.tos;
	treq->tfo_listener = false;
	treq->af_specific = NULL;
	refcount_set(&req->rsk_refcnt, 1);
	return req;
}

/* The packet that TCP makes a child from: only of its IP header, and of its interface. */
static struct sk_buff *make_packet(struct t110 *chip)
{
	struct sk_buff *skb = alloc_skb(MAX_TCP_HEADER, GFP_ATOMIC);
	struct iphdr *ip;

	if (!skb)
		return NULL;
	skb_reset_network_header(skb);
	ip = skb_put_zero(skb, sizeof(*ip));
	ip->ttl = CHILD_TTL;
	skb_reset_transport_header(skb);
	skb_pull(skb, sizeof(*ip));
	skb->skb_iif = chip->netdev->ifindex;
	return skb;
}

/* Returns the child, locked, with the connection; NULL without memory. */
static struct sock *make_child(struct sock *listener, struct request_sock *req,
			       struct toe_conn *conn)
{
	struct sk_buff *packet = make_packet(conn->chip);
	struct sock *child;
	bool own;

	if (!packet)
		return NULL;
	child = tcp_v4_syn_recv_sock(listener, packet, req, NULL, NULL, &own, NULL);
	kfree_skb(packet);
	if (!child)
		return NULL;
	toe_conn_attach(conn, child);
	toe_offload(child);
	toe_set_numbers(child, tcp_rsk(req)->snt_isn, tcp_rsk(req)->rcv_isn);
	tcp_set_state(child, TCP_ESTABLISHED);
	return child;
}

/* CPL_PASS_ESTABLISH */
void toe_pass_establish(struct t110 *chip, const struct sk_buff *skb)
{
	const struct cpl_pass_establish *m = (const struct cpl_pass_establish *)skb->data;
	struct toe_conn *conn = xa_load(&chip->toe.tids, GET_TID(m));
	struct request_sock *req = NULL;
	struct sock *listener, *child = NULL;

	if (!conn || conn->sk || conn->aborting)
		return;
	listener = listener_of(conn->stid);
	if (listener && try_module_get(THIS_MODULE)) {
		req = make_request(listener, conn, m);
		if (!req)
			module_put(THIS_MODULE);
	}
	if (req)
		child = make_child(listener, req, conn);
	if (!child) {
		if (req) {
			reqsk_put(req);
			module_put(THIS_MODULE);
		}
		conn->aborting = true;
		toe_abort_tid(chip, conn->tid);
	} else {
		bh_unlock_sock(child);
		/* A server that has closed meanwhile ends the child itself. */
		if (inet_csk_reqsk_queue_add(listener, req, child))
			listener->sk_data_ready(listener);
	}
	if (listener)
		sock_put(listener);
}
