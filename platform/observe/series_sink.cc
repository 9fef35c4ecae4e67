// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/series_sink.h"

#include <iterator>
#include <utility>

#include "platform/observe/probe_walk.h"

namespace longhaul::observe {

/// The columns of one probe. It keeps the values of the last line.
class SeriesColumn {
 public:
  virtual ~SeriesColumn() = default;
  virtual void append_names(fmt::memory_buffer& line) const = 0;
  /// Appends the values for the `over_ps` (> 0) picoseconds since the last call.
  virtual void append_values(fmt::memory_buffer& line, std::uint64_t over_ps) = 0;
};

namespace {

template <class... Values>
void append(fmt::memory_buffer& line, fmt::format_string<Values...> form, Values&&... values) {
  fmt::format_to(std::back_inserter(line), form, std::forward<Values>(values)...);
}

/// Appends a whole number. A line has hundreds. fmt's own conversion without a format takes a third
/// of the time.
template <class Integer>
void append_number(fmt::memory_buffer& line, Integer value) {
  const fmt::format_int digits(value);
  line.push_back(',');
  line.append(digits.data(), digits.data() + digits.size());
}

class CounterColumn final : public SeriesColumn {
 public:
  explicit CounterColumn(const Counter& counter) : counter_(counter), last_(counter.value()) {}
  void append_names(fmt::memory_buffer& line) const override {
    append(line, ",{}", counter_.name());
  }
  void append_values(fmt::memory_buffer& line, std::uint64_t) override {
    const std::uint64_t value = counter_.value();
    append_number(line, value - std::exchange(last_, value));
  }

 private:
  const Counter& counter_;
  std::uint64_t last_;
};

class LevelColumn final : public SeriesColumn {
 public:
  explicit LevelColumn(const Level& level) : level_(level), last_(level.integral()) {}
  void append_names(fmt::memory_buffer& line) const override { append(line, ",{}", level_.name()); }
  void append_values(fmt::memory_buffer& line, std::uint64_t over_ps) override {
    const Level::Integral integral = level_.integral();
    const Level::Integral sum = integral - std::exchange(last_, integral);
    if (sum % over_ps == 0) {
      append_number(line, static_cast<std::uint64_t>(sum / over_ps));
    } else {
      append(line, ",{:.6f}", static_cast<double>(sum) / static_cast<double>(over_ps));
    }
  }

 private:
  const Level& level_;
  Level::Integral last_;
};

class GaugeColumn final : public SeriesColumn {
 public:
  explicit GaugeColumn(const Gauge& gauge) : gauge_(gauge) {}
  void append_names(fmt::memory_buffer& line) const override { append(line, ",{}", gauge_.name()); }
  void append_values(fmt::memory_buffer& line, std::uint64_t) override {
    append(line, ",{}", gauge_.value());
  }

 private:
  const Gauge& gauge_;
};

class ClockColumn final : public SeriesColumn {
 public:
  explicit ClockColumn(const StateClock& clock) : clock_(clock) {
    for (std::size_t state = 0; state < clock.states().size(); ++state)
      last_.push_back(clock.spent_ps(state));
  }
  void append_names(fmt::memory_buffer& line) const override {
    for (const std::string& state : clock_.states()) append(line, ",{}:{}", clock_.name(), state);
  }
  void append_values(fmt::memory_buffer& line, std::uint64_t) override {
    for (std::size_t state = 0; state < last_.size(); ++state) {
      const std::uint64_t spent = clock_.spent_ps(state);
      append_number(line, static_cast<std::int64_t>(spent - std::exchange(last_[state], spent)));
    }
  }

 private:
  const StateClock& clock_;
  std::vector<std::uint64_t> last_;
};

/// Returns the column of a probe, or null if its values are not shown over time (taps).
std::unique_ptr<SeriesColumn> make_column(const Probe& probe) {
  if (const auto* counter = dynamic_cast<const Counter*>(&probe))
    return std::make_unique<CounterColumn>(*counter);
  if (const auto* level = dynamic_cast<const Level*>(&probe))
    return std::make_unique<LevelColumn>(*level);
  if (const auto* gauge = dynamic_cast<const Gauge*>(&probe))
    return std::make_unique<GaugeColumn>(*gauge);
  if (const auto* clock = dynamic_cast<const StateClock*>(&probe))
    return std::make_unique<ClockColumn>(*clock);
  return nullptr;
}

}  // namespace

SeriesSink::SeriesSink(const std::string& path, const sc_core::sc_time& period,
                       const std::vector<std::string>& globs, Ticker& ticker)
    : file_(path), last_ps_(now_ps()) {
  append(line_, "time_ps");
  for (const Probe* probe : select(ProbeWalk().all, globs, "observe.series")) {
    if (auto column = make_column(*probe)) {
      column->append_names(line_);
      columns_.push_back(std::move(column));
    }
  }
  line_.push_back('\n');
  file_.write(line_.data(), line_.size());
  ticker.every(period, [this] { tick(); });
}

SeriesSink::~SeriesSink() = default;

void SeriesSink::set_periods_per_line(unsigned periods) {
  if (periods == periods_per_line_) return;
  if (now_ps() > last_ps_) write_line();
  periods_per_line_ = periods;
}

void SeriesSink::tick() {
  if (++waited_ >= periods_per_line_ && now_ps() > last_ps_) write_line();
}

void SeriesSink::write_line() {
  waited_ = 0;
  const std::uint64_t now = now_ps();
  const std::uint64_t over_ps = now - std::exchange(last_ps_, now);
  line_.clear();
  append(line_, "{}", now);
  for (const auto& column : columns_) column->append_values(line_, over_ps);
  line_.push_back('\n');
  file_.write(line_.data(), line_.size());
}

void SeriesSink::close() {
  if (now_ps() > last_ps_) write_line();
  file_.close();
}

}  // namespace longhaul::observe
