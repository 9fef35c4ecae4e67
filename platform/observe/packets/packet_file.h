// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "platform/observe/output_file.h"
#include "platform/observe/packets/packet_book.h"

namespace longhaul::observe {

/// Writes all stages of a PacketBook to a binary file of fixed-size records (format:
/// README.md#packetsbin).
///
/// The file is bounded: after `most_records` the rest is counted, not kept, and the tables have
/// their number and the time of the first. A failed write stops the simulation; check() and close()
/// throw its SinkError.
class PacketFile final : public PacketListener {
 public:
  /// 4 million records of 64 bytes: 256 MB.
  static constexpr std::uint64_t kMostRecords = 4'000'000;

  /// Listens for its lifetime.
  PacketFile(const std::string& path, PacketBook& book, std::uint64_t most_records = kMostRecords);
  PacketFile(const PacketFile&) = delete;
  PacketFile& operator=(const PacketFile&) = delete;
  ~PacketFile() override { book_.ignore(this); }

  void on_stage(const PacketStage& stage) override;
  void on_packet(std::uint64_t packet, const std::string& text) override;
  /// Writes the tables, with the counts of each adapter, and gives the file its name.
  void close(const nlohmann::json& adapters);
  void check() const { file_.check(); }
  std::uint64_t left_out() const { return left_out_; }
  std::uint64_t left_out_from_ps() const { return left_out_from_ps_; }

 private:
  /// Whether there is room for so many records more.
  bool has_room(std::uint64_t records, std::uint64_t ps);

  OutputFile file_;
  PacketBook& book_;
  const std::uint64_t most_records_;
  std::uint64_t records_ = 0;
  std::uint64_t left_out_ = 0;
  std::uint64_t left_out_from_ps_ = 0;
  bool closed_ = false;
};

}  // namespace longhaul::observe
