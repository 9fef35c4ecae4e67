// SPDX-License-Identifier: Apache-2.0
#include "models/host/modelled_host.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/host/workloads/registry.h"

namespace longhaul::host {
namespace {

/// Below it a PC's firmware, its interrupt vectors and the kernel's image.
constexpr std::uint64_t kKernelBytes = 16ULL << 20;
/// How often boot looks for links, and for how long.
constexpr std::uint64_t kLinkPollPs = 100'000'000'000ULL;
constexpr std::uint32_t kLinkPolls = 100;

std::vector<Processor*> pointers(const std::vector<std::unique_ptr<Processor>>& processors) {
  std::vector<Processor*> all;
  for (const auto& each : processors) all.push_back(each.get());
  return all;
}

}  // namespace

class ModelledHost::Boot final : public Process {
 public:
  Boot(const sc_core::sc_module_name& name, Processor& processor, ModelledHost& host)
      : Process(name, processor), host_(host) {}

 private:
  void main() override { host_.boot(*this); }

  ModelledHost& host_;
};

ModelledHost::ModelledHost(const HostConfig& config, const std::vector<std::unique_ptr<cpu::Core>>& cores, std::uint64_t seed,
                           HostListener& listener)
    : config_(config), seed_(seed), listener_(listener) {
  for (std::size_t i = 0; i < cores.size(); ++i) {
    const std::string processor = fmt::format("cpu{}", i);
    processors_.push_back(std::make_unique<Processor>(processor.c_str(), *cores[i], config_.profile.kernel));
    receive_softirqs_.push_back(std::make_unique<NetRx>(*processors_.back(), config_.profile.net,
                                                        to_ps(config_.profile.kernel.tick())));
  }
  router_ = std::make_unique<InterruptRouter>("router", pointers(processors_), config_.router);
  timers_ = std::make_unique<TickTimers>("timers", pointers(processors_));
}

ModelledHost::~ModelledHost() = default;

void ModelledHost::use(memory::MemorySystem& memory) {
  pool_ = std::make_unique<MemoryPool>(memory.mapping(), kKernelBytes, memory.nodes());
  stack_ = std::make_unique<Stack>("stack", config_.profile.net, config_.profile.tcp, *pool_, *timers_);
}

void ModelledHost::join(const std::vector<AdapterPlace>& adapters, std::uint32_t slots, const std::string& where) {
  bus_ = std::make_unique<PciBus>(where, slots);
  std::vector<std::string> names;
  for (const AdapterPlace& place : adapters) names.push_back(place.name);
  for (std::size_t i = 0; i < config_.interfaces.size(); ++i) {
    const InterfaceConfig& interface = config_.interfaces[i];
    const auto found = std::find(names.begin(), names.end(), interface.device);
    if (found == names.end())
      fail_unknown_name("adapter", interface.device, names, fmt::format("{}.host.interfaces[{}].device", where, i));
    add_interface(interface, adapters[static_cast<std::size_t>(found - names.begin())], where);
  }
  boot_ = std::make_unique<Boot>("boot", *processors_.front(), *this);
  for (std::size_t i = 0; i < config_.programs.size(); ++i) add_program(config_.programs[i], i, where);
  running_ = programs_.size();
}

void ModelledHost::add_interface(const InterfaceConfig& config, const AdapterPlace& place, const std::string& where) {
  DriverSetup setup{*bus_, place.slot, place.function, {}, *pool_, *timers_, config_.profile.net};
  for (const auto& softirq : receive_softirqs_) setup.receive_softirqs.push_back(softirq.get());
  devices_.push_back(make_driver(place.name + "_driver", setup, place.ids, config.driver, fmt::format("{}.{}", where, place.name)));
  Interface& interface = stack_->add_interface(config.addresses);
  interface.attach(*devices_.back());
}

void ModelledHost::add_program(const ProgramConfig& config, std::size_t index, const std::string& where) {
  const std::string place = fmt::format("{}.host.programs[{}]", where, index);
  if (config.processor >= processors_.size()) {
    throw ConfigError(fmt::format("{}.processor: {} is out of range, there are {}", place, config.processor,
                                  processors_.size()));
  }
  const bool alone = std::count_if(config_.programs.begin(), config_.programs.end(),
                                   [&](const ProgramConfig& other) { return other.type == config.type; }) == 1;
  const std::string name = alone ? config.type : fmt::format("{}{}", config.type, index);
  programs_.push_back(make_program(config.type, {name, *processors_[config.processor], *stack_, *pool_, config.params,
                                                 place + ".params", *this, gate_, seed_ + index}));
}

void ModelledHost::boot(Process& process) {
  const Process::Syscall call(process);
  for (const auto& device : devices_) device->open();
  std::uint32_t polls = 0;
  const auto is_up = [](const auto& device) { return device->link_up(); };
  while (!std::all_of(devices_.begin(), devices_.end(), is_up)) {
    if (++polls > kLinkPolls) return failed("boot", "an interface has no link after 10 s");
    process.sleep(kLinkPollPs);
  }
  gate_.open = true;
  gate_.waiting.wake_all();
  if (programs_.empty()) listener_.phase("done");
  if (programs_.empty()) listener_.over();
}

void ModelledHost::report(const std::string& name, const nlohmann::json& json) {
  listener_.report(name + ".json", json.dump() + "\n");
}

void ModelledHost::ended(const std::string& /*name*/) {
  if (--running_ != 0) return;
  listener_.phase("done");
  listener_.over();
}

void ModelledHost::failed(const std::string& name, const std::string& what) {
  listener_.failed(std::make_exception_ptr(std::runtime_error(fmt::format("{}: {}", name, what))));
}

}  // namespace longhaul::host
