// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/vcd_stream.h"

#include <cstdlib>
#include <sstream>

namespace longhaul::cosim {

void VcdStream::feed(const char* text, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) {
    if (text[i] != '\n') {
      rest_ += text[i];
      continue;
    }
    line(rest_);
    rest_.clear();
  }
}

void VcdStream::line(const std::string& text) {
  if (!declared_) return declaration(text);
  if (text.empty()) return;
  switch (text[0]) {
    case '#': now_ps_ = std::strtoull(text.c_str() + 1, nullptr, 10); break;
    case '0':
    case '1':
    case 'x':
    case 'z': change(text.c_str(), 1, text.substr(1)); break;
    case 'b': {
      const std::size_t space = text.find(' ');
      if (space != std::string::npos) change(text.c_str() + 1, space - 1, text.substr(space + 1));
      break;
    }
    default: break;  // $dumpvars and its end, real numbers
  }
}

void VcdStream::declaration(const std::string& text) {
  std::istringstream words(text);
  std::string word;
  words >> word;
  if (word == "$scope") {
    std::string kind;
    std::string name;
    words >> kind >> name;
    scopes_.push_back(name);
  } else if (word == "$upscope") {
    if (!scopes_.empty()) scopes_.pop_back();
  } else if (word == "$var") {
    std::string kind;
    std::uint32_t width = 0;
    std::string code;
    std::string name;
    words >> kind >> width >> code >> name;
    const std::size_t index = index_of(code);
    if (index >= signals_.size()) signals_.resize(index + 1, TraceSink::kIgnored);
    if (signals_[index] != TraceSink::kIgnored) return;
    std::string scope;
    for (const std::string& part : scopes_) scope += (scope.empty() ? "" : ".") + part;
    signals_[index] = sink_.declare(scope, name, width);
  } else if (word == "$enddefinitions") {
    declared_ = true;
  }
}

/// Codes have printable characters, the first one varies fastest.
std::size_t VcdStream::index_of(const std::string& code) {
  std::size_t index = 0;
  for (std::size_t i = code.size(); i-- > 0;)
    index = index * 95 + static_cast<std::size_t>(code[i] - ' ');
  return index;
}

void VcdStream::change(const char* value, std::size_t bits, const std::string& code) {
  const std::size_t index = index_of(code);
  if (index >= signals_.size() || signals_[index] == TraceSink::kIgnored) return;
  const std::uint32_t signal = signals_[index];
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < bits; ++i) number = number << 1U | (value[i] == '1' ? 1U : 0U);
  sink_.change(signal, now_ps_, number);
}

}  // namespace longhaul::cosim
