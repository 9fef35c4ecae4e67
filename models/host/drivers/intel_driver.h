// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <systemc>
#include <vector>

#include "models/common/observe/probe.h"
#include "models/host/drivers/driver_params.h"
#include "models/host/drivers/net_rx.h"
#include "models/host/drivers/pci_bus.h"
#include "models/host/drivers/rx_ring.h"
#include "models/host/drivers/tx_ring.h"
#include "models/host/kernel/interrupt_router.h"
#include "models/host/kernel/memory_pool.h"
#include "models/host/kernel/timers.h"
#include "models/host/net/net_device.h"
#include "models/host/net/net_params.h"

namespace longhaul::host {

/// The environment of a driver: its machine and its place in it.
struct DriverSetup {
  PciBus& bus;
  std::uint32_t slot;
  std::uint32_t function;
  InterruptRouter& router;
  std::vector<NetRx*> receive_softirqs;  ///< one for each processor that the router knows
  MemoryPool& memory;
  Timers& timers;
  const NetParams& net;
  std::uint32_t node = 0;  ///< node of the memory for its rings and buffers
};

/// The common part of drivers of Intel's controllers: rings, polling, the watchdog, and their
/// costs. A driver adds its adapter's registers.
///
/// Work is charged to the processor that runs. A received frame is paid for once, together with the
/// work that the user charged for it. A packet that cannot be sent (the interface is closed or has
/// no link, or the packet contradicts itself) is taken and counted as dropped. It is given back by
/// sent() before transmit() returns.
class IntelDriver : public sc_core::sc_module,
                    public NetDevice,
                    private PolledDevice,
                    private InterruptHandler,
                    private KernelTimer {
 public:
  void attach(DeviceUser& user) override { user_ = &user; }
  void open() override;
  void close() override;
  bool transmit(const TxPacket& packet) override;
  void join(const MacAddress& group) override;
  const DeviceFeatures& features() const override { return features_; }
  MacAddress mac() const override { return mac_; }
  std::uint32_t mtu() const override { return params_.mtu(); }
  bool link_up() const override { return link_up_; }

  observe::Counter tx_packets{"tx_packets", "1", "packets put into the transmit ring"};
  observe::Counter tx_busy{"tx_busy", "1", "packets refused because the transmit ring was full"};
  observe::Counter tx_dropped{
      "tx_dropped", "1",
      "packets that could not go out: no link, or their description contradicts itself"};
  observe::Counter rx_packets{"rx_packets", "1", "frames handed to the protocol stack"};
  observe::Counter rx_errors{"rx_errors", "1",
                             "descriptors dropped: damaged frames, frames in several pieces"};
  observe::Counter rx_no_buffer{"rx_no_buffer", "1",
                                "times that a receive buffer could not be had"};
  observe::Counter interrupts{"interrupts", "1", "interrupts that were this adapter's"};
  observe::Counter polls{"polls", "1", "NAPI polls"};

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

  // Functions that an adapter's driver defines.
  /// Resets the adapter: DMA stops, interrupts are masked, and the station address is in its
  /// receive address register.
  virtual void reset_adapter() = 0;
  /// Sets the adapter up after a reset and starts both units. The rings are empty.
  virtual void start_adapter() = 0;
  virtual bool find_link() = 0;
  virtual void watch() {}
  virtual TxFormat tx_format() const = 0;
  virtual RxFormat rx_format() const = 0;

  // Functions for these.
  std::uint32_t read(std::uint32_t offset) const;
  void write(std::uint32_t offset, std::uint32_t value) const;
  /// Busy-waits, as a driver's delay loop does.
  static void delay(std::uint64_t ps);
  const TxRing& tx_ring() const { return tx_ring_; }
  const RxRing& rx_ring() const { return rx_ring_; }
  /// Clears the address and VLAN filters, except the station's address and the joined groups.
  void write_filters(std::uint32_t vfta);
  std::uint32_t largest_frame() const;  ///< FCS included
  std::uint64_t sent_bytes() const { return sent_bytes_; }
  std::uint64_t received_bytes() const { return received_bytes_; }
  bool is_open() const { return open_; }

 private:
  static constexpr std::uint32_t kTableWords = 128;
  /// Most descriptors of a packet: one for every piece, a context, and one that distinguishes full
  /// from empty.
  static constexpr std::uint32_t kMostDescriptors = TxPacket::kMostExtents + 2;

  bool interrupt() override;
  Polled poll(std::uint32_t most) override;
  void expired() override;

  NetRx& receive_softirq() const;
  void up();
  void down();
  bool sendable(const TxPacket& packet) const;
  void drop(const TxPacket& packet);
  void finish_header(const TxPacket& packet);
  void look_at_link(std::uint32_t causes);
  std::uint32_t clean_tx(Processor& cpu);
  std::uint32_t clean_rx(Processor& cpu, std::uint32_t most);
  void refill(Processor& cpu);
  void read_mac();
  void set_link(bool up);
  void make_room();

  const DriverSetup setup_;
  const IntelDriverParams params_;
  const Registers registers_;
  DeviceFeatures features_;
  DeviceUser* user_ = nullptr;
  TxRing tx_ring_;
  RxRing rx_ring_;
  TxFormat tx_format_;
  std::uint64_t base_ = 0;  // address of the registers
  MacAddress mac_{};
  std::array<std::uint32_t, kTableWords> groups_{};  // as in the multicast table
  bool handled_ = false;                             // the interrupt handler is installed
  bool open_ = false;
  bool link_up_ = false;
  bool polling_ = false;   // interrupts are off until a poll ends
  bool handling_ = false;  // an interrupt handler without NAPI is running
  bool refused_ = false;   // a packet was refused, so has_room() is due
  std::uint64_t sent_bytes_ = 0;
  std::uint64_t received_bytes_ = 0;
};

}  // namespace longhaul::host
