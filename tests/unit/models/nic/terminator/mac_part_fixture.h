// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "models/common/ring_buffer.h"
#include "models/nic/terminator/mac_part.h"
#include "tests/unit/support/ethernet.h"
#include "tests/unit/times.h"

namespace longhaul::nic::terminator::testing {

/// The mac part of a board, with a queue to send from and a client that takes frames or leaves
/// them. A station is at the far end of a fibre of no length. The fixture's functions do what those
/// of the Linux driver cxgb do, register by register; times are those that the driver waits.
class MacPartFixture : private FrameSource, private EspiClient {
 public:
  // Registers as cxgb's headers have them; the tests do not use the model's.
  static constexpr std::uint32_t kTpiAddr = 0x280, kTpiWrData = 0x284, kTpiRdData = 0x288,
                                 kTpiCsr = 0x28c, kTpiPar = 0x29c;
  static constexpr std::uint32_t kElmerIntEnable = 0x10'0008, kElmerIntCause = 0x10'000c,
                                 kElmerGpiStat = 0x10'0014, kElmerGpo = 0x10'0018;
  static constexpr std::uint32_t kMi1Cfg = 0x40'0000, kMi1Addr = 0x40'0004, kMi1Data = 0x40'0008,
                                 kMi1Op = 0x40'000c;
  static inline const MacAddress kMe{0x00, 0x07, 0x43, 0x00, 0x13, 0x09};
  static inline const MacAddress kFar = test::station(9);

  explicit MacPartFixture(Board board = Board::kN110, const MacPartParams& values = {})
      : params(values),
        board_(board),
        part("mac_part", bank, mac, params, board, units::MHz(125), [this] { ++causes; }) {
    link.connect(mac.port, far.port());
    far.mac.set_flow_control(true, true);
    part.attach(*this, *this);
    part.drops.listen(&drops);
  }

  MacPartParams params;
  const Board board_;
  RegisterBank bank{0x1000};
  EthMac mac{"mac"};
  MacPart part;
  test::Station far{"far"};
  Link link{"link", test::cable_of_no_length()};
  test::TapRecord drops;
  int causes = 0;     ///< calls of on_cause
  bool takes = true;  ///< the client takes frames at once
  struct Taken {
    FrameRef frame;
    std::uint64_t began_ps;
    std::uint64_t at_ps;
  };
  std::vector<Taken> taken;
  std::vector<std::uint64_t> sent_at;  ///< when each frame's first bit was on the fibre
  std::vector<bool> link_changes;
  std::vector<std::uint64_t> pulled_at;  ///< when each frame was taken from the source

  static void run(std::uint64_t ps) { sc_core::sc_start(from_ps(ps)); }

  // ---- TPI (t1_tpi_write, t1_tpi_read); false: not ready after 50 looks
  bool tpi_ready() {
    for (int look = 0; look < 50; ++look) {
      if ((bank.read(kTpiCsr) & 2U) != 0) return true;
      run(3 * kUs);
    }
    return false;
  }
  bool tpi_write(std::uint32_t address, std::uint32_t value) {
    bank.write(kTpiAddr, address);
    bank.write(kTpiWrData, value);
    bank.write(kTpiCsr, 1);
    return tpi_ready();
  }
  std::uint32_t tpi_read(std::uint32_t address) {
    bank.write(kTpiAddr, address);
    bank.write(kTpiCsr, 0);
    return tpi_ready() ? bank.read(kTpiRdData) : 0xdead'beef;
  }
  void pm_write(std::uint32_t number, std::uint32_t value) { tpi_write(number << 2, value); }
  std::uint32_t pm_read(std::uint32_t number) { return tpi_read(number << 2); }

  // ---- MDIO (mi1_mdio_ext_read, mi1_mdio_ext_write)
  std::uint32_t phy_address() const { return board_ == Board::kN110 ? 0 : 1; }
  bool mdio_ready() {
    for (int look = 0; look < 100; ++look) {
      if ((tpi_read(kMi1Op) >> 31) == 0) return true;
      run(10 * kUs);
    }
    return false;
  }
  void mdio_address(std::uint32_t mmd, std::uint32_t reg) {
    tpi_write(kMi1Addr, phy_address() << 5 | mmd);
    tpi_write(kMi1Data, reg);
    tpi_write(kMi1Op, 0);
    mdio_ready();
  }
  std::uint32_t mdio_read(std::uint32_t mmd, std::uint32_t reg) {
    mdio_address(mmd, reg);
    tpi_write(kMi1Op, 3);
    mdio_ready();
    return tpi_read(kMi1Data);
  }
  void mdio_write(std::uint32_t mmd, std::uint32_t reg, std::uint32_t value) {
    mdio_address(mmd, reg);
    tpi_write(kMi1Data, value);
    tpi_write(kMi1Op, 1);
    mdio_ready();
  }

  // ---- initialisation, in the driver's order
  void espi_init();   ///< t1_espi_init for the PM3393 on T1B
  void board_init();  ///< board_init and mi1_mdio_init
  void phy_reset();   ///< mv88x201x_phy_reset, my3126_phy_reset or illumos' xpak_phy_reset
  bool mac_reset();   ///< pm3393_mac_reset; true: successful at the first try
  void phy_create();  ///< mv88x201x_phy_create
  void mac_create();  ///< pm3393_mac_create
  void set_address(const MacAddress& address);  ///< pm3393_macaddress_set
  void enable(bool on = true);                  ///< pm3393_enable, pm3393_disable
  void set_mtu(std::uint32_t mtu);              ///< pm3393_set_mtu
  void set_rx_mode(bool promiscuous, bool all_multicast, const std::vector<MacAddress>& groups);
  void mac_interrupt_enable();
  void mac_interrupt_clear();
  void phy_interrupt_enable();
  void phy_interrupt_clear();
  /// All of the above: the board is ready for frames.
  void up();
  static std::uint32_t ether_crc(const MacAddress& address);  ///< as in Linux' crc32.h

  /// pm3393_update_statistics for one counter: `rollovers` are the four registers.
  std::uint64_t counter(std::uint32_t number);
  std::uint64_t snapped(std::uint32_t number);  ///< without a new snapshot
  std::uint64_t rollovers();

  // ---- frames
  static FrameRef frame(std::uint32_t octets, const MacAddress& to = kMe,
                        std::uint32_t number = 0) {
    return test::make_frame(octets, to, kFar, number);
  }
  /// Comes in past the far end's MAC, which would pad it; it is in the FIFO when this returns.
  void arrive(const FrameRef& frame) {
    link.b_to_a.transmit(frame);
    run((std::uint64_t{frame->octets()} + 20) * 800);
  }
  void send(FrameRef frame) {
    queue_.push_back(std::move(frame));
    part.kick_tx();
  }
  std::size_t queued() const { return queue_.size(); }
  /// When frames of the source are ready; 0: at once.
  std::uint64_t source_ready_ps = 0;

 private:
  std::uint64_t ready_ps() const override { return queue_.empty() ? kNoFrame : source_ready_ps; }
  FrameRef take_frame() override {
    pulled_at.push_back(now_ps());
    return queue_.pop_front();
  }
  bool take_received(const FrameRef& frame, const sc_core::sc_time& began) override {
    if (takes) taken.push_back({frame, to_ps(began), now_ps()});
    return takes;
  }
  void frame_sent(const FrameRef&) override { sent_at.push_back(now_ps()); }
  void link_changed(bool up) override { link_changes.push_back(up); }

  RingBuffer<FrameRef> queue_;
};

}  // namespace longhaul::nic::terminator::testing
