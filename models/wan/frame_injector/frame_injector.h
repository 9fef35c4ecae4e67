// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>
#include <vector>

#include "models/common/observe/probe.h"
#include "models/wan/frame_injector/injector_path.h"
#include "models/wan/wan_box.h"

namespace longhaul::wan::frame_injector {

/// A cable between two Ethernet ports that inserts odd frames and is interrupted now and then.
class FrameInjectorBox final : public sc_core::sc_module, public WanBox {
 public:
  FrameInjectorBox(const sc_core::sc_module_name& name, const FrameInjectorParams& params);

  std::vector<NamedPort> ports() override { return {{"west", &west.port}, {"east", &east.port}}; }
  nlohmann::json describe_params() const override;

  CableEnd west;
  CableEnd east;
  InjectorPath west_to_east;
  InjectorPath east_to_west;
  observe::Counter cuts{"cuts", "1", "times that the cable went out"};
  observe::Level out{"out", "1", "the cable is out"};

 private:
  /// Receives frames at a port: passes them on, and learns the address of the station there.
  class Arrivals final : public FrameSink {
   public:
    Arrivals(InjectorPath& onward, InjectorPath& back) : onward_(onward), back_(back) {}
    void frame_received(const FrameRef& frame) override {
      back_.learn(*frame);
      onward_.frame_received(frame);
    }

   private:
    InjectorPath& onward_;
    InjectorPath& back_;
  };

  void start_of_simulation() override;
  void toggle();

  FrameInjectorParams params_;
  Arrivals at_west_;
  Arrivals at_east_;
  std::uint64_t next_cut_ps_ = 0;
  Timer cut_timer_{[this] { toggle(); }};
};

}  // namespace longhaul::wan::frame_injector
