// SPDX-License-Identifier: Apache-2.0
#include "models/host/drivers/chelsio/offload/toe_flow.h"

#include <algorithm>

namespace longhaul::host::chelsio {

// From the user.

void ToeFlow::send(const TxPacket& message, bool push) {
  const std::uint32_t bytes = message.bytes - owner_.header_bytes();
  const CplMessage header = tx_data(*tid, bytes, push);
  const std::uint64_t at = message.extents[0].address;
  MemoryPool& memory = owner_.setup_.memory;
  std::copy_n(header.bytes.begin(), header.size, memory.to_write(at, header.size));
  Processor::current()->touch_write(at, header.size);
  unacked_ += bytes;
  owner_.data_messages_out.add();
  owner_.sender_.send(*user, message);
}

void ToeFlow::credit(std::uint64_t bytes) {
  constexpr std::uint64_t kMost = (1U << 27U) - 1;  // of the field
  for (; bytes > 0; bytes -= std::min(bytes, kMost))
    owner_.sender_.send(owner_.credits_wait_ ? lane() : Lane::kControl,
                        credits(*tid, static_cast<std::uint32_t>(std::min(bytes, kMost))));
}

void ToeFlow::close() { owner_.sender_.send(Lane::kOrdered, close_connection(*tid)); }

void ToeFlow::abort() {
  aborting_ = true;
  if (user != nullptr) owner_.sender_.drop(*user);
  user = nullptr;
  // Without a tid, the chip's answer to the open names it (ToeOffload::handle_open_reply()). With
  // one, the answer may come while this message is paid for, and ends this object.
  if (tid) owner_.sender_.send(Lane::kOrdered, abort_request(*tid));
}

void ToeFlow::give(const tcp::Context& given) {
  const TcpOffload& offload = owner_;
  Processor::current()->execute(offload.costs().move);
  owner_.moves_->given.add();
  context = given;
  una_ = tcp::to_wire(given.iss, given.una);
  unacked_ = given.next - given.una;
  rcv_next_ = tcp::to_wire(given.irs, given.received);
  open_ = true;
  owner_.sender_.send(lane(), take_context(*tid, given));
}

void ToeFlow::recall() { owner_.sender_.send(lane(), return_request(*tid)); }

// From the chip.

/// No message names it from here on.
void ToeFlow::let_go() {
  aborting_ = true;
  user = nullptr;
  server = nullptr;
  owner_.erase(*this);
}

void ToeFlow::open_failed(OffloadEnd why) {
  OffloadUser* const told = user;
  let_go();
  if (told != nullptr) told->ended(why);
}

void ToeFlow::opened(const CplMessage& established) {
  open_ = true;
  una_ = established.word(24) + 1;
  rcv_next_ = established.word(28) + 1;
  owner_.opened.add();
  if (options_.window > kLargestOpt0Window)
    owner_.sender_.send(Lane::kControl, set_window(*tid, options_.window));
}

void ToeFlow::acknowledged(std::uint32_t una) {
  // The last one also covers the FIN.
  const auto more = static_cast<std::int32_t>(una - una_);
  if (more <= 0) return;
  const std::uint64_t bytes = std::min<std::uint64_t>(static_cast<std::uint32_t>(more), unacked_);
  una_ = una;
  unacked_ -= bytes;
  if (bytes != 0) user->acknowledged(bytes);
}

void ToeFlow::received(const RxPacket& data, std::uint32_t sequence) {
  if (sequence != rcv_next_ || data.bytes == 0) {
    owner_.unknown.add();
    OffloadUser* const told = user;
    owner_.freed(data);
    abort();
    return told->ended(OffloadEnd::kReset);
  }
  rcv_next_ += data.bytes;
  user->received(data);
}

void ToeFlow::peer_closed() {
  if (peer_closed_) return;
  peer_closed_ = true;
  OffloadUser* const told = user;
  if (fin_acked_) let_go();
  told->peer_closed();
}

void ToeFlow::closed() {
  fin_acked_ = true;
  OffloadUser* const told = user;
  if (peer_closed_) let_go();
  told->closed();
}

void ToeFlow::aborted(OffloadEnd why) {
  OffloadUser* const told = user;
  OffloadServer* const asked = server;
  if (told != nullptr) owner_.sender_.drop(*told);
  owner_.sender_.send(Lane::kOrdered, abort_reply(*tid));
  let_go();
  if (told != nullptr) told->ended(why);
  if (asked != nullptr) asked->failed();
}

void ToeFlow::down() {
  OffloadUser* const told = user;
  OffloadServer* const asked = server;
  server = nullptr;
  if (!aborting_) abort();
  if (told != nullptr) told->ended(OffloadEnd::kDown);
  if (asked != nullptr) asked->failed();
}

void ToeFlow::returned(const CplMessage& message) {
  const TcpOffload& offload = owner_;
  Processor::current()->execute(offload.costs().move);
  OffloadUser* const told = user;
  const bool taken = message.size >= nic::terminator::cpl::kContextBytes;
  const tcp::Context back = taken ? context_in(message, context) : context;
  if (taken) owner_.moves_->returned.add();
  if (taken && back.timed_out) owner_.moves_->timed_out.add();
  if (told != nullptr) owner_.sender_.drop(*told);
  owner_.sender_.send(lane(), abort_reply(*tid));
  let_go();
  if (told != nullptr) told->returned(taken ? &back : nullptr);
}

}  // namespace longhaul::host::chelsio
