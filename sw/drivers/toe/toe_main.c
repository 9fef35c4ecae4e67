// SPDX-License-Identifier: GPL-2.0
/*
 * TCP offload as a whole: its place in TCP, and the adapters that have it.
 *
 * While the module is loaded with offload=1 or 2, three functions of tcp_prot are this driver's:
 * connect, hash and unhash. With offload=1 they take sockets only that a program has asked for, by
 * setsockopt(TCP_ULP, "toe").
 */
#include <linux/delay.h>
#include <linux/module.h>
#include <net/ip.h>

#include "t110.h"
#include "toe.h"

#define ABORT_TRIES	100	/* of a millisecond each */

unsigned int toe_mode;
module_param_named(offload, toe_mode, uint, 0444);
MODULE_PARM_DESC(offload, "TCP by the chip: 0 none, 1 sockets with TCP_ULP \"toe\", 2 all of IPv4");

static int set_retransmissions(const char *text, const struct kernel_param *param)
{
	return param_set_uint_minmax(text, param, 1, TOE_MAX_RETRANSMISSIONS);
}

static const struct kernel_param_ops retransmissions_ops = {
	.set = set_retransmissions,
	.get = param_get_uint,
};

unsigned int toe_retransmissions = 14;	/* chxge's */
module_param_cb(retransmissions, &retransmissions_ops, &toe_retransmissions, 0444);
MODULE_PARM_DESC(retransmissions, "retransmissions before the chip gives a connection up: 1 to 63");

struct proto toe_proto;
struct inet_connection_sock_af_ops toe_af_ops;
int (*toe_tcp_connect)(struct sock *sk, struct sockaddr *address, int length);

static DEFINE_SPINLOCK(adapters_lock);
static LIST_HEAD(adapters);

void toe_for_each_up(void (*call)(struct t110 *chip, void *data), void *data)
{
	struct t110 *chip;

	spin_lock_bh(&adapters_lock);
	list_for_each_entry(chip, &adapters, toe.link)
		if (READ_ONCE(chip->toe.on))
			call(chip, data);
	spin_unlock_bh(&adapters_lock);
}

struct t110 *toe_chip_of(const struct net_device *netdev)
{
	struct t110 *chip, *found = NULL;

	spin_lock_bh(&adapters_lock);
	list_for_each_entry(chip, &adapters, toe.link)
		if (chip->netdev == netdev && READ_ONCE(chip->toe.on))
			found = chip;
	spin_unlock_bh(&adapters_lock);
	return found;
}

/* TCP's own segments of an offloaded socket: none of them leaves. */
static int drop_segment(struct sock *sk, struct sk_buff *skb, struct flowi *fl)
{
	kfree_skb(skb);
	return 0;
}

/* Keepalive is the chip's, from the open on. */
static void keepalive(struct sock *sk, int on)
{
}

/* Some options of TCP start its timers, and IP_MINTTL is this driver's. */
static int set_option(struct sock *sk, int level, int name, sockptr_t value, unsigned int length)
{
	int err = tcp_setsockopt(sk, level, name, value, length);
	struct toe_conn *conn;

	lock_sock(sk);
	conn = toe_conn_of(sk);
	if (toe_is_offloaded(sk)) {
		WRITE_ONCE(inet_sk(sk)->min_ttl, 255);
		inet_csk_delete_keepalive_timer(sk);
	}
	if (!err && level == SOL_TCP && name == TCP_NODELAY && conn && conn->is_open &&
	    !conn->aborting)
		toe_send_field(conn, 0, 1, !!(tcp_sk(sk)->nonagle & TCP_NAGLE_OFF));
	release_sock(sk);
	return err;
}

/* setsockopt(TCP_ULP, "toe") before connect() or listen() */
static int ulp_init(struct sock *sk)
{
	if (sk->sk_family != AF_INET || READ_ONCE(toe_mode) == TOE_OFF)
		return -EOPNOTSUPP;
	return sk->sk_state == TCP_CLOSE ? 0 : -EISCONN;
}

/* A listening socket's children become this driver's when they are made. */
static void ulp_clone(const struct request_sock *req, struct sock *child, const gfp_t priority)
{
	__module_get(THIS_MODULE);
	inet_csk(child)->icsk_ulp_data = NULL;
}

struct tcp_ulp_ops toe_ulp = {
	.name = "toe",
	.owner = THIS_MODULE,
	.init = ulp_init,
	.clone = ulp_clone,
	.release = toe_conn_detach,
};

/* The check of the least TTL is off until a first socket asks for it. */
static int switch_on_ttl_check(void)
{
	struct socket *socket;
	int least = 1;
	int err = sock_create_kern(&init_net, AF_INET, SOCK_STREAM, IPPROTO_TCP, &socket);

	if (err)
		return err;
	err = ip_setsockopt(socket->sk, SOL_IP, IP_MINTTL, KERNEL_SOCKPTR(&least), sizeof(least));
	sock_release(socket);
	return err;
}

static void fill_protocol(void)
{
	toe_proto = tcp_prot;
	toe_proto.owner = THIS_MODULE;
	toe_proto.connect = toe_connect_again;
	toe_proto.hash = toe_hash_again;
	toe_proto.close = toe_close;
	toe_proto.shutdown = toe_shutdown;
	toe_proto.disconnect = toe_disconnect;
	toe_proto.setsockopt = set_option;
	toe_proto.keepalive = keepalive;
	toe_proto.backlog_rcv = toe_backlog_rcv;
	toe_proto.release_cb = toe_release_cb;
	toe_proto.diag_destroy = toe_diag_destroy;
	toe_af_ops = ipv4_specific;
	toe_af_ops.queue_xmit = drop_segment;
}

int toe_register(void)
{
	int err;

	if (toe_mode == TOE_OFF)
		return 0;
	err = switch_on_ttl_check();
	if (err)
		return err;
	fill_protocol();
	err = tcp_register_ulp(&toe_ulp);
	if (err)
		return err;
	toe_tcp_connect = tcp_prot.connect;
	WRITE_ONCE(tcp_prot.connect, toe_connect);
	WRITE_ONCE(tcp_prot.hash, toe_hash);
	WRITE_ONCE(tcp_prot.unhash, toe_unhash);
	return 0;
}

/*
 * No adapter and no offloaded socket is there: each socket holds the module, and a module that is
 * being unloaded gets none. Programs may still be in this driver's functions. Only connect() waits
 * in them, and is counted. A program in any other place of them has left it when the tasks' grace
 * period is over.
 */
void toe_unregister(void)
{
	if (toe_mode == TOE_OFF)
		return;
	WRITE_ONCE(tcp_prot.connect, toe_tcp_connect);
	WRITE_ONCE(tcp_prot.hash, inet_hash);
	WRITE_ONCE(tcp_prot.unhash, inet_unhash);
	tcp_unregister_ulp(&toe_ulp);
	synchronize_rcu_tasks();
	toe_wait_for_connects();
	synchronize_rcu_tasks();
	toe_servers_forget();
	rcu_barrier();	/* connections that are freed later */
}

/* Connections that had no memory to send. A lock that is let go of sends. */
static void retry_connections(struct toe *toe)
{
	struct toe_conn *conn;
	struct sock *sk;

	do {
		sk = NULL;
		spin_lock_bh(&toe->lock);
		list_for_each_entry(conn, &toe->conns, link)
			if (conn->needs_retry && conn->sk) {
				conn->needs_retry = false;
				sk = conn->sk;
				sock_hold(sk);
				break;
			}
		spin_unlock_bh(&toe->lock);
		if (sk) {
			lock_sock(sk);
			release_sock(sk);
			sock_put(sk);
		}
	} while (sk);
}

/* After a lack of memory. Connections that find none again ask again themselves. */
static void retry(struct work_struct *work)
{
	struct t110 *chip = container_of(to_delayed_work(work), struct t110, toe.retry_work);
	bool owed = toe_owed_send(chip);

	retry_connections(&chip->toe);
	if (toe_servers_retry() || owed)
		toe_retry_later(chip);
}

int toe_init(struct t110 *chip)
{
	struct toe *toe = &chip->toe;

	spin_lock_init(&toe->lock);
	INIT_LIST_HEAD(&toe->conns);
	INIT_LIST_HEAD(&toe->link);
	xa_init_flags(&toe->atids, XA_FLAGS_ALLOC | XA_FLAGS_LOCK_BH);
	xa_init_flags(&toe->tids, XA_FLAGS_LOCK_BH);
	INIT_DELAYED_WORK(&toe->retry_work, retry);
	return toe_mode == TOE_OFF ? 0 : toe_owed_init(toe);
}

/* The chip takes messages. */
void toe_up(struct t110 *chip)
{
	struct toe *toe = &chip->toe;

	if (toe_mode == TOE_OFF)
		return;
	if (!toe_send_source(chip)) {
		netif_err(chip, drv, chip->netdev, "no memory: TCP is not offloaded\n");
		return;
	}
	spin_lock_bh(&adapters_lock);
	WRITE_ONCE(toe->on, true);
	list_add_tail(&toe->link, &adapters);
	spin_unlock_bh(&adapters_lock);
	toe_servers_open(chip);
}

/* Returns the socket of any connection, held. */
static struct sock *next_socket(struct toe *toe, bool aborted)
{
	struct toe_conn *conn;
	struct sock *sk = NULL;

	spin_lock_bh(&toe->lock);
	list_for_each_entry(conn, &toe->conns, link)
		if (conn->sk && conn->aborting == aborted) {
			sk = conn->sk;
			sock_hold(sk);
			break;
		}
	spin_unlock_bh(&toe->lock);
	return sk;
}

static void abort_all(struct toe *toe)
{
	struct sock *sk;

	while ((sk = next_socket(toe, false))) {
		toe_diag_destroy(sk, ENETDOWN);
		sock_put(sk);
	}
}

/* Closed sockets stay their programs', without this adapter. */
static void detach_all(struct toe *toe)
{
	struct sock *sk;

	while ((sk = next_socket(toe, true))) {
		lock_sock(sk);
		toe_conn_detach(sk);
		release_sock(sk);
		sock_put(sk);
	}
}

static bool has_connections(struct toe *toe)
{
	struct toe_conn *conn;
	bool any = false;

	spin_lock_bh(&toe->lock);
	list_for_each_entry(conn, &toe->conns, link)
		any = any || conn->has_tid || conn->has_atid;
	spin_unlock_bh(&toe->lock);
	return any;
}

/* The chip goes down, while queues and poll still run. Programs get ENETDOWN, peers a RST. */
void toe_down(struct t110 *chip)
{
	struct toe *toe = &chip->toe;
	int i;

	if (toe_mode == TOE_OFF || !toe->on)
		return;
	spin_lock_bh(&adapters_lock);
	spin_lock(&toe->lock);
	WRITE_ONCE(toe->on, false);
	spin_unlock(&toe->lock);
	list_del_init(&toe->link);
	spin_unlock_bh(&adapters_lock);
	cancel_delayed_work_sync(&toe->retry_work);
	abort_all(toe);
	for (i = 0; i < ABORT_TRIES && has_connections(toe); i++) {
		toe_owed_send(chip);
		usleep_range(1000, 1100);
	}
	t110_tp_reset(chip);
	detach_all(toe);
	toe_conns_forget(toe);
}

void toe_exit(struct t110 *chip)
{
	xa_destroy(&chip->toe.atids);
	xa_destroy(&chip->toe.tids);
	toe_owed_exit(&chip->toe);
}
