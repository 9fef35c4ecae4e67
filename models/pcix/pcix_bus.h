// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/common/event_queue.h"
#include "models/common/observe/probe.h"
#include "models/pcix/bus/arbiter.h"
#include "models/pcix/bus/bus_account.h"
#include "models/pcix/bus/host_accesses.h"
#include "models/pcix/bus/tenure_planner.h"
#include "models/pcix/bus/tenure_record.h"
#include "models/pcix/bus_observer.h"
#include "models/pcix/bus_timing.h"
#include "models/pcix/host_port.h"
#include "models/pcix/pcix_device.h"
#include "models/pcix/protocol.h"

namespace longhaul::pcix {

/// A shared PCI-X or PCI bus segment: arbitration, phases in whole bus clocks, split or delayed
/// reads, posted writes, aborts.
///
/// Devices are in slots 0 to slots - 1 and master the bus through the TLM protocol of
/// README.md#protocol. The host bridge is a HostPort. A device may have two functions. Each has its
/// own configuration space, base addresses and interrupt pin; both share the slot's REQ# and GNT#,
/// in the order of their requests.
///
/// One tenure of the bus is one timer, at the end of its last data phase. Throws ConfigError for a
/// mode that does not exist, more slots than device numbers, or a slot that does not exist or is
/// taken.
class PcixBus final : public sc_core::sc_module, private HostBus {
 public:
  PcixBus(const sc_core::sc_module_name& name, const BusParams& params, std::uint32_t slots);

  static constexpr std::uint32_t kFunctions = 2;  ///< most functions of a device (PCI allows eight)
  /// A device number has five bits (PCI 2.3, 3.2.2.3).
  static constexpr std::uint32_t kMostSlots = 32;

  /// The host bridge binds to this socket.
  HostTargetSocket host_socket{"host_socket"};
  /// The socket for a device, or for the second function of a device. Bind before the simulation
  /// starts, function 0 first; a second function sets the multifunction bit of both. Throws
  /// ConfigError for a slot or function that does not exist.
  SlotSocket& slot(std::uint32_t number, std::uint32_t function = 0);
  std::uint32_t slots() const { return slots_; }
  /// Number of places for functions. Function f of slot n has number n + f * slots().
  std::uint32_t units() const override { return static_cast<std::uint32_t>(places_.size()); }
  /// The interrupt pin of a function by that number, active high.
  sc_core::sc_signal<bool>& interrupt(std::uint32_t unit) override { return interrupts_[unit]; }
  /// The line of that pin: INTA# of slot n is on line n, INTB# of slot n on line n + 1.
  std::uint32_t interrupt_line(std::uint32_t unit) const override;
  const BusTiming& timing() const override { return timing_; }
  const BusParams& params() const { return params_; }
  /// Accesses of the bridge to memory and I/O ports that no function claimed, since power-up.
  const UnclaimedAccesses& unclaimed() const { return host_accesses_.unclaimed(); }

  /// Adds a listener, which gets every tenure with all its details until ignore(). Without
  /// listeners a tenure costs one branch.
  void listen(BusListener* listener) { reporter_.add(listener); }
  void ignore(BusListener* listener) { reporter_.remove(listener); }
  /// For listeners: no later record has a REQ#, or a GNT# for an idle bus, before this time.
  std::uint64_t horizon_ps() const { return arbiter_.horizon_ps(); }
  /// For listeners: whether REQ# of a master stays asserted from its last tenure to its next.
  /// Master 0 is the bridge, n + 1 is slot n.
  bool keeps_request(std::uint32_t master) const { return arbiter_.keeps_request(master); }

  BusAccount account{timing_};
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
  /// The bus's end of a slot's socket.
  struct Slot final : SlotInterface {
    tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) override {
      return bus->from_device(unit, payload, phase, delay);
    }
    void read_answered(tlm::tlm_response_status response) override {
      if (bus->host_accesses_.answered(unit, response)) bus->arrived();
    }
    PcixBus* bus = nullptr;
    std::uint32_t unit = 0;
    std::unique_ptr<SlotSocket> socket;
  };

  friend class SlotSocket;
  void plug(std::uint32_t unit, PcixDevice& device);
  /// Whether a bridge is bound. It may be bound later than the bus is made, so this looks for it.
  bool has_host();
  // HostBus.
  void request(HostRequest& request, std::uint64_t ready_ps) override;
  void complete(tlm::tlm_generic_payload& payload, std::uint64_t ready_ps) override;
  tlm::tlm_sync_enum from_device(std::uint32_t unit, tlm::tlm_generic_payload& payload,
                                 tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void arrived();
  void plan();
  void schedule() { end_of_tenure_.set(tenure_.end_ps); }

  // Work at the end of a tenure (pcix_bus_tenure.cc).
  void finish();
  bool refused(const Tenure& tenure);
  void end_write(const Tenure& tenure);
  void end_read_request(const Tenure& tenure);
  void end_delayed_read(const Tenure& tenure);
  void end_completion(const Tenure& tenure);
  void abort_dma(const Tenure& tenure, tlm::tlm_response_status response);
  void respond(std::uint32_t unit, tlm::tlm_generic_payload& payload, tlm::tlm_phase phase);

  const BusParams params_;
  const BusTiming timing_;
  HostPort* host_ = nullptr;
  const std::uint32_t slots_;
  std::vector<Place> places_;  // by number of the function
  std::vector<Slot> sockets_;  // likewise
  sc_core::sc_vector<sc_core::sc_signal<bool>> interrupts_;
  Arbiter arbiter_;
  TenurePlanner planner_;
  TenureReporter reporter_;
  Tenure tenure_;
  HostAccesses host_accesses_;
  Timer end_of_tenure_{[this] { finish(); }};
};

}  // namespace longhaul::pcix
