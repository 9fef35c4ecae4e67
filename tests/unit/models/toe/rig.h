// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "models/tcp/wire.h"
#include "models/toe/offload_engine.h"
#include "tests/unit/times.h"

namespace longhaul::toe::rig {

/// Byte `offset` of a stream. No two streams, and no two places that are near, look alike.
inline std::uint8_t pattern(std::uint32_t stream, std::uint64_t offset) {
  const std::uint64_t mixed = (offset + 1) * 0x9e3779b97f4a7c15ULL + stream * 0xbf58476d1ce4e5b9ULL;
  return static_cast<std::uint8_t>(mixed >> 56U);
}
/// A buffer of `length` bytes of a stream.
FrameRef piece(std::uint32_t stream, std::uint64_t offset, std::uint32_t length);

inline constexpr Ipv4Address kHere{10, 0, 0, 1};
inline constexpr Ipv4Address kThere{10, 0, 0, 2};
inline constexpr MacAddress kHereMac{0x02, 0, 0, 0, 0, 1};
inline constexpr MacAddress kThereMac{0x02, 0, 0, 0, 0, 2};
inline constexpr std::uint16_t kPort = 5001;
inline constexpr std::uint16_t kOtherPort = 40000;
inline constexpr Ends kEnds{kHere, kThere, kPort, kOtherPort};

/// A frame of the far end's, with bytes [segment.offset, + length) of a stream as payload.
FrameRef frame_from(const Ends& ends, const tcp::Segment& segment, std::uint32_t stream = 0);

/// A message of the engine as a line of text: its name and what is worth asserting.
std::string to_text(const ToHost& message);
/// A segment as a line of text: flags, numbers relative to `seq0` and `ack0`, length, window.
std::string to_text(const tcp::Segment& segment, std::uint32_t seq0, std::uint32_t ack0);

/// Small tables and memories, so that a test can fill them.
ToeParams small_params();

/// An engine whose host and whose wire are the test. The host takes everything unless told
/// otherwise; frames leave the engine at once.
class EngineFixture : public ::testing::Test, public HostSide, public WireSide {
 public:
  explicit EngineFixture(const ToeParams& params = small_params(),
                         const tcp::TcpParams& tcp = t1_tcp_params(), const T1Params& t1 = {});

  // HostSide and WireSide.
  bool deliver(ToHost& message) override;
  void queue_ready(HostQueue queue) override { ++queue_ready_calls; }
  void frame_ready() override;
  void fill_changed(std::uint64_t bytes) override { fills.push_back(bytes); }
  void send_ready() override { ++send_ready_calls; }

  // Set by the test.
  bool host_takes = true;    ///< off: the engine's messages wait
  bool host_frees = true;    ///< payload memory of RxData is free at once
  bool host_credits = true;  ///< RxData are credited at once
  bool wire_takes = true;    ///< off: frames stay in the engine, as under PAUSE

  struct Sent {
    std::uint64_t at_ps;
    FrameRef frame;
    Inbound parsed;
  };
  std::vector<ToHost> messages;
  std::vector<std::uint64_t> message_ps;
  std::vector<Sent> frames;
  std::vector<std::uint64_t> fills;
  std::vector<std::uint8_t> received;  ///< bytes of all RxData
  std::uint64_t queue_ready_calls = 0;
  std::uint64_t send_ready_calls = 0;

  void run(std::uint64_t ps) { sc_core::sc_start(from_ps(ps)); }
  /// The engine's messages to the host since the last call.
  std::vector<std::string> news();
  /// The segments sent since the last call, with numbers relative to the ISNs.
  std::vector<std::string> sent();
  void offer(FromHost message, HostQueue queue = HostQueue::kData) {
    ASSERT_TRUE(engine.offer(queue, std::move(message)));
  }
  /// A segment of the far end arrives: `seq` and `ack` relative to the ISNs.
  void arrive(std::uint8_t flags, std::uint32_t seq, std::uint32_t ack, std::uint32_t length = 0,
              const Ends& ends = kEnds);
  void arrive(const tcp::Segment& segment, const Ends& ends = kEnds);

  /// Writes the tables that every connection needs.
  void write_tables();
  /// The engine opens; the far end answers with `options` and `window`. Ends with an established
  /// connection and nothing in news() and sent().
  void open_actively(std::uint32_t window = 60000);
  tcp::Options peer_options;  ///< of the far end's SYN
  std::uint16_t peer_window = 60000;

  static constexpr std::uint32_t kPeerIsn = 0x20000000;
  std::uint32_t isn = 0;  ///< the engine's, once its SYN was seen
  ConnectionOptions options;

  OffloadEngine engine;

 private:
  std::size_t told_ = 0;
  std::size_t shown_ = 0;
};

}  // namespace longhaul::toe::rig
