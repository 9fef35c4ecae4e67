// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <systemc>
#include <vector>

#include "models/nic/blocks/delay_timer.h"
#include "models/nic/blocks/descriptor_ring.h"
#include "models/nic/blocks/engine.h"
#include "models/nic/blocks/packet_fifo.h"
#include "models/nic/blocks/tso.h"
#include "models/nic/ixgb/parts.h"
#include "models/nic/ixgb/regs.h"

namespace longhaul::nic::ixgb {

/// The transmit unit of the 82597EX: descriptors in, frames out to the MAC.
///
/// One engine takes descriptors in order (tx_descriptor_clocks each, tx_packet_clocks more at the
/// start of a packet) and asks for their data (tx_kib_clocks); up to tx_reads_ahead reads are under
/// way, as far as the packet buffer has room. A frame is ready tx_latency after its last byte arrived whole (store and
/// forward). A descriptor is done when its data are on chip.
class IxgbTx final : public sc_core::sc_module, public FrameSource, private DescriptorUser, private DmaClient {
 public:
  IxgbTx(const sc_core::sc_module_name& name, const IxgbParts& parts);

  /// Device reset. The DMA engine was told to abandon its transfers.
  void reset();

  std::uint64_t ready_ps() const override;
  FrameRef take_frame() override;

  const Engine& engine() const { return engine_; }

  observe::Counter frames{"frames", "frame", "frames given to the MAC"};
  observe::Counter bytes{"bytes", "B", "bytes of them, FCS included"};
  observe::Counter super_frames{"super_frames", "1", "TCP super-frames segmented"};
  observe::Counter discarded{"discarded", "1", "packets dropped because their descriptors or data were bad"};
  observe::FrameTap taps{"taps", "frames given to the MAC, and those discarded"};
  observe::SpanTap room_waits{"room_waits", "the engine waits for room in the packet buffer; arg0 bytes that it wants"};

  std::pair<std::uint64_t, std::uint64_t> ring_memory() const { return ring_.memory(); }

 private:
  struct Packet {
    FrameRef frame;
    std::uint8_t* data = nullptr;  // of the frame, while it is being filled
    std::uint32_t start = 0;       // bytes left free in front for a VLAN tag
    std::uint32_t filled = 0;      // bytes asked for, header included
    std::uint32_t limit = 0;       // bytes that it may take
    std::uint32_t reserved = 0;    // bytes of packet buffer
    std::uint32_t reads = 0;       // under way
    bool closed = false;           // all reads asked for
    bool bad = false;
    bool done = false;
    std::uint8_t options = 0;  // POPTS
    bool tagged = false;
    std::uint16_t tag = 0;
    ChecksumSpan ip;
    ChecksumSpan l4;
    std::int32_t job = -1;  // super-frame that it is a segment of
    TsoSegment segment;
    std::uint64_t ready_ps = 0;
  };
  struct Job {  // a super-frame under way
    bool in_use = false;
    bool cut = false;              // all its segments are open or gone
    bool bad = false;              // its header could not be read
    std::uint32_t header_got = 0;  // bytes asked for
    std::uint32_t header_reads = 0;
    std::uint32_t segments = 0;  // unfinished
    TsoContext context;
    std::array<std::uint8_t, 256> header{};
    bool header_arrived() const { return header_got == context.header_bytes && header_reads == 0; }
  };
  struct Progress {  // of a descriptor
    std::uint32_t reads = 0;
    bool issued = false;
  };
  struct Descriptor {  // the one in hand
    bool valid = false;
    std::uint64_t position = 0;
    std::uint64_t address = 0;
    std::uint32_t left = 0;
    std::uint32_t command = 0;
  };
  static constexpr std::uint32_t kJobs = 8;
  static constexpr std::uint32_t kNoPacket = 0xffff;
  static constexpr std::uint32_t kHeaderTag = 0x8000;

  void descriptors_arrived() override { engine_.kick(); }
  void written_back(std::uint64_t begin, std::uint64_t end) override;
  void dma_done(std::uint64_t tag, DmaStatus status) override;

  void set_head(std::uint32_t index);
  Step step();
  Step next_descriptor();
  void load_context(const std::uint8_t* descriptor);
  void begin_packet(const std::uint8_t* descriptor);
  Step next_read();
  Step next_segment_read();
  Step next_plain_read();
  bool open_packet(std::uint32_t size, std::uint32_t padding);
  void read_into_packet(std::uint32_t length);
  void end_descriptor();
  void end_packet();
  void end_super_frame();
  std::uint32_t packet_size() const;
  void close_packet();
  void finish_if_arrived(std::uint32_t place);
  void finish(Packet& packet);
  void insert_tag(Packet& packet);
  void drop_bad();
  void complete(std::uint64_t position);
  void free_job(Job& job);
  void settle_drain();
  std::uint64_t pace_ps(std::uint32_t frame_bytes) const;

  IxgbParts parts_;
  DescriptorRing ring_;
  PacketFifo<Packet> fifo_;
  DelayTimer tidv_timer_;
  Engine engine_;
  TsoContext context_;
  Descriptor descriptor_;
  std::vector<Progress> progress_;
  std::array<Job, kJobs> jobs_;
  std::uint32_t reads_under_way_ = 0;
  std::uint32_t open_ = kNoPacket;  // place of the packet being filled
  bool in_packet_ = false;
  bool discard_ = false;
  std::int32_t job_ = -1;
  bool segmenting_ = false;
  TsoSegment segment_;
  std::uint8_t options_ = 0;
  bool tagged_ = false;
  std::uint16_t tag_ = 0;

  bool waits_for_room_ = false;
  std::uint64_t waits_since_ps_ = 0;
  std::uint64_t paced_until_ps_ = 0;
  std::uint64_t drained_at_ps_ = 0;
  std::uint32_t draining_ = 0;  // bytes of the frame on the wire, still in the buffer

  Reg32 tctl_{parts_.bank, "TCTL", regs::kTctl, 0, Access::kReadWrite, {}, [this](std::uint32_t v) {
                ring_.enable((v & regs::kTctlTxen) != 0);
                engine_.kick();
              }};
  Reg32 tdbal_{parts_.bank, "TDBAL", regs::kTdbal, 0, Access::kReadWrite, {}, [this](std::uint32_t) {
        set_base(); }};
  Reg32 tdbah_{parts_.bank, "TDBAH", regs::kTdbah, 0, Access::kReadWrite, {}, [this](std::uint32_t) {
        set_base(); }};
  Reg32 tdlen_{parts_.bank, "TDLEN", regs::kTdlen, 0, Access::kReadWrite, {}, [this](std::uint32_t v) {
                 ring_.set_length(v & 0xfff80);
               }};
  Reg32 tdh_{parts_.bank,
             "TDH",
             regs::kTdh,
             0,
             Access::kReadWrite,
             [this] { return ring_.head(); },
             [this](std::uint32_t v) { set_head(v & 0xffff); }};
  Reg32 tdt_{parts_.bank, "TDT", regs::kTdt, 0, Access::kReadWrite, {}, [this](std::uint32_t v) {
               ring_.set_tail(v & 0xffff);
               engine_.kick();
             }};
  Reg32 tidv_{parts_.bank, "TIDV", regs::kTidv};
  Reg32 txdctl_{parts_.bank, "TXDCTL", regs::kTxdctl, 0, Access::kReadWrite, {}, [this](std::uint32_t v) {
                  ring_.set_thresholds({v & 0x7f, v >> 8 & 0x7f, v >> 16 & 0x7f});
                }};
  Reg32 tspmt_{parts_.bank, "TSPMT", regs::kTspmt, 0x0100'0400};
  void set_base() { ring_.set_base(static_cast<std::uint64_t>(tdbah_.value()) << 32 | tdbal_.value()); }
};

}  // namespace longhaul::nic::ixgb
