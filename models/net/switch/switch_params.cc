// SPDX-License-Identifier: Apache-2.0
#include "models/net/switch/switch_params.h"

#include <array>

namespace longhaul {
namespace {

constexpr const char* kOpen = "models/net/switch/README.md#open-numbers";

template <class T>
struct Number {
  T value;
  Source source;
};

/// One row of the table of switches.
struct Row {
  const char* name;
  const char* title;
  Number<std::uint32_t> max_ports;
  Number<std::uint64_t> latency_ns;
  Number<const char*> buffer_mode;
  Number<std::uint64_t> buffer_kib;
  Number<std::uint32_t> max_frame;
  Number<bool> pause_send;
  Number<std::uint64_t> pause_high_kib;
  Number<std::uint64_t> pause_low_kib;
  Number<std::uint32_t> table_size;
};

constexpr Source kOpteron{
    Evidence::kMeasured,
    "Nakamura et al. 2005: both switches pass MTU 9198 at most, so 9216 B with header and FCS"};

constexpr Source kGbe{Evidence::kMeasured,
                      "GBE-TUNING, figure 8: passes frames of 9014 B, to which it adds 4 B of FCS; "
                      "a tag's room is assumed"};

constexpr std::array<Row, 3> kRows{{
    {"fujitsu_xg1200",
     "Fujitsu XG1200: 12 ports of 10 Gb/s",
     {12, {Evidence::kAssumed, kOpen}},
     {450,
      {Evidence::kAssumed,
       "Electronic Design 2003 on Fujitsu's 12-port MB87Q3050: 450 ns pin to pin; that the XG1200 "
       "is built on it is "
       "assumed"}},
     {"shared",
      {Evidence::kDatasheet,
       "Electronic Design 2003 on the MB87Q3050: all ports share one multiport memory"}},
     {1024, {Evidence::kAssumed, kOpen}},
     {9216, kOpteron},
     {true,
      {Evidence::kDatasheet,
       "Electronic Design 2003 on the MB87Q3050: IEEE 802.3ae MACs with PAUSE flow control"}},
     {64, {Evidence::kAssumed, kOpen}},
     {32, {Evidence::kAssumed, kOpen}},
     {8192, {Evidence::kAssumed, kOpen}}},
    {"foundry_mg8",
     "Foundry BigIron MG8: modules of 10 Gb/s",
     {32, {Evidence::kAssumed, kOpen}},
     {8000, {Evidence::kAssumed, kOpen}},
     {"per_port", {Evidence::kAssumed, kOpen}},
     {8192, {Evidence::kAssumed, kOpen}},
     {9216, kOpteron},
     {false, {Evidence::kAssumed, kOpen}},
     {4096, {Evidence::kAssumed, kOpen}},
     {2048, {Evidence::kAssumed, kOpen}},
     {32768, {Evidence::kAssumed, kOpen}}},
    {"planex_fxg08te",
     "Planex FXG-08TE: 8 ports of 1 Gb/s",
     {8, {Evidence::kAssumed, kOpen}},
     {3000, {Evidence::kAssumed, kOpen}},
     {"shared", {Evidence::kAssumed, kOpen}},
     {256, {Evidence::kAssumed, kOpen}},
     {9022, kGbe},
     {true, {Evidence::kAssumed, kOpen}},
     {96, {Evidence::kAssumed, kOpen}},
     {64, {Evidence::kAssumed, kOpen}},
     {8192, {Evidence::kAssumed, kOpen}}},
}};

template <class T, class N>
void take(Param<T>& param, T value, const Number<N>& number) {
  param.value = std::move(value);
  param.source = number.source;
}

SwitchParams params_of(const Row& row) {
  SwitchParams params;
  take(params.max_ports, row.max_ports.value, row.max_ports);
  take(params.latency, from_ps(row.latency_ns.value * 1000), row.latency_ns);
  take(params.buffer_mode, std::string(row.buffer_mode.value), row.buffer_mode);
  take(params.buffer, units::KiB(row.buffer_kib.value), row.buffer_kib);
  take(params.max_frame, row.max_frame.value, row.max_frame);
  take(params.pause_send, row.pause_send.value, row.pause_send);
  take(params.pause_high, units::KiB(row.pause_high_kib.value), row.pause_high_kib);
  take(params.pause_low, units::KiB(row.pause_low_kib.value), row.pause_low_kib);
  take(params.table_size, row.table_size.value, row.table_size);
  return params;
}

std::vector<KnownSwitch> make_known_switches() {
  std::vector<KnownSwitch> all{{"generic", "a switch of no maker: 10 Gb/s, 1 us, 1 MiB", {}}};
  for (const Row& row : kRows) all.push_back({row.name, row.title, params_of(row)});
  return all;
}

}  // namespace

const std::vector<KnownSwitch>& known_switches() {
  static const std::vector<KnownSwitch> kAll = make_known_switches();
  return kAll;
}

}  // namespace longhaul
