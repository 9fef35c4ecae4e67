// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/multi_passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/common/event_queue.h"
#include "models/common/fiber.h"
#include "models/common/observe/probe.h"
#include "models/common/ring_buffer.h"
#include "models/common/units.h"
#include "models/hostbus/address_map.h"
#include "models/hostbus/platform_bus_params.h"
#include "models/hostbus/platform_device.h"

namespace longhaul::hostbus {

/// The host's own bus in a machine with platform devices. It is between the cores and the host
/// bridge, and takes the accesses to the devices' windows (address_map.h).
///
/// core_target takes the accesses of any number of cores. It may wait, so call it from a thread or
/// a fiber. A read returns when the device has answered and the latency of the way back has passed.
/// A write is posted: it returns when there is room for it. All accesses reach their devices in one
/// order.
///
/// An access to an empty window, or beyond a device's own, is counted; a read returns all ones, and
/// a write has no effect. Accesses of more than 8 bytes or across a quad-word answer
/// TLM_BURST_ERROR_RESPONSE. All other addresses go to bridge_initiator at once. The devices'
/// accesses to memory, which lies below `memory_end`, go to memory_initiator.
class PlatformBus final : public sc_core::sc_module {
 public:
  using InterruptReceiver = std::function<void(std::uint32_t line, bool asserted)>;

  tlm_utils::multi_passthrough_target_socket_optional<PlatformBus> core_target{"core_target"};
  tlm_utils::simple_initiator_socket<PlatformBus> bridge_initiator{"bridge_initiator"};
  tlm_utils::simple_initiator_socket<PlatformBus> memory_initiator{"memory_initiator"};

  PlatformBus(const sc_core::sc_module_name& name, const PlatformBusParams& params,
              Bytes memory_end, InterruptReceiver receiver);
  ~PlatformBus() override;

  /// Puts a device into the window of that number. The device must outlive the bus's last access.
  /// Throws ConfigError whose message starts with `where` for a number that does not exist or is
  /// taken, and for a window that is too large.
  void add(std::uint32_t number, PlatformDevice& device, const std::string& where);
  const PlatformBusParams& params() const { return params_; }

  observe::Counter core_reads{"core_reads", "1", "reads of platform devices by cores"};
  observe::Counter core_writes{"core_writes", "1", "writes to platform devices by cores"};
  observe::Counter unclaimed{"unclaimed", "1", "accesses of cores that no platform device takes"};
  observe::Counter dma_bytes{"dma_bytes", "B", "bytes that platform devices read or wrote"};
  observe::Counter dma_failures{"dma_failures", "1",
                                "accesses of platform devices to what is no memory"};

 private:
  class Place;
  struct Request {
    Place* place = nullptr;
    std::uint64_t at_ps = 0;  // when it reaches its device
    std::uint64_t address = 0;
    std::uint32_t bytes = 0;
    bool is_read = false;
    std::array<std::uint8_t, 8> data{};
    Condition done;
  };
  struct Dma;

  void core_b_transport(int core, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void read(Request& request, tlm::tlm_generic_payload& payload);
  void post(Request& request);
  void deliver();
  void give_back(Request& request);
  void access_memory(tlm::tlm_command command, std::uint64_t address, std::uint8_t* data,
                     std::uint32_t bytes, DmaClient& client, std::uint64_t tag);
  Request& take_request();

  const PlatformBusParams params_;
  const std::uint64_t memory_end_;
  const InterruptReceiver receiver_;
  std::array<std::unique_ptr<Place>, address_map::kWindows> places_;
  std::vector<std::unique_ptr<Request>> owned_requests_;
  std::vector<Request*> free_requests_;
  RingBuffer<Request*> on_way_;
  std::uint32_t posted_ = 0;
  Condition room_;
  Timer arrives_{[this] { deliver(); }};
  std::vector<std::unique_ptr<Dma>> owned_dma_;
  std::vector<Dma*> free_dma_;
};

}  // namespace longhaul::hostbus
