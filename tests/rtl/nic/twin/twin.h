// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <systemc>
#include <vector>

#include "tests/rtl/nic/twin/machine.h"
#include "tests/rtl/nic/twin/phase.h"

namespace longhaul::nic_twin {

/// A value that software read.
struct Reading {
  std::uint64_t at_ps = 0;
  std::uint32_t offset = 0;
  std::uint32_t value = 0;
};

/// The readings of software in a phase, and the places in the machine's lists where it begins.
struct Seen {
  std::vector<Reading> readings;
  std::uint32_t causes = 0;    ///< of all reads of ICR
  std::uint64_t begin_ps = 0;  ///< of the traffic
  std::size_t arrivals = 0;    ///< of the machine's lists: the first of this phase
  std::size_t edges = 0;
  std::size_t writes = 0;
  std::size_t ends = 0;
};

/// Two machines that go through the same phases: in one the TLM model, in the other the RTL.
class Twin final : public sc_core::sc_module {
 public:
  /// Gives the next phase; its argument is RDH at rest.
  using Source = std::function<Phase(std::uint32_t rx_head)>;

  Twin(const sc_core::sc_module_name& name, Machine& tlm, Machine& rtl, Source source,
       std::uint32_t phases);

  /// The first difference, or what went wrong; empty if there is none.
  const std::string& difference() const { return difference_; }
  std::uint32_t compared() const { return compared_; }
  const Seen& seen_of_tlm() const { return seen_[0]; }
  const Seen& seen_of_rtl() const { return seen_[1]; }
  /// Writes each phase from now on, and what both machines showed in it, as text. Null: none.
  void log(std::FILE* out) { log_ = out; }

 private:
  void tlm_thread() { work(0); }
  void rtl_thread() { work(1); }
  void work(std::size_t side);
  void run_phase(std::size_t side);
  void do_access(std::size_t side, const Access& access);
  void wait_for_rest(std::size_t side);
  void probe(std::size_t side);
  void meet(const std::function<void()>& last);
  void next_phase();

  Machine* const machines_[2];
  const Source source_;
  const std::uint32_t phases_;
  std::uint32_t compared_ = 0;
  Phase phase_;
  Seen seen_[2];
  std::vector<std::uint8_t> before_;  // memory, when the phase began
  std::uint64_t start_ps_ = 0;
  bool over_ = false;
  std::uint32_t waiting_ = 0;
  std::string difference_;
  std::FILE* log_ = nullptr;
  sc_core::sc_event met_{"met"};
};

}  // namespace longhaul::nic_twin
