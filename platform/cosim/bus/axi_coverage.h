// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "platform/cosim/bus/axi_pins.h"
#include "platform/cosim/transactor.h"

namespace longhaul::cosim {

/// Counts events on an AXI4 or AXI4-Lite bus in named bins (docs/coverage.md). It only watches and
/// does not change a run.
class AxiCoverage final : public Transactor {
 public:
  using Bins = std::vector<std::pair<std::string, std::uint64_t>>;

  /// `pins` must be completed().
  explicit AxiCoverage(const AxiPins& pins);

  /// All bins of this bus, including those without a hit. A bin for which the bus has no pin, such
  /// as long bursts on AXI4-Lite, is left out.
  Bins bins() const;

  // Transactor.
  void sample() override;
  void clocked(std::uint64_t) override {}

 private:
  static constexpr std::size_t kLengths = 6;
  struct Channel {
    std::uint64_t stalled = 0;       ///< clocks with VALID and without READY
    std::uint64_t back_to_back = 0;  ///< handshakes in the clock after another one
    bool taken = false;              ///< a handshake in the clock before
  };
  struct Way {
    std::array<std::uint64_t, kLengths> lengths{};
    std::uint64_t aligned = 0;
    std::uint64_t unaligned = 0;
    std::array<std::uint64_t, 4> responses{};
  };

  void take_channel(Channel& channel, AxiChannel name);
  void take_burst(Way& way, const AxiBurst& burst) const;
  void take_beat(const AxiSample::Write& beat);

  const AxiPins pins_;
  const std::uint32_t bus_bytes_;
  const AxiHandshakes handshakes_;
  AxiSample sample_;
  Channel aw_, w_, b_, ar_, r_;
  Way writes_, reads_;
  std::uint64_t full_beats_ = 0;
  std::uint64_t partial_beats_ = 0;
  std::uint64_t empty_beats_ = 0;
};

}  // namespace longhaul::cosim
