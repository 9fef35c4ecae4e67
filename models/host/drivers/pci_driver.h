// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>

#include "models/common/observe/probe.h"
#include "models/host/drivers/driver_setup.h"
#include "models/host/net/net_device.h"

namespace longhaul::host {

/// The part of a driver that does not depend on its adapter: opening and closing, notices to the
/// user, the watchdog's timer, and the costs of these.
///
/// A driver of a family of adapters derives from it and adds rings, interrupts and registers. Work
/// is charged to the processor that runs. A received frame is paid for once, together with the work
/// that the user charged for it. A packet that cannot be sent (the interface is closed or has no
/// link, or the packet contradicts itself) is taken and counted as dropped. It is given back by
/// sent() before transmit() returns.
class PciDriver : public sc_core::sc_module,
                  public NetDevice,
                  protected PolledDevice,
                  protected InterruptHandler,
                  protected KernelTimer {
 public:
  void attach(DeviceUser& user) override { user_ = &user; }
  void open() override;
  void close() override;
  bool transmit(const TxPacket& packet) override;
  const DeviceFeatures& features() const override { return features_; }
  MacAddress mac() const override { return mac_; }
  std::uint32_t mtu() const override { return mtu_; }
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
  /// Largest packet that an adapter cuts into segments, in bytes.
  static constexpr std::uint32_t kMostSuperFrame = 65536;

  PciDriver(const sc_core::sc_module_name& name, const DriverSetup& setup, std::uint32_t mtu,
            sc_core::sc_time watchdog, const DeviceFeatures& features);

  // Functions that a family's driver defines.
  /// Resets the adapter: DMA stops, interrupts are masked, and its station address can be read.
  virtual void reset_adapter() = 0;
  virtual MacAddress read_mac() = 0;
  /// Takes memory for the rings. Returns false if there is none.
  virtual bool open_rings() = 0;
  virtual void close_rings() = 0;
  /// Sets the adapter up after a reset and starts both units. The rings are empty.
  virtual void start_adapter() = 0;
  /// Gives the adapter its receive buffers and lets it interrupt.
  virtual void enable() = 0;
  virtual bool find_link() = 0;
  /// The watchdog looks at the adapter, whose interface is open.
  virtual void watch() {}
  /// The watchdog makes sure that no ring is forgotten, if an interrupt was missed.
  virtual void nudge() {}
  /// Tells whether a ring could ever hold the packet.
  virtual bool fits(const TxPacket& packet) const = 0;
  virtual bool has_descriptors(const TxPacket& packet) = 0;
  /// Writes a packet's descriptors and returns how many.
  virtual std::uint32_t put(const TxPacket& packet, Processor& cpu) = 0;
  /// Tells the adapter of packets that were put into the ring.
  virtual void ring_doorbell() = 0;
  /// Removes the oldest packet from the ring, sent or not. Returns false if there is none.
  virtual bool abandon(std::uint64_t& cookie) = 0;
  virtual bool holds_packets() const = 0;

  // Functions for these.
  const DriverSetup& setup() const { return setup_; }
  DeviceUser& user() const { return *user_; }
  std::uint32_t read(std::uint32_t offset) const;
  void write(std::uint32_t offset, std::uint32_t value) const;
  /// Busy-waits, as a driver's delay loop does.
  static void delay(std::uint64_t ps);
  NetRx& receive_softirq() const;
  std::uint32_t largest_frame() const;  ///< FCS included
  std::uint64_t sent_bytes() const { return sent_bytes_; }
  std::uint64_t received_bytes() const { return received_bytes_; }
  bool is_open() const { return open_; }
  /// Hands a frame to the user and pays for it. The interface may be closed afterwards.
  void deliver(const RxPacket& packet, Processor& cpu);
  /// Gives a packet of `descriptors` descriptors that was sent back to the user.
  void give_back(std::uint64_t cookie, std::uint32_t descriptors, Processor& cpu);
  bool refused() const { return refused_; }
  /// Tells the user, who was refused, that there is room.
  void make_room();
  /// The watchdog looks at the link at once.
  void look_at_link();

 private:
  void expired() override;
  void up();
  void down();
  bool sendable(const TxPacket& packet) const;
  void drop(const TxPacket& packet);
  void set_link(bool up);

  const DriverSetup setup_;
  const std::uint32_t mtu_;
  const sc_core::sc_time watchdog_;
  const DeviceFeatures features_;
  DeviceUser* user_ = nullptr;
  std::uint64_t base_ = 0;  // address of the registers
  MacAddress mac_{};
  bool handled_ = false;  // the interrupt handler is installed
  bool open_ = false;
  bool link_up_ = false;
  bool refused_ = false;  // a packet was refused, so has_room() is due
  std::uint64_t sent_bytes_ = 0;
  std::uint64_t received_bytes_ = 0;
};

}  // namespace longhaul::host
