// SPDX-License-Identifier: Apache-2.0
// Verilator's headers, seen after SystemC's, would ask SystemC for the time: they come first.
#include "VPcixCopy.h"

#include "platform/cosim/verilated_model.h"
#include "tests/unit/platform/portmap/rtl/pcix_copy.h"

#include <nlohmann/json.hpp>
#include <vector>

namespace longhaul::portmap::testing {
namespace {

struct Port {
  const char* signal;  // of the kind `pcix`; empty: of none
  const char* name;
  std::uint32_t width;
  bool input;
};
constexpr Port kPorts[] = {
    {"", "clk_i", 1, true},
    {"", "rst_ni", 1, true},
    {"", "clk_req_o", 1, false},
    {"ad_i", "ad_i", 64, true},
    {"ad_o", "ad_o", 64, false},
    {"ad_oe", "ad_oe_o", 1, false},
    {"ad64_oe", "ad64_oe_o", 1, false},
    {"cbe_ni", "cbe_ni", 8, true},
    {"cbe_no", "cbe_no", 8, false},
    {"cbe_oe", "cbe_oe_o", 1, false},
    {"cbe64_oe", "cbe64_oe_o", 1, false},
    {"par_i", "par_i", 1, true},
    {"par_o", "par_o", 1, false},
    {"par_oe", "par_oe_o", 1, false},
    {"par64_i", "par64_i", 1, true},
    {"par64_o", "par64_o", 1, false},
    {"par64_oe", "par64_oe_o", 1, false},
    {"frame_ni", "frame_ni", 1, true},
    {"frame_no", "frame_no", 1, false},
    {"frame_oe", "frame_oe_o", 1, false},
    {"irdy_ni", "irdy_ni", 1, true},
    {"irdy_no", "irdy_no", 1, false},
    {"irdy_oe", "irdy_oe_o", 1, false},
    {"trdy_ni", "trdy_ni", 1, true},
    {"trdy_no", "trdy_no", 1, false},
    {"stop_ni", "stop_ni", 1, true},
    {"stop_no", "stop_no", 1, false},
    {"devsel_ni", "devsel_ni", 1, true},
    {"devsel_no", "devsel_no", 1, false},
    {"target_oe", "target_oe_o", 1, false},
    {"idsel", "idsel_i", 1, true},
    {"req_no", "req_no", 1, false},
    {"gnt_ni", "gnt_ni", 1, true},
    {"req64_ni", "req64_ni", 1, true},
    {"req64_no", "req64_no", 1, false},
    {"req64_oe", "req64_oe_o", 1, false},
    {"ack64_ni", "ack64_ni", 1, true},
    {"ack64_no", "ack64_no", 1, false},
    {"ack64_oe", "ack64_oe_o", 1, false},
    {"perr_ni", "perr_ni", 1, true},
    {"perr_no", "perr_no", 1, false},
    {"perr_oe", "perr_oe_o", 1, false},
    {"inta_oe", "inta_oe_o", 1, false},
    {"", "mac_clk_i", 1, true},
    {"", "txd_o", 8, false},
    {"", "tx_en_o", 1, false},
    {"", "rxd_i", 8, true},
    {"", "rx_dv_i", 1, true},
};

class PcixCopy final : public cosim::RtlInstance {
 public:
  explicit PcixCopy(const char* name) : model_(name) {
    VPcixCopy& v = model_.pins();
    void* const storage[] = {
        &v.clk_i,     &v.rst_ni,     &v.clk_req_o,  &v.ad_i,      &v.ad_o,       &v.ad_oe_o,
        &v.ad64_oe_o, &v.cbe_ni,     &v.cbe_no,     &v.cbe_oe_o,  &v.cbe64_oe_o, &v.par_i,
        &v.par_o,     &v.par_oe_o,   &v.par64_i,    &v.par64_o,   &v.par64_oe_o, &v.frame_ni,
        &v.frame_no,  &v.frame_oe_o, &v.irdy_ni,    &v.irdy_no,   &v.irdy_oe_o,  &v.trdy_ni,
        &v.trdy_no,   &v.stop_ni,    &v.stop_no,    &v.devsel_ni, &v.devsel_no,  &v.target_oe_o,
        &v.idsel_i,   &v.req_no,     &v.gnt_ni,     &v.req64_ni,  &v.req64_no,   &v.req64_oe_o,
        &v.ack64_ni,  &v.ack64_no,   &v.ack64_oe_o, &v.perr_ni,   &v.perr_no,    &v.perr_oe_o,
        &v.inta_oe_o, &v.mac_clk_i,  &v.txd_o,      &v.tx_en_o,   &v.rxd_i,      &v.rx_dv_i};
    std::size_t at = 0;
    for (const Port& port : kPorts)
      ports_.push_back({port.name, storage[at++], port.width, port.input});
  }
  void eval(std::uint64_t ps) override { model_.eval(ps); }
  const cosim::RtlPort* ports() const override { return ports_.data(); }
  std::size_t port_count() const override { return ports_.size(); }
  bool write_coverage(const char*) override { return false; }

 private:
  cosim::VerilatedModel<VPcixCopy> model_;
  std::vector<cosim::RtlPort> ports_;
};

nlohmann::json place(const char* port, std::uint32_t width) {
  return nlohmann::json::array({port, 0, width});
}

nlohmann::json interface(const char* name, const char* kind, bool wire) {
  return {{"name", name},
          {"kind", kind},
          {"role", ""},
          {"clock", wire ? "" : "clk"},
          {"tx_clock", wire ? "mac" : ""},
          {"rx_clock", wire ? "mac" : ""},
          {"checker", true},
          {"pipelined", false},
          {"word_addresses", false},
          {"outstanding", 4},
          {"patience", 2048},
          {"trigger", "level"}};
}

nlohmann::json clock(const char* name, const char* port, std::uint64_t hertz, bool gating) {
  return {{"name", name},   {"pin", place(port, 1)},
          {"hertz", hertz}, {"ppm", 0},
          {"phase_ps", 0},  {"gating", gating},
          {"settle", 32},   {"request", gating ? place("clk_req_o", 1) : nlohmann::json()},
          {"slot", false}};
}

}  // namespace

cosim::RtlInstance* make_pcix_copy(const char* name, cosim::TraceSink*, cosim::RtlListener*) {
  return new PcixCopy(name);
}

std::string pcix_copy_map() {
  nlohmann::json slot = interface("slot", "pcix", false);
  for (const Port& port : kPorts) {
    if (*port.signal != '\0') slot["pins"][port.signal] = place(port.name, port.width);
  }
  nlohmann::json wire = interface("wire", "gmii", true);
  wire["pins"] = {{"txd", place("txd_o", 8)},
                  {"tx_en", place("tx_en_o", 1)},
                  {"rxd", place("rxd_i", 8)},
                  {"rx_dv", place("rx_dv_i", 1)}};
  const nlohmann::json bar = {{"index", 0},      {"bytes", 4096},
                              {"wide", false},   {"prefetchable", false},
                              {"registers", ""}, {"offset", 0}};
  const nlohmann::json pci = {{"vendor", 0x1234},
                              {"device", 0x5678},
                              {"subsystem_vendor", 0x4321},
                              {"subsystem", 0x8765},
                              {"revision", 0x9a},
                              {"class_code", 0x020000},
                              {"bars", nlohmann::json::array({bar})},
                              {"msi", true},
                              {"vectors", 1},
                              {"msix_vectors", 0},
                              {"msix_bar", 4},
                              {"intx", true},
                              {"slot", "pcix-133"},
                              {"max_read", 512},
                              {"memory", ""},
                              {"interrupts", ""},
                              {"port", "wire"},
                              {"bus", "slot"}};
  const nlohmann::json reset = {
      {"pin", place("rst_ni", 1)}, {"active_high", false}, {"clock", "clk"}, {"clocks", 16}};
  const nlohmann::json map = {
      {"name", "pcix_copy"},
      {"title", "copies memory"},
      {"top", "pcix_copy"},
      {"clocks",
       {clock("clk", "clk_i", 133'000'000, true), clock("mac", "mac_clk_i", 125'000'000, false)}},
      {"resets", nlohmann::json::array({reset})},
      {"constants", nlohmann::json::array()},
      {"inputs", nlohmann::json::array()},
      {"compiled", nlohmann::json::array()},
      {"streams", nlohmann::json::object()},
      {"interfaces", {slot, wire}},
      {"pci", pci}};
  return map.dump();
}

}  // namespace longhaul::portmap::testing
