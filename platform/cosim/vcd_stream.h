// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "platform/cosim/trace_sink.h"

namespace longhaul::cosim {

/// Reads value change dumps (IEEE 1364, clause 18) as Verilator writes them, piece by piece, into a
/// TraceSink.
///
/// Verilator's own FST writer insists on a file of its own; its VCD writer takes any stream, so
/// this is how RTL gets into a file with everything else. A signal with several names (ports, down
/// the hierarchy) is declared once, under the first that the sink takes.
class VcdStream {
 public:
  explicit VcdStream(TraceSink& sink) : sink_(sink) {}

  /// The next piece of the stream, cut anywhere.
  void feed(const char* text, std::size_t size);

 private:
  void line(const std::string& text);
  void declaration(const std::string& text);
  void change(const char* value, std::size_t bits, const std::string& code);
  static std::size_t index_of(const std::string& code);

  TraceSink& sink_;
  std::string rest_;  // of a line that was cut
  std::vector<std::string> scopes_;
  std::vector<std::uint32_t> signals_;  // by code
  bool declared_ = false;
  std::uint64_t now_ps_ = 0;
};

}  // namespace longhaul::cosim
