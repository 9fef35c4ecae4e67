// SPDX-License-Identifier: Apache-2.0
// A stream between two offload engines behind switches and a delay box, second by second: goodput,
// the sender's window, PAUSE and lost frames. It shows what TP_TIMER_SEPARATOR does to a long path.
// The hosts are ideal: they have data and buffers at any time.
#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <systemc>

#include "models/common/event_queue.h"
#include "models/net/switch/switch.h"
#include "models/wan/delay_box/delay_box.h"
#include "tests/unit/models/toe/stream_pair.h"

namespace {

using namespace longhaul;       // NOLINT
using namespace longhaul::toe;  // NOLINT

constexpr std::uint32_t kPiece = 16320;  // bytes of a TxData
constexpr std::uint64_t kWindow = 375'000'000;
constexpr std::uint64_t kSecond = 1'000'000'000'000;  // ps

struct Options {
  std::uint16_t mtu = 1500;
  std::uint32_t separator = 56;  // clocks
  int rtt_ms = 400;
  int seconds = 20;
};

/// Throws std::exception for text that is no number.
bool read(int count, char** words, Options& options) {
  for (int i = 1; i + 1 < count; i += 2) {
    const std::string name = words[i];
    const int value = std::stoi(words[i + 1]);
    if (value < 0) return false;
    if (name == "--mtu" && value >= 576 && value <= 9000) {
      options.mtu = static_cast<std::uint16_t>(value);
    } else if (name == "--separator" && value < 32768) {
      options.separator = static_cast<std::uint32_t>(value);
    } else if (name == "--rtt-ms" && value <= 1600) {
      options.rtt_ms = value;
    } else if (name == "--seconds") {
      options.seconds = value;
    } else {
      return false;
    }
  }
  return count % 2 == 1;
}

struct Path {
  explicit Path(const Options& options)
      : sender("sender", big_memory(), 1),
        receiver("receiver", big_memory(), 2),
        box("box", delays(options.rtt_ms)) {
    links[0].connect(sender.adapter.mac.port, near.port(0));
    links[1].connect(near.port(1), box.west());
    links[2].connect(box.east(), far.port(0));
    links[3].connect(far.port(1), receiver.adapter.mac.port);
    for (StreamHost* host : {&sender, &receiver}) {
      host->options.window_scale = 14;
      host->options.receive_buffer = kWindow * 2;
      host->adapter.engine.set_mtu(0, options.mtu);
      host->adapter.engine.set_separators(options.separator, 0);
      host->prepare(host == &receiver);
    }
  }
  static ToeParams big_memory() {
    ToeParams params;
    params.pm_size.value = units::GiB(4);
    return params;
  }
  static DelayBoxParams delays(int rtt_ms) {
    DelayBoxParams params;
    params.west.delay.value = params.east.delay.value = from_ps(rtt_ms * kSecond / 2000);
    return params;
  }
  std::uint64_t lost() {
    std::uint64_t frames = 0;
    for (Switch* each : {&near, &far})
      for (std::uint32_t port : {0U, 1U}) frames += each->at(port).dropped.value();
    return frames;
  }

  StreamHost sender;
  StreamHost receiver;
  DelayBox box;
  Switch near{"near", 2};
  Switch far{"far", 2};
  std::array<Link, 4> links{{{"link0"}, {"link1"}, {"link2"}, {"link3"}}};
};

void report(Path& path, int second, std::uint64_t& received, std::uint64_t& pauses) {
  const auto tcb = path.sender.adapter.engine.fields(0).value_or(TcbFields{});
  const std::uint64_t xoff = path.sender.adapter.mac.tx_xoff.value();
  fmt::print("{:4} {:11.3f} {:10.1f} {:12.1f} {:8} {:8}\n", second,
             static_cast<double>(path.receiver.received - received) * 8e-9,
             static_cast<double>(tcb.cwnd) / 1e6,
             static_cast<double>(tcb.snd_nxt - tcb.snd_una) / 1e6, xoff - pauses, path.lost());
  std::fflush(stdout);
  received = path.receiver.received;
  pauses = xoff;
}

}  // namespace

int sc_main(int count, char** words) {
  Options options;
  try {
    if (!read(count, words, options)) throw std::invalid_argument(words[0]);
  } catch (const std::exception&) {
    fmt::print(stderr,
               "usage: offload_path [--mtu 576..9000] [--separator CLOCKS] [--rtt-ms 0..1600] "
               "[--seconds N]\n");
    return 2;
  }
  Path path(options);
  FrameRef piece = Frame::allocate(kPiece);
  piece.writable().leave_blank(0);
  path.sender.stream(piece, kWindow);
  fmt::print("MTU {} B, separator {} clocks, RTT {} ms\n", options.mtu, options.separator,
             options.rtt_ms);
  fmt::print("   s goodput,Gb/s   cwnd,MB under way,MB XOFF,1/s lost,all\n");
  std::uint64_t received = 0;
  std::uint64_t pauses = 0;
  for (int second = 1; second <= options.seconds; ++second) {
    EventQueue::get().go_ahead(now_ps() + kSecond);
    sc_core::sc_start(from_ps(kSecond));
    report(path, second, received, pauses);
  }
  return 0;
}
