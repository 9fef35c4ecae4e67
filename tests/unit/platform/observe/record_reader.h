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
  std::vector<RecordFile::Window> windows;

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
    const auto text = [&] {
      const std::size_t size = number(at, 2);
      const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(at + 2);
      at += 2 + size;
      return std::string(begin, begin + static_cast<std::ptrdiff_t>(size));
    };
    for (std::uint64_t i = 0; i < texts; ++i) tables.push_back(text());
    for (std::uint64_t i = 0; i < number(24, 4); ++i) {
      const std::string name = text();
      windows.push_back({name, number(at, 8), number(at + 8, 8)});
      at += 16;
    }
  }
};

}  // namespace longhaul::observe
