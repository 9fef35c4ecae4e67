// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>
#include <vector>

#include "models/common/observe/probe.h"
#include "models/common/ring_buffer.h"
#include "models/net/frame/frame_tap.h"
#include "models/net/mac/eth_mac.h"
#include "models/wan/delay_box/delay_box_params.h"
#include "models/wan/random_stream.h"
#include "models/wan/rate_limiter.h"

namespace longhaul {

/// One direction of a DelayBox: rate limit, loss, bit errors, duplication, reordering, delay, in
/// this order.
///
/// A frame leaves at its release time, or when the output line is free after that. Frames leave in
/// the order in which they came, also when the delay is shortened. Only frames that reordering
/// holds back leave later. Each impairment has its own random stream, so switching one on does not
/// change another.
class DelayPath final : public sc_core::sc_module, public FrameSource {
 public:
  DelayPath(const sc_core::sc_module_name& name, const DelayPathParams& params, std::uint64_t seed,
            std::uint64_t memory_bytes);

  /// Sets the MAC that sends the frames of this path.
  void set_output(EthMac& output) { output_ = &output; }
  /// Takes a frame whose last bit has arrived now.
  void accept(const FrameRef& frame);
  /// Drops a frame that does not enter this path, and reports it on the tap.
  void refuse(const FrameRef& frame, observe::Counter& counter, const char* why);

  // Settings that may change at any time. They apply to frames that arrive later. ConfigError
  // outside of their range.
  void set_delay(sc_core::sc_time delay);
  void set_loss(Probability per_frame);
  void set_bit_error_rate(Probability per_bit);
  void set_reorder(Probability per_frame, sc_core::sc_time extra);
  void set_duplicate(Probability per_frame);
  void set_rate(BitRate rate, RateLimiter::Mode mode, Bytes burst, Bytes queue);
  /// Applies the parameters that differ between two sets. ConfigError as above.
  void take(const DelayPathParams& before, const DelayPathParams& after);

  std::uint64_t ready_ps() const override;
  FrameRef take_frame() override;

  std::size_t frames_inside() const { return line_.size() + late_.size(); }

  observe::Counter passed{"passed", "frame", "frames sent, duplicates included"};
  observe::Counter lost{"lost", "frame", "frames lost at random"};
  observe::Counter bit_errors{"bit_errors", "bit", "bits flipped"};
  observe::Counter damaged{"damaged", "frame", "frames with at least one bit flipped"};
  observe::Counter duplicated{"duplicated", "frame", "second copies made"};
  observe::Counter reordered{"reordered", "frame", "frames held back for reordering"};
  observe::Counter rate_dropped{"rate_dropped", "frame", "frames dropped by the rate limit"};
  observe::Counter memory_dropped{"memory_dropped", "frame",
                                  "frames that found the delay memory full"};
  observe::Counter pause_dropped{"pause_dropped", "frame", "PAUSE frames that ended here"};
  observe::Level stored{"stored", "byte", "octets of frames inside, with FCS"};
  observe::FrameTap tap{
      "tap", "frames sent, with what was done to them, and frames dropped, with the reason"};

 private:
  /// Treatments of a frame; bits of Held::marks.
  enum Mark : std::uint8_t { kDamaged = 1, kDuplicate = 2, kReordered = 4 };

  struct Held {
    FrameRef frame;
    std::uint64_t release_ps = 0;
    std::uint64_t order = 0;
    std::uint8_t marks = 0;
  };
  /// Orders a heap whose top leaves first.
  static bool leaves_later(const Held& a, const Held& b) {
    return a.release_ps != b.release_ps ? a.release_ps > b.release_ps : a.order > b.order;
  }

  bool damage(FrameRef& frame);
  void hold(FrameRef frame, std::uint64_t release_ps, std::uint8_t marks);
  bool late_is_next() const;

  const std::uint64_t memory_bytes_;
  EthMac* output_ = nullptr;

  std::uint64_t delay_ps_;
  Probability loss_;
  Probability bit_error_rate_;
  Probability reorder_;
  std::uint64_t reorder_ps_;
  Probability duplicate_;
  RateLimiter limiter_;

  RandomStream loss_stream_;
  RandomStream bit_stream_;
  RandomStream reorder_stream_;
  RandomStream duplicate_stream_;
  std::uint64_t bits_to_error_ = 0;  // bits that pass before the next flipped bit

  /// In order of arrival. A frame waits for the frames before it, whatever its own release time.
  RingBuffer<Held> line_;
  std::vector<Held> late_;  // heap of reordered frames
  std::uint64_t next_order_ = 0;
};

}  // namespace longhaul
