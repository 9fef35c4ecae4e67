// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <systemc>

#include "platform/observe/loss_watch.h"
#include "platform/observe/payload_meter.h"
#include "tests/unit/support/ip_frames.h"

namespace longhaul::observe {

/// A part that drops frames.
struct Dropper final : sc_core::sc_module {
  explicit Dropper(const sc_core::sc_module_name& name) : sc_module(name) {}
  FrameTap tap{"tap", "frames dropped"};
  void drop(std::uint64_t ps, const FrameRef& frame, const char* why) {
    tap.report(from_ps(ps), frame, FrameFate::kDropped, why);
  }
};

/// A sender with its meter, a box and a host that drop.
struct LossParts : ::testing::Test {
  static constexpr std::uint64_t kMs = 1'000'000'000;

  FrameTap received{"received", "frames taken in"};
  FrameTap sent{"sent", "frames sent"};
  PayloadMeter meter{"meter", received, sent};
  Dropper box{"box"};
  Dropper host{"host"};
  LossWatch watch{{&sent, &box.tap, &host.tap}};

  static FrameRef tcp(std::uint32_t sequence, std::uint32_t payload, std::uint8_t flags = 0x10) {
    test::Segment s;
    s.sequence = sequence;
    s.payload = payload;
    s.flags = flags;
    return test::ip_frame(s);
  }
  FrameRef send(const FrameRef& frame) {
    sent.report(sc_core::SC_ZERO_TIME, frame, FrameFate::kSent);
    return frame;
  }
};

}  // namespace longhaul::observe
