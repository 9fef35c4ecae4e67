// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/packets.h"

#include <algorithm>

#include "models/nic/adapter_type.h"

namespace longhaul::assembly {
namespace {

/// The rings of a type of adapter; null if nothing is known of them.
const RingMap* rings_of(const nic::AdapterType& type) {
  if (type.rings) return &*type.rings;
  const auto is_same = [](const pcix::FunctionIds& a, const pcix::FunctionIds& b) {
    return a.vendor == b.vendor && a.device == b.device;
  };
  for (const nic::AdapterType& other : nic::adapter_types().all()) {
    if (!other.rings) continue;
    for (const pcix::FunctionIds& ids : type.ids) {
      if (std::any_of(other.ids.begin(), other.ids.end(),
                      [&](const pcix::FunctionIds& each) { return is_same(each, ids); }))
        return &*other.rings;
    }
  }
  return nullptr;
}

}  // namespace

std::string row_name(std::string port) {
  std::replace(port.begin(), port.end(), '.', '_');
  return port;
}

Packets::Packets(const SimulationConfig& config,
                 const std::vector<std::unique_ptr<Machine>>& machines,
                 const std::vector<std::unique_ptr<Link>>& links, const FrameHistory& frames)
    : texts_(book_, frames.origins()),
      file_(config.output("packets.bin"), book_),
      lost_(frames.watch(), book_, texts_) {
  add_adapters(config, machines);
  for (std::size_t i = 0; i < links.size(); ++i) {
    const LinkConfig& link = config.links[i];
    const std::uint64_t rate = links[i]->phy().mac_rate.bits_per_s;
    const auto watch = [&](LinkDirection& way, const std::string& from, const std::string& to) {
      const std::uint16_t place = book_.add_place("link." + link.name + ".from_" + row_name(from));
      wires_.push_back(std::make_unique<observe::WirePackets>(
          way.tap, rate, to_ps(links[i]->propagation()),
          observe::WirePackets::Ends{at(from), at(to)}, book_, texts_, place));
    };
    watch(links[i]->a_to_b, link.a, link.b);
    watch(links[i]->b_to_a, link.b, link.a);
  }
}

void Packets::add_adapters(const SimulationConfig& config,
                           const std::vector<std::unique_ptr<Machine>>& machines) {
  for (std::size_t i = 0; i < machines.size(); ++i) {
    const std::vector<DeviceConfig>& devices = config.machines[i].devices;
    const auto adapters = machines[i]->adapters();
    for (std::size_t j = 0; j < devices.size(); ++j) {
      const std::string name = config.machines[i].name + "." + devices[j].name;
      const RingMap* const rings = rings_of(nic::adapter_types().find(devices[j].type, name));
      pcix::PcixDevice* const function = adapters[j].second->function();
      if (rings == nullptr || function == nullptr) {
        unknown_.push_back(name);
        continue;
      }
      const observe::AdapterPlaces places{book_.add_place(name + ".bus"),
                                          book_.add_place(name + ".tx"),
                                          book_.add_place(name + ".rx")};
      followed_.push_back({name, places,
                           std::make_unique<observe::AdapterPackets>(
                               *rings, machines[i]->pcix(),
                               observe::DevicePlace{devices[j].slot, devices[j].function},
                               function->config(), book_, places)});
    }
  }
}

observe::AdapterPackets* Packets::at(const std::string& port) const {
  for (const Followed& each : followed_) {
    if (each.name == port) return each.packets.get();
  }
  return nullptr;
}

nlohmann::json Packets::counts() const {
  nlohmann::json all = nlohmann::json::object();
  for (const Followed& each : followed_) all[each.name] = each.packets->counts();
  for (const std::string& name : unknown_) all[name] = nullptr;
  return all;
}

nlohmann::json Packets::json() const {
  return {{"adapters", counts()},
          {"left_out", file_.left_out()},
          {"left_out_from_ps", file_.left_out_from_ps()}};
}

}  // namespace longhaul::assembly
