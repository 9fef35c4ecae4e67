/* SPDX-License-Identifier: GPL-2.0 */
/*
 * TCP offload: connections that the chip runs.
 *
 * An offloaded socket is an ordinary TCP socket of Linux. Its own functions differ where TCP would
 * send something, or wait for it (toe_proto). Its segments never leave (toe_af_ops).
 */
#ifndef T110_TOE_H
#define T110_TOE_H

#include <linux/skbuff.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>
#include <net/sock.h>
#include <net/tcp.h>

struct t110;

#define TOE_STATIONS		256	/* entries of the L2T that the driver uses */
#define TOE_SERVERS		256	/* of the TCAM's region of servers */
#define TOE_MAX_ATIDS		65536
#define TOE_MAX_TIDS		131072	/* the largest TCAM that the chip can have */
#define TOE_RETRY		(HZ / 50)	/* until a message that had no memory is tried again */
#define TOE_TX_BYTES		15360	/* data of one CPL_TX_DATA */
#define TOE_CREDIT_BYTES	16384	/* read by the program, and worth a message */
#define TOE_MAX_RETRANSMISSIONS	63
#define TOE_MAX_WINDOW		(16383U << 10)	/* RCV_BUFSIZ has 14 bits of KiB */

/* Which sockets the chip may run */
enum toe_mode {
	TOE_OFF,
	TOE_ASKED,	/* those with setsockopt(TCP_ULP, "toe") */
	TOE_ALL,
};

/* A next station: an entry of the chip's L2T, found by its MAC address */
struct toe_station {
	u8 address[ETH_ALEN];
	bool used;
};

/* The offload of one adapter */
struct toe {
	bool on;			/* the chip takes messages; under lock */
	spinlock_t lock;		/* all that follows, and conn->sk of its connections */
	struct list_head conns;
	struct toe_station stations[TOE_STATIONS];
	struct xarray atids;		/* atid to connection */
	struct xarray tids;		/* tid to connection */
	struct delayed_work retry_work;	/* messages that had no memory */
	unsigned long *owed_aborts;	/* tids, a bit each */
	unsigned long *owed_replies;
	struct list_head link;		/* all adapters with offload */
};

/*
 * A connection in the chip. It outlives its socket until the chip has let go of the tid, and ends
 * when neither is there. `sk` and the links are under toe->lock, all else under the socket's lock.
 */
struct toe_conn {
	struct t110 *chip;
	struct sock *sk;
	struct list_head link;
	struct rcu_head rcu;
	u32 atid;
	u32 tid;
	u32 stid;
	bool has_atid;
	bool has_tid;
	bool is_open;		/* CPL_ACT_ESTABLISH or CPL_PASS_ESTABLISH has come */
	bool aborting;		/* CPL_ABORT_REQ was sent */
	bool fin_wanted;
	bool fin_sent;
	bool fin_acked;		/* CPL_CLOSE_CON_RPL has come */
	bool peer_closed;
	bool needs_retry;
	u16 station;
	u8 window_scale;
	u32 window;
	u32 credited;		/* credits were given for all bytes before this number */
	struct sk_buff_head in_flight;	/* data that the chip has, without an acknowledgment */
	struct {
		u16 mss;
		u8 window_scale;
		bool scales;
		bool timestamps;
		u8 tos;
		u32 isn;
	} syn;			/* of a passive connection */
};

extern struct proto toe_proto;
extern struct tcp_ulp_ops toe_ulp;
extern struct inet_connection_sock_af_ops toe_af_ops;
extern int (*toe_tcp_connect)(struct sock *sk, struct sockaddr *address, int length);
extern unsigned int toe_mode;
extern unsigned int toe_retransmissions;

static inline struct toe_conn *toe_conn_of(const struct sock *sk)
{
	return inet_csk(sk)->icsk_ulp_data;
}

static inline bool toe_is_offloaded(const struct sock *sk)
{
	return READ_ONCE(sk->sk_prot) == &toe_proto;
}

/* toe_main.c */
int toe_register(void);
void toe_unregister(void);
int toe_init(struct t110 *chip);
void toe_exit(struct t110 *chip);
void toe_up(struct t110 *chip);
void toe_down(struct t110 *chip);
void toe_for_each_up(void (*call)(struct t110 *chip, void *data), void *data);
struct t110 *toe_chip_of(const struct net_device *netdev);

/* toe_conn.c */
struct toe_conn *toe_conn_alloc(struct t110 *chip, struct sock *sk, gfp_t gfp);
int toe_conn_set_atid(struct toe_conn *conn);
int toe_conn_set_tid(struct toe_conn *conn, u32 tid);
void toe_conn_release_atid(struct toe_conn *conn);
void toe_conn_release_tid(struct toe_conn *conn);
void toe_conns_forget(struct toe *toe);
void toe_conn_attach(struct toe_conn *conn, struct sock *sk);
void toe_conn_detach(struct sock *sk);
void toe_offload(struct sock *sk);
void toe_unoffload(struct sock *sk);
void toe_set_numbers(struct sock *sk, u32 snd_isn, u32 rcv_isn);

/* toe_owed.c */
int toe_owed_init(struct toe *toe);
void toe_owed_exit(struct toe *toe);
void toe_owed_forget(struct toe *toe);
void toe_abort_tid(struct t110 *chip, u32 tid);
void toe_answer_abort(struct t110 *chip, u32 tid);
bool toe_owed_send(struct t110 *chip);
void toe_retry_later(struct t110 *chip);

/* toe_receive.c */
void toe_receive(struct t110 *chip, struct sk_buff *skb);
int toe_backlog_rcv(struct sock *sk, struct sk_buff *skb);

/* toe_cpl.c */
bool toe_send_station(struct t110 *chip, u16 index, const u8 *address);
bool toe_send_source(struct t110 *chip);
bool toe_send_act_open(struct toe_conn *conn);
void toe_send_pass_open(struct t110 *chip, const struct sock *listener, u32 stid);
bool toe_send_close_server(struct t110 *chip, u32 stid);
bool toe_send_accept(struct toe_conn *conn, const struct sock *listener, __be32 peer);
bool toe_send_credits(struct toe_conn *conn, u32 bytes);
bool toe_send_close(struct toe_conn *conn);
bool toe_send_abort(struct t110 *chip, u32 tid);
bool toe_send_abort_reply(struct t110 *chip, u32 tid);
void toe_send_field(struct toe_conn *conn, u8 field, u32 mask, u32 value);
bool toe_send_data(struct toe_conn *conn, struct sk_buff *skb, bool push);
u8 toe_window_scale(u32 window);

/* toe_station.c */
int toe_station_get(struct t110 *chip, const u8 *address);
int toe_station_resolve(struct t110 *chip, struct dst_entry *dst, __be32 peer);

/* toe_open.c */
int toe_connect(struct sock *sk, struct sockaddr *address, int length);
void toe_wait_for_connects(void);
void toe_set_window(struct toe_conn *conn, const struct sock *sk);
void toe_open_reply(struct sock *sk, const struct sk_buff *skb);
void toe_act_open_reply(struct t110 *chip, const struct sk_buff *skb);
void toe_act_establish(struct sock *sk, const struct sk_buff *skb);

/* toe_listen.c */
int toe_hash(struct sock *sk);
void toe_unhash(struct sock *sk);
void toe_servers_open(struct t110 *chip);
void toe_accept_request(struct t110 *chip, const struct sk_buff *skb);
void toe_pass_establish(struct t110 *chip, const struct sk_buff *skb);
void toe_servers_forget(void);
bool toe_servers_retry(void);

/* toe_data.c */
void toe_push(struct sock *sk);
void toe_release_cb(struct sock *sk);
void toe_tx_ack(struct sock *sk, const struct sk_buff *skb);
bool toe_rx_data(struct sock *sk, struct sk_buff *skb);
void toe_purge(struct sock *sk);

/* toe_close.c */
void toe_close(struct sock *sk, long timeout);
void toe_shutdown(struct sock *sk, int how);
int toe_disconnect(struct sock *sk, int flags);
int toe_connect_again(struct sock *sk, struct sockaddr *address, int length);
int toe_hash_again(struct sock *sk);
int toe_diag_destroy(struct sock *sk, int err);
void toe_abort(struct sock *sk);
void toe_peer_close(struct sock *sk);
void toe_close_reply(struct sock *sk);
void toe_aborted(struct sock *sk, u8 status);

#endif
