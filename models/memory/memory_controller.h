// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_target_socket.h>
#include <cstdint>
#include <systemc>
#include <tlm>

#include "models/common/param.h"
#include "models/memory/backing_store.h"
#include "platform/observe/probe.h"

namespace longhaul::memory {

/// Two channels of DDR400 behind a K8's own controller.
struct MemoryParams {
  Param<std::uint32_t> channels{
      "channels",
      2,
      {Evidence::kDatasheet, "AMD 23932 (Opteron data sheet): 128-bit memory interface, two 64-bit channels"},
      Range<std::uint32_t>{1, 8}};
  Param<std::uint32_t> channel_bytes{
      "channel_bytes", 8, {Evidence::kStandard, "JEDEC JESD79C: 64 data lines of a DIMM"}, Range<std::uint32_t>{4, 8}};
  Param<Frequency> transfer_rate{"transfer_rate",
                                 {400'000'000},
                                 {Evidence::kStandard, "JEDEC JESD79C, DDR400: two transfers a 200 MHz clock"},
                                 Range<Frequency>{{100'000'000}, {4'000'000'000}}};
  Param<double> efficiency{
      "efficiency", 0.75, {Evidence::kAssumed, "models/memory/README.md#open-numbers"}, Range<double>{0.1, 1.0}};
  Param<sc_core::sc_time> read_latency{
      "read_latency",
      {60, sc_core::SC_NS},
      {Evidence::kMeasured,
       "J. D. McCalpin, AMD Opteron Local Memory Latency Chart (2010): K8, 1 and 2 sockets, open page"}};
  Param<Bytes> burst{"burst",
                     {64},
                     {Evidence::kDatasheet, "AMD 25112 (K8 software optimization guide): 64-byte cache lines"},
                     Range<Bytes>{{16}, {256}}};
  auto fields() { return std::tie(channels, channel_bytes, transfer_rate, efficiency, read_latency, burst); }
};

/// One memory controller: bandwidth, latency and contention, and the backing store.
///
/// dma_target (bridges) and core_target (optional) take b_transport with annotated delay and never wait: delay grows to when
/// the last byte has moved. DMA is served first come, first served in whole bursts. Cores' traffic runs beside it: while both
/// have work their bursts alternate, so each gets half the bandwidth at least, and what DMA took from a core's transfer
/// after its time was told lengthens the next (README.md#timing). On core_target a payload with TLM_IGNORE_COMMAND is traffic
/// of data_length bytes without address or data, as occupy() takes it. An address outside the store answers
/// TLM_ADDRESS_ERROR_RESPONSE and takes no time. get_direct_mem_ptr() gives the whole store.
class MemoryController final : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket_optional<MemoryController> dma_target{"dma_target"};
  tlm_utils::simple_target_socket_optional<MemoryController> core_target{"core_target"};

  /// On a mapping of somebody else's.
  MemoryController(const sc_core::sc_module_name& name, const MemoryParams& params, const MemoryMapping& mapping);
  /// On `size` bytes of its own, zero at first, from physical address 0. Throws ConfigError if the machine has not got them.
  MemoryController(const sc_core::sc_module_name& name, const MemoryParams& params, Bytes size);

  /// Time that a core's traffic of `bytes` takes from now; occupies the channels. `bytes` counts each crossing: a copy of n
  /// bytes that misses the caches reads n and writes n.
  sc_core::sc_time occupy(std::uint64_t bytes);

  /// From now on, devices and cores find nothing below `address`.
  void hide_below(std::uint64_t address);

  /// Bandwidth after efficiency, in bytes per second.
  std::uint64_t bytes_per_s() const { return bytes_per_s_; }
  const MemoryMapping& mapping() const { return store_.mapping(); }
  const MemoryParams& params() const { return params_; }

  observe::Counter dma_bytes{"dma_bytes", "B", "bytes that devices read or wrote"};
  observe::Counter core_bytes{"core_bytes", "B", "bytes of cores' traffic"};
  observe::Counter busy_ps{"busy_ps", "ps", "time for which the channels were booked, at full bandwidth"};
  observe::Counter dma_waited_ps{"dma_waited_ps", "ps", "time by which others delayed DMA accesses"};
  observe::Counter core_waited_ps{"core_waited_ps", "ps", "time by which DMA delayed cores' traffic"};

 private:
  void dma_b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  void core_b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  bool direct(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi);
  unsigned debug(tlm::tlm_generic_payload& payload);
  /// Time of `bytes` at full bandwidth in whole bursts; what is below a picosecond is carried to the next.
  std::uint64_t service_ps(std::uint64_t address, std::uint64_t bytes);
  std::uint64_t book_dma(std::uint64_t arrival_ps, std::uint64_t address, std::uint64_t bytes);
  void connect();

  const MemoryParams params_;
  BackingStore store_;
  std::uint64_t bytes_per_s_ = 0;
  std::uint64_t burst_time_ = 0;  // of one burst at full bandwidth, in 1/1024 ps
  std::uint64_t remainder_ = 0;   // of booked time, in 1/1024 ps
  std::uint64_t dma_free_ps_ = 0;
  std::uint64_t core_free_ps_ = 0;
  std::uint64_t core_owes_ps_ = 0;  // taken by DMA from traffic whose time had been told
};

}  // namespace longhaul::memory
