// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>
#include <utility>

#include "models/common/engine.h"
#include "models/common/packet_fifo.h"
#include "models/net/mac/eth_mac.h"
#include "models/nic/intel/descriptor_ring.h"
#include "models/nic/intel/super_frames.h"
#include "models/nic/intel/tx_command.h"
#include "models/nic/intel/tx_packet.h"
#include "models/nic/intel/tx_reads.h"
#include "models/nic/intel/tx_room.h"
#include "models/nic/intel/tx_unit_params.h"

namespace longhaul::nic::intel {

/// The transmit unit of Intel's controllers: reads descriptors and gives frames to the MAC. An
/// adapter adds registers, moderation and statistics.
///
/// One engine takes descriptors in order (descriptor_clocks each, packet_clocks more at the start
/// of a packet) and reads their data (kib_clocks). Up to `ahead` reads are in progress, as far as
/// the packet buffer has room. A frame is ready `latency` after its last byte has arrived (store
/// and forward). A descriptor is done when its data are on chip.
class TxUnit : public sc_core::sc_module,
               public FrameSource,
               private DescriptorUser,
               private pcix::DmaClient {
 public:
  TxUnit(const sc_core::sc_module_name& name, const TxUnitParams& params, pcix::DmaEngine& dma,
         EthMac& mac);

  /// Device reset. Called after the DMA engine was told to abandon its transfers.
  virtual void reset();

  std::uint64_t ready_ps() const override;
  FrameRef take_frame() override;

  const Engine& engine() const { return engine_; }
  /// Sets the speed for all work that the engine begins later.
  void set_speed(const EngineSpeed& speed) { params_.speed = speed; }
  /// Packets in the buffer.
  std::uint32_t buffered() const { return fifo_.size(); }

  observe::Counter frames{"frames", "frame", "frames given to the MAC"};
  observe::Counter bytes{"bytes", "B", "bytes of them, FCS included"};
  observe::Counter super_frames{"super_frames", "1", "TCP super-frames segmented"};
  observe::Counter discarded{"discarded", "1",
                             "packets dropped because their descriptors or data were bad"};
  observe::FrameTap taps{"taps", "frames given to the MAC, and those discarded"};
  observe::SpanTap room_waits{
      "room_waits", "the engine waits for room in the packet buffer; arg0 bytes that it wants"};

  std::pair<std::uint64_t, std::uint64_t> ring_memory() const { return ring_.memory(); }

 protected:
  // Functions that an adapter defines to describe itself.
  virtual TxCommand decode(const std::uint8_t* descriptor) const = 0;
  virtual bool may_insert_tags() const = 0;
  /// Bytes of the buffer that must be free beyond a segment.
  virtual std::uint32_t segment_padding() const { return 0; }
  /// The least time from the start of a frame of that many bytes, FCS included, to the start of the
  /// next, in ps.
  virtual std::uint64_t pace_ps(std::uint32_t) const { return 0; }

  // Functions that an adapter defines to handle events.
  /// Descriptors with RS were written back. `with_delay`: some ask for a delayed interrupt (IDE);
  /// `without`: some do not. With a write-back threshold above 1, those with IDE are told of when
  /// they are done, and the delay bounds the wait for their write-back.
  virtual void reported(bool with_delay, bool without) = 0;
  /// The adapter's ring().flush() has ended. The descriptors with IDE that reported() had told of
  /// are written back.
  void flushed() override = 0;
  virtual void ring_emptied() = 0;
  virtual void super_frame_ended(bool whole) = 0;
  /// A frame starts on the wire. `given` are its bytes as the driver gave them, `wire_bytes` those
  /// on the wire, both with FCS.
  virtual void frame_sent(const Frame& frame, std::uint32_t given, std::uint32_t wire_bytes) = 0;

  // Functions for an adapter's registers.
  DescriptorRing& ring() { return ring_; }
  const DescriptorRing& ring() const { return ring_; }
  std::uint32_t head() const { return ring_.head(); }
  void enable(bool on);
  /// Sets the head; ignored unless the unit is at rest.
  void set_head(std::uint32_t index);
  void ring_doorbell(std::uint32_t index);
  /// Sets the packet buffer's size, from the next reset on.
  void set_fifo(Bytes size) { room_.set_capacity(size); }
  /// Sets the EtherType of the VLAN tags that it inserts.
  void set_vlan_type(std::uint16_t type) { vlan_type_ = type; }

 private:
  struct Descriptor {  // the present one
    bool valid = false;
    std::uint64_t position = 0;
    std::uint64_t address = 0;
    std::uint32_t left = 0;
    bool end = false;
  };
  static constexpr std::uint32_t kNoPacket = 0xffff;
  static constexpr std::uint32_t kHeaderTag = 0x8000;

  void descriptors_arrived() override { engine_.kick(); }
  void written_back(std::uint64_t begin, std::uint64_t end) override;
  void dma_done(std::uint64_t tag, pcix::DmaStatus status) override;
  void dma_blank(std::uint64_t tag, std::uint8_t* data, std::uint32_t length) override;

  Step step();
  Step next_descriptor();
  void begin_packet(const TxCommand& command);
  Step next_read();
  Step next_segment_read();
  Step next_plain_read();
  bool open_packet(std::uint32_t size, std::uint32_t padding);
  void read_into_packet(std::uint32_t length);
  void read(std::uint8_t* to, std::uint32_t length, std::uint32_t place);
  void end_descriptor();
  void end_packet();
  void end_super_frame();
  std::uint32_t packet_size() const;
  void close_packet();
  void finish_if_arrived(std::uint32_t place);
  void drop_bad();
  void complete(std::uint64_t position);

  TxUnitParams params_;
  pcix::DmaEngine& dma_;
  EthMac& mac_;
  DescriptorRing ring_;
  PacketFifo<TxPacket> fifo_;
  Engine engine_;
  TxRoom room_;
  std::uint16_t vlan_type_ = kVlanType;
  TsoContext context_;
  Descriptor descriptor_;
  TxCommand first_;  // of the present packet
  TxReads reads_;
  SuperFrames jobs_;
  std::uint32_t open_ = kNoPacket;  // place of the packet being filled
  bool in_packet_ = false;
  bool discard_ = false;
  std::int32_t job_ = -1;
  TsoSegment segment_;
  bool tagged_ = false;
  std::uint64_t paced_until_ps_ = 0;
};

}  // namespace longhaul::nic::intel
