// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <systemc>

#include "models/net/mac/pause_watermark.h"
#include "models/nic/blocks/address_filter.h"
#include "models/nic/blocks/delay_timer.h"
#include "models/nic/blocks/descriptor_ring.h"
#include "models/nic/blocks/engine.h"
#include "models/nic/blocks/packet_fifo.h"
#include "models/nic/ixgb/parts.h"
#include "models/nic/ixgb/regs.h"

namespace longhaul::nic::ixgb {

/// The receive unit of the 82597EX: frames from the MAC in, buffers and descriptors in host memory
/// out.
///
/// A frame that passes the size check and the filters enters the packet buffer when its last bit
/// has arrived, or is counted as missed when there is no room. The engine (rx_packet_clocks a frame,
/// rx_descriptor_clocks a descriptor, rx_kib_clocks for its bytes) writes it out rx_latency later at
/// the earliest, with up to
/// rx_writes_ahead buffers under way. The descriptor's write-back follows the data on the bus; then
/// the receive timer runs (RDTR, or RAIDC in its place).
class IxgbRx final : public sc_core::sc_module, public FrameSink, private DescriptorUser, private DmaClient {
 public:
  IxgbRx(const sc_core::sc_module_name& name, const IxgbParts& parts, std::function<void()> carrier_changed,
         std::function<void(bool)> enabled_changed);

  /// Device reset; entry 0 of the exact filter becomes `own_address`. The DMA engine was told to
  /// abandon its transfers.
  void reset(const MacAddress& own_address);
  /// Entry 0 of the exact filter becomes the EEPROM's address.
  void load_own_address(const MacAddress& address);
  /// CTRL0 or MFS changed.
  void update_sizes();
  /// FCRTL, FCRTH or PAP changed.
  void update_thresholds();
  bool enabled() const { return rctl_.has(regs::rctl::kRxen); }

  void frame_received(const FrameRef& frame) override;
  void frame_refused(const FrameRef& frame, RxFault fault) override;
  void carrier_changed(bool) override { on_carrier_(); }

  const Engine& engine() const { return engine_; }

  observe::Counter frames{"frames", "frame", "frames written to host memory"};
  observe::Counter bytes{"bytes", "B", "bytes of them, FCS included"};
  observe::Counter missed{"missed", "frame", "frames lost because the packet buffer was full"};
  observe::Counter filtered{"filtered", "frame", "frames for other stations or VLANs"};
  observe::Counter oversize{"oversize", "frame", "frames longer than CTRL0.JFE and MFS allow"};
  observe::Counter dma_errors{"dma_errors", "1", "buffers whose writing ended in an error on the bus"};
  observe::FrameTap taps{"taps", "frames taken into the packet buffer, and those dropped, with the reason"};
  observe::SpanTap starved{
      "starved", "frames wait and no receive descriptor is there; arg0 bytes in the packet buffer at the end"};

  std::pair<std::uint64_t, std::uint64_t> ring_memory() const { return ring_.memory(); }

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
    std::uint64_t ready_ps = 0;
    std::uint32_t left() const { return frame->size() - skip - offset; }
  };

  void descriptors_arrived() override { engine_.kick(); }
  void written_back(std::uint64_t begin, std::uint64_t end) override;
  void dma_done(std::uint64_t tag, DmaStatus status) override;

  bool wanted_size(const FrameRef& frame, bool vlan);
  void take_in(const FrameRef& frame, AddressMatch match, bool vlan, std::uint8_t errors);
  void classify(Item& item, bool vlan) const;
  sc_core::sc_time first_bit_at(std::uint32_t wire_bytes) const;
  void drop(const FrameRef& frame, observe::Counter& counter, const char* why);
  Step step();
  void write_buffer(Item& item, std::uint32_t place);
  void fill_descriptor(std::uint8_t* descriptor, const Item& item, std::uint32_t length) const;
  void note_starving(bool starving);
  void packet_done();
  void timer_expired();
  void set_filter();
  void set_base() { ring_.set_base(static_cast<std::uint64_t>(rdbah_.value()) << 32 | rdbal_.value()); }
  void set_head(std::uint32_t index);
  void ring_doorbell(std::uint32_t value);
  void rctl_written(std::uint32_t value);
  void rxdctl_written(std::uint32_t value);
  void exact_written(std::size_t index);
  void update_pause() { pause_.update(fifo_.fill.value()); }

  IxgbParts parts_;
  std::function<void()> on_carrier_;
  std::function<void(bool)> on_enabled_;
  DescriptorRing ring_;
  PacketFifo<Item> fifo_;
  AddressFilter filter_{regs::kExactAddresses};
  PauseWatermark pause_;
  DelayTimer delay_timer_;  // RDTR, or RAIDC.DELAY
  DelayTimer poll_timer_;   // RAIDC.POLL
  Engine engine_;
  std::uint32_t started_ = 0;  // items of the buffer whose last write is under way
  bool item_open_ = false;     // the one behind them has begun
  std::uint32_t writes_under_way_ = 0;
  std::uint32_t write_back_ = 0;  // RXDCTL.WTHRESH
  bool starving_ = false;
  std::uint64_t starving_since_ps_ = 0;

  Reg32 rctl_{
      parts_.bank, "RCTL", regs::kRctl, 0, Access::kReadWrite, {}, [this](std::uint32_t v) {
                rctl_written(v); }};
  Reg32 fcrtl_{
      parts_.bank, "FCRTL", regs::kFcrtl, 0, Access::kReadWrite, {}, [this](std::uint32_t) {
        update_thresholds(); }};
  Reg32 fcrth_{
      parts_.bank, "FCRTH", regs::kFcrth, 0, Access::kReadWrite, {}, [this](std::uint32_t) {
        update_thresholds(); }};
  Reg32 rdbal_{parts_.bank, "RDBAL", regs::kRdbal, 0, Access::kReadWrite, {}, [this](std::uint32_t) {
        set_base(); }};
  Reg32 rdbah_{parts_.bank, "RDBAH", regs::kRdbah, 0, Access::kReadWrite, {}, [this](std::uint32_t) {
        set_base(); }};
  Reg32 rdlen_{parts_.bank, "RDLEN", regs::kRdlen, 0, Access::kReadWrite, {}, [this](std::uint32_t v) {
                 ring_.set_length(v & 0xfff80);
               }};
  Reg32 rdh_{parts_.bank,
             "RDH",
             regs::kRdh,
             0,
             Access::kReadWrite,
             [this] { return ring_.head(); },
             [this](std::uint32_t v) { set_head(v & 0xffff); }};
  Reg32 rdt_{parts_.bank,
             "RDT",
             regs::kRdt,
             0,
             Access::kReadWrite,
             [this] { return ring_.tail(); },
             [this](std::uint32_t v) { ring_doorbell(v); }};
  Reg32 rdtr_{parts_.bank, "RDTR", regs::kRdtr};
  Reg32 rxdctl_{
      parts_.bank, "RXDCTL", regs::kRxdctl, 0, Access::kReadWrite, {}, [this](std::uint32_t v) {
        rxdctl_written(v); }};
  Reg32 raidc_{parts_.bank, "RAIDC", regs::kRaidc};
  Reg32 rxcsum_{parts_.bank, "RXCSUM", regs::kRxcsum};
  std::deque<Reg32> tables_;  // RAL, RAH, MTA, VFTA
};

}  // namespace longhaul::nic::ixgb
