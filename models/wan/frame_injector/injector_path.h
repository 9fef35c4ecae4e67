// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <systemc>
#include <vector>

#include "models/common/observe/probe.h"
#include "models/common/ring_buffer.h"
#include "models/net/frame/frame_tap.h"
#include "models/wan/frame_injector/cable_end.h"
#include "models/wan/frame_injector/frame_injector_params.h"
#include "models/wan/frame_injector/odd_frame_maker.h"

namespace longhaul::wan::frame_injector {

/// One direction: frames that pass, and odd frames in the gaps between them.
///
/// A passing frame goes before odd frames, except inside an item whose frames belong together.
/// Without a carrier odd frames wait, and passing frames are lost.
class InjectorPath final : public sc_core::sc_module, public FrameSource, public FrameSink {
 public:
  /// `injects`: whether odd frames go in this direction. `output`: the port where frames leave.
  InjectorPath(const sc_core::sc_module_name& name, const FrameInjectorParams& params, bool injects,
               CableEnd& output);

  /// A frame came from the station at this path's end; learns its address.
  void learn(const Frame& frame);
  /// The cable is interrupted, or whole again.
  void set_cut(bool cut);

  void frame_received(const FrameRef& frame) override;
  std::uint64_t ready_ps() const override;
  FrameRef take_frame() override;

  /// The counter of that kind; nullptr if the kind is not injected in this direction.
  const observe::Counter* injected(OddKind kind) const {
    return injected_.at(static_cast<std::size_t>(kind)).get();
  }

  observe::Counter passed{"passed", "frame", "frames that passed"};
  observe::Counter lost{"lost", "frame", "frames that met a cable that was out or no carrier"};
  observe::Counter rounds{"rounds", "1", "rounds of odd frames that are over"};
  observe::FrameTap tap{"tap", "frames passed and injected, with their kind, and frames lost"};

 private:
  bool may_inject() const { return injects_ && !cut_ && output_.carrier(); }
  std::uint64_t odd_ready_ps() const;
  void lose(const FrameRef& frame, const char* why);
  void begin_round();
  FrameRef take_odd();

  CableEnd& output_;
  const bool injects_;
  const bool wait_for_station_;
  const bool shuffled_;
  const std::uint64_t gap_ps_;
  const std::uint64_t most_rounds_;  // 0: without end
  std::uint64_t next_odd_ps_;        // no odd frame is sent before this time

  OddFrameMaker maker_;
  std::array<std::unique_ptr<observe::Counter>, kOddKinds> injected_;
  std::vector<OddItem> round_;  // items of this round, in order
  std::size_t item_ = 0;        // index of the next item
  std::uint32_t part_ = 0;      // next frame of that item; not 0: earlier frames of it are on the
                                // wire
  std::optional<MacAddress> station_;
  bool cut_ = false;
  RingBuffer<FrameRef> passing_;
};

}  // namespace longhaul::wan::frame_injector
