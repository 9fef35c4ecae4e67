// SPDX-License-Identifier: Apache-2.0
#include "models/common/param.h"
#include "models/tcp/config.h"
#include "models/tcp/congestion/policies.h"

namespace longhaul::tcp {
namespace {

struct Entry {
  const char* name;
  std::unique_ptr<CongestionControl> (*make)(const TcpConfig&);
};

constexpr Entry kPolicies[] = {
    {"bic", make_bic},          {"bic-linux", make_bic_linux},          {"ctcp", make_ctcp},
    {"cubic", make_cubic},      {"highspeed", make_high_speed},         {"htcp", make_h_tcp},
    {"newreno", make_new_reno}, {"newreno-whole", make_new_reno_whole}, {"westwood", make_westwood},
};

}  // namespace

std::vector<std::string> congestion_controls() {
  std::vector<std::string> names;
  for (const Entry& entry : kPolicies) names.emplace_back(entry.name);
  return names;
}

std::unique_ptr<CongestionControl> make_congestion_control(const TcpConfig& config) {
  for (const Entry& entry : kPolicies) {
    if (config.congestion_control == entry.name) return entry.make(config);
  }
  fail_unknown_name("congestion_control", config.congestion_control, congestion_controls(), "tcp");
}

}  // namespace longhaul::tcp
