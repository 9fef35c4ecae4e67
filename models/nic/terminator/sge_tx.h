// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <systemc>
#include <utility>

#include "models/common/engine.h"
#include "models/common/observe/probe.h"
#include "models/common/ring_buffer.h"
#include "models/net/frame/frame_tap.h"
#include "models/nic/blocks/blank_ranges.h"
#include "models/nic/terminator/cpl.h"
#include "models/nic/terminator/descriptor_queue.h"
#include "models/nic/terminator/parts.h"

namespace longhaul::nic::terminator {

/// The SGE's transmit half: command queues -> packet memory -> TpPath.
///
/// A packet is descriptors from one with SOP to one with EOP; its bytes begin with a CPL header.
/// The engine spends tx_descriptor_clocks a descriptor, tx_packet_clocks a packet and tx_kib_clocks
/// a KiB. The data of up to tx_reads_ahead descriptors are being read at once, if the packet memory
/// has room for them. Packets go to TpPath in their order, and their descriptors are finished then.
/// The two queues take turns, packet by packet. Each has packet memory of its own, so a queue whose
/// messages wait in TP does not hold the other one.
///
/// Packets that cannot be sent are discarded. They have a descriptor above 16 KB, are too large for
/// a frame, have no SOP or EOP, or no CPL header in their first descriptor.
class SgeTx final : public sc_core::sc_module, private QueueUser, private pcix::DmaClient {
 public:
  /// A packet is in the packet memory. `message.room` is given back by give_room().
  using Deliver = std::function<void(cpl::Message message)>;

  SgeTx(const sc_core::sc_module_name& name, const SgeParts& parts, Deliver deliver);

  void controlled();                  ///< SG_CONTROL was written
  void wake(std::uint32_t doorbell);  ///< bits of SG_DOORBELL
  /// A packet of a command queue has left the packet memory.
  void give_room(const cpl::Room& room);
  void frame_sent(const FrameRef& frame);  ///< its first bit is on the fibre
  void drop(const FrameRef& frame, const char* why);
  void reset();
  std::pair<std::uint64_t, std::uint64_t> ring_memory() const { return lanes_[0].queue.memory(); }
  const DescriptorQueue& queue(std::uint32_t number) const { return lanes_.at(number).queue; }
  const Engine& engine() const { return engine_; }

  observe::Counter frames{"frames", "frame", "frames on the fibre"};
  observe::Counter bytes{"bytes", "B", "bytes of them, FCS included"};
  observe::Counter too_big{"too_big", "1", "packets or descriptors that the chip cannot hold"};
  observe::Counter mismatched{"mismatched", "1", "packets whose descriptors make none"};
  observe::Counter discarded{"discarded", "1", "packets lost for any reason"};
  observe::FrameTap taps{"taps", "frames on the fibre, and those dropped, with the reason"};
  observe::Level fill{"fill", "B", "bytes in the packet memory"};

 private:
  static constexpr std::uint32_t kQueues = 2;
  static constexpr std::uint32_t kMostInDescriptor = 16384;  // cxgb/sge.c, SGE_TX_DESC_MAX_PLEN
  static constexpr std::uint32_t kDataValid = 1U << 1;       // flags of a descriptor
  static constexpr std::uint32_t kSop = 1U << 2;
  static constexpr std::uint32_t kEop = 1U << 3;

  struct Packet {
    std::uint32_t descriptors = 0;
    std::uint32_t reads = 0;     // in progress
    std::uint32_t reserved = 0;  // bytes of the packet memory
    bool whole = false;          // its last descriptor has been taken
    const char* bad = nullptr;   // why it is discarded
    FrameRef first;              // the first descriptor's bytes
    FrameRef frame;              // of several descriptors: the bytes behind the head
    std::uint32_t filled = 0;    // bytes of the frame
    BlankRanges first_blanks;    // of `first`
    BlankRanges blanks;          // of `frame`
  };
  /// A command queue and its packets.
  struct Lane {
    Lane(std::uint32_t number, SgeTx& owner);
    const std::uint32_t number;
    DescriptorQueue queue;
    bool building = false;         // the last packet is not whole
    bool slept = false;            // the queue sleeps and has not told
    std::uint64_t fill = 0;        // bytes of its packet memory in use
    RingBuffer<Packet> packets{};  // being read, in their order
    std::uint64_t first = 0;       // number of the first of them
  };

  void descriptors_arrived() override { engine_.kick(); }
  void queue_slept(DescriptorQueue& queue) override;
  void queue_failed(pcix::DmaStatus status) override;
  void dma_done(std::uint64_t tag, pcix::DmaStatus status) override;
  void dma_blank(std::uint64_t tag, std::uint8_t* data, std::uint32_t length) override;

  Step step();
  Lane* choose();
  bool has_room(Lane& lane) const;
  static void open(Lane& lane);
  void take(Lane& lane, const DescriptorQueue::Descriptor& descriptor);
  void read_data(Lane& lane, const DescriptorQueue::Descriptor& descriptor);
  void refuse(Lane& lane, const char* why, std::uint32_t cause, observe::Counter& counter);
  void finish_packets(Lane& lane);
  void finish(const Lane& lane, Packet packet);
  static void join(Packet& packet, cpl::Message& message);
  void tell_sleep(Lane& lane);

  SgeParts parts_;
  const Deliver deliver_;
  Engine engine_;
  std::array<Lane, kQueues> lanes_;
  std::uint32_t turn_ = 0;   // the queue that is looked at first
  std::uint32_t reads_ = 0;  // in progress, of all packets
};

}  // namespace longhaul::nic::terminator
