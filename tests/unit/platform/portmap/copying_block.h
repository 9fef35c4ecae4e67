// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "platform/cosim/object/rtl_object.h"

namespace longhaul::portmap::testing {

/// An RTL object that is C++: registers at 0 (scratch), 4 (from), 8 (to), 12 (copy, write), 16
/// (reads that have been answered), 20 (the pins `mode`). A write to `copy` reads 16 B of memory at
/// `from` in one burst of two beats and writes them to `to`. Then it raises the interrupt request
/// until it is written again. With other values than 1 it hangs: with 2 it takes no response of its
/// write, with 3 it sends no data, with 4 it takes no data of its read. A read of a register takes
/// `kReadClocks`; one at 0xff0 is answered with SLVERR.
class CopyingBlock final : public cosim::RtlInstance {
 public:
  static constexpr std::uint32_t kReadClocks = 12;

  CopyingBlock() {
    ports_ = {
        {"clk", &clk, 1, true},
        {"rst_n", &rst_n, 1, true},
        {"rx_clk", &rx_clk, 1, true},
        {"s_awaddr", &awaddr, 12, true},
        {"s_awvalid", &awvalid, 1, true},
        {"s_awready", &awready, 1, false},
        {"s_wdata", &wdata, 32, true},
        {"s_wstrb", &wstrb, 4, true},
        {"s_wvalid", &wvalid, 1, true},
        {"s_wready", &wready, 1, false},
        {"s_bvalid", &bvalid, 1, false},
        {"s_bready", &bready, 1, true},
        {"s_araddr", &araddr, 12, true},
        {"s_arvalid", &arvalid, 1, true},
        {"s_arready", &arready, 1, false},
        {"s_rdata", &rdata, 32, false},
        {"s_rresp", &rresp, 2, false},
        {"s_rvalid", &rvalid, 1, false},
        {"s_rready", &rready, 1, true},
        {"m_araddr", &m_araddr, 64, false},
        {"m_arlen", &m_arlen, 8, false},
        {"m_arvalid", &m_arvalid, 1, false},
        {"m_arready", &m_arready, 1, true},
        {"m_rdata", &m_rdata, 64, true},
        {"m_rlast", &m_rlast, 1, true},
        {"m_rvalid", &m_rvalid, 1, true},
        {"m_rready", &m_rready, 1, false},
        {"m_awaddr", &m_awaddr, 64, false},
        {"m_awlen", &m_awlen, 8, false},
        {"m_awvalid", &m_awvalid, 1, false},
        {"m_awready", &m_awready, 1, true},
        {"m_wdata", &m_wdata, 64, false},
        {"m_wlast", &m_wlast, 1, false},
        {"m_wvalid", &m_wvalid, 1, false},
        {"m_wready", &m_wready, 1, true},
        {"m_bvalid", &m_bvalid, 1, true},
        {"m_bready", &m_bready, 1, false},
        {"irq", &irq, 1, false},
        {"txd", &txd, 8, false},
        {"tx_en", &tx_en, 1, false},
        {"rxd", &rxd, 8, true},
        {"rx_dv", &rx_dv, 1, true},
        {"mode", &mode, 5, true},
    };
  }

  const cosim::RtlPort* ports() const override { return ports_.data(); }
  std::size_t port_count() const override { return ports_.size(); }
  bool write_coverage(const char*) override { return false; }
  void eval(std::uint64_t) override {
    const bool rises = clk != 0 && last_clk_ == 0;
    last_clk_ = clk;
    if (rises) clock();
    awready = awvalid != 0 && wvalid != 0 && bvalid == 0 ? 1 : 0;  // combinational, as much RTL is
    wready = awready;
    arready = rvalid == 0 && wait_ == 0 ? 1 : 0;
  }

 private:
  enum class Copy { kIdle, kRead, kData, kWrite, kWriteData, kResponse };

  void clock() {
    if (rst_n == 0) return;
    copy();
    if (bvalid != 0 && bready != 0) bvalid = 0;
    if (awready != 0) {
      write(awaddr, wdata);
      bvalid = 1;
    }
    if (rvalid != 0 && rready != 0) {
      rvalid = 0;
      ++answered_;
    }
    if (wait_ > 0 && --wait_ == 0) rvalid = 1;
    if (arready != 0 && arvalid != 0) {
      rdata = araddr == 16 ? answered_ : araddr == 20 ? mode : registers_[araddr / 4 % 4];
      rresp = araddr == 0xff0 ? 2 : 0;
      wait_ = kReadClocks;
    }
  }
  void write(std::uint32_t address, std::uint32_t value) {
    registers_[address / 4 % 4] = value;
    if (address != 12) return;
    irq = 0;
    if (value == 0 || copy_ != Copy::kIdle) return;
    copy_ = Copy::kRead;
    hangs_ = value;
    m_araddr = registers_[1];
    m_arlen = 1;
    m_arvalid = 1;
  }
  void copy() {
    switch (copy_) {
      case Copy::kIdle: break;
      case Copy::kRead:
        if (m_arready == 0) break;
        m_arvalid = 0;
        m_rready = hangs_ == 4 ? 0 : 1;
        beat_ = 0;
        copy_ = Copy::kData;
        break;
      case Copy::kData:
        if (m_rvalid == 0 || m_rready == 0) break;
        data_[beat_++] = m_rdata;
        if (m_rlast == 0) break;
        m_rready = 0;
        m_awaddr = registers_[2];
        m_awlen = 1;
        m_awvalid = 1;
        copy_ = Copy::kWrite;
        break;
      case Copy::kWrite:
        if (m_awready == 0) break;
        m_awvalid = 0;
        beat_ = 0;
        if (hangs_ != 3) put_beat();
        copy_ = Copy::kWriteData;
        break;
      case Copy::kWriteData:
        if (m_wready == 0 || m_wvalid == 0) break;
        if (++beat_ < 2) {
          put_beat();
          break;
        }
        m_wvalid = 0;
        m_bready = hangs_ == 2 ? 0 : 1;
        copy_ = Copy::kResponse;
        break;
      case Copy::kResponse:
        if (m_bvalid == 0 || m_bready == 0) break;
        m_bready = 0;
        irq = 1;
        copy_ = Copy::kIdle;
        break;
    }
  }
  void put_beat() {
    m_wdata = data_[beat_];
    m_wlast = beat_ == 1 ? 1 : 0;
    m_wvalid = 1;
  }

  std::vector<cosim::RtlPort> ports_;
  std::uint8_t clk = 0, rst_n = 0, rx_clk = 0, last_clk_ = 0;
  std::uint16_t awaddr = 0, araddr = 0;
  std::uint8_t awvalid = 0, awready = 0, wstrb = 0, wvalid = 0, wready = 0, bvalid = 0, bready = 0;
  std::uint8_t arvalid = 0, arready = 0, rresp = 0, rvalid = 0, rready = 0;
  std::uint32_t wdata = 0, rdata = 0;
  std::uint64_t m_araddr = 0, m_rdata = 0, m_awaddr = 0, m_wdata = 0;
  std::uint8_t m_arlen = 0, m_arvalid = 0, m_arready = 0, m_rlast = 0, m_rvalid = 0, m_rready = 0;
  std::uint8_t m_awlen = 0, m_awvalid = 0, m_awready = 0, m_wlast = 0, m_wvalid = 0, m_wready = 0;
  std::uint8_t m_bvalid = 0, m_bready = 0, irq = 0;
  std::uint8_t txd = 0, tx_en = 0, rxd = 0, rx_dv = 0, mode = 0;
  std::uint32_t registers_[4] = {};
  std::uint32_t wait_ = 0, beat_ = 0, answered_ = 0, hangs_ = 0;
  std::uint64_t data_[2] = {};
  Copy copy_ = Copy::kIdle;
};

/// Its map, as longhaul.portmap writes one.
inline std::string copying_map() {
  const auto pins = [](const std::string& prefix, const std::vector<std::string>& signals) {
    std::string text;
    for (const std::string& each : signals) {
      const std::size_t colon = each.find(':');
      const std::string name = each.substr(0, colon);
      text += (text.empty() ? "" : ", ") + ("\"" + name + "\": [\"" + prefix + name + "\", 0, ") +
              each.substr(colon + 1) + "]";
    }
    return "{" + text + "}";
  };
  const auto interface = [](const std::string& name, const std::string& kind,
                            const std::string& role, const std::string& clock,
                            const std::string& map) {
    const bool wire = kind == "gmii";
    return R"({"name": ")" + name + R"(", "kind": ")" + kind + R"(", "role": ")" + role +
           R"(", "clock": ")" + (wire ? "" : clock) + R"(", "tx_clock": ")" + (wire ? clock : "") +
           R"(", "rx_clock": ")" + (wire ? "rx_clk" : "") +
           R"(", "checker": true, "pipelined": false, "word_addresses": false, "outstanding": 4, "patience": 256, "trigger": "level", "pins": )" +
           map + "}";
  };
  const std::string registers = interface(
      "regs", "axi4-lite", "subordinate", "clk",
      pins("s_", {"awaddr:12", "awvalid:1", "awready:1", "wdata:32", "wstrb:4", "wvalid:1",
                  "wready:1", "bvalid:1", "bready:1", "araddr:12", "arvalid:1", "arready:1",
                  "rdata:32", "rresp:2", "rvalid:1", "rready:1"}));
  const std::string memory = interface(
      "dma", "axi4", "manager", "clk",
      pins("m_", {"araddr:64", "arlen:8", "arvalid:1", "arready:1", "rdata:64", "rlast:1",
                  "rvalid:1", "rready:1", "awaddr:64", "awlen:8", "awvalid:1", "awready:1",
                  "wdata:64", "wlast:1", "wvalid:1", "wready:1", "bvalid:1", "bready:1"}));
  const std::string wire =
      interface("wire", "gmii", "", "clk", pins("", {"txd:8", "tx_en:1", "rxd:8", "rx_dv:1"}));
  const std::string request = interface("request", "interrupt", "", "clk", pins("", {"irq:1"}));
  const auto clock = [](const std::string& name) {
    return R"({"name": ")" + name + R"(", "pin": [")" + name +
           R"(", 0, 1], "hertz": 125000000, "ppm": 0, "phase_ps": 0, "gating": false, "settle": 16, "request": null, "slot": false})";
  };
  return R"({"name": "copying", "title": "copies 16 B", "top": "copying_top", "clocks": [)" +
         clock("clk") + ", " + clock("rx_clk") +
         R"(], "resets": [{"pin": ["rst_n", 0, 1], "active_high": false, "clock": "clk",
         "clocks": 16}], "constants": [], "inputs": [], "compiled": [], "streams": {}, "interfaces": [)" +
         registers + ", " + memory + ", " + wire + ", " + request +
         R"(], "pci": {"vendor": 6900, "device": 21845, "subsystem_vendor": 0, "subsystem": 0,
         "revision": 0, "class_code": 131072, "bars": [{"index": 0, "bytes": 4096, "wide": false, "prefetchable": false,
         "registers": "regs", "offset": 0}], "msi": true, "vectors": 1, "msix_vectors": 0, "msix_bar": 0,
         "intx": true, "slot": "pcix-133",
         "max_read": 512, "memory": "dma",
         "interrupts": "request", "port": "wire"}})";
}

}  // namespace longhaul::portmap::testing
