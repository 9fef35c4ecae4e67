// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <systemc>
#include <vector>

#include "models/common/ring_buffer.h"
#include "models/net/frame/ethernet_header.h"
#include "models/net/link/link.h"
#include "models/net/mac/eth_mac.h"

namespace longhaul::test {

/// A locally administered address that ends in `n`.
inline MacAddress station(std::uint8_t n) { return {0x02, 0, 0, 0, 0, n}; }
inline constexpr MacAddress kBroadcast{0xff, 0xff, 0xff, 0xff, 0xff, 0xff};

/// A frame of `octets` with FCS: addresses, EtherType 0x88b5 (local experiments), a 32-bit number,
/// then a pattern.
inline FrameRef make_frame(std::uint32_t octets, const MacAddress& to, const MacAddress& from,
                           std::uint32_t number = 0) {
  FrameRef ref = Frame::allocate(octets - Frame::kFcsBytes);
  Frame& frame = ref.writable();
  std::uint8_t* bytes = frame.data();
  for (std::uint32_t i = 0; i < frame.size(); ++i)
    bytes[i] = static_cast<std::uint8_t>(i * 31U + number);
  std::memcpy(bytes, to.data(), 6);
  std::memcpy(bytes + 6, from.data(), 6);
  write_be16(bytes + 12, 0x88b5);
  std::memcpy(bytes + 14, &number, sizeof number);
  return ref;
}
inline std::uint32_t number_of(const Frame& frame) {
  std::uint32_t number = 0;
  std::memcpy(&number, frame.data() + 14, sizeof number);
  return number;
}

/// A cable that costs no time.
inline LinkParams cable_of_no_length(const char* phy = "10gbase-r") {
  LinkParams params;
  params.phy.value = phy;
  params.length_m.value = 0;
  return params;
}

/// What a station saw.
struct Arrival {
  std::uint64_t at_ps;
  FrameRef frame;
};

/// An end station: a MAC, a queue of frames to send at given times, and a record of what arrives.
class Station final : public sc_core::sc_module, public FrameSource, public FrameSink {
 public:
  explicit Station(const sc_core::sc_module_name& name, EthMacParams params = {})
      : sc_core::sc_module(name), mac("mac", std::move(params)) {
    mac.attach(*this, *this);
    mac.set_max_frame(Frame::kMaxBytes + Frame::kFcsBytes);
  }

  EthMac mac;
  std::vector<Arrival> arrivals;
  std::vector<std::pair<FrameRef, RxFault>> refused;
  std::vector<std::pair<std::uint64_t, bool>> carrier_changes;  ///< time, up
  std::vector<std::uint64_t> starts;  ///< when each frame's preamble started
  bool keep_frames = true;            ///< off: count only
  std::uint64_t received = 0;
  std::function<void(const FrameRef&)> on_receive;

  EthPort& port() { return mac.port; }
  /// Queues a frame that may start at `at_ps` (in order of the queue).
  void send(FrameRef frame, std::uint64_t at_ps = 0) {
    queue_.push_back({std::move(frame), at_ps});
    if (sc_core::sc_is_running()) mac.kick();
  }
  /// Endless traffic: called for each next frame when the queue is empty; an empty reference ends
  /// it.
  void generate(std::function<FrameRef()> next) {
    next_ = std::move(next);
    if (sc_core::sc_is_running()) mac.kick();
  }
  std::size_t queued() const { return queue_.size(); }

  std::uint64_t ready_ps() const override {
    if (!queue_.empty()) return queue_.front().at_ps;
    return next_ ? 0 : kNoFrame;
  }
  FrameRef take_frame() override {
    starts.push_back(now_ps());
    if (!queue_.empty()) return queue_.pop_front().frame;
    FrameRef frame = next_();
    if (!frame) {
      next_ = nullptr;
      starts.pop_back();
    }
    return frame;
  }
  void frame_received(const FrameRef& frame) override {
    ++received;
    if (keep_frames) arrivals.push_back({now_ps(), frame});
    if (on_receive) on_receive(frame);
  }
  void frame_refused(const FrameRef& frame, RxFault fault) override {
    refused.emplace_back(frame, fault);
  }
  void carrier_changed(bool up) override { carrier_changes.emplace_back(now_ps(), up); }

 private:
  struct Queued {
    FrameRef frame;
    std::uint64_t at_ps = 0;
  };
  void start_of_simulation() override { mac.kick(); }

  RingBuffer<Queued> queue_;
  std::function<FrameRef()> next_;
};

/// Calls functions at given times of simulated time, from method processes (LeakSanitizer cannot
/// read the stacks of threads).
class At final : public sc_core::sc_module {
 public:
  explicit At(const sc_core::sc_module_name& name) : sc_core::sc_module(name) {}
  void operator()(std::uint64_t at_ps, std::function<void()> what) {
    sc_core::sc_spawn_options options;
    options.spawn_method();
    sc_core::sc_spawn(
        [at_ps, what = std::move(what)] {
          if (now_ps() < at_ps) {
            sc_core::next_trigger(from_ps(at_ps - now_ps()));
          } else {
            what();
          }
        },
        sc_core::sc_gen_unique_name("at"), &options);
  }
};

/// Records what a tap reports.
struct TapRecord final : observe::FrameListener {
  struct Entry {
    std::uint64_t at_ps;
    std::uint64_t id;
    std::uint32_t number;
    observe::FrameFate fate;
    std::string why;
  };
  std::vector<Entry> entries;

  void on_frame(const sc_core::sc_time& at, const FrameRef& frame, observe::FrameFate fate,
                const char* why) override {
    entries.push_back({to_ps(at), frame->id(), number_of(*frame), fate, why});
  }
  std::size_t count(observe::FrameFate fate, const std::string& why) const {
    std::size_t n = 0;
    for (const Entry& entry : entries) n += entry.fate == fate && entry.why == why ? 1 : 0;
    return n;
  }
};

/// Runs until `at_ps` of simulated time.
inline void run_until(std::uint64_t at_ps) { sc_core::sc_start(from_ps(at_ps - now_ps())); }

}  // namespace longhaul::test
