// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/multi_passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <cstdint>
#include <deque>
#include <memory>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/common/event_queue.h"
#include "models/common/observe/probe.h"
#include "models/common/ring_buffer.h"
#include "models/memory/device_access.h"
#include "models/pcix/host_bridge_params.h"
#include "models/pcix/host_port.h"
#include "models/pcix/link_pipe.h"
#include "models/pcix/pcix_bus.h"

namespace longhaul::pcix {

/// Receives interrupt messages: writes to the MSI window. A message comes after all writes that its
/// device made before it.
class MsiReceiver {
 public:
  virtual ~MsiReceiver() = default;
  virtual void msi(std::uint64_t address, std::uint16_t data) = 0;
};

/// Receives changes of an interrupt line (PcixBus::interrupt_line). A line is asserted while any
/// pin on it is. Assertion arrives after `interrupt_latency`, as a message of the I/O APIC.
/// Deassertion takes effect at once: the I/O APIC reads the pin when the processor has ended the
/// interrupt.
class IntxReceiver {
 public:
  virtual ~IntxReceiver() = default;
  virtual void intx(std::uint32_t line, bool asserted) = 0;
};

/// Joins cores, memory and a PCI-X bus.
///
/// core_target takes the accesses of any number of cores in the address map of address_map.h. It
/// may wait, so call it from a thread or a fiber. Memory addresses go to memory_initiator.
///
/// A read of a device returns after the round trip over the bus, and not before every DMA write
/// that crossed the bus earlier is in memory. A write to memory space returns when the posted-write
/// buffer has it; a write to I/O or configuration space returns when the device has it. Reads that
/// no device claims return all ones.
///
/// A device access answers TLM_BURST_ERROR_RESPONSE if it is longer than 8 bytes or crosses a
/// quad-word (I/O: 4 bytes, a DWORD).
class HostBridge final : public sc_core::sc_module, private HostPort {
 public:
  tlm_utils::multi_passthrough_target_socket_optional<HostBridge> core_target{"core_target"};
  tlm_utils::simple_initiator_socket<HostBridge> memory_initiator{"memory_initiator"};
  HostInitiatorSocket bus_socket{"bus_socket"};

  HostBridge(const sc_core::sc_module_name& name, const HostBridgeParams& params);

  /// Set the receivers of interrupts. Null (initially) drops the interrupts.
  void set_msi_receiver(MsiReceiver* receiver) { msi_receiver_ = receiver; }
  void set_intx_receiver(IntxReceiver* receiver) { intx_receiver_ = receiver; }
  const HostBridgeParams& params() const { return params_; }
  /// Limits that the bridge's maker tells firmware to set in the devices behind it.
  struct ReadLimits {
    std::uint32_t max_read_bytes;
    std::uint32_t max_outstanding;
  };
  ReadLimits read_limits(const BusTiming& timing) const;

  observe::Counter core_reads{"core_reads", "1", "device, I/O and configuration reads by cores"};
  observe::Counter core_writes{"core_writes", "1", "device, I/O and configuration writes by cores"};
  observe::Counter messages{"messages", "1", "interrupt messages delivered"};
  observe::Level waiting_reads{"waiting_reads", "1",
                               "reads that were taken but whose data cannot be fetched yet"};
  observe::Level posted_dma{"posted_dma", "B",
                            "bytes of DMA writes on their way to memory, seen when one is added"};

 private:
  struct Drain {
    std::uint64_t done_ps;
    std::uint32_t bytes;
  };
  struct Message {
    std::uint64_t at_ps;
    std::uint64_t address;
    std::uint16_t data;
  };

  /// One line of the I/O APIC. It counts as asserted from the pin's rise, while the message is on
  /// its way and after.
  struct InterruptLine {
    InterruptLine(HostBridge& bridge, std::uint32_t number)
        : arrives([&bridge, number] { bridge.tell(number, true); }) {}
    bool told = false;
    Timer arrives;
  };

  static constexpr std::uint64_t kPaceBytes = 128;

  void end_of_elaboration() override;

  // From cores.
  void core_b_transport(int core, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void access_device(tlm::tlm_generic_payload& payload);
  HostRequest& take_request();

  // From the bus.
  Decode decode(const tlm::tlm_generic_payload& payload, std::uint32_t offset,
                std::uint64_t start_ps) override;
  tlm::tlm_response_status take_write(tlm::tlm_generic_payload& payload, std::uint32_t offset,
                                      std::uint32_t bytes) override;
  void take_read(tlm::tlm_generic_payload& payload, std::uint32_t offset,
                 std::uint32_t bytes) override;
  void completion_gone(const tlm::tlm_generic_payload& payload) override;
  void host_done(HostRequest& request) override;
  bool completions_take_turns() const override { return params_.completions_take_turns(); }

  struct Fetch {
    tlm::tlm_generic_payload* payload;
    std::uint32_t offset;
    std::uint32_t bytes;
  };
  void fetch(const Fetch& read);
  /// Bytes of a read that one request to memory brings: all of them in PCI-X, up to the prefetch
  /// boundary in conventional PCI.
  std::uint32_t fetched_bytes(std::uint64_t address, std::uint32_t bytes) const;
  LinkPipe& downstream_link() {
    return params_.link_is_shared() ? upstream_link_ : downstream_link_;
  }

  /// Moves bytes between `payload` and memory. Returns the time, in ps from now, until they are in
  /// memory (write) or here (read). `access_` carries the parameters and results of a read.
  std::uint64_t access_memory(tlm::tlm_generic_payload& payload, std::uint32_t offset,
                              std::uint32_t bytes, tlm::tlm_response_status& response);
  /// A write's data with the elided zeros filled in, for a memory that does not support elision.
  /// Valid until the next call.
  std::uint8_t* with_zeros(const std::uint8_t* data, std::uint32_t bytes);
  /// Bytes of a write that the posted-write buffer can take, with `room` in it when the burst
  /// starts. The buffer drains while it fills.
  std::uint64_t flows_through(std::uint64_t room, std::uint64_t start_ps) const;
  void take_message(const tlm::tlm_generic_payload& payload);
  void deliver_messages();
  void pin_changed(std::uint32_t line);
  void tell(std::uint32_t line, bool asserted);

  const HostBridgeParams params_;
  MsiReceiver* msi_receiver_ = nullptr;
  IntxReceiver* intx_receiver_ = nullptr;
  std::vector<std::unique_ptr<HostRequest>> owned_requests_;
  std::vector<HostRequest*> free_requests_;
  std::uint32_t posted_writes_ = 0;
  std::uint32_t split_reads_ = 0;   // taken: being fetched, waiting to be fetched, or waiting for
                                    // the bus
  std::uint32_t active_reads_ = 0;  // being fetched or waiting for the bus
  RingBuffer<Fetch> waiting_reads_;
  LinkPipe upstream_link_;
  LinkPipe downstream_link_;
  RingBuffer<Drain> drains_;
  std::uint64_t draining_bytes_ = 0;
  std::uint64_t last_drain_ps_ = 0;
  // ps for kPaceBytes into memory, as in the last burst. Initially a value that is never reached.
  std::uint64_t drain_pace_ = 1ULL << 40;
  RingBuffer<Message> messages_;
  std::deque<InterruptLine> lines_;
  tlm::tlm_generic_payload memory_payload_;
  memory::DeviceAccess& access_;  // extension of memory_payload_
  std::vector<std::uint8_t> whole_;
  Condition posted_room_;
  Timer message_due_{[this] { deliver_messages(); }};
};

}  // namespace longhaul::pcix
