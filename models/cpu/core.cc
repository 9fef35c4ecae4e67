// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/core.h"

#include <cmath>
#include <string>

namespace longhaul::cpu {
namespace {

constexpr std::uint64_t kMilli = 1000;
constexpr std::array<State, kWorkStates> kOrder{kHardirq, kSoftirq, kSystem, kUser};

}  // namespace

const char* to_text(State state) {
  static constexpr std::array<const char*, kStates> kNames{"user", "system", "softirq", "hardirq", "mmio_stall", "idle"};
  return kNames[state];
}

const char* to_text(Kind kind) {
  static constexpr std::array<const char*, kKinds> kNames{"cycle",     "packet_tx", "packet_rx", "byte_copied",
                                                          "byte_checksummed", "interrupt", "poll", "syscall",
                                                          "context_switch", "user_call", "cold_line"};
  return kNames[kind];
}

/// Holds the core for one call; others wait their turn.
class Core::Turn {
 public:
  explicit Turn(Core& core) : core_(core) {
    while (core_.busy_) sc_core::wait(core_.free_event_);
    core_.busy_ = true;
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  ~Turn() {
    core_.busy_ = false;
    core_.free_event_.notify(sc_core::SC_ZERO_TIME);
  }

 private:
  Core& core_;
};

Core::Core(const sc_core::sc_module_name& name, const CoreParams& params, const CostBook& costs, memory::MemoryController& memory)
    : sc_module(name), params_(params), costs_(costs), memory_(memory) {
  price(kCycle, 1);
  price(kPacketTx, costs_.packet_tx());
  price(kPacketRx, costs_.packet_rx());
  price(kByteCopied, costs_.byte_copied(), costs_.copy_crossings());
  price(kByteChecksummed, costs_.byte_checksummed(), costs_.checksum_crossings());
  price(kInterrupt, costs_.interrupt());
  price(kPoll, costs_.poll());
  price(kSyscall, costs_.syscall());
  price(kContextSwitch, costs_.context_switch());
  price(kUserCall, costs_.user_call());
  price(kColdLine, costs_.cold_line());
  for (std::uint32_t kind = 0; kind < kKinds; ++kind) {
    done_[kind] = std::make_unique<observe::Counter>((std::string("done_") + to_text(static_cast<Kind>(kind))).c_str(), "1",
                                                     "units of work of this kind");
  }
  states.enter(kIdle);
}

void Core::price(Kind kind, double cycles, double crossings) {
  prices_[kind] = {static_cast<std::uint64_t>(std::llround(cycles * kMilli)), static_cast<std::uint64_t>(std::llround(crossings * kMilli))};
}

void Core::spend(const Work& work) {
  const Turn turn(*this);
  const std::uint64_t begin_ps = now_ps();
  struct Part {
    std::uint64_t ps = 0;
    std::uint64_t cycles = 0;
    std::uint64_t memory_bytes = 0;
  };
  std::array<Part, kWorkStates> parts;
  std::uint64_t total_ps = 0;
  for (const State state : kOrder) {
    std::uint64_t millicycles = 0;
    std::uint64_t milli_bytes = 0;
    for (std::uint32_t kind = 0; kind < kKinds; ++kind) {
      const std::uint64_t n = work.counts[state][kind];
      if (n == 0) continue;
      millicycles += n * prices_[kind].millicycles;
      milli_bytes += n * prices_[kind].milli_crossings;
      done_[kind]->add(n);
    }
    Part& part = parts[state];
    part.cycles = millicycles / kMilli;
    part.memory_bytes = milli_bytes / kMilli;
    part.ps = cycles_to_ps(millicycles);
    total_ps += part.ps;
  }
  // Bytes of all states join the memory's queue in order; each state pays until its own have moved.
  std::uint64_t told_ps = 0;
  for (const State state : kOrder) {
    Part& part = parts[state];
    if (part.memory_bytes == 0) continue;
    const std::uint64_t done_ps = to_ps(memory_.occupy(part.memory_bytes));
    part.ps += done_ps - told_ps;
    total_ps += done_ps - told_ps;
    told_ps = done_ps;
  }
  if (total_ps == 0) return;
  sc_core::wait(from_ps(total_ps));
  std::uint64_t at_ps = begin_ps;
  for (const State state : kOrder) {
    const Part& part = parts[state];
    if (part.ps == 0) continue;
    states.credit(state, part.ps);
    spans.report(at_ps, at_ps + part.ps, to_text(state), part.cycles, part.memory_bytes);
    at_ps += part.ps;
  }
}

std::uint64_t Core::cycles_to_ps(std::uint64_t millicycles) {
  const unsigned __int128 scaled = static_cast<unsigned __int128>(millicycles) * 1'000'000'000ULL + remainder_;
  const std::uint64_t hz = params_.clock().hz;
  remainder_ = static_cast<std::uint64_t>(scaled % hz);
  return static_cast<std::uint64_t>(scaled / hz);
}

std::uint64_t Core::read(std::uint64_t address, std::uint32_t length) {
  std::array<std::uint8_t, 8> data;
  data.fill(0xff);
  access(tlm::TLM_READ_COMMAND, address, length, data.data());
  std::uint64_t value = 0;
  for (std::uint32_t i = 0; i < length && i < data.size(); ++i) value |= static_cast<std::uint64_t>(data[i]) << (8 * i);
  return value;
}

void Core::write(std::uint64_t address, std::uint32_t length, std::uint64_t value) {
  std::array<std::uint8_t, 8> data;
  for (std::uint32_t i = 0; i < data.size(); ++i) data[i] = static_cast<std::uint8_t>(value >> (8 * i));
  access(tlm::TLM_WRITE_COMMAND, address, length, data.data());
}

void Core::access(tlm::tlm_command command, std::uint64_t address, std::uint32_t length, std::uint8_t* data) {
  if (length > 8) return;
  const Turn turn(*this);
  const std::uint64_t begin_ps = now_ps();
  tlm::tlm_generic_payload payload;
  payload.set_command(command);
  payload.set_address(address);
  payload.set_data_ptr(data);
  payload.set_data_length(length);
  payload.set_streaming_width(length);
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  core_initiator->b_transport(payload, delay);
  if (delay != sc_core::SC_ZERO_TIME) sc_core::wait(delay);
  states.credit(kMmioStall, now_ps() - begin_ps);
  if (now_ps() != begin_ps) spans.report(begin_ps, now_ps(), to_text(kMmioStall), 0, 0);
}

}  // namespace longhaul::cpu
