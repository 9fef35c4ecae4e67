// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "models/common/event_queue.h"
#include "models/common/units.h"

namespace longhaul::nic::terminator {

/// One direction of SPI-4.2: carries one frame at a time, in portions for which the far end's FIFO
/// has given credit.
///
/// A portion takes its bytes, filled up to words of 16 bits, and a control word for each burst, at
/// the bus's rate. Training takes its share of all time. Without credit the frame waits until
/// kick().
class EspiLane {
 public:
  struct Ends {
    std::function<std::uint32_t()> credit;     ///< bytes that the far end takes now
    std::function<void(std::uint32_t)> moved;  ///< so many bytes have arrived
    std::function<void()> done;                ///< the last byte of the frame has arrived
  };
  EspiLane(BitRate rate, Ends ends);

  /// Bytes of a burst, and the share of training: `training` of each `training + data` words.
  void set_burst(std::uint32_t bytes) { burst_bytes_ = bytes; }
  std::uint32_t burst() const { return burst_bytes_; }
  void set_training(std::uint64_t training, std::uint64_t data);

  /// Begins a frame; busy() must be false. Bytes may go from `from_ps` on. That may be in the past,
  /// for a frame that leaves while it comes in. The last byte arrives at `not_before_ps` or later.
  void begin(std::uint32_t bytes, std::uint64_t from_ps, std::uint64_t not_before_ps);
  bool busy() const { return left_ != 0; }
  /// The far end may have credit again.
  void kick();
  /// Gives up the frame that is on its way.
  void cancel();
  /// When the last frame ended.
  std::uint64_t free_ps() const { return free_ps_; }
  /// The time that `bytes` of a frame take.
  std::uint64_t duration_ps(std::uint32_t bytes) const;

 private:
  void next(std::uint64_t from_ps);
  void arrived();

  const BitRate rate_;
  const Ends ends_;
  std::uint32_t burst_bytes_ = 128;
  std::uint64_t training_ = 0;
  std::uint64_t training_data_ = 1;
  std::uint32_t left_ = 0;
  std::uint32_t portion_ = 0;  // on its way; 0: waits for credit
  std::uint64_t not_before_ps_ = 0;
  std::uint64_t free_ps_ = 0;
  Timer end_{[this] { arrived(); }};
};

}  // namespace longhaul::nic::terminator
