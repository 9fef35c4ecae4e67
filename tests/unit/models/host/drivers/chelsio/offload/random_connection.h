// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>

#include "tests/unit/models/host/drivers/chelsio/offload_rig.h"
#include "tests/unit/models/tcp/random_network.h"

namespace longhaul::host::offload_testing {

using tcp::rig::Dice;

/// One end of a connection, as it is drawn, for its programs.
struct EndPlan {
  std::uint64_t bytes = 0;  ///< to send
  std::uint64_t write = 8192;
  std::uint64_t read = 8192;
  std::uint64_t buffer = 65536;
  std::uint64_t read_pause_ps = 0;
  std::uint64_t write_pause_ps = 0;
  bool nodelay = false;
  bool closes_last = false;  ///< sends its FIN after the peer's
  std::uint32_t processor = 0;
  std::uint32_t reading_processor = 0;
};

/// A connection between two hosts, as it is drawn.
struct ConnectionPlan {
  static constexpr std::uint64_t kEndless = 1ULL << 40U;
  enum class Upset : std::uint8_t { kNone, kClientAborts, kServerAborts };

  std::uint64_t start_ps = 0;
  EndPlan client;
  EndPlan server;
  Upset upset = Upset::kNone;
  std::uint64_t upset_after = 0;  ///< bytes that the aborting end sends before
  bool upset_by_close = false;    ///< by close() with unread data, where there are some
};

/// A connection with its programs: a writer and a reader at each end.
///
/// An end that aborts has one program. Its peer has data without end, so it meets the RST even if
/// the network has lost the first one.
class RandomConnection {
 public:
  RandomConnection(std::uint16_t port, const ConnectionPlan& plan) : port_(port), plan_(plan) {}

  /// Adds the programs. They begin when `up` is set.
  void start(ToeHost& client, ToeHost& server, std::uint8_t server_number, const bool& up);
  /// All programs have ended.
  bool done() const { return ended_ == programs_; }
  /// The first rule that was broken; empty if none was.
  const std::string& failure() const { return failure_; }
  std::string describe() const;
  bool offloaded() const { return ends_[0].offloaded; }

 private:
  struct End {
    const EndPlan* plan = nullptr;
    ToeHost* host = nullptr;
    std::uint64_t to_write = 0;  // memory of the programs
    std::uint64_t to_read = 0;
    std::unique_ptr<TcpSocket> socket;
    bool open = false;
    bool offloaded = false;
    bool reader_done = false;
    std::uint64_t sent = 0;
    std::uint64_t received = 0;
  };

  bool aborts(const End& end) const;
  void run(Program& self, End& end, std::uint8_t server_number);
  bool open_client(Program& self, End& end, std::uint8_t server_number);
  void open_server(Program& self, End& end);
  void write(Program& self, End& end);
  void read(Program& self, End& end);
  void abort(Program& self, End& end, std::uint8_t server_number);
  void close(Program& self, End& end);
  void check(const End& end);
  void fail(const std::string& text);

  const std::uint16_t port_;
  const ConnectionPlan plan_;
  std::array<End, 2> ends_;  // client, server
  std::uint32_t programs_ = 0;
  std::uint32_t ended_ = 0;
  std::uint32_t attempts_ = 0;
  std::string failure_;
};

}  // namespace longhaul::host::offload_testing
