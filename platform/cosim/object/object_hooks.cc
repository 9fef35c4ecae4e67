// SPDX-License-Identifier: Apache-2.0
// Functions that Verilator's runtime calls in an RTL object, instead of printing to the terminal
// and ending the process.
#include "platform/cosim/object/object_model.h"
#include "platform/cosim/object/rtl_printf.h"

namespace {

void tell_failure(const char* file, int line, const char* hierarchy, const char* message) {
  if (longhaul::cosim::RtlListener* const listener = longhaul::cosim::listener_now())
    listener->failed(file, line, hierarchy == nullptr ? "" : hierarchy, message);
}

}  // namespace

int longhaul_rtl_printf(const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  std::va_list again;
  va_copy(again, arguments);
  const int size = std::vsnprintf(nullptr, 0, format, arguments);
  va_end(arguments);
  std::vector<char> text(static_cast<std::size_t>(size < 0 ? 0 : size) + 1);
  std::vsnprintf(text.data(), text.size(), format, again);
  va_end(again);
  if (longhaul::cosim::RtlListener* const listener = longhaul::cosim::listener_now())
    listener->printed(text.data());
  return size;
}

void vl_finish(const char* file, int line, const char*) {
  if (longhaul::cosim::RtlListener* const listener = longhaul::cosim::listener_now())
    listener->finished(file, line);
}
void vl_stop(const char* file, int line, const char* hierarchy) {
  tell_failure(file, line, hierarchy, "");
}
void vl_fatal(const char* file, int line, const char* hierarchy, const char* message) {
  tell_failure(file, line, hierarchy, message);
}
void vl_warn(const char* file, int line, const char*, const char* message) {
  longhaul_rtl_printf("%s:%d: %s\n", file, line, message);
}
