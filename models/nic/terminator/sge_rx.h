// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <systemc>
#include <utility>
#include <vector>

#include "models/common/engine.h"
#include "models/common/observe/probe.h"
#include "models/common/ring_buffer.h"
#include "models/net/frame/frame_tap.h"
#include "models/nic/terminator/cpl.h"
#include "models/nic/terminator/descriptor_queue.h"
#include "models/nic/terminator/parts.h"

namespace longhaul::nic::terminator {

/// A message to the driver: a CPL header, and the frame or the data behind it.
struct RxMessage {
  std::array<std::uint8_t, cpl::kMostHeadBytes> head{};
  std::uint32_t head_bytes = cpl::kHeadBytes;
  FrameRef frame;          ///< null if nothing follows the header
  std::uint32_t skip = 0;  ///< bytes at the frame's begin that are not written: a stripped tag
  bool offload = false;    ///< a message of the offload engine
  bool payload = false;    ///< Calls::written is called when it has left
  std::uint32_t length() const { return frame ? frame->size() - skip : 0; }
  /// Bytes of the packet memory that it takes.
  std::uint32_t room() const { return frame ? frame->size() : head_bytes; }
};

/// The SGE's receive half: packet memory -> a buffer of a free list -> response queue.
///
/// A packet takes one buffer: of free list 0 if it is shorter than SG_FLTHRESHOLD without its CPL
/// header, else of free list 1. So does a message of the offload engine. Padding, CPL header and
/// frame are written as one transfer, and the response behind it. The engine spends
/// rx_packet_clocks a packet and rx_kib_clocks a KiB; rx_writes_ahead packets may wait for the bus.
///
/// Without a buffer or a response credit packets wait, then frames in ESPI do. A packet that its
/// buffer cannot hold is discarded, and the buffer stays.
class SgeRx final : public sc_core::sc_module, private QueueUser, private pcix::DmaClient {
 public:
  struct Calls {
    std::function<void()> room;     ///< the packet memory has more room
    std::function<void()> written;  ///< the oldest message with `payload` has left
  };
  SgeRx(const sc_core::sc_module_name& name, const SgeParts& parts, Calls calls);

  bool has_room(std::uint32_t more) const;  ///< bytes
  void accept(RxMessage message);           ///< has_room() must be true
  void controlled();                        ///< SG_CONTROL was written
  void wake(std::uint32_t doorbell);        ///< bits of SG_DOORBELL
  void kick() { engine_.kick(); }           ///< the response queue may be ready
  void reset();
  std::pair<std::uint64_t, std::uint64_t> ring_memory() const { return parts_.responses.memory(); }
  const DescriptorQueue& free_list(std::uint32_t n) const { return n == 0 ? small_ : large_; }
  const Engine& engine() const { return engine_; }

  observe::Counter frames{"frames", "frame", "frames and messages written to host memory"};
  observe::Counter bytes{"bytes", "B", "bytes of them, without CPL header and FCS"};
  observe::Counter too_big{"too_big", "frame", "frames that their buffer could not hold"};
  observe::Counter discarded{"discarded", "frame", "frames lost in the SGE for any reason"};
  observe::FrameTap taps{"taps", "frames taken from ESPI, and those dropped, with the reason"};
  observe::SpanTap starved{"starved",
                           "packets wait and no buffer is there; arg0 bytes in the packet memory"};
  observe::Level fill{"fill", "B", "bytes in the packet memory"};

 private:
  struct Item {
    RxMessage message;
    std::uint64_t ready_ps = 0;
  };
  /// A packet on its way over the bus.
  struct Slot {
    std::vector<std::uint8_t> bytes;
    std::uint32_t room = 0;
    bool payload = false;
  };

  void descriptors_arrived() override { engine_.kick(); }
  void queue_slept(DescriptorQueue& queue) override;
  void queue_failed(pcix::DmaStatus status) override;
  void dma_done(std::uint64_t tag, pcix::DmaStatus status) override;

  Step step();
  void write(const RxMessage& message, const DescriptorQueue::Descriptor& buffer,
             std::uint32_t list);
  void discard(const char* why);
  void release(std::uint32_t room, bool payload);
  void note_starving(bool starving);

  SgeParts parts_;
  const Calls calls_;
  Engine engine_;
  DescriptorQueue small_;  // free list 0
  DescriptorQueue large_;  // free list 1
  RingBuffer<Item> items_;
  std::vector<Slot> slots_;
  std::uint32_t oldest_ = 0;   // slot of the oldest write
  std::uint32_t writing_ = 0;  // slots in use
  bool starving_ = false;
  std::uint64_t starving_since_ps_ = 0;
  Reg32 threshold_;
};

}  // namespace longhaul::nic::terminator
