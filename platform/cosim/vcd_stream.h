// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "platform/cosim/trace_sink.h"

namespace longhaul::cosim {

/// Reads value change dumps (IEEE 1364, clause 18) of Verilator, piece by piece, into a TraceSink.
///
/// Verilator's FST writer needs a file of its own, but its VCD writer takes any stream. Therefore
/// RTL is traced this way into one file with all other signals. A signal with several names (ports,
/// down the hierarchy) is declared once, under the first name that the sink accepts.
class VcdStream {
 public:
  explicit VcdStream(TraceSink& sink) : sink_(sink) {}

  /// The next piece of the stream; it may end anywhere.
  void feed(const char* text, std::size_t size);

 private:
  void line(const std::string& text);
  void declaration(const std::string& text);
  void change(const char* value, std::size_t bits, const std::string& code);
  static std::size_t index_of(const std::string& code);

  TraceSink& sink_;
  std::string rest_;  // the beginning of a line that was cut
  std::vector<std::string> scopes_;
  std::vector<std::uint32_t> signals_;  // by code
  bool declared_ = false;
  std::uint64_t now_ps_ = 0;
};

}  // namespace longhaul::cosim
