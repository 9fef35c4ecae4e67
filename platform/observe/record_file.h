// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "platform/observe/output_file.h"

namespace longhaul::observe {

/// A line of record.bin. README.md#recordbin gives the meaning of its fields for each kind.
struct RecordLine {
  enum Kind : std::uint8_t { kCheckpoint, kExchange, kWork, kFrame, kEvent };

  std::uint64_t time_ps = 0;
  std::uint16_t stream = 0;
  Kind kind = kCheckpoint;
  std::uint8_t code = 0;
  std::uint32_t size = 0;
  std::array<std::uint64_t, 6> value{};
};
static_assert(sizeof(RecordLine) == 64);

/// Writes the events of a run, in the order of the calls, as lines of 64 bytes.
///
/// A stream is one machine's exchanges, one direction of a link, or one probe; its items are lines.
/// Each stream has a running digest of its items, which does not depend on other streams. It has a
/// checkpoint line after every kCheckpointItems items and at its end. The size of the file is not
/// bounded. A failed write stops the simulation; check() and close() throw its SinkError.
class RecordFile {
 public:
  static constexpr std::uint32_t kCheckpointItems = 64;
  /// Index in RecordLine::value of the number of a label.
  static constexpr std::size_t kLabelValue = 1;

  /// A named range of a machine's physical addresses, for readers of the record.
  struct Window {
    std::string name;
    std::uint64_t begin;
    std::uint64_t bytes;
  };

  explicit RecordFile(const std::string& path);
  RecordFile(const RecordFile&) = delete;
  RecordFile& operator=(const RecordFile&) = delete;

  /// `kind` is exchanges, frames, drops or events. Throws ConfigError if there are too many
  /// streams.
  std::uint16_t add_stream(std::string kind, std::string name, std::string description);
  /// An item of a stream. Its own line comes last, after lines that belong to it. `label` is static
  /// text whose number goes into the item's value[kLabelValue]; null: no label.
  void put(std::uint16_t stream, RecordLine* lines, std::size_t count, const char* label = nullptr);
  /// The number of a text in the file's table of labels.
  std::uint32_t label_number(const std::string& text);
  /// Writes the last checkpoints, the tables and the header, and gives the file its name.
  void close(const std::vector<Window>& windows);
  /// Throws the SinkError of the first failed write, if there was one.
  void check() const { file_.check(); }

 private:
  struct Stream {
    std::string kind;
    std::string name;
    std::string description;
    std::uint64_t items = 0;
    std::uint64_t digest = 0;
    std::uint64_t last_ps = 0;
  };
  void checkpoint(std::uint16_t stream);
  void write_text(const std::string& text);
  std::uint32_t static_label(const char* text);

  OutputFile file_;
  std::vector<Stream> streams_;
  std::vector<std::string> labels_;
  std::vector<std::uint64_t> label_digests_;
  std::unordered_map<std::string, std::uint32_t> label_of_;
  std::unordered_map<const char*, std::uint32_t> label_at_;  // by the address of static texts
  std::uint64_t lines_ = 0;
  bool closed_ = false;
};

}  // namespace longhaul::observe
