// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/wave_trace.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace longhaul::cosim {
namespace {

using observe::WaveShow;

constexpr std::uint32_t kWidest = 64;

/// The name without a number at its end.
std::string without_number(const std::string& name) {
  const std::size_t last = name.find_last_not_of("0123456789");
  if (last == std::string::npos || name[last] != '_' || last + 1 == name.size()) return name;
  return without_number(name.substr(0, last));
}

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// Calls `each` with the parts of a path between its dots.
template <class Each>
void for_parts(const std::string& path, const Each& each) {
  for (std::size_t from = 0; from < path.size();) {
    const std::size_t dot = std::min(path.find('.', from), path.size());
    each(path.substr(from, dot - from));
    from = dot + 1;
  }
}

}  // namespace

std::string without_brackets(const std::string& name) {
  std::string plain;
  for (const char c : name) {
    if (c == '[') {
      plain += '_';
    } else if (c != ']') {
      plain += c;
    }
  }
  return plain;
}

WaveTrace::WaveTrace(const observe::WaveScope& scope, const RtlBlock& block,
                     TraceSelection selection)
    : scope_(scope),
      block_(block),
      selection_(std::move(selection)),
      stream_(scope.file().add_stream()) {}

bool WaveTrace::is_parameter(const std::string& name) const {
  const auto& known = selection_.parameters;
  if (known) return known->count(name) != 0;
  return std::isupper(static_cast<unsigned char>(name[0])) != 0;
}

bool WaveTrace::is_no_place(const std::string& name) const {
  const bool parameter = !selection_.parameters && is_parameter(name);  // a struct
  return parameter || ends_with(name, "_pkg") || name.rfind("unnamedblk", 0) == 0;
}

bool WaveTrace::leaves_out(const std::string& name) const {
  const auto& names = selection_.leave_out;
  return std::find(names.begin(), names.end(), without_number(name)) != names.end();
}

std::optional<std::string> WaveTrace::traced_scope(const std::string& scope) const {
  // Signals beside the top are its ports again.
  std::string inside = scope;
  if (scope.rfind(selection_.top + ".", 0) == 0) {
    inside = scope.substr(selection_.top.size() + 1);
  } else if (scope == selection_.top || selection_.top.rfind(scope + ".", 0) == 0) {
    return "";
  }
  std::uint32_t depth = 0;
  bool traced = true;
  for_parts(inside, [&](const std::string& part) {
    ++depth;
    traced = traced && !is_no_place(part) && !leaves_out(without_brackets(part));
  });
  if (!traced || depth > selection_.levels) return std::nullopt;
  return without_brackets(inside);
}

std::uint32_t WaveTrace::declare(const std::string& scope, const std::string& name,
                                 std::uint32_t width) {
  const std::optional<std::string> path = traced_scope(scope);
  const std::string plain = without_brackets(name);
  if (!path || is_parameter(name) || leaves_out(plain)) return kIgnored;
  observe::WaveScope place = path->empty() ? scope_ : scope_.scope(*path);
  if (selection_.place != nullptr) {
    const TraceSelection::Place shown = selection_.place(*path);
    std::string label = shown.label.empty() ? "" : shown.label + "/";
    std::replace(label.begin(), label.end(), '.', '/');
    place = place.in_group(scope_.path() + ": " + shown.group, label);
  }
  waves_.push_back(add(place, *path, plain, std::min(width, kWidest)));
  return static_cast<std::uint32_t>(waves_.size() - 1);
}

observe::Wave WaveTrace::add(const observe::WaveScope& place, const std::string& path,
                             const std::string& name, std::uint32_t width) const {
  std::string full;
  for_parts(path, [&](const std::string& part) { full += without_number(part) + '.'; });
  full += without_number(name);
  const auto states = selection_.states.find(full);
  if (states != selection_.states.end()) return place.add_states(name, width, states->second);
  if (width == 1) return place.add_bit(name);
  const auto& decimal = selection_.decimal;
  const bool number = std::any_of(decimal.begin(), decimal.end(),
                                  [&](const std::string& end) { return ends_with(full, end); });
  return place.add_bits(name, width, number ? WaveShow::kUnsigned : WaveShow::kHex);
}

}  // namespace longhaul::cosim
