// SPDX-License-Identifier: Apache-2.0
#include "platform/json/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "models/common/echo.h"

namespace longhaul {
namespace {

using nlohmann::json;

/// Describes an error at a byte of a text: line, column, `what`, and the end of the line up to that
/// byte.
std::string at_line_and_column(const std::string& text, std::size_t position,
                               const std::string& what) {
  constexpr std::size_t kMostShown = 24;
  const std::size_t at = std::min(position == 0 ? 0 : position - 1, text.size());
  const auto line =
      std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n') + 1;
  const std::size_t newline = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
  const std::size_t column = newline == std::string::npos ? at + 1 : at - newline;
  std::string shown =
      text.substr(at + 1 - std::min(column, kMostShown), std::min(column, kMostShown));
  shown.erase(0, shown.find_first_not_of(" \t\r"));
  return fmt::format("line {}, column {}: {} at the end of '{}'", line, column, what, echo(shown));
}

/// Checks a document's limits while the parser runs. It does not keep the document.
class Limits final : public nlohmann::json_sax<json> {
 public:
  explicit Limits(const std::string& text) : text_(text) {}
  const std::string& wrong() const { return wrong_; }

  bool null() override { return next(); }
  bool boolean(bool) override { return next(); }
  bool number_integer(number_integer_t) override { return next(); }
  bool number_unsigned(number_unsigned_t) override { return next(); }
  bool number_float(number_float_t, const string_t&) override { return next(); }
  bool binary(binary_t&) override { return next(); }
  bool string(string_t& text) override {
    next();
    if (text.size() <= json_limits::kTextBytes) return true;
    return refuse(
        fmt::format("a text of {} bytes, {} are the most", text.size(), json_limits::kTextBytes));
  }
  bool start_object(std::size_t) override { return enter(false); }
  bool start_array(std::size_t) override { return enter(true); }
  bool end_object() override { return leave(); }
  bool end_array() override { return leave(); }

  bool key(string_t& key) override {
    Level& level = levels_.back();
    if (key.size() > json_limits::kKeyBytes) {
      level.key.clear();
      return refuse(fmt::format("a name of {} bytes, {} are the most: '{}'", key.size(),
                                json_limits::kKeyBytes, echo(key)));
    }
    level.key = key;
    return level.keys.insert(key).second || refuse("is there twice");
  }

  bool parse_error(std::size_t position, const std::string& /*token*/,
                   const json::exception& error) override {
    constexpr int kOutOfRange = 406;
    const bool too_large = error.id == kOutOfRange;
    wrong_ = at_line_and_column(text_, position,
                                too_large ? "a number that is too large" : "is no JSON");
    return false;
  }

 private:
  struct Level {
    bool is_array;
    std::size_t elements = 0;
    std::string key;
    std::set<std::string> keys;
  };

  /// Counts another element, if an array is being read.
  bool next() {
    if (!levels_.empty()) ++levels_.back().elements;
    return true;
  }
  bool enter(bool is_array) {
    next();
    if (levels_.size() == json_limits::kLevels)
      return refuse(fmt::format("lies more than {} levels deep", json_limits::kLevels));
    levels_.push_back({is_array, 0, {}, {}});
    return true;
  }
  bool leave() {
    levels_.pop_back();
    return true;
  }
  bool refuse(const std::string& what) {
    wrong_ = place() + ": " + what;
    return false;
  }
  /// Returns the path of the value being read. Only the outer levels of a deep value are given.
  std::string place() const {
    constexpr std::size_t kMostLevels = 6;
    std::string place;
    for (std::size_t i = 0; i < levels_.size() && i < kMostLevels; ++i) {
      const Level& level = levels_[i];
      if (level.is_array) {
        place += fmt::format("[{}]", level.elements == 0 ? 0 : level.elements - 1);
      } else if (!level.key.empty()) {
        place += (place.empty() ? "" : ".") + echo(level.key);
      }
    }
    if (levels_.size() > kMostLevels) place += "...";
    return place.empty() ? "the document" : place;
  }

  const std::string& text_;
  std::vector<Level> levels_;
  std::string wrong_;
};

}  // namespace

JsonText parse_json(const std::string& text) {
  if (text.size() > json_limits::kBytes)
    return {{}, fmt::format("more than {} MiB, which is the most", json_limits::kBytes >> 20)};
  if (text.find_first_not_of(" \t\r\n") == std::string::npos)
    return {{}, "is empty, wants a JSON object"};
  Limits limits(text);
  if (!json::sax_parse(text, &limits)) return {{}, limits.wrong()};
  return {json::parse(text), ""};
}

}  // namespace longhaul
