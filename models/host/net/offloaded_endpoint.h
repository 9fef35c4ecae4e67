// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/host/kernel/process.h"
#include "models/host/net/offload_messages.h"
#include "models/host/net/receive_queue.h"
#include "models/host/net/send_queue.h"
#include "models/host/net/socket_end.h"
#include "models/host/net/tcp_offload.h"

namespace longhaul::host {

class Stack;

/// The host's end of a connection that an adapter runs.
///
/// Sent data are copied into buffers of a message each (SendQueue). They count for the
/// send buffer until the peer has acknowledged them. Received data stay in the buffers in which
/// they came until the program reads them; then the adapter gets credits. Calls are those of Linux.
class OffloadedEndpoint final : public SocketEnd, public OffloadUser {
 public:
  OffloadedEndpoint(Stack& stack, TcpOffload& offload, const SocketSettings& settings,
                    const tcp::Endpoints& ends);
  ~OffloadedEndpoint() override;

  /// Settings for the adapter.
  static OffloadOptions options(const Stack& stack, const TcpOffload& offload,
                                const SocketSettings& settings);

  enum class Opened : std::uint8_t {
    kYes,
    kFailed,  ///< error() tells why
    kNoRoom,  ///< the host's own TCP has to open it
  };
  /// Opens the connection; blocks.
  Opened connect(Process& process, const MacAddress& station);
  /// Takes a connection whose handshake is over, for a listener.
  void take(OffloadFlow& flow);
  /// No program has it, and the connection never was.
  void discard();

  // SocketEnd.
  std::uint64_t send(Process& process, std::uint64_t user, std::uint64_t bytes) override;
  std::uint64_t receive(Process& process, std::uint64_t user, std::uint64_t bytes) override;
  void shutdown(Process& process) override;
  void close(Process& process) override;
  void abandon() override;
  void accepted() override {}
  void set(const SocketSettings&) override {}  // they were given when it was opened
  const SocketSettings& settings() const override { return settings_; }
  bool bound() const override { return true; }
  TcpSnapshot snapshot() const override {
    return {flow_ != nullptr ? handed_ - queue_.begin() : 0, std::nullopt};
  }
  std::optional<SocketError> error() const override { return error_; }
  std::optional<std::uint64_t> mismatch() const override { return mismatch_; }

  // OffloadUser.
  void opened() override;
  void acknowledged(std::uint64_t bytes) override;
  void received(const RxPacket& data) override;
  void sent(std::uint64_t cookie) override;
  void peer_closed() override;
  void closed() override;
  void ended(OffloadEnd why) override;

  const tcp::Endpoints& ends() const { return ends_; }
  const SendQueue& send_queue() const { return queue_; }
  const ReceiveQueue& receive_queue() const { return input_; }

 private:
  /// Keeps the object while code of it runs; the last one settles it.
  class Use {
   public:
    explicit Use(OffloadedEndpoint& end) : end_(end) { ++end_.uses_; }
    ~Use() {
      if (--end_.uses_ == 0) end_.settle();
    }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

   private:
    OffloadedEndpoint& end_;
  };

  bool is_over() const { return ended_ || (peer_closed_ && closed_); }
  bool may_send() const { return established_ && !ended_ && !finished_by_us_; }
  bool has_unread() const { return input_.front().bytes != 0; }
  void start();
  std::uint64_t copy_in(Processor& processor, std::uint64_t user, std::uint64_t bytes);
  std::uint64_t copy_out(Processor& processor, std::uint64_t user, std::uint64_t bytes);
  bool hand_over(Processor& processor, bool push);
  void hand_over_all(Process& process);
  void give_credits();
  void finish(Process& process);
  void abort();
  void unbind();
  void settle();

  Stack& stack_;
  TcpOffload& offload_;
  const SocketSettings settings_;
  const tcp::Endpoints ends_;
  const OffloadOptions options_;
  OffloadFlow* flow_ = nullptr;

  SendQueue queue_;
  std::uint64_t handed_ = 0;  // stream offset below which the adapter has all bytes
  OffloadMessages messages_;
  ReceiveQueue input_;
  std::uint64_t credited_ = 0;

  std::uint32_t uses_ = 0;
  bool listed_ = true;    // among the host's connections
  bool attached_ = true;  // a program or a listener has it
  bool no_room_ = false;
  bool established_ = false;
  bool ended_ = false;
  bool peer_closed_ = false;
  bool closed_ = false;
  bool finished_by_us_ = false;
  std::optional<SocketError> error_;
  std::optional<std::uint64_t> mismatch_;
  WaitQueue openers_;
  WaitQueue readers_;
  WaitQueue writers_;
};

}  // namespace longhaul::host
