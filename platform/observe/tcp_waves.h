// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/common/observe/software_watcher.h"
#include "models/net/frame/frame_tap.h"
#include "platform/observe/duplicate_acks.h"
#include "platform/observe/loss_book.h"
#include "platform/observe/sequence_origins.h"
#include "platform/observe/tcp_table.h"
#include "platform/observe/wave_file.h"

namespace longhaul::observe {

/// Traces the TCP connections of a machine from its system's own state: one scope for each
/// connection, named c0_10_0_0_2_5001 after its number and its remote end.
///
/// They are read at each step of the system in the recorded time (SoftwareWatcher); only changes
/// are traced. New connections are looked for when a SYN has passed the adapter, and every
/// millisecond. The system does not take part. Duplicate acknowledgments are counted in the frames
/// that the adapter received. Sequence numbers are relative: 1 is the first byte of each direction.
class TcpWaves final : public SoftwareWatcher, public WaveSource, public FrameListener {
 public:
  /// `name` is the machine's. `origins` and `losses` must outlive this object.
  TcpWaves(const WaveScope& scope, std::string name, std::unique_ptr<TcpTable> sockets,
           const SequenceOrigins& origins, const LossBook& losses);

  /// Sets the taps of frames that the machine's adapter receives and sends.
  void watch(FrameTap& received, FrameTap& sent);
  /// Makes the system's first retransmission trigger the file's window.
  void trigger_on_retransmit() { trigger_retransmit_ = true; }

  void on_step() override;
  void on_frame(const sc_core::sc_time& at, const FrameRef& frame, FrameFate fate,
                const char* why) override;
  void waves_begin() override;
  void waves_end() override;
  /// The loss that the triggering retransmission repairs, if a part reported it.
  const std::optional<PastLoss>& repaired() const { return repaired_; }
  /// Number of connections that were seen.
  std::size_t connections() const { return seen_; }

 private:
  struct Connection {
    std::uint64_t socket = 0;
    TcpEnds ends;
    TcpState state;
    std::array<Wave, TcpState::kFields> waves;
    std::array<Wave, TcpState::kOwn> own;
    std::size_t own_rows = 0;
    Wave iss;
    Wave irs;
    std::optional<std::uint32_t> sent_origin;
    std::optional<std::uint32_t> received_origin;
    Wave retransmit;
    Wave duplicate_ack;
    bool traced = false;
  };
  void look_for_sockets();
  void open(std::uint64_t socket, const TcpEnds& ends);
  void sample(Connection& connection);
  bool find_origins(Connection& connection, const TcpState& state) const;
  void trace(const Connection& connection, TcpState::Field field, std::uint32_t value) const;
  void retransmitted(const Connection& connection, const TcpState& state);

  WaveScope scope_;
  WaveFile& file_;
  const std::string name_;
  const std::unique_ptr<TcpTable> sockets_;
  const SequenceOrigins& origins_;
  const LossBook& losses_;
  std::vector<std::unique_ptr<Connection>> connections_;  // the present ones
  std::vector<std::uint64_t> found_;
  std::vector<FrameTap*> taps_;
  DuplicateAcks duplicates_;
  std::uint64_t next_look_ps_ = 0;
  std::uint64_t eager_until_ps_ = 0;
  std::size_t seen_ = 0;
  std::optional<PastLoss> repaired_;
  bool trigger_retransmit_ = false;
  bool listening_ = false;
};

}  // namespace longhaul::observe
