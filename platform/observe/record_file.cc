// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/record_file.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "models/common/param.h"
#include "platform/observe/digest.h"

namespace longhaul::observe {
namespace {

// The structs are the file's layout; the platform's hosts are little-endian.
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);

struct RecordHeader {
  char magic[8] = {'L', 'H', 'R', 'E', 'C', 'O', 'R', '1'};
  std::uint32_t header_bytes = sizeof(RecordHeader);
  std::uint32_t line_bytes = sizeof(RecordLine);
  std::uint32_t streams = 0;
  std::uint32_t labels = 0;
  std::uint32_t windows = 0;
  std::uint32_t checkpoint_items = RecordFile::kCheckpointItems;
  std::uint64_t lines = 0;
  std::uint64_t tables_offset = 0;
  std::uint64_t reserved[2] = {};
};
static_assert(sizeof(RecordHeader) == 64);

}  // namespace

RecordFile::RecordFile(const std::string& path) : file_(path) {
  const RecordHeader none;
  file_.write(&none, sizeof none);
}

std::uint16_t RecordFile::add_stream(std::string kind, std::string name, std::string description) {
  if (streams_.size() > std::numeric_limits<std::uint16_t>::max()) {
    throw ConfigError("observe.record: more than 65536 machines, link directions and probes");
  }
  streams_.push_back({std::move(kind), std::move(name), std::move(description)});
  return static_cast<std::uint16_t>(streams_.size() - 1);
}

void RecordFile::put(std::uint16_t stream, RecordLine* lines, std::size_t count,
                     const char* label) {
  Stream& told = streams_[stream];
  RecordLine& item = lines[count - 1];
  // The digest must not depend on the file's other streams and labels. It is computed with stream 0
  // and with the label's own digest.
  for (std::size_t i = 0; i < count; ++i) lines[i].stream = 0;
  const std::uint32_t number = label == nullptr ? 0 : static_label(label);
  if (label != nullptr) item.value[kLabelValue] = label_digests_[number];
  told.digest = digest(lines, count * sizeof *lines, told.digest);
  if (label != nullptr) item.value[kLabelValue] = number;
  for (std::size_t i = 0; i < count; ++i) lines[i].stream = stream;
  file_.write(lines, count * sizeof *lines);
  lines_ += count;
  told.last_ps = item.time_ps;
  if (++told.items % kCheckpointItems == 0) checkpoint(stream);
}

void RecordFile::checkpoint(std::uint16_t stream) {
  const Stream& told = streams_[stream];
  RecordLine line;
  line.time_ps = told.last_ps;
  line.stream = stream;
  line.size = kCheckpointItems;
  line.value[0] = told.items;
  line.value[1] = told.digest;
  file_.write(&line, sizeof line);
  ++lines_;
}

std::uint32_t RecordFile::static_label(const char* text) {
  const auto known = label_at_.find(text);
  if (known != label_at_.end()) return known->second;
  return label_at_.emplace(text, label_number(text)).first->second;
}

std::uint32_t RecordFile::label_number(const std::string& text) {
  const auto [entry, fresh] = label_of_.emplace(text, static_cast<std::uint32_t>(labels_.size()));
  if (fresh) {
    labels_.push_back(text);
    label_digests_.push_back(digest(text.data(), text.size()));
  }
  return entry->second;
}

void RecordFile::write_text(const std::string& text) {
  const auto size = static_cast<std::uint16_t>(
      std::min<std::size_t>(text.size(), std::numeric_limits<std::uint16_t>::max()));
  file_.write(&size, sizeof size);
  file_.write(text.data(), size);
}

void RecordFile::close(const std::vector<Window>& windows) {
  if (closed_) return file_.close();
  closed_ = true;
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    if (streams_[i].items % kCheckpointItems != 0) checkpoint(static_cast<std::uint16_t>(i));
  }
  RecordHeader header;
  header.streams = static_cast<std::uint32_t>(streams_.size());
  header.labels = static_cast<std::uint32_t>(labels_.size());
  header.windows = static_cast<std::uint32_t>(windows.size());
  header.lines = lines_;
  header.tables_offset = file_.offset();
  for (const Stream& stream : streams_) {
    write_text(stream.kind);
    write_text(stream.name);
    write_text(stream.description);
  }
  for (const std::string& label : labels_) write_text(label);
  for (const Window& window : windows) {
    write_text(window.name);
    file_.write(&window.begin, sizeof window.begin);
    file_.write(&window.bytes, sizeof window.bytes);
  }
  file_.patch(0, &header, sizeof header);
  file_.close();
}

}  // namespace longhaul::observe
