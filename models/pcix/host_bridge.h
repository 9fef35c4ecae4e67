// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <cstdint>
#include <memory>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/common/fifo.h"
#include "models/common/param.h"
#include "models/pcix/host_port.h"
#include "models/pcix/pcix_bus.h"
#include "platform/observe/probe.h"

namespace longhaul::pcix {

/// A HyperTransport-to-PCI-X tunnel of the AMD-8131's kind. The maker prints features, not depths or latencies.
struct HostBridgeParams {
  Param<sc_core::sc_time> downstream_latency{
      "downstream_latency", {110, sc_core::SC_NS}, {Evidence::kAssumed, "models/pcix/README.md#open-numbers"}};
  Param<sc_core::sc_time> upstream_latency{
      "upstream_latency", {110, sc_core::SC_NS}, {Evidence::kAssumed, "models/pcix/README.md#open-numbers"}};
  Param<sc_core::sc_time> core_write_time{
      "core_write_time", {20, sc_core::SC_NS}, {Evidence::kAssumed, "models/pcix/README.md#open-numbers"}};
  Param<std::uint32_t> posted_core_writes{"posted_core_writes",
                                          8,
                                          {Evidence::kAssumed, "models/pcix/README.md#open-numbers"},
                                          Range<std::uint32_t>{1, 256}};
  Param<Bytes> posted_dma_bytes{"posted_dma_bytes",
                                {4096},
                                {Evidence::kAssumed, "models/pcix/README.md#open-numbers"},
                                Range<Bytes>{{256}, {1U << 20}}};
  Param<std::uint32_t> split_reads{
      "split_reads", 8, {Evidence::kAssumed, "models/pcix/README.md#open-numbers"}, Range<std::uint32_t>{1, 32}};
  Param<Bytes> completion_start_bytes{"completion_start_bytes",
                                      {128},
                                      {Evidence::kAssumed, "models/pcix/README.md#open-numbers"},
                                      Range<Bytes>{{64}, {4096}}};
  auto fields() {
    return std::tie(downstream_latency, upstream_latency, core_write_time, posted_core_writes, posted_dma_bytes,
                    split_reads, completion_start_bytes);
  }
};

/// Takes interrupt messages: writes to the MSI window, each after the writes that its device made before it.
class MsiReceiver {
 public:
  virtual ~MsiReceiver() = default;
  virtual void msi(std::uint64_t address, std::uint16_t data) = 0;
};

/// Takes INTA# of a slot whenever its level changes.
class IntxReceiver {
 public:
  virtual ~IntxReceiver() = default;
  virtual void intx(std::uint32_t slot, bool asserted) = 0;
};

/// Joins cores, memory and a PCI-X bus.
///
/// core_target takes the accesses of cores in the address map of address_map.h; it may wait, so call it from a thread. A read
/// of a device returns after the round trip over the bus, and not before every DMA write that crossed the bus earlier is in
/// memory; a write returns when the posted-write buffer has it. Reads that nobody claims give all-ones. Device accesses of
/// more than 8 bytes or across a quad-word answer TLM_BURST_ERROR_RESPONSE. Memory addresses go to memory_initiator.
class HostBridge final : public sc_core::sc_module, private HostPort {
 public:
  tlm_utils::simple_target_socket<HostBridge> core_target{"core_target"};
  tlm_utils::simple_initiator_socket<HostBridge> memory_initiator{"memory_initiator"};

  HostBridge(const sc_core::sc_module_name& name, const HostBridgeParams& params, PcixBus& bus);

  /// Who takes interrupts; null (the start) drops them.
  void set_msi_receiver(MsiReceiver* receiver) { msi_receiver_ = receiver; }
  void set_intx_receiver(IntxReceiver* receiver) { intx_receiver_ = receiver; }
  const HostBridgeParams& params() const { return params_; }

  observe::Counter core_reads{"core_reads", "1", "device and configuration reads by cores"};
  observe::Counter core_writes{"core_writes", "1", "device and configuration writes by cores"};
  observe::Counter messages{"messages", "1", "interrupt messages delivered"};
  observe::Level posted_dma{"posted_dma", "B", "bytes of DMA writes on their way to memory, seen when one is added"};

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

  static constexpr std::uint64_t kPaceBytes = 128;

  // From cores.
  void core_b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void access_device(tlm::tlm_generic_payload& payload);
  HostRequest& take_request();

  // From the bus.
  Decode decode(const tlm::tlm_generic_payload& payload, std::uint32_t offset, std::uint64_t start_ps) override;
  tlm::tlm_response_status take_write(tlm::tlm_generic_payload& payload, std::uint32_t offset,
                                      std::uint32_t bytes) override;
  void take_read(tlm::tlm_generic_payload& payload) override;
  void completion_gone(const tlm::tlm_generic_payload& payload) override;
  void host_done(HostRequest& request) override;

  /// Moves bytes between `payload` and memory; returns when they are there (write) or here (read), in ps from now.
  std::uint64_t access_memory(const tlm::tlm_generic_payload& payload, std::uint32_t offset, std::uint32_t bytes,
                              tlm::tlm_response_status& response);
  /// Bytes of a write that the posted buffer can pass on, with `room` in it when the burst starts.
  std::uint64_t flows_through(std::uint64_t room, std::uint64_t start_ps) const;
  void take_message(const tlm::tlm_generic_payload& payload);
  void message_method();

  const HostBridgeParams params_;
  PcixBus& bus_;
  MsiReceiver* msi_receiver_ = nullptr;
  IntxReceiver* intx_receiver_ = nullptr;
  std::vector<std::unique_ptr<HostRequest>> owned_requests_;
  std::vector<HostRequest*> free_requests_;
  std::uint32_t posted_writes_ = 0;
  std::uint32_t split_reads_ = 0;
  Fifo<Drain> drains_;
  std::uint64_t draining_bytes_ = 0;
  std::uint64_t last_drain_ps_ = 0;
  std::uint64_t drain_pace_ = 1ULL << 40;  // ps for kPaceBytes into memory, as the last burst saw it; unknown: never
  Fifo<Message> messages_;
  tlm::tlm_generic_payload memory_payload_;
  sc_core::sc_event posted_room_event_{"posted_room_event"};
  sc_core::sc_event message_event_{"message_event"};
};

}  // namespace longhaul::pcix
