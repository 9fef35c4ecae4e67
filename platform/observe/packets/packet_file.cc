// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/packets/packet_file.h"

#include <algorithm>
#include <cstring>

#include "models/common/units.h"

namespace longhaul::observe {
namespace {

// The structs are the file's layout; the platform's hosts are little-endian.
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);

struct PacketFileHeader {
  char magic[8] = {'L', 'H', 'P', 'A', 'C', 'K', 'T', '1'};
  std::uint32_t header_bytes = sizeof(PacketFileHeader);
  std::uint32_t record_bytes = 0;
  std::uint64_t records = 0;
  std::uint64_t tables_offset = 0;
  std::uint64_t tables_bytes = 0;
  std::uint64_t reserved[3] = {};
};
static_assert(sizeof(PacketFileHeader) == 64);

constexpr std::uint8_t kTextMark = 0xff;

struct StageRecord {
  std::uint64_t packet;
  std::uint64_t start_ps;
  std::uint64_t end_ps;
  std::uint64_t address;
  std::uint32_t bytes;
  std::uint32_t fault_at;
  std::uint16_t place;
  std::uint8_t kind;
  std::uint8_t fault;
  std::uint8_t reserved[20];
};
static_assert(sizeof(StageRecord) == 64);

struct TextRecord {
  std::uint64_t packet;
  char text[34];
  std::uint8_t kind = kTextMark;
  std::uint8_t count;  // bytes of the text in this record
  char more[20];
};
constexpr std::size_t kTextBytes = sizeof(TextRecord::text) + sizeof(TextRecord::more);
static_assert(sizeof(TextRecord) == 64);
static_assert(offsetof(TextRecord, kind) == offsetof(StageRecord, kind));

}  // namespace

PacketFile::PacketFile(const std::string& path, PacketBook& book, std::uint64_t most_records)
    : file_(path), book_(book), most_records_(most_records) {
  const PacketFileHeader none;
  file_.write(&none, sizeof none);
  book_.listen(this);
}

bool PacketFile::has_room(std::uint64_t records, std::uint64_t ps) {
  if (records_ + records <= most_records_ && left_out_ == 0) {
    records_ += records;
    return true;
  }
  if (left_out_ == 0) left_out_from_ps_ = ps;
  ++left_out_;
  return false;
}

void PacketFile::on_stage(const PacketStage& stage) {
  if (!has_room(1, stage.start_ps)) return;
  StageRecord record{};
  record.packet = stage.packet;
  record.start_ps = stage.start_ps;
  record.end_ps = stage.end_ps;
  record.address = stage.address;
  record.bytes = stage.bytes;
  record.fault_at = stage.fault_at;
  record.place = stage.place;
  record.kind = static_cast<std::uint8_t>(stage.kind);
  record.fault = static_cast<std::uint8_t>(stage.fault);
  file_.write(&record, sizeof record);
}

void PacketFile::on_packet(std::uint64_t packet, const std::string& text) {
  if (!has_room((text.size() + kTextBytes - 1) / kTextBytes, now_ps())) return;
  for (std::size_t at = 0; at < text.size(); at += kTextBytes) {
    TextRecord record{};
    record.packet = packet;
    record.count = static_cast<std::uint8_t>(std::min(kTextBytes, text.size() - at));
    const std::size_t first = std::min<std::size_t>(record.count, sizeof record.text);
    std::memcpy(record.text, text.data() + at, first);
    std::memcpy(record.more, text.data() + at + first, record.count - first);
    file_.write(&record, sizeof record);
  }
}

void PacketFile::close(const nlohmann::json& adapters) {
  if (!closed_) {
    const nlohmann::json tables = {{"places", book_.places()},
                                   {"adapters", adapters},
                                   {"left_out", left_out_},
                                   {"left_out_from_ps", left_out_from_ps_}};
    const std::string text = tables.dump();
    PacketFileHeader header;
    header.record_bytes = sizeof(StageRecord);
    header.records = records_;
    header.tables_offset = file_.offset();
    header.tables_bytes = text.size();
    file_.write(text.data(), text.size());
    file_.patch(0, &header, sizeof header);
    closed_ = true;
  }
  file_.close();
}

}  // namespace longhaul::observe
