// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/output_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <systemc>
#include <utility>

#include "platform/observe/sink_error.h"

namespace longhaul::observe {

OutputFile::OutputFile(std::string path) : path_(std::move(path)), part_path_(path_ + ".part") {
  if (path_.empty()) return;
  if (::unlink(path_.c_str()) != 0 && errno != ENOENT) {
    fail("cannot replace");
  } else {
    fd_ = ::open(part_path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd_ < 0) fail("cannot create");
  }
  check();
}

OutputFile::~OutputFile() {
  if (fd_ < 0) return;  // closed, or no file
  if (error_.empty()) flush();
  ::close(fd_);
}

void OutputFile::write(const void* data, std::size_t size) {
  if (!error_.empty()) return;
  if (size > kBufferBytes - used_) {
    flush();
    if (size >= kBufferBytes) {
      write_out(static_cast<const std::uint8_t*>(data), size);
      return;
    }
  }
  std::memcpy(buffer_.get() + used_, data, size);
  used_ += size;
}

void OutputFile::patch(std::uint64_t offset, const void* data, std::size_t size) {
  flush();
  check();
  if (path_.empty()) return;
  const auto* bytes = static_cast<const std::uint8_t*>(data);
  while (size > 0) {
    const ssize_t written = ::pwrite(fd_, bytes, size, static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      fail("cannot write");
      check();
    }
    bytes += written;
    offset += static_cast<std::uint64_t>(written);
    size -= static_cast<std::size_t>(written);
  }
}

void OutputFile::close() {
  if (closed_) return;
  flush();
  check();
  closed_ = path_.empty();
  if (closed_) return;
  // A network file system may report only here that the data did not fit.
  const int fd = std::exchange(fd_, -1);
  if (::close(fd) != 0) fail("cannot write");
  if (error_.empty() && std::rename(part_path_.c_str(), path_.c_str()) != 0) fail("cannot rename");
  check();
  closed_ = true;
}

void OutputFile::flush() { write_out(buffer_.get(), std::exchange(used_, 0)); }

void OutputFile::write_out(const std::uint8_t* data, std::size_t size) {
  flushed_ += size;
  if (path_.empty()) return;
  while (size > 0 && error_.empty()) {
    const ssize_t written = ::write(fd_, data, size);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return fail("cannot write");
    data += written;
    size -= static_cast<std::size_t>(written);
  }
}

void OutputFile::fail(const char* what) {
  error_ = path_ + ": " + what + ": " + std::strerror(errno);
  if (sc_core::sc_is_running()) sc_core::sc_stop();
}

void OutputFile::check() const {
  if (!error_.empty()) throw SinkError(error_);
}

}  // namespace longhaul::observe
