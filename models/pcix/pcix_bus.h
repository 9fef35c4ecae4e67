// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/common/event_queue.h"
#include "models/common/observe/probe.h"
#include "models/common/ring_buffer.h"
#include "models/pcix/bus_observer.h"
#include "models/pcix/bus_timing.h"
#include "models/pcix/host_port.h"
#include "models/pcix/pcix_device.h"
#include "models/pcix/protocol.h"

namespace longhaul::pcix {

/// A shared PCI-X or PCI bus segment: arbitration, phases in whole bus clocks, split or delayed
/// reads, posted writes, aborts.
///
/// Devices sit in slots 0 to slots - 1 and master it through the TLM protocol of
/// README.md#protocol; the host bridge is a HostPort. A device may have two functions: each has its
/// own configuration space, base addresses and interrupt pin, both share the slot's REQ# and GNT#,
/// in the order of their requests. One tenure of the bus is one timer, at the end of its last data
/// phase. Throws ConfigError for a mode that does not exist, more slots than device numbers, or a
/// slot that does not exist or is taken.
class PcixBus final : public sc_core::sc_module, private HostBus {
 public:
  enum Activity : std::size_t { kIdle, kData, kOverhead };
  /// States of `clocks`.
  enum Cause : std::size_t {
    kNothing,
    kSplitWait,
    kArbitration,
    kDataPhases,
    kProtocol,
    kReadRequests,
    kDisconnects,
    kRetries,
    kMmio,
    kAborts
  };

  PcixBus(const sc_core::sc_module_name& name, const BusParams& params, std::uint32_t slots);

  static constexpr std::uint32_t kFunctions = 2;  ///< of a device, at most (PCI allows eight)
  static constexpr std::uint32_t kMostSlots =
      32;  ///< a device number has five bits (PCI 2.3, 3.2.2.3)

  /// What the host bridge binds to.
  HostTargetSocket host_socket{"host_socket"};
  /// The socket that a device, or the second function of one, binds to: before the simulation
  /// starts, first function first. Both functions then say that they are not alone. Throws
  /// ConfigError for a slot or function that there is not.
  SlotSocket& slot(std::uint32_t number, std::uint32_t function = 0);
  std::uint32_t slots() const { return slots_; }
  /// Functions are numbered: function f of slot n is unit n + f * slots().
  std::uint32_t units() const override { return static_cast<std::uint32_t>(functions_.size()); }
  /// The interrupt pin of a unit, active high.
  sc_core::sc_signal<bool>& interrupt(std::uint32_t unit) override { return interrupts_[unit]; }
  /// The line that it is wired to: INTA# of slot n to line n, INTB# of slot n to line n + 1.
  std::uint32_t interrupt_line(std::uint32_t unit) const override;
  const BusTiming& timing() const override { return timing_; }
  const BusParams& params() const { return params_; }

  /// Who is told of every tenure in full (null: nobody, at the cost of one branch a tenure).
  void listen(BusListener* listener) { listener_ = listener; }
  /// For listeners: no later record has a REQ#, or a GNT# for an idle bus, before this time.
  std::uint64_t horizon_ps() const;
  /// For listeners: REQ# of a master (0: the bridge; n + 1: slot n) stays asserted from its last
  /// tenure to its next.
  bool keeps_request(std::uint32_t master) const;

  observe::StateClock activity{
      "state",
      "what the clocks of the bus are spent on; a tenure is credited when it ends",
      {"idle", "data", "overhead"}};
  observe::StateClock clocks{
      "clocks",
      "what each clock of the bus went for; a tenure is credited when it ends",
      {"idle", "split_wait", "arbitration", "data", "protocol", "read_requests", "disconnects",
       "retries", "mmio", "aborts"}};
  observe::SpanTap tenures{"tenures", "bus tenures by command; numbers: address, bytes moved"};
  observe::Counter memory_writes{"memory_writes", "1", "tenures of devices' memory writes"};
  observe::Counter memory_reads{"memory_reads", "1",
                                "devices' read requests that the bridge took: split or delayed"};
  observe::Counter split_completions{
      "split_completions", "1",
      "tenures that brought a device its read data: split completions, delayed reads"};
  observe::Counter mmio_reads{"mmio_reads", "1", "memory reads by the bridge"};
  observe::Counter mmio_writes{"mmio_writes", "1", "memory writes by the bridge"};
  observe::Counter config_accesses{"config_accesses", "1", "configuration reads and writes"};
  observe::Counter io_accesses{"io_accesses", "1", "I/O reads and writes"};
  observe::Counter written_bytes{"written_bytes", "B", "bytes of devices' memory writes"};
  observe::Counter completed_bytes{"completed_bytes", "B", "bytes of read data brought to devices"};
  observe::Counter disconnects{
      "disconnects", "1", "bursts cut at a disconnect boundary, by latency timer or full buffer"};
  observe::Counter retries{"retries", "1", "attempts that the bridge refused for now"};
  observe::Counter master_aborts{"master_aborts", "1", "transactions that no target claimed"};
  observe::Counter target_aborts{"target_aborts", "1",
                                 "transactions that their target could not serve"};
  observe::Level outstanding_reads{"outstanding_reads", "1",
                                   "devices' reads between their request and their last byte"};

 private:
  enum class Command : std::uint8_t {
    kMemoryWrite,
    kMemoryRead,
    kSplitCompletion,
    kHost,
    kHostCompletion
  };
  enum class Outcome : std::uint8_t { kMoves, kSplits, kRetried, kMasterAborted, kTargetAborted };
  /// A delayed read of conventional PCI: what its repetitions meet.
  enum class Delayed : std::uint8_t { kNew, kFetching, kFetched };

  /// Something that a master wants to do.
  struct Job {
    Command command;
    std::uint32_t unit;                 // the device's function concerned
    tlm::tlm_generic_payload* payload;  // kMemoryWrite, kMemoryRead, kSplitCompletion
    HostRequest* host;                  // kHost, kHostCompletion
    std::uint64_t address;
    std::uint32_t bytes;  // in all
    std::uint32_t moved;  // in earlier tenures
    std::uint64_t arrived_ps;
    std::uint64_t requested_ps;  // the edge with REQ#
    bool
        kept_request;  // REQ# was still asserted from the tenure before: no arbitration to wait for
    bool refused;      // by Retry, at the last attempt
    Delayed delayed;
    std::uint64_t fetched_ps;     // kFetched: the data (or the error) are there from here on
    std::uint32_t fetched_bytes;  // kFetched: from `moved` on
  };
  /// A REQ#/GNT# pair: requests in order, and completions in order of readiness, which may pass
  /// them.
  struct Master {
    RingBuffer<Job*> requests;
    std::vector<Job*> completions;
    Job* candidate =
        nullptr;  // of plan(): the completion that is ready first, null if there is none
    std::uint64_t wanted_ps = 0;  // of plan(): when it wants the bus
    bool completion_is_next = false;
  };
  struct Function final : SlotInterface {
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override {
      return bus->from_device(unit, payload, phase, delay);
    }
    PcixBus* bus = nullptr;
    std::uint32_t unit = 0;
    std::unique_ptr<SlotSocket> socket;
    FunctionInterface* inside = nullptr;  // what is bound to it; null: empty
    ConfigSpace* config = nullptr;        // null: empty
    const TargetParams* target = nullptr;
    std::uint32_t width = 0;  // bytes a data phase
    std::uint32_t slot = 0;
    std::uint32_t function = 0;  // of the device there
  };
  /// One occupation of the bus, from address phase to the last clock before turn-around.
  struct Tenure {
    Job* job = nullptr;  // null: none planned
    std::uint32_t master = 0;
    Outcome outcome = Outcome::kMoves;
    std::uint32_t target_unit = 0;  // of a host request
    std::uint32_t bytes = 0;
    std::uint32_t width = 0;  // bytes a data phase, of all its subphases
    bool cut_by_target = false;
    Phases phases;
    std::uint64_t start_ps = 0;
    std::uint64_t end_ps = 0;  // of the last byte or the termination
  };
  static constexpr std::uint64_t kNever = ~0ULL;
  static constexpr std::uint32_t kHostMaster = 0;  // slot n is master n + 1
  static constexpr std::uint32_t kNoUnit = ~0U;

  std::uint32_t slot_of(std::uint32_t unit) const { return functions_[unit].slot; }
  std::uint32_t master_of(std::uint32_t unit) const { return slot_of(unit) + 1; }
  friend class SlotSocket;
  void plug(std::uint32_t unit, PcixDevice& device);
  /// Whether a bridge is bound, which may be later than the bus's making; finds it.
  bool has_host();
  // HostBus.
  void request(HostRequest& request, std::uint64_t ready_ps) override;
  void complete(tlm::tlm_generic_payload& payload, std::uint64_t ready_ps) override;
  tlm::tlm_sync_enum from_device(std::uint32_t unit, tlm::tlm_generic_payload& payload,
                                 tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void finish();

  // Arbitration.
  Job& new_job(Command command, std::uint32_t unit, std::uint64_t address, std::uint32_t bytes);
  void raise_request(Job& job, std::uint32_t master, std::uint64_t at_ps) const;
  void ask_again(Job& job, std::uint64_t at_ps) const;
  std::uint64_t ready_ps(std::uint32_t master, const Job& job) const {
    // The arbiter parks the bus by leaving GNT# where it was.
    const bool has_grant = job.kept_request || (parks_ && master == last_master_);
    return job.requested_ps + (has_grant ? 0 : arbitration_ps_);
  }
  void queue_request(std::uint32_t master, Job& job);
  void queue_completion(std::uint32_t master, Job& job);
  void arrived();
  void plan();
  Job* earliest_completion(std::uint32_t master) const {
    return masters_[master].completions.empty() ? nullptr : pick_completion(master);
  }
  Job* pick_completion(std::uint32_t master) const;
  bool behind_posted_write(const Job& completion) const;
  std::uint64_t wanted_from_ps(std::uint32_t master, const Job* completion) const {
    const RingBuffer<Job*>& requests = masters_[master].requests;
    const std::uint64_t from_ps = requests.empty() ? kNever : ready_ps(master, *requests.front());
    return completion == nullptr ? from_ps : std::min(from_ps, ready_ps(master, *completion));
  }
  std::uint64_t rivals_want_from_ps(const Tenure& tenure) const;
  Job* choose(std::uint32_t master, std::uint64_t start_ps) const;

  // Phases of one tenure.
  /// Whether its sender drives strobes with the data in PCI-X's mode 2.
  static bool pushes(const Job& job) {
    return job.command == Command::kMemoryWrite || job.command == Command::kSplitCompletion;
  }
  void plan_tenure(Tenure& tenure, std::uint32_t master, Job& job, std::uint64_t start_ps) const;
  void plan_dma(Tenure& tenure) const;
  void plan_delayed_read(Tenure& tenure) const;
  void plan_host(Tenure& tenure) const;
  std::uint32_t claiming_unit(const HostRequest& request) const;
  void limit_by_latency_timer(Tenure& tenure, std::uint64_t now) const;
  void set_end(Tenure& tenure) const {
    tenure.end_ps = tenure.start_ps + timing_.ps(tenure.phases.clocks_to_end());
  }
  void schedule();

  // Where its clocks go (pcix_bus_account.cc).
  void account(const Tenure& tenure);
  Cause cause_of(const Tenure& tenure) const;
  void credit_gap(const Tenure& tenure);
  const char* label(const Tenure& tenure) const;
  void tell(const Tenure& tenure);
  std::uint8_t command_code(const Tenure& tenure) const;
  /// The data of a payload, with zeros that were not stored; until the next call.
  const std::uint8_t* all_data(tlm::tlm_generic_payload& payload);

  // What a tenure leaves behind.
  bool refused(const Tenure& tenure);
  void end_write(const Tenure& tenure);
  void end_read_request(const Tenure& tenure);
  void end_delayed_read(const Tenure& tenure);
  void end_completion(const Tenure& tenure);
  void end_host_access(const Tenure& tenure);
  void end_host_completion(const Tenure& tenure);
  void abort_dma(const Tenure& tenure, tlm::tlm_response_status response);
  /// Returns how long after now a read's data are there.
  sc_core::sc_time access_target(HostRequest& request, std::uint32_t unit);
  void respond(std::uint32_t unit, tlm::tlm_generic_payload& payload, tlm::tlm_phase phase);
  void end_job(const Tenure& tenure);

  const BusParams params_;
  const BusTiming timing_;
  const std::uint64_t arbitration_ps_;
  const bool parks_;
  HostPort* host_ = nullptr;
  const std::uint32_t slots_;
  std::vector<Function> functions_;  // by unit
  std::vector<Master> masters_;      // 0: the host; n + 1: slot n
  std::uint64_t waiting_ = 0;        // masters with something to do, one bit each
  sc_core::sc_vector<sc_core::sc_signal<bool>> interrupts_;
  std::vector<std::unique_ptr<Job>> owned_jobs_;
  std::vector<Job*> free_jobs_;
  Tenure tenure_;
  std::uint32_t last_master_ = kHostMaster;
  std::uint64_t free_ps_ = 0;           // end of the last tenure's turn-around
  std::uint64_t end_ps_ = 0;            // end of its last data phase
  std::uint64_t owed_overhead_ps_ = 0;  // what lies between the two, credited with the next tenure
  Cause owed_cause_ = kNothing;
  bool finishing_ = false;
  BusListener* listener_ = nullptr;
  std::vector<std::uint8_t> told_;
  tlm::tlm_generic_payload target_payload_;
  Timer end_of_tenure_{[this] { finish(); }};
};

}  // namespace longhaul::pcix
