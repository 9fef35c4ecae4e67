// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "platform/observe/loss_watch.h"
#include "platform/observe/payload_meter.h"
#include "platform/observe/transport_header.h"

namespace longhaul::observe {

/// Which frames were dropped after somebody sent them, where and why, and which are TCP's retransmissions, and of what.
///
/// Frames are known by Frame::id(): what is said of a damaged copy, or of a frame that RTL has made anew, is not said of the frame that was
/// sent. What is sent again is known by its bytes' sequence numbers. Memory: up to 150 B for each dropped frame and each retransmission,
/// until the run's end.
class LossBook final : public LossListener {
 public:
  /// A loss, when its frame is gone.
  struct Entry {
    std::uint64_t ps = 0;
    const std::string* place = nullptr;
    const char* why = "";
    /// "anue.west_to_east at 1.461123456 s (random loss)".
    std::string text() const;
  };

  /// Keeps what `watch`, which outlives this, tells from now on.
  explicit LossBook(LossWatch& watch);
  LossBook(const LossBook&) = delete;
  LossBook& operator=(const LossBook&) = delete;
  ~LossBook() override;

  /// Retransmissions are those that `meter`, which outlives this, counts. Its one on_retransmit().
  void watch(PayloadMeter& meter);
  /// The last loss of any of these bytes of a flow.
  std::optional<Entry> last_loss(const FlowKey& flow, std::uint32_t sequence, std::uint32_t bytes) const;
  bool empty() const { return notes_.empty(); }
  /// One line about each thing that happened to the frame with the number `frame`, in order of time.
  std::vector<std::string> comments(std::uint64_t frame);

  void on_loss(const Loss& loss) override;

 private:
  struct Note {
    std::uint64_t frame;
    bool retransmission;
    Entry loss;  // of the frame; or of what is sent again, without a place if nobody dropped it
  };
  struct Lost {
    std::uint64_t end;  // past its last byte, unwrapped
    Entry loss;
  };
  /// Sequence numbers wrap at 2^32; those of one flow that are told in turn lie within 2^31 of each other.
  struct Flow {
    std::uint64_t furthest = std::uint64_t{1} << 33;  // room for what lies before the first byte
    std::map<std::uint64_t, Lost> lost;               // by first byte, the last loss of it
  };
  static std::uint64_t unwrap(const Flow& flow, std::uint32_t sequence);
  void on_retransmit(const Frame& frame, const TransportHeader& header);

  LossWatch& watch_;
  std::vector<PayloadMeter*> meters_;
  std::vector<Note> notes_;
  std::size_t sorted_ = 0;  // of notes_
  std::unordered_map<FlowKey, Flow, FlowKeyHash> flows_;
};

}  // namespace longhaul::observe
