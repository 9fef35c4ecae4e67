// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <systemc>

#include "models/host/drivers/driver_params.h"
#include "models/host/drivers/pci_driver.h"
#include "models/host/drivers/rx_ring.h"
#include "models/host/drivers/tx_ring.h"

namespace longhaul::host {

/// The common part of drivers of Intel's controllers: rings, polling, filters, and their costs. A
/// driver adds its adapter's registers.
class IntelDriver : public PciDriver {
 public:
  void join(const MacAddress& group) override;

 protected:
  /// Offsets in BAR 0 of the registers that the common part uses, and bits of the cause register.
  struct Registers {
    std::uint32_t icr;
    std::uint32_t ics;
    std::uint32_t ims;
    std::uint32_t imc;
    std::uint32_t tdt;
    std::uint32_t rdt;
    std::uint32_t mta;
    std::uint32_t ral;
    std::uint32_t causes;       ///< the enabled causes
    std::uint32_t link_causes;  ///< causes that start the watchdog at once
    std::uint32_t nudge;        ///< cause that the watchdog sets, so that no ring is forgotten
  };
  IntelDriver(const sc_core::sc_module_name& name, const DriverSetup& setup,
              const IntelDriverParams& params, const Registers& registers);

  // Functions that an adapter's driver defines, beside those of PciDriver. reset_adapter() leaves
  // the station address in the receive address register.
  virtual TxFormat tx_format() const = 0;
  virtual RxFormat rx_format() const = 0;

  // Functions for these.
  const TxRing& tx_ring() const { return tx_ring_; }
  const RxRing& rx_ring() const { return rx_ring_; }
  /// Clears the address and VLAN filters, except the station's address and the joined groups.
  void write_filters(std::uint32_t vfta);

 private:
  static constexpr std::uint32_t kTableWords = 128;
  /// Most descriptors of a packet: one for every piece, a context, and one that distinguishes full
  /// from empty.
  static constexpr std::uint32_t kMostDescriptors = TxPacket::kMostExtents + 2;

  MacAddress read_mac() override;
  bool open_rings() override;
  void close_rings() override;
  void enable() override;
  bool fits(const TxPacket& packet) const override;
  bool has_descriptors(const TxPacket& packet) override;
  std::uint32_t put(const TxPacket& packet, Processor& cpu) override;
  void ring_doorbell() override { write(registers_.tdt, tx_ring_.tail()); }
  bool abandon(std::uint64_t& cookie) override { return tx_ring_.abandon(cookie); }
  bool holds_packets() const override { return tx_ring_.used() != 0; }
  void nudge() override { write(registers_.ics, registers_.nudge); }
  bool interrupt() override;
  Polled poll(std::uint32_t most) override;

  void finish_header(const TxPacket& packet);
  void look_at_link(std::uint32_t causes);
  std::uint32_t clean_tx(Processor& cpu);
  std::uint32_t clean_rx(Processor& cpu, std::uint32_t most);
  void refill(Processor& cpu);

  const IntelDriverParams params_;
  const Registers registers_;
  TxRing tx_ring_;
  RxRing rx_ring_;
  TxFormat tx_format_;
  std::array<std::uint32_t, kTableWords> groups_{};  // as in the multicast table
  bool polling_ = false;                             // interrupts are off until a poll ends
  bool handling_ = false;                            // an interrupt handler without NAPI is running
};

}  // namespace longhaul::host
