// SPDX-License-Identifier: Apache-2.0
// Holds the NIC in RTL against its TLM twin.
//
//     nic_twin RTL_OBJECT TLM_PARAMS SEED PHASES [LOG]
//     nic_twin RTL_OBJECT TLM_PARAMS tx|rx BYTES FRAMES
//     nic_twin RTL_OBJECT TLM_PARAMS lone BYTES TIMER OFFSET_PS
//
// TLM_PARAMS is a JSON object: parameters of the TLM model. The first form runs phases of random
// work; all of them, and the answers of both models, go to the file LOG as text. The second form
// runs a stream in one direction and prints both goodputs. The third form has a frame that comes
// alone and a packet that is sent alone, and checks when software and wire see them.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <systemc>
#include <vector>

#include "models/common/plugin.h"
#include "platform/assembly/plugins.h"
#include "tests/rtl/nic/twin/lone.h"
#include "tests/rtl/nic/twin/random.h"
#include "tests/rtl/nic/twin/script.h"
#include "tests/rtl/nic/twin/stream.h"
#include "tests/rtl/nic/twin/twin.h"

namespace longhaul::nic_twin {
namespace {

using Words = std::vector<std::string>;  // of the command line

struct Machines {
  explicit Machines(const Words& words)
      : tlm("tlm", "ixgb", nlohmann::json::parse(words[2])),
        rtl("rtl", "ixgb_rtl", nlohmann::json::object()) {}
  void power_up(std::uint32_t read_code, std::uint32_t outstanding, bool messages) {
    for (Machine* each : {&tlm, &rtl}) each->power_up(read_code, outstanding, messages);
  }
  Machine tlm;
  Machine rtl;
};

std::uint32_t number(const std::string& word) {
  std::size_t end = 0;
  const unsigned long value = std::stoul(word, &end);
  if (end != word.size()) throw std::invalid_argument(word);
  return static_cast<std::uint32_t>(value);
}

int told(const std::string& what, const Twin& twin) {
  if (twin.difference().empty()) {
    fmt::print("{}: {} phases alike, {:.3f} ms\n", what, twin.compared(),
               sc_core::sc_time_stamp().to_seconds() * 1e3);
    return 0;
  }
  fmt::print("{}, phase {}: {}\n", what, twin.compared(), twin.difference());
  return 1;
}

int run_seed(const Words& words) {
  const std::uint32_t seed = number(words[3]);
  const std::uint32_t phases = number(words[4]);
  Machines pair(words);
  Random random(seed);
  const auto read_code = static_cast<std::uint32_t>(random.below(4));
  const auto outstanding = static_cast<std::uint32_t>(random.below(8));
  pair.power_up(read_code, outstanding, random.coin());
  Script script(seed, pair.tlm.nic->function()->bank());
  Twin twin(
      "twin", pair.tlm, pair.rtl, [&](std::uint32_t head) { return script.next(head); }, phases);
  std::FILE* const out = words.size() < 6 ? nullptr : std::fopen(words[5].c_str(), "w");
  if (words.size() == 6 && out == nullptr)
    throw std::runtime_error(words[5] + ": cannot be written");
  twin.log(out);
  sc_core::sc_start();
  if (out != nullptr) std::fclose(out);
  return told("seed " + words[3], twin);
}

int run_stream(const Words& words) {
  const Stream stream{words[3] == "tx", number(words[4]), number(words[5])};
  Machines pair(words);
  pair.power_up(3, 3, false);  // reads of 4096 bytes, four outstanding
  Twin twin(
      "twin", pair.tlm, pair.rtl, [&](std::uint32_t) { return phase_of(stream); }, 1);
  sc_core::sc_start();
  fmt::print("{} {} bytes: TLM {:.4f} Gb/s, RTL {:.4f} Gb/s\n", words[3], stream.bytes,
             goodput_of(stream, pair.tlm, twin.seen_of_tlm()),
             goodput_of(stream, pair.rtl, twin.seen_of_rtl()));
  return told("stream", twin);
}

int run_lone(const Words& words) {
  Machines pair(words);
  pair.power_up(3, 3, false);
  const Lone lone{number(words[4]), number(words[5]), number(words[6])};
  Twin twin(
      "twin", pair.tlm, pair.rtl, [&](std::uint32_t) { return phase_of(lone); }, 1);
  sc_core::sc_start();
  const std::string late =
      twin.difference().empty()
          ? first_late(lone, pair.tlm, pair.rtl, twin.seen_of_tlm(), twin.seen_of_rtl())
          : "";
  if (!late.empty()) {
    fmt::print("lone frame of {} bytes, timer {}: {}\n", lone.bytes, lone.timer, late);
    return 1;
  }
  return told("lone", twin);
}

bool well_formed(const Words& words) {
  if (words.size() < 5) return false;
  if (words[3] == "lone") return words.size() == 7;
  if (words[3] == "tx" || words[3] == "rx") return words.size() == 6;
  return words.size() <= 6;
}

int run(const Words& words) {
  add_built_in_types();
  assembly::load_plugin(words[1], "nic_twin");
  const bool stream = words[3] == "tx" || words[3] == "rx";
  if (words[3] == "lone") return run_lone(words);
  return stream ? run_stream(words) : run_seed(words);
}

}  // namespace
}  // namespace longhaul::nic_twin

int sc_main(int argc, char** argv) {
  const longhaul::nic_twin::Words words(argv, argv + argc);
  if (!longhaul::nic_twin::well_formed(words)) {
    std::fprintf(stderr,
                 "usage: %s RTL_OBJECT TLM_PARAMS SEED PHASES [LOG]\n"
                 "       %s RTL_OBJECT TLM_PARAMS tx|rx BYTES FRAMES\n"
                 "       %s RTL_OBJECT TLM_PARAMS lone BYTES TIMER OFFSET_PS\n",
                 argv[0], argv[0], argv[0]);
    return 2;
  }
  try {
    return longhaul::nic_twin::run(words);
  } catch (const std::invalid_argument& error) {
    std::fprintf(stderr, "%s: no whole number\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", words[3].c_str(), error.what());
    return 2;
  }
}
