// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <tuple>

#include "models/common/param.h"
#include "models/nic/genesis/sk9843.h"
#include "models/pcix/bus_timing.h"

namespace longhaul::wan {

/// Settings of NIST Net itself.
struct NistnetSettings {
  Param<sc_core::sc_time> delay_west;  ///< of frames that arrive at the west port
  Param<sc_core::sc_time> delay_east;
  Param<std::uint64_t> seed{"seed",
                            1,
                            "seed of the random streams",
                            {Evidence::kChosen, "models/wan/nistnet/README.md#models"}};

  NistnetSettings();
  auto fields() { return std::tie(delay_west, delay_east, seed); }
};

/// The PC's processor, and the cost of the kernel's steps. Cycles are for code whose data are
/// cached; waits for memory and registers are separate times. README.md#cycles derives each.
struct NistnetCpuParams {
  Param<Frequency> clock{"cpu_clock",
                         {2'400'000'000},
                         "clock of the PC's processor",
                         {Evidence::kMeasured, "Kodama et al. 2003, section 3: Xeon 2.4 GHz"},
                         Range<Frequency>{{100'000'000}, {10'000'000'000}}};
  /// Access time of a line that is not in the cache.
  Param<sc_core::sc_time> memory_latency{
      "memory_latency",
      {125, sc_core::SC_NS},
      "time of a line that is not in the cache",
      {Evidence::kAssumed, "models/wan/nistnet/README.md#cycles"}};
  Param<sc_core::sc_time> halt_exit{"halt_exit",
                                    {3, sc_core::SC_US},
                                    "time that the halted processor takes to its first cycle",
                                    {Evidence::kAssumed, "models/cpu/README.md#halt"}};
  Param<std::uint32_t> interrupt_cycles{
      "interrupt_cycles",
      3500,
      "cycles of an adapter's interrupt, without packets",
      {Evidence::kAssumed, "models/wan/nistnet/README.md#cycles"}};
  Param<std::uint32_t> register_write_cycles{
      "register_write_cycles",
      240,
      "cycles of a write to an adapter's register",
      {Evidence::kAssumed, "models/wan/nistnet/README.md#cycles"}};
  Param<std::uint32_t> receive_cycles{"receive_cycles",
                                      2410,
                                      "cycles to take a packet from the adapter to the backlog",
                                      {Evidence::kAssumed, "models/wan/nistnet/README.md#cycles"}};
  Param<std::uint32_t> receive_lines{"receive_lines",
                                     3,
                                     "cache lines that this misses",
                                     {Evidence::kAssumed, "models/wan/nistnet/README.md#cycles"}};
  /// Shorter frames are copied into a buffer of their size.
  Param<Bytes> copy_below{"copy_below",
                          {nic::sk9843::kCopyBelow.value},
                          "frames below this are copied into a buffer of their size",
                          nic::sk9843::kCopyBelow.source};
  Param<std::uint32_t> copy_cycles{"copy_cycles",
                                   500,
                                   "cycles of such a copy",
                                   {Evidence::kAssumed, "models/wan/nistnet/README.md#cycles"}};
  Param<std::uint32_t> classify_cycles{"classify_cycles",
                                       1800,
                                       "cycles of NIST Net to look a packet up",
                                       {Evidence::kAssumed, "models/wan/nistnet/README.md#cycles"}};
  Param<std::uint32_t> classify_lines{"classify_lines",
                                      1,
                                      "cache lines that the look-up misses",
                                      {Evidence::kAssumed, "models/wan/nistnet/README.md#cycles"}};
  Param<std::uint32_t> forward_cycles{"forward_cycles",
                                      5500,
                                      "cycles of IP and the driver to forward a packet",
                                      {Evidence::kAssumed, "models/wan/nistnet/README.md#cycles"}};
  Param<std::uint32_t> forward_lines{"forward_lines",
                                     2,
                                     "cache lines that forwarding misses",
                                     {Evidence::kAssumed, "models/wan/nistnet/README.md#cycles"}};
  Param<std::uint32_t> free_cycles{"free_cycles",
                                   850,
                                   "cycles to free a sent packet",
                                   {Evidence::kAssumed, "models/wan/nistnet/README.md#cycles"}};
  Param<std::uint32_t> free_lines{"free_lines",
                                  1,
                                  "cache lines that freeing misses",
                                  {Evidence::kAssumed, "models/wan/nistnet/README.md#cycles"}};
  /// Packets of both adapters that wait between interrupt and softirq.
  Param<std::uint32_t> backlog{
      "netdev_max_backlog",
      300,
      "packets that wait between interrupt and softirq, of both adapters",
      {Evidence::kDatasheet, "Linux 2.4 net/core/dev.c: netdev_max_backlog"},
      Range<std::uint32_t>{1, 1'000'000}};

  auto fields() {
    return std::tie(clock, memory_latency, halt_exit, interrupt_cycles, register_write_cycles,
                    receive_cycles, receive_lines, copy_below, copy_cycles, classify_cycles,
                    classify_lines, forward_cycles, forward_lines, free_cycles, free_lines,
                    backlog);
  }

  /// The time of code that takes `cycles` and misses `lines` of its data, in ps, rounded up.
  std::uint64_t code_ps(std::uint64_t cycles, std::uint32_t lines = 0) const {
    return (cycles * 1'000'000'000'000 + clock().hz - 1) / clock().hz +
           lines * to_ps(memory_latency());
  }
};

/// The timer of NIST Net.
struct NistnetTimerParams {
  Param<Frequency> rate{
      "timer_rate",
      {8192},
      "rate of the real-time clock's interrupt, at which delayed packets are released",
      {Evidence::kDatasheet,
       "MC146818 real-time clock: fastest periodic interrupt; that NIST Net runs it at this rate: "
       "models/wan/nistnet/README.md#the-timer"},
      Range<Frequency>{{2}, {1'000'000}}};
  /// An access to a port of the real-time clock, or to port 80h, behind the south bridge.
  Param<sc_core::sc_time> port_access{
      "port_access",
      {1, sc_core::SC_US},
      "time of an access to an I/O port behind the south bridge",
      {Evidence::kAssumed, "models/wan/nistnet/README.md#the-timer"}};
  Param<std::uint32_t> port_accesses{
      "port_accesses",
      4,
      "such accesses in each interrupt of the real-time clock",
      {Evidence::kDatasheet,
       "Linux 2.4 asm-i386/mc146818rtc.h: CMOS_READ is outb_p, inb_p, each with a port 80h write"}};

  auto fields() { return std::tie(rate, port_access, port_accesses); }
};

/// An adapter (nic/genesis/sk9843.h) and its driver's queues. Both adapters of the box are the
/// same.
struct SkAdapterParams {
  Param<Bytes> rx_fifo{"rx_fifo", nic::sk9843::kReceiveRam.value,
                       "packet memory of an adapter for received frames",
                       nic::sk9843::kReceiveRam.source};
  Param<Bytes> tx_fifo{"tx_fifo", nic::sk9843::kTransmitRam.value,
                       "packet memory of an adapter for frames to send",
                       nic::sk9843::kTransmitRam.source};
  Param<std::uint32_t> rx_ring{"rx_ring",
                               nic::sk9843::kRxRing.value,
                               "receive descriptors of an adapter",
                               {Evidence::kAssumed, "models/wan/nistnet/README.md#open-numbers"},
                               Range<std::uint32_t>{1, 65536}};
  Param<std::uint32_t> tx_ring{"tx_ring",
                               nic::sk9843::kTxRing.value,
                               "transmit descriptors of an adapter",
                               {Evidence::kAssumed, "models/wan/nistnet/README.md#open-numbers"},
                               Range<std::uint32_t>{1, 65536}};
  Param<std::uint32_t> tx_queue{
      "tx_queue",
      100,
      "packets that wait ahead of an adapter's ring",
      {Evidence::kDatasheet, "Linux 2.4 net/ethernet/eth.c: tx_queue_len"}};
  Param<Frequency> tx_done_rate{"tx_done_rate", nic::sk9843::kTxInterrupts.value,
                                "rate of interrupts for sent frames at most",
                                nic::sk9843::kTxInterrupts.source,
                                Range<Frequency>{{1}, {1'000'000}}};
  Param<Bytes> burst{"dma_burst",
                     {512},
                     "bytes of a DMA burst",
                     {Evidence::kAssumed, "models/wan/nistnet/README.md#open-numbers"},
                     Range<Bytes>{{8}, {4096}}};
  Param<Bytes> descriptor{"descriptor",
                          {32},
                          "bytes of a descriptor",
                          {Evidence::kAssumed, "models/wan/nistnet/README.md#open-numbers"},
                          Range<Bytes>{{8}, {256}}};

  // The chip. A frame passes through its RAM on receive and on transmit.
  Param<Frequency> chip_clock{"chip_clock",
                              nic::sk9843::kChipClock.value,
                              "clock of an adapter's chip",
                              {Evidence::kDatasheet, "skge.c: ModBase = 53125000 / INTS_PER_SEC"},
                              Range<Frequency>{{1'000'000}, {1'000'000'000}}};
  Param<std::uint32_t> ram_bytes_per_clock{
      "ram_bytes_per_clock",
      nic::sk9843::kRamBytesPerClock.value,
      "bytes that its packet memory moves in a clock",
      {Evidence::kAssumed, "models/nic/genesis/README.md#open-numbers"},
      Range<std::uint32_t>{1, 64}};
  Param<sc_core::sc_time> rx_latency{"rx_latency",
                                     {nic::sk9843::kLatencyNs.value, sc_core::SC_NS},
                                     "from an adapter's MAC to its packet memory",
                                     nic::sk9843::kLatencyNs.source};
  Param<sc_core::sc_time> tx_latency{"tx_latency",
                                     {nic::sk9843::kLatencyNs.value, sc_core::SC_NS},
                                     "from an adapter's packet memory to its MAC",
                                     nic::sk9843::kLatencyNs.source};

  auto fields() {
    return std::tie(rx_fifo, tx_fifo, rx_ring, tx_ring, tx_queue, tx_done_rate, burst, descriptor,
                    chip_clock, ram_bytes_per_clock, rx_latency, tx_latency);
  }

  /// The chip's time for a frame of `octets`, in ps: `latency`, and the moves into and out of its
  /// RAM.
  std::uint64_t chip_ps(const sc_core::sc_time& latency, std::uint64_t octets) const {
    const std::uint64_t clocks = 2 * ((octets + ram_bytes_per_clock() - 1) / ram_bytes_per_clock());
    return to_ps(latency) + (clocks * 1'000'000'000'000 + chip_clock().hz - 1) / chip_clock().hz;
  }
};

/// The bus of both adapters, and the bridge behind it.
struct NistnetBusParams {
  NistnetBusParams();
  pcix::BusParams bus;
  /// Latency of one direction between core or memory and the bus.
  Param<sc_core::sc_time> bridge_latency{"bridge_latency",
                                         {315, sc_core::SC_NS},
                                         "each way between core or memory and the bus",
                                         {Evidence::kFitted, "models/pcix/README.md#latencies"}};
  /// From an adapter's interrupt pin to the processor.
  Param<sc_core::sc_time> interrupt_latency{
      "interrupt_latency",
      {315, sc_core::SC_NS},
      "from an adapter's interrupt pin to the processor",
      {Evidence::kFitted, "models/pcix/README.md#interrupts"}};
  /// Bytes that the bridge fetches for one delayed read.
  Param<Bytes> read_block{
      "read_block",
      {1024},
      "bytes that the bridge fetches for one delayed read",
      {Evidence::kAssumed, "models/pcix/README.md#open-numbers: delayed_read_bytes"},
      Range<Bytes>{{8}, {4096}}};
  /// Wait states of an adapter before it returns a register's value.
  Param<std::uint32_t> register_wait_clocks{
      "register_wait_clocks",
      6,
      "wait states of an adapter before a register's value",
      {Evidence::kAssumed, "models/pcix/README.md#open-numbers: mmio_read_wait_clocks"}};

  auto fields() {
    return std::tuple_cat(bus.fields(), std::tie(bridge_latency, interrupt_latency, read_block,
                                                 register_wait_clocks));
  }
};

/// Numbers of a NIST Net box.
struct NistnetParams {
  NistnetSettings settings;
  NistnetTimerParams timer;
  NistnetCpuParams cpu;
  SkAdapterParams adapter;
  NistnetBusParams bus;

  auto fields() {
    return std::tuple_cat(settings.fields(), timer.fields(), cpu.fields(), adapter.fields(),
                          bus.fields());
  }
};

/// Reads a configuration. `seed` is the box's own seed, unless the configuration gives one. Throws
/// ConfigError whose message starts with `where`.
NistnetParams nistnet_params_from(const nlohmann::json& json, const std::string& where,
                                  std::uint64_t seed);

}  // namespace longhaul::wan
