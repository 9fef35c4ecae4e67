// SPDX-License-Identifier: Apache-2.0
#include "models/net/switch/switch.h"

#include <fmt/format.h>

#include <cstdlib>
#include <sstream>

#include "models/common/echo.h"
#include "models/common/param_json.h"

namespace longhaul {
namespace {

/// 01-80-C2-00-00-00 to -0F: never forwarded by a bridge (IEEE 802.1D, table 7-10).
bool is_reserved(const MacAddress& address) {
  return address[0] == 0x01 && address[1] == 0x80 && address[2] == 0xc2 && address[3] == 0 &&
         address[4] == 0 && (address[5] & 0xf0U) == 0;
}

bool is_shared(const SwitchParams& params, const std::string& where) {
  if (params.buffer_mode() == "shared") return true;
  if (params.buffer_mode() == "per_port") return false;
  throw ConfigError(fmt::format("{}.buffer_mode: got \"{}\", wants \"shared\" or \"per_port\"",
                                where, echo(params.buffer_mode())));
}

std::vector<std::uint16_t> vlans_of(const SwitchParams& params, std::uint32_t ports,
                                    const std::string& where) {
  if (params.port_vlans().empty()) return std::vector<std::uint16_t>(ports, 1);
  std::vector<std::uint16_t> vlans;
  std::stringstream text(params.port_vlans());
  for (std::string item; std::getline(text, item, ',');) {
    char* end = nullptr;
    const unsigned long vlan = std::strtoul(item.c_str(), &end, 10);
    if (item.empty() || *end != '\0' || vlan < 1 || vlan > 4094) {
      throw ConfigError(
          fmt::format("{}.port_vlans: \"{}\" is no VLAN from 1 to 4094", where, echo(item)));
    }
    vlans.push_back(static_cast<std::uint16_t>(vlan));
  }
  if (vlans.size() != ports) {
    throw ConfigError(
        fmt::format("{}.port_vlans: {} numbers for {} ports", where, vlans.size(), ports));
  }
  return vlans;
}

}  // namespace

Switch::Switch(const sc_core::sc_module_name& name, std::uint32_t ports, SwitchParams params)
    : EthSwitch(name),
      params_(std::move(params)),
      shared_(is_shared(params_, sc_module::name())),
      table_(params_.table_size(), to_ps(params_.ageing())) {
  if (ports < 2 || ports > params_.max_ports()) {
    throw ConfigError(
        fmt::format("{}: {} ports, wants 2 to {}", sc_module::name(), ports, params_.max_ports()));
  }
  if (params_.pause_low().count > params_.pause_high().count) {
    throw ConfigError(fmt::format("{}.pause_low: {} is above pause_high, {}", sc_module::name(),
                                  to_text(params_.pause_low()), to_text(params_.pause_high())));
  }
  const std::vector<std::uint16_t> vlans = vlans_of(params_, ports, sc_module::name());
  for (std::uint32_t i = 0; i < ports; ++i) {
    ports_.push_back(
        std::make_unique<SwitchPort>(fmt::format("p{}", i).c_str(), *this, i, vlans[i], params_));
  }
}

nlohmann::json Switch::describe_params() const { return describe(params_); }

void Switch::forward(std::uint32_t from, const FrameRef& frame) {
  SwitchPort& in = *ports_[from];
  const std::uint64_t now = now_ps();
  const MacAddress source = ethernet::source(*frame);
  if (!ethernet::is_group(source)) {
    const MacTable::Learned learned = table_.learn(in.vlan(), source, from, now);
    if (learned == MacTable::Learned::kFull) table_full.add();
    if (learned == MacTable::Learned::kMoved) moved.add();
  }

  const MacAddress destination = ethernet::destination(*frame);
  if (is_reserved(destination)) return filtered.add();
  const std::uint32_t to = ethernet::is_group(destination)
                               ? MacTable::kUnknown
                               : table_.find(in.vlan(), destination, now);
  if (to == from) return filtered.add();
  if (!admit(in, frame)) return;

  const std::uint32_t slot = store(from, frame);
  if (to != MacTable::kUnknown) {
    if (!ports_[to]->mac.carrier()) {
      ports_[to]->drop(frame, "port down");
    } else {
      offer(slot, to);
    }
  } else {
    flooded.add();
    for (std::uint32_t i = 0; i < ports_.size(); ++i) {
      if (i != from && ports_[i]->vlan() == in.vlan() && ports_[i]->mac.carrier()) offer(slot, i);
    }
  }
  free_if_unused(slot);
}

/// Whether the shared memory has room. With memories per port the outputs decide.
bool Switch::admit(SwitchPort& in, const FrameRef& frame) {
  if (!shared_ || buffer_fill.value() + frame->octets() <= params_.buffer().count) return true;
  in.drop(frame, "shared buffer full");
  return false;
}

/// Puts a frame into a slot with a copy count of one. free_if_unused() subtracts that one again.
std::uint32_t Switch::store(std::uint32_t from, const FrameRef& frame) {
  if (free_slots_.empty()) {
    free_slots_.push_back(static_cast<std::uint32_t>(stored_.size()));
    stored_.emplace_back();
  }
  const std::uint32_t slot = free_slots_.pop_back();
  stored_[slot] = {frame, now_ps() + to_ps(params_.latency()), from, 1};
  if (shared_) buffer_fill.add(frame->octets());
  ports_[from]->charge(frame->octets());
  return slot;
}

bool Switch::offer(std::uint32_t slot, std::uint32_t to) {
  SwitchPort& out = *ports_[to];
  const std::uint32_t bytes = stored_[slot].frame->octets();
  if (!shared_) {
    if (out.queue_fill.value() + bytes > params_.buffer().count) {
      out.drop(stored_[slot].frame, "output buffer full");
      return false;
    }
    buffer_fill.add(bytes);
  }
  ++stored_[slot].copies;
  out.enqueue(slot, bytes);
  out.mac.kick();
  return true;
}

void Switch::release_copy(std::uint32_t slot) {
  if (!shared_) buffer_fill.add(-std::int64_t{stored_[slot].frame->octets()});
  free_if_unused(slot);
}

void Switch::free_if_unused(std::uint32_t slot) {
  Stored& stored = stored_[slot];
  if (--stored.copies != 0) return;
  const std::int64_t bytes = stored.frame->octets();
  const std::uint32_t from = stored.from;
  stored.frame.reset();
  free_slots_.push_back(slot);
  if (shared_) buffer_fill.add(-bytes);
  ports_[from]->charge(-bytes);
}

}  // namespace longhaul
