// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "platform/guest/guest_watcher.h"
#include "platform/guest/tcp_sockets.h"
#include "platform/observe/duplicate_acks.h"
#include "platform/observe/probe.h"
#include "platform/observe/wave_file.h"

namespace longhaul::observe {

/// Draws the TCP connections of a guest as its kernel has them: a scope a connection, named c0_10_0_0_2_5001 after its number and its
/// remote end.
///
/// The kernel's memory is read at each exchange of the guest in the recorded time, when the work before it has been paid for; only
/// changes are drawn. Sockets are looked for when a SYN has passed the adapter, and every millisecond. The guest takes no part in it.
/// Duplicate acknowledgments are counted in the frames that the adapter took from the wire.
class TcpWaves final : public guest::GuestWatcher, public WaveSource, public FrameListener {
 public:
  /// `name` is the machine's.
  TcpWaves(const WaveScope& scope, std::string name, guest::GuestProcess& process, const guest::KernelLayout& layout);

  /// Frames that the guest's adapter takes in, and those that it sends.
  void watch(FrameTap& received, FrameTap& sent);
  /// A write to a bus address for which `is_it` holds triggers the file's window.
  void trigger_on_write(std::function<bool(std::uint64_t address)> is_it) { triggers_ = std::move(is_it); }
  /// The first retransmission that the guest's kernel makes triggers the file's window.
  void trigger_on_retransmit() { trigger_retransmit_ = true; }

  void on_exchange() override;
  void on_write(std::uint64_t address) override;
  void on_frame(const sc_core::sc_time& at, const FrameRef& frame, FrameFate fate, const char* why) override;
  void waves_begin() override;
  void waves_end() override;
  /// Connections that were seen.
  std::size_t connections() const { return seen_; }

 private:
  struct Connection {
    std::uint64_t socket = 0;
    guest::TcpEnds ends;
    guest::TcpState state;
    std::array<Wave, guest::TcpState::kFields> waves;
    Wave retransmit;
    Wave duplicate_ack;
    bool drawn = false;
  };
  void look_for_sockets();
  void open(std::uint64_t socket, const guest::TcpEnds& ends);
  void sample(Connection& connection);

  WaveScope scope_;
  WaveFile& file_;
  const std::string name_;
  guest::TcpSockets sockets_;
  std::vector<std::unique_ptr<Connection>> connections_;  // those that live
  std::vector<std::uint64_t> found_;
  std::vector<FrameTap*> taps_;
  DuplicateAcks duplicates_;
  std::uint64_t next_look_ps_ = 0;
  std::uint64_t eager_until_ps_ = 0;
  std::size_t seen_ = 0;
  std::function<bool(std::uint64_t)> triggers_;
  bool trigger_retransmit_ = false;
  bool listening_ = false;
};

}  // namespace longhaul::observe
