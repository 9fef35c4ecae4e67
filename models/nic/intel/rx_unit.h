// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <systemc>
#include <utility>

#include "models/common/engine.h"
#include "models/common/packet_fifo.h"
#include "models/common/register_bank.h"
#include "models/net/mac/eth_mac.h"
#include "models/net/mac/pause_watermark.h"
#include "models/nic/blocks/address_filter.h"
#include "models/nic/blocks/cast.h"
#include "models/nic/intel/descriptor_ring.h"
#include "models/nic/intel/descriptors.h"
#include "models/nic/intel/engine_speed.h"
#include "models/nic/intel/filter_tables.h"
#include "models/nic/intel/regs.h"

namespace longhaul::nic::intel {

/// Sizes and speeds of a receive unit. An adapter takes them from its own Params, which give their
/// sources.
struct RxUnitParams {
  Bytes fifo;
  Bytes largest_fifo;  ///< limit of set_fifo()
  std::uint32_t fifo_granule;
  std::uint32_t descriptor_cache;
  std::uint32_t descriptor_burst;
  Frequency engine_clock;
  EngineSpeed speed;
  bool checksum_ipv6;
};

/// The receive unit of Intel's controllers: takes frames from the MAC and writes buffers and
/// descriptors in host memory. An adapter adds registers, moderation and statistics.
///
/// A frame that passes the size check and the filters enters the packet buffer when its last bit
/// has arrived; without room it counts as missed. The engine (packet_clocks a frame,
/// descriptor_clocks a descriptor, kib_clocks for its bytes) writes it to memory, at the earliest
/// `latency` later. Up to `ahead` buffers are in progress.
///
/// The descriptor's write-back follows the data on the bus; then the adapter is called.
class RxUnit : public sc_core::sc_module,
               public FrameSink,
               private DescriptorUser,
               private pcix::DmaClient {
 public:
  using TableOffsets = FilterTables::Offsets;

  RxUnit(const sc_core::sc_module_name& name, const RxUnitParams& params,
         const TableOffsets& tables, RegisterBank& bank, pcix::DmaEngine& dma, EthMac& mac,
         std::function<void()> carrier_changed, std::function<void(bool)> enabled_changed);

  /// Device reset. Entry 0 of the exact filter becomes `own_address`. Called after the DMA engine
  /// was told to abandon its transfers.
  virtual void reset(const MacAddress& own_address);
  /// Sets entry 0 of the exact filter to the EEPROM's address.
  void load_own_address(const MacAddress& address) { tables_.load_own_address(address); }
  bool enabled() const { return (control_ & kRctlFields.en) != 0; }
  /// Packets in the buffer.
  std::uint32_t buffered() const { return fifo_.size(); }

  void frame_received(const FrameRef& frame) override;
  void frame_refused(const FrameRef& frame, RxFault fault) override;
  void carrier_changed(bool) override { on_carrier_(); }

  const Engine& engine() const { return engine_; }
  /// Sets the speed for all work that the engine begins later.
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
  // Functions that an adapter defines to describe itself.
  /// Largest frame that it accepts at present, FCS included, and the VLAN tag if there is one.
  virtual std::uint32_t largest_frame(bool tagged) const = 0;
  virtual bool strips_tags() const = 0;
  struct Checks {
    bool ip;
    bool l4;
  };
  virtual Checks checks() const = 0;
  /// The value of bytes 10 and 11 of the last descriptor.
  virtual std::uint16_t packet_checksum(const std::uint8_t*, std::uint32_t, std::uint32_t) const {
    return 0;
  }

  // Functions that an adapter defines to handle events.
  /// A packet is in memory with its descriptors, or these wait for the write-back threshold.
  virtual void packet_written() = 0;
  /// The adapter's ring().flush() has ended. The packets that packet_written() had told of are in
  /// memory with their descriptors.
  void flushed() override = 0;
  virtual void descriptors_low() = 0;
  /// Counts any frame that arrived while the receiver was on, good or bad. Octets include the FCS
  /// in all of these functions.
  virtual void count_any(std::uint32_t octets) = 0;
  virtual void count_good(const Frame& frame, std::uint32_t octets, bool tagged) = 0;
  virtual void count_oversize() = 0;
  virtual void count_length_error() = 0;
  /// Counts a frame that the MAC refused. `damaged`: its FCS is wrong, too.
  virtual void count_refused(RxFault fault, bool damaged) = 0;
  virtual void count_missed() = 0;
  virtual void count_no_descriptor() = 0;

  // Functions for an adapter's registers.
  DescriptorRing& ring() { return ring_; }
  const DescriptorRing& ring() const { return ring_; }
  std::uint32_t head() const { return ring_.head(); }
  std::uint32_t tail() const { return ring_.tail(); }
  /// RCTL was written: sets filters, enable and the handling of the FCS. `buffer_bytes` is the
  /// meaning of its size fields.
  void control(std::uint32_t rctl, std::uint32_t buffer_bytes);
  void set_thresholds(const DescriptorRing::Thresholds& thresholds) {
    ring_.set_thresholds(thresholds);
  }
  /// Sets the head; ignored unless the unit is at rest.
  void set_head(std::uint32_t index);
  void ring_doorbell(std::uint32_t index);
  /// Sets the PAUSE thresholds in bytes. Without `send`, no PAUSE is sent.
  void set_pause(bool send, std::uint32_t high, std::uint32_t low, std::uint16_t quanta,
                 bool send_xon);
  /// Sets the packet buffer's size, from the next reset on.
  void set_fifo(Bytes size) { next_fifo_ = size; }
  void set_vlan_type(std::uint16_t type) { vlan_type_ = type; }

 private:
  struct Item {
    FrameRef frame;
    std::uint32_t skip = 0;    // bytes at the front that are not written: a stripped tag
    std::uint32_t offset = 0;  // bytes written or in progress, counted from skip
    std::uint32_t writes = 0;  // in progress
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
  std::uint32_t started_ = 0;  // items of the buffer whose last write is in progress
  bool item_open_ = false;     // the item after these has begun
  std::uint32_t writes_under_way_ = 0;
  bool starving_ = false;
  std::uint64_t starving_since_ps_ = 0;
};

}  // namespace longhaul::nic::intel
