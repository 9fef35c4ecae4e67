// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/tcp/config.h"
#include "models/tcp/environment.h"
#include "models/tcp/receiver.h"
#include "models/tcp/stats.h"
#include "models/tcp/timestamps.h"

namespace longhaul::tcp {

/// Completes segments with what the receiving side has to say (acknowledgement, window, SACK,
/// timestamp echo) and sends them.
class Outbox {
 public:
  Outbox(Environment& environment, Receiver& receiver, Timestamps& timestamps, Stats& stats)
      : environment_(environment), receiver_(receiver), timestamps_(timestamps), stats_(stats) {}

  void start(std::uint32_t iss, std::uint32_t mss) {
    iss_ = iss;
    mss_ = mss;
  }
  std::uint32_t iss() const { return iss_; }
  /// Payload bytes that fit one segment with the options that it would carry now.
  std::uint32_t payload_limit() const;
  /// Sends [begin, begin + length) of the stream, or a bare ACK (length 0). False when the
  /// environment had no room.
  bool send(std::uint8_t flags, Position begin, std::uint32_t length);
  /// A SYN with this side's offers; ACK in `flags` when it answers one.
  bool send_syn(std::uint8_t flags, const Options& offers);

 private:
  bool pass_on(Segment& segment);

  Environment& environment_;
  Receiver& receiver_;
  Timestamps& timestamps_;
  Stats& stats_;
  std::uint32_t iss_ = 0;
  std::uint32_t mss_ = 1;
};

}  // namespace longhaul::tcp
