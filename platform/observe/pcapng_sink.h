// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/net/frame/frame_tap.h"
#include "platform/observe/output_file.h"

namespace longhaul::observe {

class FrameNotes;

/// Writes the frames of FrameTaps to a pcapng file, in order of time, with one interface for each
/// tap.
///
/// Each frame has its FCS. Its time is that of its first bit, in nanoseconds of simulated time,
/// rounded down. Flags give direction, length of the FCS and damage. Comments tell why a frame was
/// dropped and that it is damaged. For a sent frame they tell where it was dropped later, and that
/// it is a retransmission (FrameNotes).
///
/// The packet id is Frame::id(), so a frame can be found on every interface. The end of the file
/// has the totals of frames and drops of each interface. Frames are copied when reported: the sink
/// holds none. A failed write stops the simulation; check() and close() throw its SinkError.
class PcapngSink {
 public:
  /// The largest time, in picoseconds, from a frame's first bit to its report: longer than 16,388
  /// bytes take at 1 Gb/s (131 us). A report that is still later is written out of order.
  static constexpr std::uint64_t kReorderPs = 1'000'000'000;

  /// `snaplen` is the number of bytes kept of each frame; 0: all. `notes`, which may be null, is
  /// read when the file is closed.
  explicit PcapngSink(const std::string& path, std::uint32_t snaplen = 0,
                      FrameNotes* notes = nullptr);
  PcapngSink(const PcapngSink&) = delete;
  PcapngSink& operator=(const PcapngSink&) = delete;
  ~PcapngSink();  ///< stops listening

  /// Captures the frames of `tap` as an interface called `name` of `bits_per_s` (0: unknown). The
  /// tap's description is that of the interface. Close or destroy the sink before the tap.
  void watch(FrameTap& tap, const std::string& name, std::uint64_t bits_per_s = 0);
  /// Writes all frames that still wait for their place, and the totals, and gives the file its
  /// name.
  void close();
  /// Throws the SinkError of the first failed write, if there was one.
  void check() const { file_.check(); }

 private:
  class Interface;
  struct Pending {
    std::uint64_t at_ps;
    std::uint64_t sequence;
    std::uint64_t offset;  // of the block's first byte, counted over all blocks so far
    std::uint32_t size;
  };
  struct Later {
    bool operator()(const Pending& a, const Pending& b) const {
      return a.at_ps != b.at_ps ? a.at_ps > b.at_ps : a.sequence > b.sequence;
    }
  };
  void add(std::uint32_t interface_id, std::uint64_t at_ps, const Frame& frame, FrameFate fate,
           const char* why);
  void write_until(std::uint64_t ps);
  void drop_written_bytes();

  const std::string path_;
  OutputFile file_;
  const std::uint32_t snaplen_;
  FrameNotes* const notes_;
  std::vector<std::unique_ptr<Interface>> interfaces_;
  std::vector<Pending> pending_;      // a heap: the earliest first
  std::vector<std::uint8_t> blocks_;  // the bytes of the pending blocks, in order of reporting
  std::uint64_t blocks_offset_ = 0;   // of blocks_[0]
  std::uint64_t pending_bytes_ = 0;
  std::uint64_t sequence_ = 0;
  bool closed_ = false;
};

}  // namespace longhaul::observe
