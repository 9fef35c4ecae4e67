// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cstring>

#include "tests/unit/models/nic/genesis/genesis_host.h"

namespace longhaul::nic::genesis {

/// The first half of a driver that does to registers and rings what Linux's skge does: from the
/// probe to the link.
class GenesisDriverStart : public GenesisHost {
 public:
  static constexpr std::uint32_t kRxEntries = 512;
  static constexpr std::uint32_t kTxEntries = 128;
  static constexpr std::uint32_t kRxRing = 0x10000;
  static constexpr std::uint32_t kTxRing = kRxRing + kRxEntries * regs::bmu::kDescriptorBytes;
  static constexpr std::uint32_t kTxData = 0x100000;
  static constexpr std::uint32_t kRxData = 0x400000;
  static constexpr std::uint32_t kPitch = 16384;     // of buffers
  static constexpr std::uint32_t kBufferOffset = 2;  // a network stack aligns the IP header
  static constexpr std::uint32_t kLeastBuffer = 1536;
  static constexpr std::uint32_t kCopied = 128;  // shorter frames are copied and their buffers stay
  static constexpr std::uint32_t kNapi = regs::kIsrcFields.r1_f | regs::kIsrcFields.xa1_f;
  static constexpr std::uint32_t kOpenMask = 0xa821'0080;

  using GenesisHost::GenesisHost;

  // --- driver: probe
  void clear_pci_errors() {
    w8(regs::kTstCtrl1, regs::kTstCtrl1Fields.cfg_write_on);
    config_write(0x06, 2, config_read(0x06, 2) | pcix::status::kErrors);
    w8(regs::kTstCtrl1, regs::kTstCtrl1Fields.cfg_write_off);
  }
  /// skge_reset(): the chip's reset, and all that stands before an interface is opened.
  void probe() {
    const std::uint32_t ctst = r16(regs::kCtst);
    w8(regs::kCtst, regs::kCtstFields.rst_set);
    w8(regs::kCtst, regs::kCtstFields.rst_clr);
    w8(regs::kTstCtrl1 + 1, 0);
    clear_pci_errors();
    w8(regs::kCtst, regs::kCtstFields.mrst_clr);
    w16(regs::kCtst, ctst & 0x3800);
    for (std::uint32_t i = 0; i < 4; ++i)
      identity[i] = static_cast<std::uint8_t>(r8(regs::kConnTyp + i));
    memory_code = r8(regs::kEprom);
    phy_type = r8(regs::kEprom + 1) & 0xf;
    w32(regs::kBscIni, 26'562'500);
    w8(regs::kBscIni + 8, regs::kBscCtrlFields.start);
    mac_arbiter();
    w16(regs::kPaCtrl, 2);
    for (const std::uint32_t at :
         {regs::kPaToiniRx1, regs::kPaToiniTx1, regs::kPaToiniRx2, regs::kPaToiniTx2})
      w16(at, 0xffff);
    w8(regs::kTiIni + 8, regs::kTimerCtrlFields.stop);
    w8(regs::kTiIni + 8, regs::kTimerCtrlFields.clr_irq);
    w8(regs::kLed, regs::kCtstFields.led_stat_on >> 16U);
    w8(regs::kTxaCtrl, 2);
    w16(regs::kRiCtrl, 2);
    for (std::uint32_t i = 0; i < 12; ++i) w8(regs::kRiWtoR1 + i, 36);
    w32(regs::kHweImsk, 0xc3f);
    w32(regs::kIrqmMsk, 0x82);
    w32(regs::kIrqmIni, 5312);
    w32(regs::kIrqmCtrl, regs::kTimerCtrlFields.start);
    w32(regs::kImsk, 0);
    mac_reset_registers();
    for (std::uint32_t i = 0; i < 6; ++i)
      address[i] = static_cast<std::uint8_t>(r8(regs::kMac1 + i));
    intr_mask = regs::kIsrcFields.hw_err;
  }
  void mac_arbiter() {
    w16(regs::kMaToCtrl, 2);
    for (std::uint32_t i = 0; i < 4; ++i) w8(regs::kMaToini + i, 72);
    for (std::uint32_t i = 0; i < 4; ++i) w8(regs::kMaRcini + i, 0);
  }
  /// genesis_reset()
  void mac_reset_registers() {
    w8(0xf0c, 0);
    xm32(xm::kGpPort, xm::kGpPortFields.res_stat);
    xm16(xm::kImsk, 0xffff);
    xm32(xm::kMode, 0);
    xm16(xm::kTxCmd, 0);
    xm16(xm::kRxCmd, 0);
    for (std::uint32_t i = 0; i < 8; i += 2) xm16(xm::kHsm + i, 0);
    const std::uint32_t mode = xm32(xm::kMode);
    xm32(xm::kMode, mode | xm::kModeLowFields.ftf);
    xm32(xm::kMode, mode | xm::kModeLowFields.frf);
  }

  // --- driver: open
  struct Settings {
    std::uint32_t mtu = 1500;
    bool negotiate = true;
    std::uint32_t pause = 0x180;  ///< bits of the advertisement
    bool promiscuous = false;
  };
  /// skge_up(). The link comes later: wait_for_link().
  void open() { open(Settings()); }
  void open(const Settings& settings) {
    s = settings;
    buffer_bytes = s.mtu > 1500 ? s.mtu + 14 : kLeastBuffer;
    make_rings();
    mac_init();
    const std::uint32_t chunk = 0x8000;  // quadwords: half of what 1 MB has behind the offset
    const std::uint32_t at = 0x10000;
    ram_buffer(regs::kRbR1, at, chunk, true);
    queue(regs::kR1, kRxRing);
    ram_buffer(regs::kRbXa1, at + chunk, chunk, false);
    queue(regs::kXa1, kTxRing);
    w8(regs::kR1 + regs::q::kCsr, regs::kCsrFields.start | regs::kCsrFields.irq_cl_f);
    leds_on();
    intr_mask |= kOpenMask;
    w32(regs::kImsk, intr_mask);
    r32(regs::kImsk);
    set_multicast();
    carrier = false;
  }
  void make_rings() {
    std::memset(&bus.memory[kRxRing], 0,
                (kRxEntries + kTxEntries) * std::size_t{regs::bmu::kDescriptorBytes});
    for (std::uint32_t i = 0; i < kRxEntries; ++i) {
      const std::uint32_t at = kRxRing + i * regs::bmu::kDescriptorBytes;
      put_word(at + 4, kRxRing + (i + 1) % kRxEntries * regs::bmu::kDescriptorBytes);
      put_word(at + 8, kRxData + i * kPitch + kBufferOffset);
      put_word(at + 28, 14U << 16 | 14U);
      give(i);
    }
    for (std::uint32_t i = 0; i < kTxEntries; ++i) {
      put_word(kTxRing + i * regs::bmu::kDescriptorBytes + 4,
               kTxRing + (i + 1) % kTxEntries * regs::bmu::kDescriptorBytes);
    }
    rx_next = tx_next = tx_clean = 0;
  }
  void give(std::uint32_t i) {
    put_word(kRxRing + i * regs::bmu::kDescriptorBytes,
             regs::bmu::kOwn | regs::bmu::kStf | regs::bmu::kIrqEof | 0x56U << 16 | buffer_bytes);
  }
  /// genesis_mac_init()
  void mac_init() {
    for (int i = 0; i < 10; ++i) {
      w16(regs::kTxMff + regs::mff::kCtrl1, regs::kTxMffCtrl1Fields.set_mac_rst);
      mac_reset_seen =
          (r16(regs::kTxMff + regs::mff::kCtrl1) & regs::kTxMffCtrl1Fields.set_mac_rst) != 0;
      if (mac_reset_seen) break;
    }
    w16(regs::kTxMff + regs::mff::kCtrl1, regs::kTxMffCtrl1Fields.clr_mac_rst);
    if (s.negotiate) {
      phy(4, 0x0060 | s.pause);
      phy(0, 0x1200);
    } else {
      phy(0, 0x0100);
    }
    for (std::uint32_t i = 0; i < 3; ++i)
      xm16(xm::kSa + 2 * i, address[2 * i] | static_cast<std::uint32_t>(address[2 * i + 1]) << 8);
    for (std::uint32_t n = 1; n < 16; ++n)
      for (std::uint32_t i = 0; i < 6; i += 2) xm16(xm::kExm + 8 * n + i, 0);
    xm16(xm::kStatCmd, 3);
    xm16(xm::kStatCmd, 3);
    xm16(xm::kRxHiWm, 1450);
    xm16(xm::kRxCmd, xm::kRxCmdFields.lenerr_ok | xm::kRxCmdFields.strip_fcs |
                         (s.mtu > 1500 ? xm::kRxCmdFields.big_pk_ok : 0));
    xm16(xm::kTxCmd, 1);
    xm16(xm::kTxThr, 512);
    xm32(xm::kMode, 0x4f80);
    xm32(xm::kRxEvMsk, 6);
    xm32(xm::kTxEvMsk, 6);
    mac_arbiter();
    w8(regs::kRxMff + regs::mff::kCtrl2, regs::kMffCtrl2Fields.rst_clr);
    w16(regs::kRxMff + regs::mff::kCtrl1, 0x0800);
    w8(regs::kRxMff + regs::mff::kCtrl2, regs::kMffCtrl2Fields.ena_op_md);
    w8(regs::kTxMff + regs::mff::kCtrl2, regs::kMffCtrl2Fields.rst_clr);
    w16(regs::kTxMff + regs::mff::kCtrl1, 0x2820);
    w8(regs::kTxMff + regs::mff::kCtrl2, regs::kMffCtrl2Fields.ena_op_md);
    if (s.mtu > 1500) {
      w16(regs::kRxMff + regs::mff::kCtrl1, 0x20);
    } else {
      w16(regs::kPaCtrl, 0x80);
    }
  }
  void ram_buffer(std::uint32_t base, std::uint32_t start, std::uint32_t length, bool receive) {
    w8(base + regs::rb::kCtrl, regs::kRbCtrlFields.rst_clr);
    w32(base + regs::rb::kStart, start);
    w32(base + regs::rb::kWp, start);
    w32(base + regs::rb::kRp, start);
    w32(base + regs::rb::kEnd, start + length - 1);
    if (receive) {
      w32(base + regs::rb::kUtpp, start + 2 * length / 3);
      w32(base + regs::rb::kLtpp, start + length / 3);
    } else {
      w8(base + regs::rb::kCtrl, regs::kRbCtrlFields.ena_stfwd);
    }
    w8(base + regs::rb::kCtrl, regs::kRbCtrlFields.ena_op_md);
  }
  void queue(std::uint32_t base, std::uint32_t first) {
    const bool fast =
        (r16(regs::kCtst) & (regs::kCtstFields.bus_slot_sz | regs::kCtstFields.bus_clock)) != 0;
    w32(base + regs::q::kCsr, regs::kCsrFields.run);
    w32(base + regs::q::kF, fast ? 0x600 : 0x300);
    w32(base + regs::q::kDaH, 0);
    w32(base + regs::q::kDaL, first);
  }
  void leds_on() {
    w8(regs::kLnkLedReg, regs::kLnkLedFields.on);
    w8(regs::kLnkLedReg, regs::kLnkLedFields.sync_on);
    w8(regs::kRxLedCtrl, regs::kFrameLedFields.start);
    w8(regs::kTxLedCtrl, regs::kFrameLedFields.start);
  }
  void set_multicast() {
    const std::uint32_t mode = xm32(xm::kMode) | xm::kModeLowFields.ena_hash;
    xm32(xm::kMode,
         s.promiscuous ? mode | xm::kModeLowFields.ena_prom : mode & ~xm::kModeLowFields.ena_prom);
    for (std::uint32_t i = 0; i < 8; i += 2) xm16(xm::kHsm + i, 0);
  }

  // --- driver: link
  /// The link timer: whether the link is up now.
  bool check_link() {
    for (int i = 0; i < 3; ++i)
      if ((xm16(xm::kGpPort) & xm::kGpPortFields.inp_ass) != 0) return false;
    phy(1);
    const std::uint32_t status = phy(1);
    if ((status & 4) == 0) {
      link_down();
      return false;
    }
    bool send = false;
    bool honour = false;
    if (s.negotiate) {
      if ((status & 0x20) == 0) return false;
      const std::uint32_t partner = phy(5);
      if ((partner & 0x2000) != 0) return false;
      const std::uint32_t resolved = phy(0x10);
      if ((resolved & 0x60) != 0x20) return false;
      send = honour = (s.pause & 0x80) != 0 && (partner & 0x80) != 0;
    }
    if (!carrier) link_up(send, honour);
    xm16(xm::kImsk, xm16(xm::kImsk) & ~xm::kCauseFields.inp_ass);
    xm16(xm::kIsrc);
    return true;
  }
  void link_up(bool send, bool honour) {
    std::uint32_t cmd = xm16(xm::kMmuCmd);
    xm16(xm::kMmuCmd, honour ? cmd & ~xm::kMmuCmdFields.ign_pf : cmd | xm::kMmuCmdFields.ign_pf);
    constexpr auto& kHigh = xm::kModeHighFields;
    constexpr std::uint32_t kPause = (kHigh.spoe_e | kHigh.spol_i | kHigh.spoh_i) << 16U;
    std::uint32_t mode = xm32(xm::kMode);
    if (send) {
      xm16(xm::kMacPtime, 0xffff);
      mode |= kPause;
      w16(regs::kRxMff + regs::mff::kCtrl1, regs::kRxMffCtrl1Fields.ena_pause);
    } else {
      mode &= ~kPause;
      w16(regs::kRxMff + regs::mff::kCtrl1, regs::kRxMffCtrl1Fields.dis_pause);
    }
    xm32(xm::kMode, mode);
    xm16(xm::kImsk, xm16(xm::kImsk) & ~4U);
    xm16(xm::kIsrc);
    cmd = xm16(xm::kMmuCmd);
    xm16(xm::kMmuCmd, cmd | xm::kMmuCmdFields.ena_rx | xm::kMmuCmdFields.ena_tx);
    w8(regs::kLnkLedReg, 0x16);
    carrier = true;
  }
  void link_down() {
    xm16(xm::kImsk, 0xffff);
    if (carrier) w8(regs::kLnkLedReg, regs::kLnkLedFields.off);
    carrier = false;
  }
  /// The link timer, faster than Linux's once a second; whether the link came within 100 ms.
  bool wait_for_link() {
    for (int i = 0; i < 100; ++i) {
      if (check_link()) return true;
      run_us(1000);
    }
    return false;
  }

  /// Probed, opened, link up.
  void up() { up(Settings()); }
  void up(const Settings& settings) {
    probe();
    open(settings);
    EXPECT_TRUE(wait_for_link());
  }

  Settings s;
  std::uint8_t identity[4] = {};  ///< CONN_TYP, PMD_TYP, MAC_CFG, CHIP_ID
  std::uint8_t address[6] = {};
  std::uint32_t memory_code = 0;
  std::uint32_t phy_type = 0;
  bool mac_reset_seen = false;
  bool carrier = false;
  bool poll_scheduled = false;
  std::uint32_t intr_mask = 0;
  std::uint32_t buffer_bytes = kLeastBuffer;
  std::uint32_t rx_next = 0;
  std::uint32_t tx_next = 0;
  std::uint32_t tx_clean = 0;
  std::uint32_t sent = 0;
  std::uint32_t interrupts = 0;
  std::uint32_t refused = 0;
  std::uint32_t seen = 0;  ///< causes that the handler found
  std::uint32_t mac_causes = 0;
  std::uint32_t hw_errors = 0;
  std::uint64_t vpd_us = 0;
};

}  // namespace longhaul::nic::genesis
