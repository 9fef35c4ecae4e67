// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstdio>
#include <deque>
#include <functional>
#include <string>
#include <vector>

namespace longhaul::observe {

/// A change of one variable of the waves.
struct WaveChange {
  enum class Kind : std::uint8_t { kBits, kHalves, kUndriven, kText, kEvent };

  std::uint64_t ps = 0;
  std::uint32_t var = 0;
  Kind kind = Kind::kBits;
  std::uint64_t value = 0;
  bool driven_low = true;  ///< kHalves: whether bits 31:0 and 63:32 are driven
  bool driven_high = true;
  std::string text;
};

/// Changes in order of time, packed. They are in memory while older ones may still be dropped, and
/// in a nameless file after that.
///
/// A dropped change leaves its last value behind, so a replay from any later time has the right
/// values. Memory: the changes since the last forget_before(), and one value for each variable. A
/// change takes 4 to 12 bytes; texts take their length.
class WaveLog {
 public:
  /// `spool_path` is where the file is made; it has no name there once it is open. Empty: kept
  /// changes are dropped. Throws SinkError.
  explicit WaveLog(std::string spool_path);
  WaveLog(const WaveLog&) = delete;
  WaveLog& operator=(const WaveLog&) = delete;
  ~WaveLog();

  /// Adds a change, not earlier than the one before.
  void append(const WaveChange& change);
  /// Drops changes before `ps`, except for the values that they leave. Does nothing after
  /// keep_all().
  void forget_before(std::uint64_t ps);
  /// Keeps all changes from this call on, on disk.
  void keep_all();
  /// Calls `each` with the values at `from_ps` (as changes at that time, in the order of
  /// variables), and then with every change in [from_ps, to_ps). Call it once, at the end.
  void replay(std::uint64_t from_ps, std::uint64_t to_ps,
              const std::function<void(const WaveChange&)>& each);
  /// Throws the SinkError of the first failed write, if there was one. A failed write also stops
  /// the simulation.
  void check() const;
  /// Bytes held in memory.
  std::size_t memory_bytes() const;

 private:
  struct Chunk {
    std::uint64_t begin_ps;  // origin of the first change's time
    std::uint64_t end_ps;    // time of the last change
    std::vector<std::uint8_t> bytes;
  };
  void spool(const Chunk& chunk);
  void decode(const Chunk& chunk, const std::function<void(const WaveChange&)>& each) const;
  void remember(const WaveChange& change);
  void fail();

  const std::string spool_path_;
  std::FILE* file_ = nullptr;
  std::deque<Chunk> chunks_;
  std::vector<WaveChange> standing_;  // by variable; valid if known_
  std::vector<bool> known_;
  bool keeps_all_ = false;
  std::string error_;
};

}  // namespace longhaul::observe
