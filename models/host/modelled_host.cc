// SPDX-License-Identifier: Apache-2.0
#include "models/host/modelled_host.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/common/param_json.h"

namespace longhaul::host {
namespace {

/// Memory below this holds a PC's firmware, its interrupt vectors and the kernel's image.
constexpr std::uint64_t kKernelBytes = 16ULL << 20;
constexpr std::uint64_t kLinkLimitPs = 10'000'000'000'000ULL;

std::vector<Processor*> pointers(const std::vector<std::unique_ptr<Processor>>& processors) {
  std::vector<Processor*> all;
  all.reserve(processors.size());
  for (const auto& each : processors) all.push_back(each.get());
  return all;
}

/// Throws ConfigError if two interfaces are of one adapter.
void refuse_same(const InterfaceConfig& interface, std::size_t i, const InterfaceConfig& before,
                 std::size_t k, const std::string& where) {
  if (interface.device != before.device) return;
  throw ConfigError(fmt::format("{}.host.interfaces[{}].device: '{}' has interfaces[{}] already",
                                where, i, echo(interface.device), k));
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

ModelledHost::ModelledHost(const HostConfig& config,
                           const std::vector<std::unique_ptr<cpu::Core>>& cores,
                           HostListener& listener)
    : config_(config), listener_(listener) {
  for (std::size_t i = 0; i < cores.size(); ++i) {
    const std::string processor = fmt::format("cpu{}", i);
    processors_.push_back(
        std::make_unique<Processor>(processor.c_str(), *cores[i], config_.profile.kernel));
    receive_softirqs_.push_back(std::make_unique<NetRx>(*processors_.back(), config_.profile.net,
                                                        to_ps(config_.profile.kernel.tick())));
  }
  if (config_.profile.kernel.giant_lock())
    giant_ = std::make_unique<GiantLock>("giant", pointers(processors_));
  router_ = std::make_unique<InterruptRouter>("interrupts", pointers(processors_), config_.router);
  if (config_.router.daemon() && processors_.size() > 1) {
    irq_daemon_ = std::make_unique<IrqDaemon>("irqbalance", *router_,
                                              static_cast<std::uint32_t>(processors_.size()),
                                              config_.profile.kernel.tick(), config_.router);
  }
  timers_ = std::make_unique<TickTimers>("timers", pointers(processors_));
}

ModelledHost::~ModelledHost() = default;

void ModelledHost::use(memory::MemorySystem& memory) {
  pool_ = std::make_unique<MemoryPool>(memory.mapping(), kKernelBytes, memory.nodes());
  stack_ =
      std::make_unique<Stack>("stack", config_.profile.net, config_.profile.tcp, *pool_, *timers_);
}

void ModelledHost::join(const std::vector<AdapterPlace>& adapters, std::uint32_t slots,
                        const std::string& where) {
  bus_ = std::make_unique<PciBus>(where, slots);
  std::vector<std::string> names;
  names.reserve(adapters.size());
  for (const AdapterPlace& place : adapters) names.push_back(place.name);
  for (std::size_t i = 0; i < config_.interfaces.size(); ++i) {
    const InterfaceConfig& interface = config_.interfaces[i];
    const auto found = std::find(names.begin(), names.end(), interface.device);
    if (found == names.end())
      fail_unknown_name("adapter", interface.device, names,
                        fmt::format("{}.host.interfaces[{}].device", where, i));
    for (std::size_t k = 0; k < i; ++k) refuse_same(interface, i, config_.interfaces[k], k, where);
    add_interface(interface, adapters[static_cast<std::size_t>(found - names.begin())], where);
  }
  boot_ = std::make_unique<Boot>("boot", *processors_.front(), *this);
  for (std::size_t i = 0; i < config_.programs.size(); ++i)
    add_workload(config_.programs[i], i, where);
}

void ModelledHost::add_interface(const InterfaceConfig& config, const AdapterPlace& place,
                                 const std::string& where) {
  DriverSetup setup{*bus_, place.slot, place.function, *router_,
                    {},    *pool_,     *timers_,       config_.profile.net};
  for (const auto& softirq : receive_softirqs_) setup.receive_softirqs.push_back(softirq.get());
  devices_.push_back(make_driver({place.name + "_driver", setup, place.ids, config.driver,
                                  fmt::format("{}.{}", where, place.name)}));
  Interface& interface = stack_->add_interface(config.addresses);
  interface.attach(*devices_.back());
}

void ModelledHost::add_workload(const ProgramConfig& config, std::size_t index,
                                const std::string& where) {
  const bool alone =
      std::count_if(config_.programs.begin(), config_.programs.end(),
                    [&](const ProgramConfig& other) { return other.type == config.type; }) == 1;
  const WorkloadHost host{*stack_, *pool_, pointers(processors_), *this, &measured_};
  const std::string label = alone ? config.type : fmt::format("{}{}", config.type, index);
  workloads_.push_back(make_workload(config.type, label, host, config.params,
                                     fmt::format("{}.host.programs[{}]", where, index)));
  const std::uint32_t port = workloads_.back().listens;
  for (std::size_t i = 0; i < index; ++i) {
    if (port != 0 && workloads_[i].listens == port)
      throw ConfigError(fmt::format(
          "{}.host.programs[{}].port: programs[{}] serves port {} already", where, index, i, port));
  }
  for (const auto& program : workloads_.back().programs) running_ += program->is_endless() ? 0 : 1;
}

std::vector<std::pair<std::string, nlohmann::json>> ModelledHost::describe_params() const {
  std::vector<std::pair<std::string, nlohmann::json>> all{
      {"tcp", describe(config_.profile.tcp)},
      {"net", describe(config_.profile.net)},
      {"kernel", describe(config_.profile.kernel)},
      {"interrupts", describe(config_.router)}};
  for (std::size_t i = 0; i < devices_.size(); ++i)
    all.emplace_back(config_.interfaces[i].device, devices_[i]->describe_params());
  for (const Workload& workload : workloads_) all.emplace_back(workload.label, workload.params);
  return all;
}

void ModelledHost::boot(Process& process) {
  const Process::Syscall call(process);
  if (running_ == 0) listener_.over();
  for (const auto& device : devices_) device->open();
  process.sleep(kLinkLimitPs);
  for (const auto& device : devices_) {
    if (!device->link_up()) fail("boot", "an interface has no link after 10 s");
  }
}

void ModelledHost::report(const std::string& name, const nlohmann::json& result) {
  listener_.report(name + ".json", result.dump() + "\n");
  if (result.contains("error")) fail(name, result["error"].get<std::string>());
}

void ModelledHost::ended(const std::string& /*name*/) {
  if (--running_ != 0) return;
  Processor::current()->catch_up();  // the simulation may end here
  listener_.over();
}

void ModelledHost::fail(const std::string& name, const std::string& what) {
  if (Processor::current() != nullptr) Processor::current()->catch_up();
  listener_.failed(std::make_exception_ptr(std::runtime_error(fmt::format("{}: {}", name, what))));
}

}  // namespace longhaul::host
