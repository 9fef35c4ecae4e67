// SPDX-License-Identifier: Apache-2.0
#include "platform/assembly/waves.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/common/echo.h"
#include "platform/assembly/toe_tcp_table.h"
#include "platform/observe/traced_part.h"

namespace longhaul::assembly {
namespace {

using observe::WaveFile;

// From top to bottom in the viewer. Groups from kPins on are closed at first.
constexpr std::uint32_t kLinks = 0, kLosses = 5, kTcp = 10, kCore = 20, kNic = 30, kBoxRows = 35,
                        kPins = 40;
// With a trigger, these rows are in a group of their own.
constexpr std::uint32_t kWritten = 45, kLossesFolded = 45;

constexpr const char* kTrigger = "observe.waves_trigger";

observe::WaveWindow window_of(const ObserveConfig& observe) {
  return {to_ps(observe.waves_length), !observe.waves_trigger.empty(),
          to_ps(observe.waves_history)};
}

nlohmann::json time_or_null(std::uint64_t ps) {
  return ps == WaveFile::kNever ? nlohmann::json() : nlohmann::json(ps);
}

}  // namespace

Waves::Waves(const SimulationConfig& config, const std::vector<std::unique_ptr<Machine>>& machines,
             const std::vector<std::unique_ptr<wan::WanBox>>& boxes,
             const std::vector<std::unique_ptr<Link>>& links, const FrameHistory& frames)
    : from_(config.observe.waves_from),
      frames_(frames),
      trigger_(parse_wave_trigger(config.observe.waves_trigger, kTrigger)),
      file_(config.output("waves.fst"), config.output("waves.gtkw"), window_of(config.observe)) {
  const ObserveConfig& observe = config.observe;
  if (observe.traces("link")) add_links(config, links);
  if (observe.traces("tcp")) add_tcp(config, machines);
  add_probes(config, machines);
  if (observe.traces("pcix")) {
    for (const auto& machine : machines) {
      buses_.push_back(std::make_unique<observe::PcixWaves>(
          file_.scope(std::string(machine->name()) + ".pcix", kPins), machine->pcix(),
          machine->slot_names()));
    }
  }
  if (observe.traces("rtl")) add_rtl(config, machines, boxes);
  add_losses(config, links);
  const auto taps = observe::ProbeWalk().violation_taps;
  violations_ =
      std::make_unique<observe::ViolationWaves>(file_, loss_rank(), taps, from_the_begin());
  if (from_the_begin() && taps.empty())
    throw ConfigError(fmt::format("{}: no part is RTL by a port map", kTrigger));
  add_trigger(config, machines, boxes);
}

std::uint32_t Waves::loss_rank() const {
  return trigger_.kind == WaveTrigger::Kind::kNone ? kLosses : kLossesFolded;
}

void Waves::add_rtl(const SimulationConfig& config,
                    const std::vector<std::unique_ptr<Machine>>& machines,
                    const std::vector<std::unique_ptr<wan::WanBox>>& boxes) {
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    auto* const part = dynamic_cast<observe::TracedPart*>(boxes[i].get());
    if (part != nullptr) part->trace(file_.scope(config.boxes[i].name, kPins));
  }
  for (const auto& machine : machines) {
    for (const auto& [device, adapter] : machine->adapters()) {
      auto* const part = dynamic_cast<observe::TracedPart*>(adapter);
      if (part != nullptr)
        part->trace(file_.scope(std::string(machine->name()) + "." + device, kPins));
    }
  }
}

void Waves::add_links(const SimulationConfig& config,
                      const std::vector<std::unique_ptr<Link>>& links) {
  for (std::size_t i = 0; i < links.size(); ++i) {
    const LinkConfig& link = config.links[i];
    const observe::WaveScope scope = file_.scope("link." + link.name, kLinks, "link");
    const std::uint64_t rate = links[i]->phy().mac_rate.bits_per_s;
    const auto trace = [&](const std::string& from, LinkDirection& way) {
      links_.push_back(std::make_unique<observe::LinkWaves>(scope, "from_" + row_name(from),
                                                            way.tap, rate, frames_.origins(),
                                                            config.observe.packets));
    };
    trace(link.a, links[i]->a_to_b);
    trace(link.b, links[i]->b_to_a);
  }
}

void Waves::add_packets(Packets& packets) {
  for (const Packets::Followed& each : packets.followed()) {
    packets_.push_back(std::make_unique<observe::PacketWaves>(file_.scope(each.name, kNic),
                                                              packets.book(), each.places));
  }
}

void Waves::add_losses(const SimulationConfig& config,
                       const std::vector<std::unique_ptr<Link>>& links) {
  std::unordered_map<const observe::FrameTap*, observe::LossWaves::Place> places;
  for (std::size_t i = 0; i < links.size(); ++i) {
    const LinkConfig& link = config.links[i];
    places[&links[i]->a_to_b.tap] = {"link." + link.name, "from_" + row_name(link.a) + "_"};
    places[&links[i]->b_to_a.tap] = {"link." + link.name, "from_" + row_name(link.b) + "_"};
  }
  losses_ = std::make_unique<observe::LossWaves>(file_, loss_rank(), frames_.watch(),
                                                 frames_.origins(), std::move(places));
}

void Waves::add_tcp(const SimulationConfig& config,
                    const std::vector<std::unique_ptr<Machine>>& machines) {
  for (const auto& machine : machines) {
    const std::string name = machine->name();
    const auto rank =
        kTcp + static_cast<std::uint32_t>(std::min<std::size_t>(tcp_.size(), kCore - kTcp - 1));
    tcp_.push_back(std::make_unique<observe::TcpWaves>(
        file_.scope(name + ".tcp", rank), name, machine->software().tcp_table(config.kernel_layout),
        frames_.origins(), frames_.losses()));
    for (const auto& [device, adapter] : machine->adapters())
      tcp_.back()->watch(adapter->received_frames(), adapter->sent_frames());
    machine->software().watch(tcp_.back().get());
    for (const auto& [device, adapter] : machine->adapters())
      add_offloaded(std::string(name).append(".").append(device), *adapter, rank);
  }
}

/// Connections of an adapter's offload engine, if it has one.
void Waves::add_offloaded(const std::string& device, nic::Adapter& adapter, std::uint32_t rank) {
  toe::OffloadEngine* const engine = offload_engine(device);
  if (engine == nullptr) return;
  tcp_.push_back(std::make_unique<observe::TcpWaves>(file_.scope(device + ".tcp", rank), device,
                                                     std::make_unique<ToeTcpTable>(*engine),
                                                     frames_.origins(), frames_.losses()));
  tcp_.back()->watch(adapter.received_frames(), adapter.sent_frames());
  engine->watch(tcp_.back().get());
}

void Waves::add_probes(const SimulationConfig& config,
                       const std::vector<std::unique_ptr<Machine>>& machines) {
  const ObserveConfig& observe = config.observe;
  const observe::ProbeWalk probes;
  const auto trace = [&](const std::string& object, std::uint32_t rank) {
    probes_.push_back(std::make_unique<observe::ProbeWaves>(file_, object, rank, probes));
  };
  for (const auto& machine : machines) {
    const std::string name = machine->name();
    if (observe.traces("core")) {
      trace(name + ".core", kCore);
      trace(name + ".interrupts", kCore);
    }
    for (const auto& [device, adapter] : machine->adapters()) {
      if (observe.traces("nic")) trace(fmt::format("{}.{}", name, device), kNic);
    }
  }
  if (!observe.traces("box")) return;
  for (const SwitchConfig& item : config.switches) trace(item.name, kBoxRows);
  for (const BoxConfig& item : config.boxes) trace(item.name, kBoxRows);
}

void Waves::add_trigger(const SimulationConfig& config,
                        const std::vector<std::unique_ptr<Machine>>& machines,
                        const std::vector<std::unique_ptr<wan::WanBox>>& boxes) {
  switch (trigger_.kind) {
    case WaveTrigger::Kind::kNone:
    case WaveTrigger::Kind::kViolation: return;
    case WaveTrigger::Kind::kRetransmit:
      if (tcp_.empty())
        throw ConfigError(fmt::format("{}: wants tcp among observe.waves", kTrigger));
      for (const auto& tcp : tcp_) tcp->trigger_on_retransmit();
      return;
    case WaveTrigger::Kind::kDrop:
      drops_ = std::make_unique<DropTrigger>(file_, trigger_.count, frames_.watch());
      return;
    case WaveTrigger::Kind::kRegister: break;
  }
  const std::string place = trigger_.device.empty() ? "bus" : trigger_.device;
  written_ = file_.scope(place, kWritten).add_event(fmt::format("write_{:#x}", trigger_.address));
  file_.show_cause(written_);
  if (trigger_.by_processor()) return add_register_trigger(machines);
  check_box_trigger(config, boxes);
}

void Waves::add_register_trigger(const std::vector<std::unique_ptr<Machine>>& machines) {
  bool found = trigger_.device.empty();
  const auto trigger_on = [this](Machine& machine,
                                 const std::function<bool(std::uint64_t)>& is_it) {
    for (const auto& core : machine.cores()) {
      core->on_write([this, is_it, name = std::string(machine.name())](std::uint64_t at) {
        if (file_.records(now_ps()) && is_it(at))
          register_written(fmt::format("{} writes {:#x}", name, at));
      });
    }
  };
  for (const auto& machine : machines) {
    if (trigger_.device.empty())
      trigger_on(*machine,
                 [address = trigger_.address](std::uint64_t at) { return at == address; });
    for (const auto& [device, adapter] : machine->adapters()) {
      if (trigger_.device != std::string(machine->name()) + "." + device) continue;
      found = true;
      if (adapter->function() == nullptr) {
        trigger_on(*machine, [begin = *machine->window(device), offset = trigger_.address](
                                 std::uint64_t at) { return at == begin + offset; });
        continue;
      }
      pcix::ConfigSpace& space = adapter->function()->config();
      trigger_on(*machine, [&space, offset = trigger_.address](std::uint64_t at) {
        return at == space.memory_bar() + offset;
      });
    }
  }
  if (!found)
    throw ConfigError(fmt::format("{}: no adapter is called '{}', wants MACHINE.DEVICE", kTrigger,
                                  echo(trigger_.device)));
}

void Waves::check_box_trigger(const SimulationConfig& config,
                              const std::vector<std::unique_ptr<wan::WanBox>>& boxes) const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (boxes[i]->control() == nullptr) continue;
    names.push_back(config.boxes[i].name);
    if (names.back() == trigger_.device) return;
  }
  throw ConfigError(fmt::format("{}: no box '{}' has registers; {}", kTrigger,
                                echo(trigger_.device), nearest_hint(trigger_.device, names)));
}

void Waves::box_written(const char* by, const std::string& box, std::uint32_t address) {
  if (trigger_.kind != WaveTrigger::Kind::kRegister || trigger_.device != box ||
      trigger_.address != address)
    return;
  register_written(fmt::format("{} writes {:#x} of {}", by, address, box));
}

void Waves::register_written(const std::string& why) {
  written_.pulse_at(now_ps());
  file_.trigger(why);
}

nlohmann::json Waves::json() const {
  std::size_t connections = 0;
  for (const auto& tcp : tcp_) connections += tcp->connections();
  nlohmann::json cause;
  for (const auto& tcp : tcp_) {
    const auto& loss = tcp->repaired();
    if (loss) cause = {{"ps", loss->ps}, {"place", *loss->place}, {"why", loss->why}};
  }
  return {{"from_ps", time_or_null(file_.from_ps())},
          {"until_ps", time_or_null(file_.until_ps())},
          {"trigger_ps", time_or_null(file_.trigger_ps())},
          {"trigger", file_.trigger_reason()},
          {"cause", cause},
          {"connections", connections}};
}

}  // namespace longhaul::assembly
