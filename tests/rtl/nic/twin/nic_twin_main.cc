// SPDX-License-Identifier: Apache-2.0
// Holds the NIC in RTL against its TLM twin: nic_twin RTL_OBJECT TLM_PARAMS SEED PHASES
// [LOG]. TLM_PARAMS is a JSON object: parameters of the TLM model. The last phase, and what both
// showed in it, goes to the file LOG.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <systemc>

#include "models/common/plugin.h"
#include "platform/assembly/plugins.h"
#include "tests/rtl/nic/twin/random.h"
#include "tests/rtl/nic/twin/script.h"
#include "tests/rtl/nic/twin/twin.h"

namespace {

int run(const std::string& object, const std::string& params, std::uint64_t seed,
        std::uint32_t phases, const char* log) {
  using namespace longhaul;  // NOLINT: the program's own
  add_built_in_types();
  assembly::load_plugin(object, "nic_twin");
  nic_twin::Random random(seed);
  nic_twin::Machine tlm("tlm", "ixgb", nlohmann::json::parse(params));
  nic_twin::Machine rtl("rtl", "ixgb_rtl", nlohmann::json::object());
  const auto read_code = static_cast<std::uint32_t>(random.below(4));
  const auto outstanding = static_cast<std::uint32_t>(random.below(8));
  const bool messages = random.coin();
  for (nic_twin::Machine* each : {&tlm, &rtl}) each->power_up(read_code, outstanding, messages);
  nic_twin::Script script(seed, tlm.nic->function()->bank());
  nic_twin::Twin twin(
      "twin", tlm, rtl, [&](std::uint32_t head) { return script.next(head); }, phases);
  std::FILE* const out = log == nullptr ? nullptr : std::fopen(log, "w");
  if (log != nullptr && out == nullptr)
    throw std::runtime_error(std::string(log) + ": cannot be written");
  twin.log(out);
  sc_core::sc_start();
  if (out != nullptr) std::fclose(out);
  if (twin.difference().empty()) {
    std::printf("seed %llu: %u phases alike, %.3f ms\n", static_cast<unsigned long long>(seed),
                twin.compared(), sc_core::sc_time_stamp().to_seconds() * 1e3);
    return 0;
  }
  std::printf("seed %llu, phase %u: %s\n", static_cast<unsigned long long>(seed), twin.compared(),
              twin.difference().c_str());
  return 1;
}

}  // namespace

int sc_main(int argc, char** argv) {
  if (argc != 5 && argc != 6) {
    std::fprintf(stderr, "usage: %s RTL_OBJECT TLM_PARAMS SEED PHASES [LOG]\n", argv[0]);
    return 2;
  }
  try {
    return run(argv[1], argv[2], std::strtoull(argv[3], nullptr, 10),
               static_cast<std::uint32_t>(std::strtoul(argv[4], nullptr, 10)),
               argc == 6 ? argv[5] : nullptr);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "seed %s: %s\n", argv[3], error.what());
    return 2;
  }
}
