// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "models/common/units.h"

namespace longhaul {

/// How a number that stands for hardware is known.
enum class Evidence {
  kDatasheet,  ///< printed by the maker
  kStandard,   ///< follows from a standard
  kMeasured,   ///< measured on the real thing, by us or in a cited paper
  kFitted,     ///< chosen so that a figure comes out; the source says which
  kAssumed,    ///< an estimate; the source says where it is argued
  kChosen,     ///< not hardware: a setting of the model or of the user
};

/// The class of evidence, and the place of the proof: a document and page, or "README.md#section".
struct Source {
  Evidence evidence;
  const char* where;
};

/// A user's configuration that cannot be built. what() tells which setting is wrong, where it is,
/// and which values are right.
class ConfigError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The smallest and the largest value of a Param, both included.
template <class T>
struct Range {
  T least;
  T most;
};

/// One number of a model: name, value with its unit type, evidence, and (optionally) its legal
/// range.
///
/// T is bool, std::uint32_t, std::uint64_t, double (dimensionless), std::string, sc_core::sc_time,
/// Bytes, BitRate, Frequency or Probability. A params struct lists its Params in `auto fields()`,
/// and configure() reads them from JSON (param_json.h).
template <class T>
struct Param {
  const char* name;
  T value;
  const char* description;  ///< one sentence of at most 90 characters
  Source source;
  std::optional<Range<T>> range{};
  bool set_by_user = false;

  const T& operator()() const { return value; }
};

/// A text parameter: one of `choices`, or any text if `choices` is empty.
template <>
struct Param<std::string> {
  const char* name;
  std::string value;
  const char* description;
  Source source;
  std::vector<std::string> choices{};
  bool set_by_user = false;

  const std::string& operator()() const { return value; }
};

const char* to_text(Evidence evidence);

/// The entry of `valid` with the smallest edit distance to `text`; empty if `valid` is empty.
std::string nearest(const std::string& text, const std::vector<std::string>& valid);
/// The end of a message that refuses a name: "nearest is 'x'", or "there is none" if `valid` is
/// empty.
std::string nearest_hint(const std::string& text, const std::vector<std::string>& valid);

/// Throws ConfigError whose message starts with `where`. It says that no `kind` has this name,
/// names the nearest one, and lists all.
[[noreturn]] void fail_unknown_name(const char* kind, const std::string& name,
                                    const std::vector<std::string>& valid,
                                    const std::string& where);

}  // namespace longhaul
