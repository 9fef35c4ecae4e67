// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "models/common/ring_buffer.h"
#include "platform/cosim/bus/axi_stream_checker.h"
#include "platform/cosim/bus/stalls.h"
#include "platform/cosim/gmii_tx.h"
#include "platform/cosim/rtl_block.h"
#include "platform/cosim/wire/wire_bytes.h"

namespace longhaul::cosim {

struct AxiStreamParams {
  std::string prefix;     ///< of the signals' names in messages
  bool with_fcs = false;  ///< the frame's FCS is its last four bytes
  Stalls stalls{};        ///< of the transactor's VALID or READY
};

/// Plays frames into a block's AXI4-Stream input, one beat a clock. With TUSER, a frame with a
/// wrong FCS is marked in its last beat.
class AxiStreamSource final : public Transactor {
 public:
  /// `sink` gets the checker's violations; nullptr: no checker. Throws std::invalid_argument for
  /// wrong widths.
  AxiStreamSource(RtlBlock& block, ClockDomain& clock, const AxiStreamPins& pins,
                  const AxiStreamParams& params, CheckerSink* sink);

  /// Queues a complete frame. Call in SystemC's time; acts on edges after that.
  void send(const FrameRef& frame);
  /// Frames that wait or are in progress.
  std::size_t waiting() const { return queue_.size(); }
  /// Stream bytes of these frames at SystemC's present time. A frame counts until its last beat was
  /// taken, at an edge before now.
  std::uint64_t waiting_bytes();
  /// Clocks in which TVALID waited for TREADY, for frames that were played to their end.
  std::uint64_t stalls() const { return stalls_told_; }

  void sample() override { sample_.take(pins_); }
  void clocked(std::uint64_t edge_ps) override;
  void deliver() override { stalls_told_ = stalled_; }
  const AxiStreamChecker* checker() const { return checker_.get(); }

 private:
  struct Waiting {
    FrameRef frame;
    std::uint64_t from_ps = 0;
  };
  struct Played {
    std::uint32_t bytes = 0;
    std::uint64_t edge_ps = 0;
  };
  std::uint32_t bytes_of(const Frame& frame) const {
    return with_fcs_ ? frame.octets() : frame.size();
  }
  void end_frame(std::uint64_t edge_ps);
  void put_beat();

  RtlBlock& block_;
  ClockDomain& clock_;
  AxiStreamPins pins_;
  const bool with_fcs_;
  Stalls stalls_;
  std::unique_ptr<AxiStreamChecker> checker_;
  AxiStreamSample sample_;
  RingBuffer<Waiting> queue_;
  RingBuffer<Played> played_;  // still counted in waiting_bytes_
  std::uint64_t waiting_bytes_ = 0;
  std::uint64_t stalled_ = 0;
  std::uint64_t stalls_told_ = 0;
  std::uint32_t at_ = 0;    // next byte of the front
  std::uint32_t size_ = 0;  // bytes of the front; 0: it has not begun
  bool bad_ = false;        // its FCS is wrong
  bool held_ = false;
};

/// Makes frames from a block's AXI4-Stream output. A frame with TUSER in its last beat gets a wrong
/// FCS. A frame without FCS in the stream is padded as a MAC does. Frames are passed on at the edge
/// of their last beat.
class AxiStreamSink final : public Transactor {
 public:
  /// `checker_sink` gets the checker's violations; nullptr: no checker. Throws
  /// std::invalid_argument for wrong widths.
  AxiStreamSink(RtlBlock& block, ClockDomain& clock, const AxiStreamPins& pins,
                const AxiStreamParams& params, GmiiSink& sink, CheckerSink* checker_sink);

  /// Allows or forbids a high TREADY. Call in SystemC's time; acts on edges after that.
  void accept(bool on) {
    accepts_next_ = on;
    accepts_from_ps_ = block_.input_ps();
  }

  void sample() override { sample_.take(pins_); }
  void clocked(std::uint64_t edge_ps) override;
  void deliver() override;
  const AxiStreamChecker* checker() const { return checker_.get(); }
  /// Clocks in which TVALID waited for TREADY, for frames that were passed on.
  std::uint64_t stalls() const { return stalls_told_; }

 private:
  void take_beat();

  RtlBlock& block_;
  AxiStreamPins pins_;
  const bool with_fcs_;
  Stalls stalls_;
  GmiiSink& sink_;
  std::unique_ptr<AxiStreamChecker> checker_;
  AxiStreamSample sample_;
  WireFrame frame_;
  FrameRef done_;
  bool told_ = true;  // done_ has been delivered
  std::uint64_t stalled_ = 0;
  std::uint64_t stalls_told_ = 0;
  bool accepts_ = true;
  bool accepts_next_ = true;  // from accepts_from_ps_ on
  std::uint64_t accepts_from_ps_ = 0;
};

}  // namespace longhaul::cosim
