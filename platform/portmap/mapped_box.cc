// SPDX-License-Identifier: Apache-2.0
#include "platform/portmap/mapped_box.h"

#include "models/common/param_json.h"

namespace longhaul::portmap {

MappedBox::MappedBox(const sc_core::sc_module_name& name, const BlockMap& map,
                     const cosim::RtlObject& object, const BlockParams& params)
    : sc_core::sc_module(name), BlockPart(block_), block_("block", map, object, params) {
  for (const auto& [port, interface] : map.box_ports) {
    ports_.emplace_back(port, std::make_unique<MappedPort>(port.c_str(), block_, interface));
  }
}

std::vector<wan::NamedPort> MappedBox::ports() {
  std::vector<wan::NamedPort> named;
  for (auto& [name, port] : ports_) named.push_back({name, &port->port()});
  return named;
}

nlohmann::json MappedBox::describe_params() const {
  return block_.params().describe(describe(block_.params()));
}

void MappedBox::start_of_simulation() {
  block_.start();
  for (auto& [name, port] : ports_) port->connect();
  block_.power_up();
}

}  // namespace longhaul::portmap
