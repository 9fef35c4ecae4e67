// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "models/wan/gnet1/gnet1_time.h"
#include "tests/unit/models/wan/gnet1/gnet1_fixture.h"
#include "tests/unit/times.h"

namespace longhaul::wan::gnet1_test {

/// A register access at a time of the run.
struct Setting {
  std::uint64_t at_ps;
  std::uint32_t offset;
  std::uint32_t value;
};

/// What both boxes of a twin test are given: settings, some of them in the middle of traffic, and
/// frames.
struct Scenario {
  std::string name;
  std::uint64_t seed = 0;
  std::vector<Setting> settings;
  std::vector<Sending> traffic;
  std::vector<std::uint64_t> pulses_ps;  ///< of a GPS receiver
  std::uint64_t ends_ps = 0;             ///< all frames have left by then
};

/// Draws scenarios: the stage that is tried, and random settings and traffic around it.
class Draw {
 public:
  static constexpr std::uint64_t kStart = 40 * kUs;

  Draw(const std::string& name, std::uint64_t seed) : random_(seed) {
    scenario_.name = name;
    scenario_.seed = seed;
  }

  std::uint64_t below(std::uint64_t n) { return random_() % n; }
  std::uint64_t between(std::uint64_t least, std::uint64_t most) {
    return least + below(most - least + 1);
  }
  bool one_in(std::uint64_t n) { return below(n) == 0; }
  std::mt19937_64& random() { return random_; }

  void set(std::uint32_t offset, std::uint32_t value, std::uint64_t at_ps = kUs) {
    scenario_.settings.push_back({at_ps, offset, value});
  }
  void set_port(std::size_t port, std::uint32_t offset, std::uint32_t value,
                std::uint64_t at_ps = kUs) {
    set(gnet1_regs::port_base(port) + offset, value, at_ps);
  }
  void set_delay(std::size_t port, std::uint64_t ns, std::uint64_t at_ps = kUs) {
    set_port(port, gnet1_regs::kDelay, Gnet1Time::of_ps(ns * 1000).word, at_ps);
  }

  void pulse(std::uint64_t at_ps) { scenario_.pulses_ps.push_back(at_ps); }

  /// Sizes with FCS: mostly legal, of every fill of the last word; a few runts and jumbo frames if
  /// `odd`.
  std::uint32_t size(bool odd) {
    if (odd && one_in(12)) return static_cast<std::uint32_t>(between(5, 63));
    if (odd && one_in(40)) return static_cast<std::uint32_t>(between(9000, 16200));
    return static_cast<std::uint32_t>(one_in(3) ? between(1400, 1522) : between(64, 400));
  }
  /// Frames on one port: runs at wire rate with pauses between, at any picosecond. `load` in
  /// percent of the wire.
  void traffic(std::size_t port, std::size_t frames, std::uint64_t load, bool odd = false,
               std::uint64_t start_ps = kStart) {
    std::uint64_t at = start_ps + below(kUs);
    for (std::size_t i = 0; i < frames; ++i) {
      const std::uint32_t octets = size(odd);
      MacAddress to = longhaul::test::station(static_cast<std::uint8_t>(below(6)));
      if (one_in(16)) to = longhaul::test::kBroadcast;
      FrameRef frame = random_frame(random_, octets, to,
                                    longhaul::test::station(static_cast<std::uint8_t>(port)));
      if (odd && one_in(10))
        frame.writable().flip_bit(static_cast<std::uint32_t>(below(8 * octets)));
      scenario_.traffic.push_back({at, port, frame});
      const std::uint64_t slot = (octets + 20) * 8000ULL;
      at += slot;
      if (below(100) >= load)
        at += below(2 * slot * (100 - load) / (load + 1) + 1000) + below(8000);
    }
    ends_ps_ = std::max(ends_ps_, at);
  }
  Scenario done(std::uint64_t after_ps) {
    std::stable_sort(scenario_.traffic.begin(), scenario_.traffic.end(),
                     [](const Sending& a, const Sending& b) { return a.at_ps < b.at_ps; });
    std::stable_sort(scenario_.settings.begin(), scenario_.settings.end(),
                     [](const Setting& a, const Setting& b) { return a.at_ps < b.at_ps; });
    scenario_.ends_ps = ends_ps_ + after_ps;
    return std::move(scenario_);
  }

 private:
  std::mt19937_64 random_;
  Scenario scenario_;
  std::uint64_t ends_ps_ = kStart;
};

/// One scenario for each stage of the box and for all of them together, drawn from `seed`.
std::vector<std::string> scenario_names();
Scenario draw_scenario(const std::string& name, std::uint64_t seed);

}  // namespace longhaul::wan::gnet1_test
