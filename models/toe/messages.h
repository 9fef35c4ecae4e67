// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <variant>

#include "models/net/frame/ethernet_header.h"
#include "models/net/frame/frame.h"
#include "models/tcp/context.h"
#include "models/tcp/segment.h"
#include "models/tcp/state.h"

namespace longhaul::toe {

// The messages between a host and an offload engine, without a layout. Each has the name of its CPL
// message in a comment (Linux, cxgb/cpl5_cmd.h).

/// Numbers of the tables: a connection, a connection that the host is opening, a server.
using Tid = std::uint32_t;
using Atid = std::uint32_t;
using Stid = std::uint32_t;

using Ipv4Address = std::array<std::uint8_t, 4>;

/// The ends of a connection, as the engine's side sees them.
struct Ends {
  Ipv4Address local{};
  Ipv4Address peer{};
  std::uint16_t local_port = 0;
  std::uint16_t peer_port = 0;
};
inline bool operator==(const Ends& a, const Ends& b) {
  return a.local == b.local && a.peer == b.peer && a.local_port == b.local_port &&
         a.peer_port == b.peer_port;
}

/// The result of a request, or the reason for the end of a connection.
enum class Error : std::uint8_t {
  kNone,               ///< CPL_ERR_NONE
  kTableFull,          ///< CPL_ERR_TCAM_FULL
  kReset,              ///< CPL_ERR_CONN_RESET
  kInUse,              ///< CPL_ERR_CONN_EXIST
  kNoStation,          ///< CPL_ERR_ARP_MISS: the entry of the table of next stations is empty
  kTimedOut,           ///< CPL_ERR_CONN_TIMEDOUT: the SYN was not answered
  kSendTimedOut,       ///< CPL_ERR_XMIT_TIMEDOUT
  kPersistTimedOut,    ///< CPL_ERR_PERSIST_TIMEDOUT
  kFinWait2TimedOut,   ///< CPL_ERR_FINWAIT2_TIMEDOUT
  kKeepaliveTimedOut,  ///< CPL_ERR_KEEPALIVE_TIMEDOUT
  kAbortFailed,        ///< CPL_ERR_ABORT_FAILED: the connection had ended already
  kNoMemory,           ///< CPL_ERR_GENERAL: context memory is full
  kBadRequest,         ///< CPL_ERR_GENERAL: an index or a value is out of range
};
const char* to_text(Error error);

/// Settings of a connection (opt0, opt1).
struct ConnectionOptions {
  std::uint8_t mtu_index = 0;            ///< entry of the table of MTUs; MSS = MTU - 40
  std::uint8_t window_scale = 0;         ///< shift of the windows that this end offers, at most 14
  std::uint32_t receive_buffer = 65535;  ///< bytes that may wait for credits
  bool nodelay = false;                  ///< Nagle's algorithm is off
  bool keepalive = false;
  bool coalesce = true;  ///< received data may be gathered before they go to the host
  std::uint8_t tos = 0;
  std::uint16_t l2t_index = 0;  ///< next station: destination address, VLAN
  std::uint8_t smt_index = 0;   ///< source address
};

// --- From the host -------------------------------------------------------------------------------

/// CPL_ACT_OPEN_REQ: opens a connection actively. ActOpenReply names its tid.
struct ActOpenRequest {
  Atid atid = 0;
  Ends ends;
  ConnectionOptions options;
};

/// A server's answer to a SYN (CPL_CONN_POLICY_*).
enum class Policy : std::uint8_t { kAuto, kAsk, kDeny };

/// CPL_PASS_OPEN_REQ: opens a server. An address of zeros stands for all local addresses.
struct PassOpenRequest {
  Stid stid = 0;
  Ipv4Address address{};
  std::uint16_t port = 0;
  Policy policy = Policy::kAsk;
  ConnectionOptions options;  ///< for kAuto
};

/// CPL_CLOSE_LISTSRV_REQ: closes a server. Its connections stay.
struct CloseServerRequest {
  Stid stid = 0;
};

/// CPL_PASS_ACCEPT_RPL: the host's answer to a PassAcceptRequest.
struct PassAcceptReply {
  Tid tid = 0;
  bool accept = true;  ///< otherwise the peer gets a RST
  ConnectionOptions options;
};

/// CPL_TX_DATA: bytes to send. With `push` the last of them is sent as soon as TCP allows; without
/// it a segment that is not full waits for more bytes, or for a close.
struct TxData {
  Tid tid = 0;
  FrameRef bytes;  ///< a pooled buffer; zeros at its end may be elided
  bool push = true;
  std::uint32_t skip = 0;  ///< bytes at the buffer's begin that are not data
  std::uint32_t length() const { return bytes->size() - skip; }
};

/// CPL_RX_DATA_ACK: the host has room for `bytes` more. They count for the window.
struct RxCredits {
  Tid tid = 0;
  std::uint32_t bytes = 0;
};

/// CPL_CLOSE_CON_REQ: closes this direction. A FIN follows the data.
struct CloseRequest {
  Tid tid = 0;
};

/// CPL_ABORT_REQ from the host. CPL_ABORT_SEND_RST or CPL_ABORT_NO_RST.
struct AbortRequest {
  Tid tid = 0;
  bool send_reset = true;
};

/// CPL_ABORT_RPL from the host: it has forgotten a connection after Aborted. The tid is free then.
struct AbortedReply {
  Tid tid = 0;
};

/// Fields of a connection that a host may write.
enum class TcbField : std::uint8_t { kNodelay, kCoalesce, kReceiveBuffer, kTos, kL2tIndex };

/// CPL_GET_TCB.
struct GetTcb {
  Tid tid = 0;
};
/// CPL_SET_TCB_FIELD.
struct SetTcbField {
  Tid tid = 0;
  TcbField field{};
  std::uint32_t value = 0;
};

/// An entry of the table of next stations (L2T).
struct NextStation {
  MacAddress address{};
  bool tagged = false;
  std::uint16_t vlan = 0;  ///< tag control information: priority, CFI and VLAN id
};
/// CPL_L2T_WRITE_REQ.
struct L2tWrite {
  std::uint16_t index = 0;
  NextStation station;
};
/// CPL_L2T_READ_REQ.
struct L2tRead {
  std::uint16_t index = 0;
};
/// CPL_SMT_WRITE_REQ: a source address.
struct SmtWrite {
  std::uint8_t index = 0;
  MacAddress address{};
};
/// CPL_SMT_READ_REQ.
struct SmtRead {
  std::uint8_t index = 0;
};

// Connections that the host opens and closes itself. No CPL5 message does this.

/// The host asks for an entry in the tables. From then on the connection's frames wait in the
/// engine.
struct TakeRequest {
  Atid atid = 0;
  Ends ends;
  ConnectionOptions options;
  tcp::Context first;  ///< iss, irs and agreed, which never change
};
/// The host stops, and the engine continues. TxData and RxCredits may follow.
struct TakeContext {
  Tid tid = 0;
  tcp::Context context;
};
/// The host wants the connection back.
struct ReturnRequest {
  Tid tid = 0;
};

using FromHost = std::variant<std::monostate, ActOpenRequest, PassOpenRequest, CloseServerRequest,
                              PassAcceptReply, TxData, RxCredits, CloseRequest, AbortRequest,
                              AbortedReply, TakeRequest, TakeContext, ReturnRequest, GetTcb,
                              SetTcbField, L2tWrite, L2tRead, SmtWrite, SmtRead>;

// --- To the host ---------------------------------------------------------------------------------

/// CPL_ACT_OPEN_RPL. First with the tid, when the tables have the connection. Once more with an
/// error if the handshake fails; the tid is free then.
struct ActOpenReply {
  Atid atid = 0;
  Tid tid = 0;
  Error error = Error::kNone;
};

/// CPL_ACT_ESTABLISH, or CPL_PASS_ESTABLISH for a connection of a server.
struct Established {
  bool active = false;
  std::uint32_t opener = 0;  ///< atid or stid
  Tid tid = 0;
  Ends ends;
  std::uint32_t snd_isn = 0;  ///< number of this side's SYN
  std::uint32_t rcv_isn = 0;  ///< number of the peer's SYN
  std::uint32_t mss = 0;      ///< payload of this end's full segments, bytes
};

/// CPL_PASS_OPEN_RPL.
struct PassOpenReply {
  Stid stid = 0;
  Error error = Error::kNone;
};

/// CPL_CLOSE_LISTSRV_RPL.
struct CloseServerReply {
  Stid stid = 0;
  Error error = Error::kNone;
};

/// CPL_PASS_ACCEPT_REQ: a SYN has come for a server. The peer waits for the host's PassAcceptReply.
struct PassAcceptRequest {
  Stid stid = 0;
  Tid tid = 0;
  Ends ends;
  tcp::Options options;  ///< those of the SYN
  std::uint8_t tos = 0;
  MacAddress destination{};
  MacAddress source{};
  bool tagged = false;
  std::uint16_t vlan = 0;
  std::uint32_t rcv_isn = 0;
};

/// CPL_TX_DATA_ACK: the peer has acknowledged `bytes` more. The host may send as many.
struct TxDataAck {
  Tid tid = 0;
  std::uint32_t snd_una = 0;
  std::uint32_t bytes = 0;
};

/// CPL_RX_DATA: bytes in order. The payload memory holds them until OffloadEngine::taken().
struct RxData {
  Tid tid = 0;
  std::uint32_t epoch = 0;  ///< tells connections apart that had the same tid
  std::uint32_t seq = 0;
  FrameRef bytes;
  bool push = false;  ///< the last byte ended a segment with PSH
};

/// CPL_PEER_CLOSE: the peer's FIN is in order. No more RxData follow.
struct PeerClose {
  Tid tid = 0;
  std::uint32_t rcv_nxt = 0;
};

/// CPL_CLOSE_CON_RPL: the peer has acknowledged this side's FIN.
///
/// The host is done with a tid when it has CloseReply and PeerClose. The engine reuses the tid
/// after TIME-WAIT.
struct CloseReply {
  Tid tid = 0;
  std::uint32_t snd_nxt = 0;
  std::uint32_t rcv_nxt = 0;
};

/// CPL_ABORT_REQ to the host: the peer or a timer has ended the connection. The tid stays taken
/// until the host's AbortedReply.
struct Aborted {
  Tid tid = 0;
  Error error = Error::kNone;
};

/// CPL_ABORT_RPL to the host. kAbortFailed: the connection had ended already.
struct AbortReply {
  Tid tid = 0;
  Error error = Error::kNone;
};

/// A connection's state, for CPL_GET_TCB_RPL and probes.
struct TcbFields {
  tcp::State state = tcp::State::kClosed;
  std::uint32_t snd_una = 0;
  std::uint32_t snd_nxt = 0;
  std::uint32_t rcv_nxt = 0;
  std::uint64_t cwnd = 0;      ///< bytes
  std::uint64_t ssthresh = 0;  ///< bytes
  std::uint64_t snd_wnd = 0;   ///< bytes that the peer's window still allows
  std::uint64_t unsent = 0;    ///< bytes in payload memory that were never sent
  std::uint64_t unread = 0;    ///< bytes in order without credits
  std::uint64_t rto_ps = 0;
  std::uint32_t mss = 0;
};

/// CPL_GET_TCB_RPL.
struct TcbReply {
  Tid tid = 0;
  Error error = Error::kNone;
  TcbFields fields;
};
/// CPL_SET_TCB_RPL.
struct SetTcbReply {
  Tid tid = 0;
  Error error = Error::kNone;
};

/// CPL_L2T_WRITE_RPL and CPL_L2T_READ_RPL.
struct L2tReply {
  bool read = false;
  std::uint16_t index = 0;
  Error error = Error::kNone;
  NextStation station;
};
/// CPL_SMT_WRITE_RPL and CPL_SMT_READ_RPL.
struct SmtReply {
  bool read = false;
  std::uint8_t index = 0;
  Error error = Error::kNone;
  MacAddress address{};
};

/// CPL_RX_PKT: a frame that no connection of the engine owns.
struct RxPacket {
  FrameRef frame;
};

/// The answer to TakeRequest: the tables have the connection, and no earlier frame of it is still
/// on its way to the host.
struct TakeReply {
  Atid atid = 0;
  Tid tid = 0;
  Error error = Error::kNone;
};
/// The engine has stopped: the host has asked for it, the peer does not answer, or a frame came
/// that only the host handles. The frame follows. The tid stays taken until the host's
/// AbortedReply.
struct Returned {
  Tid tid = 0;
  bool taken = false;  ///< no: the context had not come yet, and the host has it
  tcp::Context context;
};

using ToHost =
    std::variant<std::monostate, ActOpenReply, Established, PassOpenReply, CloseServerReply,
                 PassAcceptRequest, TxDataAck, RxData, PeerClose, CloseReply, Aborted, AbortReply,
                 TakeReply, Returned, TcbReply, SetTcbReply, L2tReply, SmtReply, RxPacket>;

}  // namespace longhaul::toe
