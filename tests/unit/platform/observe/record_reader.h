// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "platform/observe/record_file.h"

namespace longhaul::observe {

/// A record.bin taken apart by its documented offsets.
struct RecordReader {
  std::vector<RecordLine> lines;    // without checkpoints
  std::vector<RecordLine> marks;    // the checkpoints
  std::vector<std::string> tables;  // all texts behind the lines: streams, labels

  explicit RecordReader(const std::vector<std::uint8_t>& bytes) {
    const auto number = [&](std::size_t at, std::size_t size) {
      std::uint64_t value = 0;
      std::memcpy(&value, bytes.data() + at, size);
      return value;
    };
    const std::uint64_t texts = number(16, 4) * 3 + number(20, 4);
    for (std::uint64_t i = 0; i < number(32, 8); ++i) {
      RecordLine line;
      std::memcpy(&line, bytes.data() + 64 + i * 64, sizeof line);
      (line.kind == RecordLine::kCheckpoint ? marks : lines).push_back(line);
    }
    std::size_t at = number(40, 8);
    for (std::uint64_t i = 0; i < texts; ++i) {
      const std::size_t size = number(at, 2);
      tables.emplace_back(bytes.begin() + static_cast<std::ptrdiff_t>(at + 2),
                          bytes.begin() + static_cast<std::ptrdiff_t>(at + 2 + size));
      at += 2 + size;
    }
  }
};

}  // namespace longhaul::observe
