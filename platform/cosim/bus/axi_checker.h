// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "models/common/ring_buffer.h"
#include "platform/cosim/bus/axi_pins.h"
#include "platform/cosim/bus/axi_rules.h"

namespace longhaul::cosim {

/// Checks both sides of AXI4 or AXI4-Lite against the rules of axi_rules.h.
///
/// After a violation it continues as if the standard had been kept, so one mistake is reported
/// once. The first edge in reset is not checked: a block with a synchronous reset has not seen it
/// yet.
class AxiChecker {
 public:
  /// `pins` are those that the port map connects; `prefix` is that of their names.
  AxiChecker(const AxiPins& pins, std::string prefix, CheckerSink& sink);

  /// Checks the pins just before the edge at `edge_ps` (the block's time). Call it at every edge.
  void check(const AxiSample& sample, std::uint64_t edge_ps) {
    if (!sample.still) check_edge(sample, edge_ps);
  }
  const UncheckedRules& unchecked() const { return unchecked_; }

 private:
  struct Pending {
    AxiBurst burst;
    std::uint32_t beats = 0;  // beats taken
    bool complete = false;    // of a write: address and data were taken
  };
  struct Beat {
    std::uint64_t strb = 0;
    bool last = false;
  };
  void list_unchecked(const AxiPins& pins);
  void check_edge(const AxiSample& s, std::uint64_t edge_ps);
  bool check_reset(const AxiSample& s);
  void check_valid_stable(const AxiSample& s);
  void check_held_address(const char* channel, const AxiBurst& was, const AxiBurst& is);
  void check_held_payload(const AxiSample& s);
  void hold(const AxiSample& s);
  void check_address(const char* channel, const AxiBurst& burst);
  void check_write_response(const AxiSample& s);
  void check_read_response(const AxiSample& s);
  void take(const AxiSample& s);
  void take_write_response(const AxiSample& s);
  void take_read_data(const AxiSample& s);
  void take_write_data(const AxiSample& s);
  void take_write_beat(const Beat& beat);
  static std::size_t find(const std::vector<Pending>& of, std::uint64_t id, bool complete);
  void tell(const Rule& rule, const std::string& signal, const std::string& detail);
  template <class Call>
  static void for_valids(AxiChannels channels, const Call& call);

  const std::string prefix_;
  CheckerSink& sink_;
  const std::uint32_t bus_bytes_;
  UncheckedRules unchecked_;
  std::uint64_t edge_ps_ = 0;
  std::uint32_t reset_edges_ = 0;  // edges sampled in this reset
  std::uint32_t told_in_reset_ = 0;
  AxiChannels held_ = 0;         // those whose VALID waits for READY
  AxiSample was_;                // payload of the held channels
  std::vector<Pending> writes_;  // in the order of their addresses
  std::size_t complete_ = 0;     // of writes_: those at its front, whose data have all come
  std::vector<Pending> reads_;
  RingBuffer<Beat> early_beats_;  // write data before its address
};

}  // namespace longhaul::cosim
