// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <iterator>
#include <vector>

#include "tests/unit/models/nic/genesis/genesis_driver_start.h"

namespace longhaul::nic::genesis {

/// A driver that does to registers and rings what Linux's skge does.
class GenesisFixture : public GenesisDriverStart {
 public:
  using GenesisDriverStart::GenesisDriverStart;

  // --- driver: traffic
  /// skge_xmit_frame(): one descriptor a frame.
  void send(const ByteVector& packet) {
    const std::uint32_t data = kTxData + tx_next * kPitch + 3;
    std::copy(packet.begin(), packet.end(), bus.memory.begin() + data);
    const std::uint32_t at = kTxRing + tx_next * regs::bmu::kDescriptorBytes;
    put_word(at + 8, data);
    put_word(at + 12, 0);
    put_word(at, 0xe955'0000 | static_cast<std::uint32_t>(packet.size()));
    w8(regs::kXa1 + regs::q::kCsr, regs::kCsrFields.start);
    tx_next = (tx_next + 1) % kTxEntries;
  }
  /// skge_tx_done(): frames sent since the last call.
  std::uint32_t tx_done() {
    w8(regs::kXa1 + regs::q::kCsr, regs::kCsrFields.irq_cl_f);
    std::uint32_t done = 0;
    while (tx_clean != tx_next &&
           (word(kTxRing + tx_clean * regs::bmu::kDescriptorBytes) & regs::bmu::kOwn) == 0) {
      EXPECT_EQ(word(kTxRing + tx_clean * regs::bmu::kDescriptorBytes) &
                    (regs::bmu::kStf | regs::bmu::kEof),
                regs::bmu::kStf | regs::bmu::kEof);
      tx_clean = (tx_clean + 1) % kTxEntries;
      ++done;
    }
    sent += done;
    return done;
  }
  /// skge_intr(); true: it was this adapter's.
  bool interrupt() {
    ++interrupts;
    const std::uint32_t all = r32(regs::kSpIsrc);
    const bool mine = all != 0 && all != ~0U;
    if (mine) {
      const std::uint32_t status = all & intr_mask;
      seen |= status;
      if ((status & kNapi) != 0) {
        intr_mask &= ~kNapi;
        poll_scheduled = true;
      }
      if ((status & regs::kIsrcFields.mac1) != 0) {
        const std::uint32_t cause = xm16(xm::kIsrc);
        mac_causes |= cause;
        if ((cause & xm::kCauseFields.inp_ass) != 0) link_down();
        if ((cause & 4) != 0) xm32(xm::kMode, xm::kModeLowFields.ftf);
      }
      if ((status & regs::kIsrcFields.hw_err) != 0) error_interrupt();
    }
    w32(regs::kImsk, intr_mask);
    r32(regs::kImsk);
    return mine;
  }
  void error_interrupt() {
    hw_errors |= r32(regs::kHweIsrc);
    w8(regs::kTstCtrl1, regs::kTstCtrl1Fields.cfg_write_on);
    config_write(0x04, 2, config_read(0x04, 2) | 0x140);
    config_write(0x06, 2, config_read(0x06, 2) & pcix::status::kErrors);
    w8(regs::kTstCtrl1, regs::kTstCtrl1Fields.cfg_write_off);
    if ((r32(regs::kHweIsrc) & regs::kHweIsrcFields.irq_stat) != 0)
      intr_mask &= ~regs::kIsrcFields.hw_err;
  }
  struct Received {
    ByteVector bytes;
    std::uint32_t control;
    std::uint32_t status;
  };
  /// skge_poll() with a budget that never ends; frames that the driver would accept.
  std::vector<Received> poll() {
    std::vector<Received> list;
    tx_done();
    w8(regs::kR1 + regs::q::kCsr, regs::kCsrFields.irq_cl_f);
    for (;;) {
      const std::uint32_t at = kRxRing + rx_next * regs::bmu::kDescriptorBytes;
      const std::uint32_t control = word(at);
      if ((control & regs::bmu::kOwn) != 0) break;
      const std::uint32_t status = word(at + 16);
      const std::uint32_t bytes = control & regs::bmu::kBytesMask;
      const bool whole =
          (control & (regs::bmu::kStf | regs::bmu::kEof)) == (regs::bmu::kStf | regs::bmu::kEof);
      const bool good = (status & (xm::frame_status::kErr | 1U << 17)) == 0 &&
                        status >> xm::frame_status::kLengthShift == bytes && bytes <= buffer_bytes;
      if (whole && good) {
        const auto from = bus.memory.begin() + static_cast<std::ptrdiff_t>(word(at + 8));
        list.push_back({ByteVector(from, from + bytes), control, status});
      } else {
        ++refused;
      }
      give(rx_next);
      rx_next = (rx_next + 1) % kRxEntries;
    }
    w8(regs::kR1 + regs::q::kCsr, regs::kCsrFields.start);
    poll_scheduled = false;
    intr_mask |= kNapi;
    w32(regs::kImsk, intr_mask);
    r32(regs::kImsk);
    return list;
  }
  /// Serves interrupts for a time, looking at the pin each microsecond; frames received.
  std::vector<Received> serve_us(std::uint64_t us) {
    std::vector<Received> all;
    for (std::uint64_t i = 0; i < us; ++i) {
      run_us(1);
      if (!inta()) continue;
      interrupt();
      if (!poll_scheduled) continue;
      std::vector<Received> some = poll();
      std::move(some.begin(), some.end(), std::back_inserter(all));
    }
    return all;
  }

  // --- driver: stop
  /// skge_down()
  void stop() {
    intr_mask = regs::kIsrcFields.hw_err;
    w32(regs::kImsk, 0);
    r32(regs::kImsk);
    w8(regs::kLnkLedReg, regs::kLnkLedFields.off);
    mac_off();
    mac_reset_registers();
    w16(regs::kPaCtrl, 0x1000);
    w16(regs::kTxMff + regs::mff::kCtrl1, regs::kTxMffCtrl1Fields.clr_mac_rst);
    for (int i = 0; i < 1000; ++i) {
      w16(regs::kTxMff + regs::mff::kCtrl1, regs::kTxMffCtrl1Fields.set_mac_rst);
      if ((r16(regs::kTxMff + regs::mff::kCtrl1) & regs::kTxMffCtrl1Fields.set_mac_rst) == 0) break;
    }
    mac_off();
    xm16(xm::kMmuCmd);
    w8(regs::kXa1 + regs::q::kCsr, regs::kCsrFields.stop);
    w32(regs::kRbXa1 + regs::rb::kCtrl,
        regs::kRbCtrlFields.rst_set | regs::kRbCtrlFields.dis_op_md);
    w8(regs::kTxaCtrl, 0x54);
    w32(regs::kTxaItiIni, 0);
    w32(regs::kTxaLimIni, 0);
    w32(regs::kXa1 + regs::q::kCsr, regs::kCsrFields.rst);
    w32(regs::kRbXa1 + regs::rb::kCtrl, regs::kRbCtrlFields.rst_set);
    w8(regs::kRbXa1 + regs::rb::kCtrl, regs::kRbCtrlFields.rst_set);
    w8(regs::kR1 + regs::q::kCsr, regs::kCsrFields.stop);
    w32(regs::kRbR1 + regs::rb::kCtrl, regs::kRbCtrlFields.rst_set | regs::kRbCtrlFields.dis_op_md);
    w32(regs::kR1 + regs::q::kCsr, regs::kCsrFields.rst);
    w8(regs::kTxMff + regs::mff::kCtrl2, regs::kMffCtrl2Fields.rst_set);
    w8(regs::kRxMff + regs::mff::kCtrl2, regs::kMffCtrl2Fields.rst_set);
    carrier = false;
  }
  void mac_off() {
    xm16(xm::kMmuCmd, xm16(xm::kMmuCmd) & ~static_cast<std::uint32_t>(xm::kMmuCmdFields.ena_rx |
                                                                      xm::kMmuCmdFields.ena_tx));
  }
  /// skge_remove()
  void remove() {
    w16(regs::kLed, regs::kCtstFields.led_stat_off >> 16U);
    w8(regs::kCtst, regs::kCtstFields.rst_set);
  }

  // --- driver: ethtool
  /// `ethtool -d` in a guest without fast copies: a read for each byte, but for the RAM's address
  /// and data.
  std::vector<std::uint8_t> dump() {
    std::vector<std::uint8_t> bytes;
    for (std::uint32_t at = 0; at < regs::kBar0Bytes; ++at)
      bytes.push_back(at >= 0x180 && at < 0x190 ? std::uint8_t{0}
                                                : static_cast<std::uint8_t>(r8(at)));
    return bytes;
  }
  /// `ethtool -e` and -E of four bytes; how long the flag took, in microseconds, is in vpd_us.
  std::uint32_t vpd_read(std::uint32_t offset) {
    config_write(0x52, 2, offset);
    wait_for_vpd(0x8000);
    return config_read(0x54, 4);
  }
  void vpd_write(std::uint32_t offset, std::uint32_t value) {
    config_write(0x54, 4, value);
    config_write(0x52, 2, offset | 0x8000);
    wait_for_vpd(0);
  }
  void wait_for_vpd(std::uint32_t flag) {
    for (vpd_us = 0; (config_read(0x52, 2) & 0x8000) != flag && vpd_us < 100'000; ++vpd_us)
      run_us(1);
  }
};

}  // namespace longhaul::nic::genesis
