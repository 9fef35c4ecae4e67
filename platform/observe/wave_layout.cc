// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/wave_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "platform/observe/output_file.h"

namespace longhaul::observe {
namespace {

// GTKWave's display flags, as in its save files: a hexadecimal sum before the rows that it applies
// to.
constexpr unsigned kHex = 0x22;  // right-justified
constexpr unsigned kUnsigned = 0x24;
constexpr unsigned kBit = 0x28;
constexpr unsigned kText = 0x820;
constexpr std::uint64_t kNames = 0x100000028;  // from the file's enumeration table
constexpr unsigned kPlot = 0x88024;            // steps over the visible range, unsigned
constexpr unsigned kPlotRoom = 0x20000;     // an empty row that lends its height to the plot above
constexpr unsigned kGroupBegin = 0x800200;  // plus 0x400000 if the group is closed at first
constexpr unsigned kGroupEnd = 0x1000200;
constexpr unsigned kGroupClosed = 0x400000;
/// Approximate width of the shown time in pixels. GTKWave's zoom is the negative binary logarithm
/// of the time that 200 pixels show.
constexpr double kPixels = 1150;
constexpr double kZoomPixels = 200;

std::uint64_t flags_of(WaveShow show) {
  switch (show) {
    case WaveShow::kBit:
    case WaveShow::kEvent: return kBit;
    case WaveShow::kHex: return kHex;
    case WaveShow::kUnsigned: return kUnsigned;
    case WaveShow::kStates: return kNames;
    case WaveShow::kPlot:
    case WaveShow::kCurve: return kPlot;
    case WaveShow::kText: return kText;
  }
  return kHex;
}

/// Returns the number of empty rows that give a row its height.
int rows_below(WaveShow show) {
  constexpr int kPlotRows = 3, kCurveRows = 1;
  return show == WaveShow::kPlot ? kPlotRows : show == WaveShow::kCurve ? kCurveRows : 0;
}

/// Returns a variable's full name without its bit range. Dots become spaces, because GTKWave shows
/// only the text after the last dot.
std::string plain_name(const std::string& path) {
  std::string name = path.substr(0, path.find('['));
  std::replace(name.begin(), name.end(), '.', ' ');
  return name;
}

}  // namespace

std::string WaveLayout::row(const WaveFile::Variable& v, WaveShow show, const std::string& label) {
  const std::string alias = label.empty() ? "" : fmt::format("+{{{}}} ", label);
  std::string text = fmt::format("@{:x}\n{}{}.{}\n", flags_of(show), alias, v.scope, v.name);
  const int room = rows_below(show);
  if (room > 0) text += fmt::format("@{:x}\n", kPlotRoom);
  for (int i = 0; i < room; ++i) text += "-\n";
  return text;
}

std::string WaveLayout::cause() const {
  if (file_.cause_.empty() || file_.trigger_ps_ == WaveFile::kNever) return "";
  std::string text = fmt::format("@{:x}\n-trigger: {}\n", kGroupBegin, file_.trigger_reason_);
  std::set<std::uint32_t> shown;
  for (const WaveFile::CauseRow& row : file_.cause_) {
    const WaveFile::Variable& v = file_.variables_[row.var];
    const bool changes = v.changes > 1;
    if ((row.if_it_changes && !changes) || !shown.insert(row.var).second) continue;
    text +=
        this->row(v, row.show, row.if_it_changes ? plain_name(v.scope + "." + v.name) : v.label);
  }
  return text + fmt::format("@{:x}\n-trigger: {}\n", kGroupEnd, file_.trigger_reason_);
}

std::string WaveLayout::header() const {
  std::uint64_t from = file_.from_ps();
  std::uint64_t until = file_.until_ps();
  if (from == WaveFile::kNever) from = until = 0;
  const auto is_pins = [](const WaveFile::Variable& v) { return v.rank >= WaveFile::kClosedRank; };
  const bool only_pins = std::all_of(file_.variables_.begin(), file_.variables_.end(), is_pins);
  if (file_.look_ps_ != WaveFile::kNever && file_.look_ps_ == file_.trigger_ps_) {
    // Leaves room after the marker: a viewer may be narrower than kPixels.
    until = std::min(until, file_.look_ps_ + file_.look_span_ps_ / 4);
    from = std::max(from, until - std::min(until, file_.look_span_ps_ * 3 / 4));
    until = from + file_.look_span_ps_;
  } else if (only_pins && file_.look_ps_ != WaveFile::kNever &&
             file_.trigger_ps_ == WaveFile::kNever) {
    from = file_.look_ps_ - std::min(file_.look_ps_, file_.look_span_ps_ / 8);
    until = from + file_.look_span_ps_;
  }
  const std::uint64_t marker = file_.trigger_ps() == WaveFile::kNever ? from : file_.trigger_ps();
  const double zoom =
      -std::log2(std::max(1.0, static_cast<double>(until - from) * kZoomPixels / kPixels));
  return fmt::format(
      "[dumpfile] \"{}\"\n[timestart] {}\n[size] 1600 900\n[sst_expanded] 0\n[signals_width] "
      "380\n*{:.6f} {}{}\n",
      file_.path_.substr(file_.path_.find_last_of('/') + 1), from, zoom, marker,
      file_.cause_ps_ == WaveFile::kNever ? "" : fmt::format(" {}", file_.cause_ps_));
}

std::string WaveLayout::rows() const {
  struct Group {
    std::string name;
    std::uint32_t rank;
    std::vector<const WaveFile::Variable*> rows;
  };
  std::vector<Group> groups;
  for (const WaveFile::Variable& v : file_.variables_) {
    const auto found = std::find_if(groups.begin(), groups.end(),
                                    [&](const Group& g) { return g.name == v.group; });
    if (found == groups.end()) {
      groups.push_back({v.group, v.rank, {&v}});
    } else {
      found->rows.push_back(&v);
    }
  }
  std::stable_sort(groups.begin(), groups.end(),
                   [](const Group& a, const Group& b) { return a.rank < b.rank; });
  std::string text;
  const bool all_closed = groups.empty() || groups.front().rank >= WaveFile::kClosedRank;
  for (const Group& group : groups) {
    const unsigned closed = group.rank >= WaveFile::kClosedRank && !all_closed ? kGroupClosed : 0;
    text += fmt::format("@{:x}\n-{}\n", kGroupBegin | closed, group.name);
    for (const WaveFile::Variable* v : group.rows) text += row(*v, v->show, v->label);
    text += fmt::format("@{:x}\n-{}\n", kGroupEnd | closed, group.name);
  }
  return text;
}

void WaveLayout::write(const std::string& path) const {
  const std::string text = header() + cause() + rows();
  OutputFile file(path);
  file.write(text.data(), text.size());
  file.close();
}

}  // namespace longhaul::observe
