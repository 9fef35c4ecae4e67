// SPDX-License-Identifier: Apache-2.0
#include "models/toe/tcb_fields.h"

namespace longhaul::toe {

TcbFields fields_of(const tcp::Connection& connection, std::uint32_t iss, std::uint64_t unpushed) {
  const tcp::Sender& sender = connection.sender();
  const tcp::Receiver& receiver = connection.receiver();
  TcbFields fields;
  fields.state = connection.state();
  fields.snd_una = tcp::to_wire(iss, sender.una());
  fields.snd_nxt = tcp::to_wire(iss, sender.next());
  fields.rcv_nxt = tcp::to_wire(receiver.irs(), receiver.next());
  fields.cwnd = sender.control().cwnd();
  fields.ssthresh = sender.control().ssthresh();
  fields.snd_wnd = sender.window();
  fields.unsent = sender.unsent() + unpushed;
  fields.unread = receiver.window().unread();
  fields.rto_ps = sender.rtt().rto();
  fields.mss = sender.mss();
  return fields;
}

}  // namespace longhaul::toe
