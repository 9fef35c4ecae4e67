// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "platform/cosim/bus/axi_stream_pins.h"

namespace longhaul::cosim {

/// Clauses are those of AMBA 4 AXI4-Stream, ARM IHI 0051A.
namespace axi_stream_rules {
inline constexpr Rule kValidStable{"axi_stream.valid_stable", "IHI 0051A 2.2.1",
                                   "TVALID, once high, stays high until TREADY."};
inline constexpr Rule kPayloadStable{
    "axi_stream.payload_stable", "IHI 0051A 2.2.1",
    "The signals of a transfer do not change while TVALID is high and TREADY low."};
inline constexpr Rule kReset{
    "axi_stream.reset", "IHI 0051A 2.7.2",
    "TVALID is low in reset and at the first edge after it, from reset's second edge on."};
/// Not a rule of the standard, which allows null bytes anywhere.
inline constexpr Rule kKeep{
    "axi_stream.keep", "Longhaul",
    "A frame's bytes come without gaps: TKEEP is all ones but in the last beat, where the lowest "
    "lanes are kept, one at least."};
inline constexpr const Rule* kAll[] = {&kValidStable, &kPayloadStable, &kReset, &kKeep};
}  // namespace axi_stream_rules

/// Checks AXI4-Stream against these rules.
class AxiStreamChecker {
 public:
  AxiStreamChecker(const AxiStreamPins& pins, std::string prefix, CheckerSink& sink);
  /// Checks the pins just before the edge at `edge_ps` (the block's time). Call it at every edge.
  void check(const AxiStreamSample& sample, std::uint64_t edge_ps);
  const UncheckedRules& unchecked() const { return unchecked_; }

 private:
  bool check_reset(const AxiStreamSample& s);
  void check_held(const AxiStreamSample& s);
  void tell(const Rule& rule, const char* signal, const std::string& detail);

  const std::string prefix_;
  CheckerSink& sink_;
  const std::uint32_t bytes_;
  const std::uint64_t all_kept_;
  UncheckedRules unchecked_;
  std::uint64_t edge_ps_ = 0;
  std::uint32_t reset_edges_ = 0;
  bool told_in_reset_ = false;
  bool held_ = false;
  AxiStreamSample was_;
};

}  // namespace longhaul::cosim
