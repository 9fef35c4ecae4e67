// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>

#include "models/common/param.h"
#include "models/cpu/cost_book.h"
#include "models/cpu/work.h"
#include "models/memory/memory_controller.h"
#include "platform/observe/probe.h"

namespace longhaul::cpu {

struct CoreParams {
  Param<Frequency> clock{"clock", {2'200'000'000}, {Evidence::kDatasheet, "AMD 23932, Opteron model 248: 2.2 GHz"}, Range<Frequency>{{100'000'000}, {10'000'000'000}}};
  auto fields() { return std::tie(clock); }
};

/// One processor core: turns counted work into time, accounts for it, and carries its software's device accesses.
///
/// The software (a guest's coupling or a modelled host) runs in an SC_THREAD and calls spend(), read() and write(), which
/// wait; calls of several threads queue. Time in none of them is idle. States are credited when a call ends.
class Core final : public sc_core::sc_module {
 public:
  /// To the host bridge: device registers and configuration space.
  tlm_utils::simple_initiator_socket<Core> core_initiator{"core_initiator"};

  Core(const sc_core::sc_module_name& name, const CoreParams& params, const CostBook& costs, memory::MemoryController& memory);

  /// Waits for as long as the work takes: its cycles, and the memory's time for the bytes it copied or checksummed. Within
  /// one call, interrupt work is taken to come first, then softirq, system, user.
  void spend(const Work& work);
  /// Reads or writes 1 to 8 bytes of a device, little-endian; the core stalls until the bus has answered. All-ones when the
  /// access is one that no bus carries.
  std::uint64_t read(std::uint64_t address, std::uint32_t length);
  void write(std::uint64_t address, std::uint32_t length, std::uint64_t value);

  const CoreParams& params() const { return params_; }
  const CostBook& costs() const { return costs_; }

  observe::StateClock states{"states", "where the core's time goes; a stretch is credited when it ends", {"user", "system", "softirq", "hardirq", "mmio_stall", "idle"}};
  observe::SpanTap spans{"spans", "stretches of work by state; numbers: cycles, bytes over the memory bus"};
  /// Work done so far of each kind.
  const observe::Counter& done(Kind kind) const { return *done_[kind]; }

 private:
  struct Price {
    std::uint64_t millicycles;      // per unit
    std::uint64_t milli_crossings;  // bytes over the memory bus per unit, in thousandths
  };
  class Turn;  // one caller at a time

  void price(Kind kind, double cycles, double crossings = 0);
  std::uint64_t cycles_to_ps(std::uint64_t millicycles);
  void access(tlm::tlm_command command, std::uint64_t address, std::uint32_t length, std::uint8_t* data);

  const CoreParams params_;
  const CostBook costs_;
  memory::MemoryController& memory_;
  std::array<Price, kKinds> prices_{};
  std::array<std::unique_ptr<observe::Counter>, kKinds> done_;
  std::uint64_t remainder_ = 0;  // of cycles_to_ps, in 1e9 / hz of a picosecond
  bool busy_ = false;
  sc_core::sc_event free_event_{"free_event"};
};

}  // namespace longhaul::cpu
