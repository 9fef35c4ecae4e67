// SPDX-License-Identifier: Apache-2.0
#include "models/host/net/offloaded_endpoint.h"

#include <algorithm>

#include "models/host/net/pattern.h"
#include "models/host/net/receive_memory.h"
#include "models/host/net/stack.h"

namespace longhaul::host {
namespace {

/// RFC 7323, 2.3: the largest window.
constexpr std::uint64_t kLargestWindow = 65535ULL << 14U;
/// The least window of the maker's later driver (t3_tom, MIN_RCV_WND).
constexpr std::uint64_t kLeastWindow = 24ULL * 1024U;

SocketError error_of(OffloadEnd why, bool established) {
  switch (why) {
    case OffloadEnd::kReset: return established ? SocketError::kReset : SocketError::kRefused;
    case OffloadEnd::kTimedOut: return SocketError::kTimedOut;
    case OffloadEnd::kNoRoom:
    case OffloadEnd::kUnreachable:
    case OffloadEnd::kIdle:
    case OffloadEnd::kDown: break;
  }
  return SocketError::kUnreachable;
}

}  // namespace

OffloadOptions OffloadedEndpoint::options(const Stack& stack, const TcpOffload& offload,
                                          const SocketSettings& settings) {
  if (offload.receive_buffer() != 0) return {offload.receive_buffer(), settings.nodelay};
  const NetParams& params = stack.params();
  std::uint64_t window = ReceiveMemory(params).worth(settings.receive_limit);
  // A program that sets SO_RCVBUF means the window: Linux has doubled it for overhead.
  if (settings.receive_limit_is_set)
    window = params.truesize() ? settings.receive_limit / 2 : settings.receive_limit;
  return {std::clamp(window, kLeastWindow, kLargestWindow), settings.nodelay};
}

OffloadedEndpoint::OffloadedEndpoint(Stack& stack, TcpOffload& offload,
                                     const SocketSettings& settings, const tcp::Endpoints& ends)
    : stack_(stack),
      offload_(offload),
      settings_(settings),
      ends_(ends),
      options_(options(stack, offload, settings)),
      queue_(stack.pool(), stack.params()),
      messages_(stack, offload),
      input_(stack.receive_buffers(), !stack.params().truesize()) {
  const std::uint64_t most = stack.params().send_buffer_most().count;
  queue_.set_limit(settings.send_limit_is_set ? settings.send_limit
                                              : std::max(settings.send_limit, most));
  queue_.start(offload.message_bytes(), true);
}

OffloadedEndpoint::~OffloadedEndpoint() = default;

// Opening.

OffloadedEndpoint::Opened OffloadedEndpoint::connect(Process& process, const MacAddress& station) {
  const Use use(*this);
  process.processor().execute(offload_.costs().open);
  flow_ = offload_.connect(*this, ends_, station, options_);
  if (flow_ == nullptr) {
    ended_ = no_room_ = true;
    unbind();
  }
  while (!established_ && !ended_) process.wait(openers_);
  if (no_room_) return Opened::kNoRoom;
  return established_ && !ended_ ? Opened::kYes : Opened::kFailed;
}

void OffloadedEndpoint::take(OffloadFlow& flow) {
  Processor::current()->execute(offload_.costs().open);
  flow_ = &flow;
  start();
}

void OffloadedEndpoint::discard() {
  const Use use(*this);
  attached_ = false;
  abort();
}

void OffloadedEndpoint::start() {
  established_ = true;
  stack_.connections.add();
}

void OffloadedEndpoint::opened() {
  const Use use(*this);
  start();
  openers_.wake_all();
}

// Sending.

std::uint64_t OffloadedEndpoint::copy_in(Processor& processor, std::uint64_t user,
                                         std::uint64_t bytes) {
  const std::uint64_t most = std::min(bytes, queue_.room());
  std::uint64_t filled = 0;
  bool full = false;
  while (!full && filled < most) {
    const SendQueue::Space space = queue_.space(handed_);
    if (space.opens_buffer) processor.execute(stack_.params().allocate_cycles());
    if (space.bytes == 0) break;
    const auto n = static_cast<std::uint32_t>(std::min<std::uint64_t>(space.bytes, most - filled));
    processor.copy(user + filled, space.address, n);
    if (settings_.verify) pattern::fill(queue_.end(), stack_.pool().to_write(space.address, n), n);
    queue_.append(n);
    filled += n;
    full = space.completes && n == space.bytes;
  }
  return filled;
}

/// Gives the adapter the bytes that it does not have yet; they are a message's at most. Returns
/// false without memory for the message's header.
bool OffloadedEndpoint::hand_over(Processor& processor, bool push) {
  const auto length = static_cast<std::uint32_t>(queue_.end() - handed_);
  if (length == 0 || flow_ == nullptr) return true;
  processor.execute(offload_.costs().send);
  TxPacket packet{};
  if (messages_.make(processor, queue_, handed_, length, packet) != OffloadMessages::Made::kWhole)
    return false;
  handed_ += length;
  stack_.data_bytes_out.add(length);
  flow_->send(packet, push);
  return true;
}

/// The same until there is memory, in a call of a program.
void OffloadedEndpoint::hand_over_all(Process& process) {
  while (!hand_over(process.processor(), true)) {
    stack_.drop_no_memory.add();
    process.sleep(to_ps(process.processor().params().tick()));
  }
}

std::uint64_t OffloadedEndpoint::send(Process& process, std::uint64_t user, std::uint64_t bytes) {
  const Use use(*this);
  Processor& processor = process.processor();
  std::uint64_t done = 0;
  while (done < bytes && may_send()) {
    if (queue_.room() == 0) {
      hand_over_all(process);
      if (queue_.room() == 0 && may_send()) process.wait(writers_);
      continue;
    }
    const std::uint64_t filled = copy_in(processor, user + done, bytes - done);
    if (filled == 0) {  // no memory is left; some is freed sooner or later
      stack_.drop_no_memory.add();
      process.sleep(to_ps(processor.params().tick()));
      continue;
    }
    stack_.written_bytes.add(filled);
    done += filled;
    if (done == bytes || queue_.end() - handed_ == offload_.message_bytes()) {
      hand_over_all(process);
    } else {
      processor.pay();
    }
  }
  return done;
}

void OffloadedEndpoint::acknowledged(std::uint64_t bytes) {
  const Use use(*this);
  Processor::current()->execute(offload_.costs().ack);
  queue_.acknowledged(bytes);
  if (!writers_.empty() && queue_.worth_waking()) writers_.wake_all();
}

void OffloadedEndpoint::sent(std::uint64_t cookie) {
  const Use use(*this);
  queue_.released(messages_.sent(cookie));
}

// Receiving.

void OffloadedEndpoint::received(const RxPacket& data) {
  const Use use(*this);
  Processor::current()->execute(offload_.costs().receive);
  if (!attached_) {  // RFC 1122, 4.2.2.13: no program will read the data
    stack_.freed(data);
    return abort();
  }
  stack_.data_bytes_in.add(data.bytes);
  input_.insert(data, input_.end(), data.address, data.bytes,
                ReceiveMemory(stack_.params()).charge(data.buffer_bytes, data.bytes));
  if (!readers_.empty()) readers_.wake_all();
}

std::uint64_t OffloadedEndpoint::copy_out(Processor& processor, std::uint64_t user,
                                          std::uint64_t bytes) {
  std::uint64_t done = 0;
  while (done < bytes) {
    const Extent front = input_.front();
    if (front.bytes == 0) break;
    const auto n = static_cast<std::uint32_t>(std::min<std::uint64_t>(front.bytes, bytes - done));
    processor.copy(front.address, user + done, n);
    if (settings_.verify) {
      const auto wrong =
          pattern::first_wrong(input_.read_offset(), stack_.pool().at(front.address), n);
      if (wrong) stack_.verify_errors.add();
      if (wrong && !mismatch_) mismatch_ = wrong;
    }
    processor.pay();
    input_.consume(n);
    done += n;
  }
  return done;
}

std::uint64_t OffloadedEndpoint::receive(Process& process, std::uint64_t user,
                                         std::uint64_t bytes) {
  const Use use(*this);
  std::uint64_t done = 0;
  while ((done = copy_out(process.processor(), user, bytes)) == 0 && bytes != 0) {
    if (peer_closed_ || ended_ || !established_) break;
    process.wait(readers_);
  }
  give_credits();
  return done;
}

/// The rule of the maker's later drivers (t3_tom and chtls, cleanup_rbuf()).
void OffloadedEndpoint::give_credits() {
  constexpr std::uint64_t kGathered = 16384;  // the adapter gathers so many bytes
  const std::uint64_t bytes = input_.read_offset() - credited_;
  if (bytes == 0 || flow_ == nullptr || peer_closed_) return;
  if (bytes < offload_.credit_bytes() && bytes + kGathered < options_.window) return;
  credited_ += bytes;
  flow_->credit(bytes);
}

// The end.

/// Closes this direction behind the data that were sent.
void OffloadedEndpoint::finish(Process& process) {
  if (finished_by_us_) return;
  hand_over_all(process);
  finished_by_us_ = true;
  if (flow_ != nullptr) flow_->close();
}

void OffloadedEndpoint::shutdown(Process& process) {
  const Use use(*this);
  if (established_ && !ended_) finish(process);
}

void OffloadedEndpoint::close(Process& process) {
  const Use use(*this);
  attached_ = false;
  const bool unread = has_unread();
  input_.clear();
  if (unread || !established_) {
    abort();
  } else {
    finish(process);
  }
}

void OffloadedEndpoint::abandon() {
  if (Processor::current() == nullptr) return;  // the simulation is being taken down
  const Use use(*this);
  attached_ = false;
  input_.clear();
  abort();
}

void OffloadedEndpoint::abort() {
  OffloadFlow* const flow = flow_;
  flow_ = nullptr;
  if (!is_over()) ended_ = true;
  queue_.abandon();
  unbind();
  if (flow != nullptr) flow->abort();
}

void OffloadedEndpoint::peer_closed() {
  const Use use(*this);
  peer_closed_ = true;
  readers_.wake_all();
  if (!closed_) return;
  flow_ = nullptr;
  unbind();
}

void OffloadedEndpoint::closed() {
  const Use use(*this);
  closed_ = true;
  if (!peer_closed_) return;
  flow_ = nullptr;
  unbind();
}

void OffloadedEndpoint::ended(OffloadEnd why) {
  const Use use(*this);
  flow_ = nullptr;
  ended_ = true;
  no_room_ = !established_ && why == OffloadEnd::kNoRoom;
  if (!no_room_ && why != OffloadEnd::kIdle) {
    error_ = error_of(why, established_);
    stack_.connections_failed.add();
  }
  queue_.abandon();
  unbind();
  openers_.wake_all();
  readers_.wake_all();
  writers_.wake_all();
}

void OffloadedEndpoint::unbind() {
  if (listed_) stack_.offloaded().unbind(ends_);
  listed_ = false;
}

/// Destroys the object when nothing needs it.
void OffloadedEndpoint::settle() {
  if (attached_ || !is_over() || queue_.held() != 0) return;
  queue_.abandon();
  stack_.offloaded().destroy(*this);
}

}  // namespace longhaul::host
