// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/tcp/config.h"
#include "models/tcp/environment.h"
#include "models/tcp/receiver.h"
#include "models/tcp/stats.h"
#include "models/tcp/timestamps.h"

namespace longhaul::tcp {

/// Completes segments with the data of the receiving side (acknowledgement, window, SACK, timestamp
/// echo) and sends them.
class Outbox {
 public:
  Outbox(Environment& environment, Receiver& receiver, Timestamps& timestamps, Stats& stats)
      : environment_(environment), receiver_(receiver), timestamps_(timestamps), stats_(stats) {}

  void start(std::uint32_t iss, std::uint32_t mss) {
    iss_ = iss;
    mss_ = mss;
  }
  std::uint32_t iss() const { return iss_; }
  /// Payload bytes that fit one segment with its present options.
  std::uint32_t payload_limit() const;
  /// Sends [begin, begin + length) of the stream, or a bare ACK (length 0). Returns false if the
  /// environment had no room.
  bool send(std::uint8_t flags, Position begin, std::uint32_t length);
  /// The same for data. If the environment has shortened the segment, `flags` and `length` become
  /// those of what it has taken.
  bool send_data(std::uint8_t& flags, Position begin, std::uint32_t& length);
  /// Sends a SYN with this side's options, with ACK in `flags` if it answers one.
  bool send_syn(std::uint8_t flags, const Options& offers);

 private:
  Segment segment(std::uint8_t flags, Position begin, std::uint32_t length) const;
  bool pass_on(Segment& segment);

  Environment& environment_;
  Receiver& receiver_;
  Timestamps& timestamps_;
  Stats& stats_;
  std::uint32_t iss_ = 0;
  std::uint32_t mss_ = 1;
};

}  // namespace longhaul::tcp
