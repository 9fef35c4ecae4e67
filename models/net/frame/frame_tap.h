// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>

#include "models/common/observe/probe.h"
#include "models/net/frame/frame.h"

namespace longhaul::observe {

/// The fate of a frame at a probe.
enum class FrameFate { kSent, kReceived, kDropped };

/// Receives frames from a FrameTap.
class FrameListener {
 public:
  virtual ~FrameListener() = default;
  /// `at` is the time at which the first bit of the frame was on the wire (sent, received), or at
  /// which the frame was dropped. `why` is static text.
  virtual void on_frame(const sc_core::sc_time& at, const FrameRef& frame, FrameFate fate,
                        const char* why) = 0;
};

/// A probe that frames pass. Costs one branch while nobody listens.
class FrameTap final : public Probe {
 public:
  FrameTap(const char* name, const char* description) : Probe(name, "frame", description) {}
  bool active() const { return listeners_.any(); }
  void listen(FrameListener* listener) { listeners_.add(listener); }
  void ignore(FrameListener* listener) { listeners_.remove(listener); }
  void report(const sc_core::sc_time& at, const FrameRef& frame, FrameFate fate,
              const char* why = "") {
    if (!listeners_.any()) return;
    listeners_.tell([&](FrameListener& listener) { listener.on_frame(at, frame, fate, why); });
  }

 private:
  Listeners<FrameListener> listeners_;
};

}  // namespace longhaul::observe
