// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "models/net/frame/frame_tap.h"
#include "platform/observe/loss_watch.h"
#include "platform/observe/packets/adapter_packets.h"
#include "platform/observe/packets/packet_book.h"
#include "platform/observe/sequence_origins.h"

namespace longhaul::observe {

/// The numbers of which a PacketBook has had the text.
class PacketTexts {
 public:
  PacketTexts(PacketBook& book, const SequenceOrigins& origins) : book_(book), origins_(origins) {}
  /// Tells what the frame is, if its number is new. It forgets numbers after kMost others and then
  /// tells them once more.
  void tell(const Frame& frame);

 private:
  static constexpr std::size_t kMost = std::size_t{1} << 16;
  PacketBook& book_;
  const SequenceOrigins& origins_;
  std::unordered_set<std::uint64_t> told_;
};

/// The wire stages of one direction of a link. It also tells the adapters at its ends of frames.
class WirePackets final : public FrameListener {
 public:
  struct Ends {
    AdapterPackets* near = nullptr;  ///< null: no adapter whose rings are known
    AdapterPackets* far = nullptr;
  };
  /// Listens for its lifetime. `propagation_ps`: from the near end to the far one.
  WirePackets(FrameTap& tap, std::uint64_t bits_per_s, std::uint64_t propagation_ps, Ends ends,
              PacketBook& book, PacketTexts& texts, std::uint16_t place);
  WirePackets(const WirePackets&) = delete;
  WirePackets& operator=(const WirePackets&) = delete;
  ~WirePackets() override { tap_.ignore(this); }

  void on_frame(const sc_core::sc_time& at, const FrameRef& frame, FrameFate fate,
                const char* why) override;

 private:
  FrameTap& tap_;
  const std::uint64_t bits_per_s_;
  const std::uint64_t propagation_ps_;
  const Ends ends_;
  PacketBook& book_;
  PacketTexts& texts_;
  const std::uint16_t place_;
};

/// Tells of frames that parts drop, as a stage at the part.
class LostPackets final : public LossListener {
 public:
  /// Listens for its lifetime.
  LostPackets(LossWatch& watch, PacketBook& book, PacketTexts& texts);
  LostPackets(const LostPackets&) = delete;
  LostPackets& operator=(const LostPackets&) = delete;
  ~LostPackets() override { watch_.ignore(this); }

  void on_loss(const Loss& loss) override;

 private:
  LossWatch& watch_;
  PacketBook& book_;
  PacketTexts& texts_;
  std::unordered_map<std::string, std::uint16_t> places_;  // by part and reason
};

}  // namespace longhaul::observe
