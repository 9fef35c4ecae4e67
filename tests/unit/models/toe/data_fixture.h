// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/unit/models/toe/rig.h"

namespace longhaul::toe::rig {

/// An engine with one connection, tid 0, that the host has opened.
class ToeData : public EngineFixture {
 public:
  explicit ToeData(const ToeParams& params = small_params(),
                   const tcp::TcpParams& tcp = t1_tcp_params(), const T1Params& t1 = {})
      : EngineFixture(params, tcp, t1) {}

 protected:
  void SetUp() override { start(); }
  virtual void start() { open_actively(); }
  void write(std::uint32_t bytes, bool push = true) {
    offer(TxData{0, piece(5, written_, bytes), push});
    written_ += bytes;
  }
  std::uint64_t tx_pages() { return engine.payload_memory().tx_pages.value(); }
  std::uint64_t rx_pages() { return engine.payload_memory().rx_pages.value(); }
  std::uint64_t modulations() { return engine.lanes().front()->modulation_events.value(); }
  /// The payload of the frame that was sent `from_last` frames before the last one.
  std::vector<std::uint8_t> payload_of(std::size_t from_last = 0) {
    const Sent& sent_frame = frames[frames.size() - 1 - from_last];
    const std::uint8_t* const bytes = sent_frame.frame->data() + sent_frame.parsed.payload_at;
    return {bytes, bytes + sent_frame.parsed.segment.length};
  }
  std::uint64_t written_ = 0;
};

}  // namespace longhaul::toe::rig
