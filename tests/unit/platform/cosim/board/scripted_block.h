// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "platform/cosim/bus/rule.h"
#include "platform/cosim/rtl_block.h"

namespace longhaul::cosim::testing {

/// A block that drives its outputs as a script tells: at each rise of its clock the next step's
/// levels, one bit for each output. It notes its input at each rise, as it was before.
struct ScriptedBlock final : RtlModel {
  std::uint8_t clock = 0;
  std::uint8_t outputs = 0;
  std::uint8_t input = 1;
  std::uint8_t drive = 0;   ///< a second input
  std::uint8_t wanted = 0;  ///< an output: the script has steps left
  std::deque<std::uint8_t> script;
  std::vector<bool> seen;

  void eval(std::uint64_t) override {
    if (clock != 0 && before_ == 0) rise();
    before_ = clock;
  }
  Pin output(std::uint32_t bit) { return {&outputs, bit, 1}; }
  void step(unsigned levels, int clocks = 1) {
    for (int i = 0; i < clocks; ++i) script.push_back(static_cast<std::uint8_t>(levels));
    wanted = 1;
  }

 private:
  void rise() {
    seen.push_back(input != 0);
    if (script.empty()) return;
    outputs = script.front();
    script.pop_front();
    wanted = script.empty() ? 0 : 1;
  }
  std::uint8_t before_ = 0;
};

/// Counts broken rules by name.
struct BrokenRules final : CheckerSink {
  std::map<std::string, int> count;
  std::vector<std::string> details;
  void violated(const Rule& rule, std::uint64_t, const std::string& signal,
                const std::string& detail) override {
    ++count[rule.name];
    details.push_back(signal + " " + detail);
  }
};

}  // namespace longhaul::cosim::testing
