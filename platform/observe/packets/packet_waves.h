// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platform/observe/packets/packet_book.h"
#include "platform/observe/packets/transmit_packets.h"
#include "platform/observe/wave_file.h"

namespace longhaul::observe {

/// Traces which packet an adapter works on.
///
/// `tx.packet` has the number of the packet whose bytes a tenure brings, `rx.packet` that of the
/// packet whose bytes it carries away. `tx.buffer` and `rx.buffer` have that of the packet that
/// last came to lie in the adapter's buffer.
///
/// A packet is known when its frame leaves (transmit) or its descriptors are written back
/// (receive). A tenure that is more than WaveFile::kLatenessPs old then is not shown.
class PacketWaves final : public PacketListener, public WaveSource {
 public:
  /// `scope` is that of the adapter. Book and file must outlive this object.
  PacketWaves(const WaveScope& scope, PacketBook& book, const AdapterPlaces& places);

  void on_stage(const PacketStage& stage) override;
  void waves_begin() override;
  void waves_end() override { book_.ignore(this); }

 private:
  struct Row {
    Wave wave;
    std::uint64_t start_ps = ~0ULL;
    std::string text;
  };
  void show(Row& row, const PacketStage& stage);

  WaveFile& file_;
  PacketBook& book_;
  const AdapterPlaces places_;
  Row read_, write_, transmit_, receive_;
};

}  // namespace longhaul::observe
