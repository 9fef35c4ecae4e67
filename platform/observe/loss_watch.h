// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/common/observe/probe.h"
#include "models/net/frame/frame_tap.h"

namespace longhaul::observe {

/// A frame that a part of the design has dropped.
struct Loss {
  std::uint64_t ps;
  const FrameTap& tap;       ///< the tap that reported it
  const std::string& place;  ///< the part, "anue.west_to_east"; lives as long as the LossWatch
  const FrameRef& frame;
  const char* why;  ///< static text
};

/// The part of a Loss that is kept when its frame is gone.
struct PastLoss {
  std::uint64_t ps = 0;
  const std::string* place = nullptr;
  const char* why = "";
  /// A text such as "anue.west_to_east at 1.461123456 s (random loss)".
  std::string text() const;
};

/// Receives losses from a LossWatch.
class LossListener {
 public:
  virtual ~LossListener() = default;
  virtual void on_loss(const Loss& loss) = 0;
};

/// Reports every frame that one of its FrameTaps reports as dropped, with the part that dropped it.
/// Drops that are not losses (not_lost.h) are left out. It listens to the taps only while it has
/// listeners.
class LossWatch {
 public:
  /// The taps must outlive it.
  explicit LossWatch(const std::vector<FrameTap*>& taps);
  LossWatch(const LossWatch&) = delete;
  LossWatch& operator=(const LossWatch&) = delete;
  ~LossWatch();

  void listen(LossListener* listener);
  void ignore(LossListener* listener);

 private:
  struct Place final : FrameListener {
    Place(LossWatch& owner, FrameTap& reports);
    void on_frame(const sc_core::sc_time& at, const FrameRef& frame, FrameFate fate,
                  const char* why) override;
    LossWatch& watch;
    FrameTap& tap;
    const std::string name;
  };
  std::vector<std::unique_ptr<Place>> places_;
  Listeners<LossListener> listeners_;
};

}  // namespace longhaul::observe
