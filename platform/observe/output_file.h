// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace longhaul::observe {

/// A buffered output file of a sink. It is called PATH.part until close(), so a file named PATH is
/// complete.
///
/// An empty PATH is no file: writes are dropped. A failed write stops a running simulation, and
/// later writes do nothing; check(), patch() and close() then throw the SinkError of the first
/// failure. A file that is destroyed without close() keeps its .part name, so the output of a
/// broken run can be inspected. A PATH of an earlier run is removed at the start.
class OutputFile {
 public:
  static constexpr std::size_t kBufferBytes = std::size_t{1} << 18;

  explicit OutputFile(std::string path);  ///< throws SinkError
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  void write(const void* data, std::size_t size);
  /// Overwrites bytes that were written before: [offset, offset + size) must be below offset().
  void patch(std::uint64_t offset, const void* data, std::size_t size);
  /// Number of bytes written so far, including the buffer.
  std::uint64_t offset() const { return flushed_ + used_; }
  /// Writes the buffer and gives the file its name. Further calls do nothing.
  void close();
  /// Throws the SinkError of the first failure, if there was one.
  void check() const;

 private:
  void flush();
  void write_out(const std::uint8_t* data, std::size_t size);
  void fail(const char* what);

  std::string path_;
  std::string part_path_;
  int fd_ = -1;
  std::unique_ptr<std::uint8_t[]> buffer_{new std::uint8_t[kBufferBytes]};
  std::size_t used_ = 0;
  std::uint64_t flushed_ = 0;
  bool closed_ = false;
  std::string error_;
};

}  // namespace longhaul::observe
