// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "platform/observe/duplicate_acks.h"
#include "platform/observe/probe.h"
#include "platform/observe/software_watcher.h"
#include "platform/observe/tcp_table.h"
#include "platform/observe/wave_file.h"

namespace longhaul::observe {

/// Draws the TCP connections of a machine as its system has them: a scope a connection, named c0_10_0_0_2_5001 after its number and
/// its remote end.
///
/// They are read at each step of the system in the recorded time (SoftwareWatcher); only changes are drawn. Connections are looked for
/// when a SYN has passed the adapter, and every millisecond. The system takes no part in it. Duplicate acknowledgments are counted
/// in the frames that the adapter took from the wire.
class TcpWaves final : public SoftwareWatcher, public WaveSource, public FrameListener {
 public:
  /// `name` is the machine's.
  TcpWaves(const WaveScope& scope, std::string name, std::unique_ptr<TcpTable> sockets);

  /// Frames that the machine's adapter takes in, and those that it sends.
  void watch(FrameTap& received, FrameTap& sent);
  /// The first retransmission that the system makes triggers the file's window.
  void trigger_on_retransmit() { trigger_retransmit_ = true; }

  void on_step() override;
  void on_frame(const sc_core::sc_time& at, const FrameRef& frame, FrameFate fate, const char* why) override;
  void waves_begin() override;
  void waves_end() override;
  /// Connections that were seen.
  std::size_t connections() const { return seen_; }

 private:
  struct Connection {
    std::uint64_t socket = 0;
    TcpEnds ends;
    TcpState state;
    std::array<Wave, TcpState::kFields> waves;
    Wave retransmit;
    Wave duplicate_ack;
    bool drawn = false;
  };
  void look_for_sockets();
  void open(std::uint64_t socket, const TcpEnds& ends);
  void sample(Connection& connection);

  WaveScope scope_;
  WaveFile& file_;
  const std::string name_;
  const std::unique_ptr<TcpTable> sockets_;
  std::vector<std::unique_ptr<Connection>> connections_;  // those that live
  std::vector<std::uint64_t> found_;
  std::vector<FrameTap*> taps_;
  DuplicateAcks duplicates_;
  std::uint64_t next_look_ps_ = 0;
  std::uint64_t eager_until_ps_ = 0;
  std::size_t seen_ = 0;
  bool trigger_retransmit_ = false;
  bool listening_ = false;
};

}  // namespace longhaul::observe
