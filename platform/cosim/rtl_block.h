// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <systemc>
#include <vector>

#include "platform/cosim/clock_domain.h"
#include "platform/cosim/rtl_model.h"
#include "platform/cosim/transactor.h"

namespace longhaul::cosim {

/// Parameters of one clock of a block.
struct ClockParams {
  Frequency frequency;
  double ppm = 0;              ///< offset from the frequency
  std::uint64_t phase_ps = 0;  ///< first rising edge, in the block's time
  ClockDomain::Gating gating{};
};

class EdgeProcess;

/// Runs a Verilated block in SystemC: its clocks, and the transactors at its pins.
///
/// Edges of all clocks are taken in order of time; those at one instant in one evaluation. The
/// process that takes them serves all blocks (EdgeProcess) and runs ahead of SystemC's time.
/// Transactor outputs are delivered at the SystemC time of their edge. Inputs from outside at an
/// instant act on edges after it, whatever the order of processes.
///
/// The block's time counts from power-up, which lies before SystemC's zero (power_up()). A block
/// without model and clocks does nothing. Throws std::logic_error for a call from outside of any
/// process, at a time that the block has passed. That can happen between two sc_start() only, see
/// set_run_ahead().
class RtlBlock final : public sc_core::sc_module {
 public:
  explicit RtlBlock(const sc_core::sc_module_name& name);
  ~RtlBlock() override;

  /// Sets the model, before any clock is added. `model` must outlive this object.
  void set_model(RtlModel& model);
  /// Adds a clock input, before power-up. The reference stays valid. Throws std::length_error
  /// beyond kMostClockInputs.
  ClockDomain& add_clock(BitPin pin, const ClockParams& params);

  /// Runs the clocks from the block's time 0 to the first multiple of `unit_ps` at which `ready()`
  /// is true. That instant becomes SystemC's zero. Call from start_of_simulation().
  void power_up(std::uint64_t unit_ps, const std::function<bool()>& ready);

  /// How far ahead of SystemC's time edges are taken if nothing else is pending (initially 10 us).
  /// Zero: one entry into the kernel for each edge.
  void set_run_ahead(const sc_core::sc_time& most) { run_ahead_ps_ = to_ps(most); }

  /// Off: clocks that may be gated run all the time (a test shows that results do not change).
  /// Before power-up.
  void set_gating(bool on) { gating_ = on; }

  /// SystemC's present time in the block's time, for inputs from outside. They act on edges after
  /// it.
  std::uint64_t input_ps() const;
  /// Called from Transactor::clocked(): requests a call of deliver() in SystemC's time of this
  /// edge.
  void call_at_edge(Transactor& transactor) { waiting_.push_back(&transactor); }
  /// Time of the last edge taken, in the block's time.
  std::uint64_t edge_ps() const { return edge_ps_; }
  /// SystemC's zero, in the block's time.
  std::uint64_t zero_ps() const { return zero_ps_; }
  std::uint64_t evaluations() const { return evaluations_; }
  const std::deque<ClockDomain>& clocks() const { return clocks_; }

 private:
  friend class EdgeProcess;
  struct Input {
    BitPin pin;
    ClockDomain* clock;
  };

  void take_edges(std::uint64_t at_ps);
  ClockInputs fallen(std::uint64_t at_ps) const;
  void show(ClockInputs high);
  template <class Call>
  void for_each(ClockInputs inputs, const Call& call);
  void settle(std::uint64_t at_ps);
  void look_for_next();
  /// Inputs may have been set, and clocks may have started.
  void look_again() {
    unsettled_ = true;
    look_for_next();
  }
  /// Time of the next rise, or shown fall, in SystemC's time; kNever if there is none.
  std::uint64_t next_in_kernel_ps() const {
    return next_ps_ - (next_ps_ == ClockSource::kNever ? 0 : zero_ps_);
  }
  bool stands_still() const;
  void eval(std::uint64_t at_ps);
  void deliver();

  // Members that each edge reads come first, in two lines of the host's cache.
  alignas(64) RtlModel* model_ = nullptr;
  std::uint64_t edge_ps_ = 0;
  std::uint64_t next_ps_ = ClockSource::kNever;
  std::uint64_t zero_ps_ = 0;
  std::vector<Transactor*> waiting_;
  ClockInputs high_ = 0;
  ClockInputs requesting_ = 0;  // those whose clock has a request output
  std::uint64_t evaluations_ = 0;
  std::vector<ClockSource> sources_;  // never moved
  std::vector<Input> inputs_;         // in the order of clocks_
  bool shows_falls_ = false;
  bool unsettled_ = true;  // inputs may have been set since the last evaluation
  std::vector<Transactor*> called_;
  std::deque<ClockDomain> clocks_;
  bool gating_ = true;
  std::uint64_t run_ahead_ps_ = 10'000'000;
  std::shared_ptr<EdgeProcess> process_;
};

}  // namespace longhaul::cosim
