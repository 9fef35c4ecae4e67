// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <systemc>
#include <utility>

#include "models/common/register_bank.h"
#include "models/net/mac/eth_mac.h"
#include "models/net/mac/pause_watermark.h"
#include "models/nic/blocks/address_filter.h"
#include "models/nic/blocks/engine.h"
#include "models/nic/blocks/packet_fifo.h"
#include "models/nic/intel/descriptor_ring.h"
#include "models/nic/intel/descriptors.h"
#include "models/nic/intel/engine_speed.h"
#include "models/nic/intel/filter_tables.h"
#include "models/nic/intel/regs.h"

namespace longhaul::nic::intel {

/// Sizes and speeds of a receive unit; an adapter takes them from its own Params, which say where
/// they come from.
struct RxUnitParams {
  Bytes fifo;
  Bytes largest_fifo;  ///< that set_fifo() may ask for
  std::uint32_t fifo_granule;
  std::uint32_t descriptor_cache;
  std::uint32_t descriptor_burst;
  Frequency engine_clock;
  EngineSpeed speed;
  bool checksum_ipv6;
};

/// What the address filter said of a frame, as far as the statistics tell them apart.
enum class Cast { kUnicast, kMulticast, kBroadcast };
Cast cast_of(const Frame& frame);

/// The receive unit of Intel's controllers: frames from the MAC in, buffers and descriptors in host
/// memory out. An adapter adds registers, moderation and statistics.
///
/// A frame that passes the size check and the filters enters the packet buffer when its last bit
/// has arrived, or is counted as missed when there is no room. The engine (packet_clocks a frame,
/// descriptor_clocks a descriptor, kib_clocks for its bytes) writes it out `latency` later at the
/// earliest, with up to `ahead` buffers under way. The descriptor's write-back follows the data on
/// the bus; then the adapter is told.
class RxUnit : public sc_core::sc_module,
               public FrameSink,
               private DescriptorUser,
               private pcix::DmaClient {
 public:
  using TableOffsets = FilterTables::Offsets;

  RxUnit(const sc_core::sc_module_name& name, const RxUnitParams& params,
         const TableOffsets& tables, RegisterBank& bank, pcix::DmaEngine& dma, EthMac& mac,
         std::function<void()> carrier_changed, std::function<void(bool)> enabled_changed);

  /// Device reset; entry 0 of the exact filter becomes `own_address`. The DMA engine was told to
  /// abandon its transfers.
  virtual void reset(const MacAddress& own_address);
  /// Entry 0 of the exact filter becomes the EEPROM's address.
  void load_own_address(const MacAddress& address) { tables_.load_own_address(address); }
  bool enabled() const { return (control_ & kRctlFields.en) != 0; }
  /// Packets in the buffer.
  std::uint32_t buffered() const { return fifo_.size(); }

  void frame_received(const FrameRef& frame) override;
  void frame_refused(const FrameRef& frame, RxFault fault) override;
  void carrier_changed(bool) override { on_carrier_(); }

  const Engine& engine() const { return engine_; }
  /// For what the engine begins from now on.
  void set_speed(const EngineSpeed& speed) { params_.speed = speed; }

  observe::Counter frames{"frames", "frame", "frames written to host memory"};
  observe::Counter bytes{"bytes", "B", "bytes of them, FCS included"};
  observe::Counter missed{"missed", "frame", "frames lost because the packet buffer was full"};
  observe::Counter filtered{"filtered", "frame", "frames for other stations or VLANs"};
  observe::Counter oversize{"oversize", "frame", "frames longer than the device is set to take"};
  observe::Counter dma_errors{"dma_errors", "1",
                              "buffers whose writing ended in an error on the bus"};
  observe::FrameTap taps{"taps",
                         "frames taken into the packet buffer, and those dropped, with the reason"};
  observe::SpanTap starved{
      "starved",
      "frames wait and no receive descriptor is there; arg0 bytes in the packet buffer at the end"};

  std::pair<std::uint64_t, std::uint64_t> ring_memory() const { return ring_.memory(); }

 protected:
  // What an adapter says.
  /// Largest frame that it takes now, FCS included, and tag if it has one.
  virtual std::uint32_t largest_frame(bool tagged) const = 0;
  virtual bool strips_tags() const = 0;
  struct Checks {
    bool ip;
    bool l4;
  };
  virtual Checks checks() const = 0;
  /// What goes into bytes 10 and 11 of the last descriptor.
  virtual std::uint16_t packet_checksum(const std::uint8_t*, std::uint32_t, std::uint32_t) const {
    return 0;
  }

  // What an adapter is told.
  /// A packet is in memory, with its descriptors (or they wait for the write-back threshold).
  virtual void packet_written() = 0;
  virtual void descriptors_low() = 0;
  /// Any frame that arrived while the receiver was on, good or bad; octets include the FCS in all
  /// of these.
  virtual void count_any(std::uint32_t octets) = 0;
  virtual void count_good(const Frame& frame, std::uint32_t octets, bool tagged) = 0;
  virtual void count_oversize() = 0;
  virtual void count_length_error() = 0;
  /// A frame that the MAC refused. `damaged`: its FCS is wrong too.
  virtual void count_refused(RxFault fault, bool damaged) = 0;
  virtual void count_missed() = 0;
  virtual void count_no_descriptor() = 0;

  // For an adapter's registers.
  DescriptorRing& ring() { return ring_; }
  const DescriptorRing& ring() const { return ring_; }
  std::uint32_t head() const { return ring_.head(); }
  std::uint32_t tail() const { return ring_.tail(); }
  /// RCTL was written: filters, enable, what becomes of the FCS; `buffer_bytes` is what its size
  /// fields mean.
  void control(std::uint32_t rctl, std::uint32_t buffer_bytes);
  void set_thresholds(const DescriptorRing::Thresholds& thresholds);
  /// Writes of the head register count only while the unit is at rest.
  void set_head(std::uint32_t index);
  void ring_doorbell(std::uint32_t index);
  /// PAUSE thresholds in bytes; none are sent with `send` false.
  void set_pause(bool send, std::uint32_t high, std::uint32_t low, std::uint16_t quanta,
                 bool send_xon);
  /// The packet buffer's size, from the next reset on.
  void set_fifo(Bytes size) { next_fifo_ = size; }
  void set_vlan_type(std::uint16_t type) { vlan_type_ = type; }

 private:
  struct Item {
    FrameRef frame;
    std::uint32_t skip = 0;    // bytes in front that are not written: a stripped tag's
    std::uint32_t offset = 0;  // written or under way, from skip on
    std::uint32_t writes = 0;  // under way
    std::uint32_t reserved = 0;
    std::uint8_t status = 0;
    std::uint8_t errors = 0;
    std::uint16_t special = 0;
    std::uint16_t checksum = 0;
    std::uint64_t ready_ps = 0;
    std::uint32_t left() const { return frame->size() - skip - offset; }
  };

  void descriptors_arrived() override { engine_.kick(); }
  void written_back(std::uint64_t begin, std::uint64_t end) override;
  void dma_done(std::uint64_t tag, pcix::DmaStatus status) override;

  bool wanted_size(const FrameRef& frame, bool vlan) const;
  void take_in(const FrameRef& frame, AddressMatch match, bool vlan, std::uint8_t errors);
  void classify(Item& item, bool vlan) const;
  void drop(const FrameRef& frame, observe::Counter& counter, const char* why);
  Step step();
  void write_buffer(Item& item, std::uint32_t place);
  static void fill_descriptor(std::uint8_t* descriptor, const Item& item, std::uint32_t length);
  void note_starving(bool starving);
  void set_filter();
  void update_pause() { pause_.update(fifo_.fill.value()); }

  RxUnitParams params_;
  pcix::DmaEngine& dma_;
  EthMac& mac_;
  std::function<void()> on_carrier_;
  std::function<void(bool)> on_enabled_;
  DescriptorRing ring_;
  PacketFifo<Item> fifo_;
  AddressFilter filter_{FilterTables::kExactAddresses};
  FilterTables tables_;
  PauseWatermark pause_;
  Engine engine_;
  Bytes next_fifo_;
  std::uint32_t control_ = 0;  // RCTL
  std::uint32_t buffer_bytes_ = 2048;
  std::uint16_t vlan_type_ = kVlanType;
  std::uint32_t started_ = 0;  // items of the buffer whose last write is under way
  bool item_open_ = false;     // the one behind them has begun
  std::uint32_t writes_under_way_ = 0;
  std::uint32_t write_back_ = 0;  // threshold
  bool starving_ = false;
  std::uint64_t starving_since_ps_ = 0;
};

}  // namespace longhaul::nic::intel
