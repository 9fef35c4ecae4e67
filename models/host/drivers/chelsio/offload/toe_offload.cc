// SPDX-License-Identifier: Apache-2.0
#include "models/host/drivers/chelsio/offload/toe_offload.h"

#include <algorithm>

#include "models/host/drivers/chelsio/offload/toe_flow.h"

namespace longhaul::host::chelsio {
namespace {

// CPL_ERR_* (cpl5_cmd.h).
enum CplError : std::uint8_t {
  kCplNone = 0,
  kCplTcamFull = 3,
  kCplReset = 20,
  kCplExists = 22,
  kCplArpMiss = 23,
  kCplFinWait2TimedOut = 33,
  kCplGeneral = 99,
};

OffloadEnd end_of(std::uint8_t error) {
  switch (error) {
    case kCplReset: return OffloadEnd::kReset;
    case kCplTcamFull:
    case kCplGeneral: return OffloadEnd::kNoRoom;
    case kCplExists:
    case kCplArpMiss: return OffloadEnd::kUnreachable;
    case kCplFinWait2TimedOut: return OffloadEnd::kIdle;
    default: return OffloadEnd::kTimedOut;
  }
}

}  // namespace

ToeOffload::ToeOffload(const sc_core::sc_module_name& name, const DriverSetup& setup,
                       const ToeDriverParams& params, MessageSender::Chip& chip)
    : sc_module(name),
      setup_(setup),
      costs_{params.offload_open_cycles(), params.offload_send_cycles(),
             params.offload_receive_cycles(), params.offload_ack_cycles(), params.move_cycles},
      message_bytes_(static_cast<std::uint32_t>(params.message_data().count)),
      credit_bytes_(static_cast<std::uint32_t>(params.credit_data().count)),
      receive_buffer_(params.receive_buffer),
      window_moves_(params.window_moves),
      credits_wait_(params.credits_wait_for_data),
      moves_(params.host_opens ? std::make_unique<Moves>() : nullptr),
      sender_(setup, chip) {}

ToeOffload::~ToeOffload() = default;

// The tables.

ToeFlow& ToeOffload::make(const tcp::Endpoints& ends, const OffloadOptions& options) {
  auto made = std::make_unique<ToeFlow>(*this, ends, options);
  ToeFlow& flow = *made;
  flows_.emplace(&flow, std::move(made));
  return flow;
}

ToeFlow* ToeOffload::find(std::uint32_t tid) const {
  const auto found = tids_.find(tid);
  return found == tids_.end() ? nullptr : found->second;
}

void ToeOffload::set_tid(ToeFlow& flow, std::uint32_t tid) {
  flow.tid = tid;
  tids_[tid] = &flow;
}

void ToeOffload::erase(ToeFlow& flow) {
  if (flow.tid) tids_.erase(*flow.tid);
  if (flow.atid) atids_.erase(*flow.atid);
  flows_.erase(&flow);
}

bool ToeOffload::find_station(const MacAddress& address, std::uint32_t& index) {
  const auto found = std::find(stations_.begin(), stations_.end(), address);
  index = static_cast<std::uint32_t>(found - stations_.begin());
  if (found != stations_.end()) return true;
  if (stations_.size() == kStations) return false;
  stations_.push_back(address);
  sender_.send(Lane::kOrdered, l2t_write(index, address));
  return true;
}

void ToeOffload::freed(const RxPacket& data) {
  if (data.buffer != 0) setup_.memory.free(data.buffer, data.buffer_bytes);
}

// Opening and closing the interface.

void ToeOffload::up(const MacAddress& mac) {
  on_ = true;
  sender_.send(Lane::kOrdered, smt_write(mac));
  for (std::uint32_t stid = 0; stid < kServers; ++stid) {
    if (servers_[stid].user != nullptr)
      sender_.send(Lane::kOrdered, pass_open(stid, servers_[stid].port));
  }
}

void ToeOffload::down() {
  on_ = false;
  std::vector<ToeFlow*> all;
  all.reserve(flows_.size());
  for (const auto& [flow, owned] : flows_) all.push_back(owned.get());
  // Numbers, not addresses, give the order.
  std::sort(all.begin(), all.end(), [](const ToeFlow* a, const ToeFlow* b) {
    return std::pair(a->tid, a->atid) < std::pair(b->tid, b->atid);
  });
  for (ToeFlow* const flow : all) {
    if (flows_.count(flow) != 0) flow->down();
  }
}

void ToeOffload::forget() {
  sender_.clear();
  while (!waiting_.empty()) {
    freed(waiting_.front().data);
    waiting_.pop_front();
  }
  tids_.clear();
  atids_.clear();
  flows_.clear();
  stations_.clear();
}

// From the host.

OffloadFlow* ToeOffload::connect(OffloadUser& user, const tcp::Endpoints& ends,
                                 const MacAddress& station, const OffloadOptions& options) {
  CplConnection settings{options, 0};
  ToeFlow* const flow = make_active(user, ends, station, settings);
  if (flow != nullptr) sender_.send(Lane::kOrdered, act_open(*flow->atid, ends, settings));
  return flow;
}

ToeFlow* ToeOffload::make_active(OffloadUser& user, const tcp::Endpoints& ends,
                                 const MacAddress& station, CplConnection& settings) {
  if (!on_ || atids_.size() == kAtids || !find_station(station, settings.station)) {
    no_room.add();
    return nullptr;
  }
  while (atids_.count(next_atid_) != 0) next_atid_ = (next_atid_ + 1) % kAtids;
  ToeFlow& flow = make(ends, settings.options);
  flow.user = &user;
  flow.atid = next_atid_;
  atids_[next_atid_] = &flow;
  next_atid_ = (next_atid_ + 1) % kAtids;
  return &flow;
}

OffloadFlow* ToeOffload::take(OffloadUser& user, const tcp::Endpoints& ends,
                              const MacAddress& station, const OffloadOptions& options,
                              const tcp::Context& first) {
  CplConnection settings{options, 0};
  ToeFlow* const flow = make_active(user, ends, station, settings);
  if (flow == nullptr) return nullptr;
  flow->moves = true;
  sender_.send(Lane::kOrdered, take_request(*flow->atid, ends, settings, first));
  return flow;
}

void ToeOffload::handle_take_reply(const CplMessage& message) {
  const auto found = atids_.find(message.tid());
  if (found == atids_.end()) return;
  ToeFlow& flow = *found->second;
  const std::uint8_t error = message.byte(23);
  if (error != kCplNone) {
    no_room.add();
    return flow.open_failed(end_of(error));
  }
  set_tid(flow, nic::terminator::cpl::kTidField.get(message.word(16)));
  atids_.erase(found);
  flow.atid.reset();
  if (flow.aborting()) return sender_.send(Lane::kOrdered, abort_request(*flow.tid));
  flow.user->place_found();
}

void ToeOffload::listen(OffloadServer& server, std::uint16_t port) {
  const auto place = std::find_if(servers_.begin(), servers_.end(),
                                  [](const Server& each) { return each.user == nullptr; });
  if (place == servers_.end()) return no_room.add();
  *place = {&server, port};
  if (on_)
    sender_.send(Lane::kOrdered,
                 pass_open(static_cast<std::uint32_t>(place - servers_.begin()), port));
}

void ToeOffload::stop_listening(OffloadServer& server) {
  for (std::uint32_t stid = 0; stid < kServers; ++stid) {
    if (servers_[stid].user != &server) continue;
    servers_[stid] = {};
    if (on_) sender_.send(Lane::kOrdered, close_server(stid));
  }
  for (const auto& [flow, owned] : flows_) {
    if (owned->server == &server) owned->server = nullptr;
  }
}

// From the chip.

void ToeOffload::arrived(const Arrived& arrived) {
  messages_in.add();
  waiting_.push_back(arrived);
  Processor& cpu = *Processor::current();
  if (cpu.in_hardirq()) {
    cpu.raise(*this);
  } else {
    drain(~0U);
  }
}

bool ToeOffload::run() {
  constexpr std::uint32_t kTurn = 64;
  return drain(kTurn);
}

/// Handles messages that have come. Returns whether some are left. A processor that finds another
/// one at work leaves them to it.
bool ToeOffload::drain(std::uint32_t most) {
  if (draining_) return false;
  draining_ = true;
  for (; most > 0 && !waiting_.empty(); --most) {
    const Arrived next = waiting_.front();
    waiting_.pop_front();
    handle(next);
    Processor::current()->pay();
  }
  draining_ = false;
  return !waiting_.empty();
}

void ToeOffload::handle(const Arrived& arrived) {
  const CplMessage& message = arrived.message;
  switch (message.opcode()) {
    case Opcode::kActOpenRpl: return handle_open_reply(message);
    case Opcode::kTakeRpl: return handle_take_reply(message);
    case Opcode::kActEstablish:
    case Opcode::kPassEstablish: return handle_established(message);
    case Opcode::kPassAcceptReq: return handle_accept_request(message);
    case Opcode::kPassOpenRpl:
      if (message.byte(23) != kCplNone) no_room.add();  // the host's TCP serves the port
      return;
    default: break;
  }
  ToeFlow* const flow = find(message.tid());
  if (flow == nullptr) return freed(arrived.data);
  if (message.opcode() == Opcode::kAbortReq) return flow->aborted(end_of(message.byte(9)));
  if (flow->aborting() || flow->user == nullptr) {
    freed(arrived.data);
    if (message.opcode() == Opcode::kAbortRpl) erase(*flow);
    return;
  }
  switch (message.opcode()) {
    case Opcode::kTxDataAck: return flow->acknowledged(message.word(4));
    case Opcode::kRxData: return handle_data(*flow, arrived);
    case Opcode::kPeerClose: return flow->peer_closed();
    case Opcode::kCloseConRpl: return flow->closed();
    case Opcode::kReturned: return flow->returned(message);
    default: return;
  }
}

void ToeOffload::handle_open_reply(const CplMessage& message) {
  const auto found = atids_.find(message.tid());
  if (found == atids_.end()) return;
  ToeFlow& flow = *found->second;
  const std::uint8_t error = message.byte(23);
  if (error != kCplNone) {
    if (end_of(error) == OffloadEnd::kNoRoom) no_room.add();
    return flow.open_failed(end_of(error));
  }
  set_tid(flow, nic::terminator::cpl::kTidField.get(message.word(16)));
  if (flow.aborting()) sender_.send(Lane::kOrdered, abort_request(*flow.tid));
}

void ToeOffload::handle_established(const CplMessage& message) {
  ToeFlow* const flow = find(message.tid());
  if (flow == nullptr || flow->aborting()) return;
  if (flow->atid) {
    atids_.erase(*flow->atid);
    flow->atid.reset();
    flow->opened(message);
    if (flow->user != nullptr) flow->user->opened();
    return;
  }
  OffloadServer* const server = flow->server;
  flow->server = nullptr;
  flow->opened(message);
  if (server != nullptr) flow->user = server->established(*flow, flow->ends(), *this);
  if (flow->user == nullptr) flow->abort();
}

void ToeOffload::handle_accept_request(const CplMessage& message) {
  const std::uint32_t stid = nic::terminator::cpl::kOpenTid.get(message.word(16));
  const tcp::Endpoints ends = message.ends();
  // Another port: the number belonged to a server that has closed since.
  Server* const server =
      stid < kServers && servers_[stid].user != nullptr && servers_[stid].port == ends.source_port
          ? &servers_[stid]
          : nullptr;
  CplConnection settings;
  if (server == nullptr || !find_station(message.get<6>(32), settings.station) ||
      !server->user->asked(*this, settings.options)) {
    refused.add();
    return sender_.send(Lane::kOrdered, pass_reject(message.tid(), ends.destination));
  }
  ToeFlow& flow = make(ends, settings.options);
  flow.server = server->user;
  set_tid(flow, message.tid());
  sender_.send(Lane::kOrdered, pass_accept(*flow.tid, ends.destination, settings));
}

void ToeOffload::handle_data(ToeFlow& flow, const Arrived& arrived) {
  data_messages_in.add();
  const std::uint32_t length = arrived.message.word(4);
  RxPacket data = arrived.data;
  data.bytes = std::min(length, data.bytes);
  flow.received(data, arrived.message.word(8));
}

}  // namespace longhaul::host::chelsio
