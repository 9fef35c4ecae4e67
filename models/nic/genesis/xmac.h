// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <systemc>

#include "models/common/observe/probe.h"
#include "models/common/packet_fifo.h"
#include "models/common/register_bank.h"
#include "models/common/units.h"
#include "models/net/frame/frame_tap.h"
#include "models/net/mac/eth_mac.h"
#include "models/nic/blocks/link_partner.h"
#include "models/nic/genesis/rx_filter.h"
#include "models/nic/genesis/xmac_phy.h"
#include "models/nic/genesis/xmac_registers.h"
#include "models/nic/genesis/xmac_regs.h"
#include "models/nic/genesis/xmac_stats.h"

namespace longhaul::nic::genesis {

/// Takes frames out of the XMAC's receive FIFO.
class XmacReceiver {
 public:
  virtual ~XmacReceiver() = default;
  /// A frame is complete in the receive FIFO. It may be taken before this call returns.
  virtual void frame_waits() = 0;
  /// The receive FIFO was emptied (MODE.FRF, GP_PORT.RES_MAC, MAC reset). A frame that was being
  /// taken out of it is lost.
  virtual void fifo_flushed() {}
};

/// The XMAC II: registers, filter, receive FIFO, PAUSE, statistics, and the PCS with its
/// negotiation, around an EthMac.
///
/// It occupies offsets 0x2000 to 0x3fff of the bank, with a 16-bit register in each 4 bytes. Each
/// half of a 32-bit register acts when it is written. The XMAC starts in reset. In reset its
/// registers have their reset values and ignore writes, and its laser is off.
///
/// Frames are sent while the transmitter is enabled and the PCS passes frames; until then they wait
/// in the FrameSource. Received frames are dropped unless the receiver is enabled and the PCS
/// passes frames.
/// The receive FIFO empties while a frame arrives. If it holds only a frame that is leaving, the
/// arriving frame fits whatever its length. Otherwise it needs room for all of the frame.
class Xmac final : public sc_core::sc_module, private FrameSource, private FrameSink {
 public:
  struct Settings {
    Bytes rx_fifo;               ///< 8 KiB
    std::uint16_t rx_low_words;  ///< reset values of RX_LO_WM and RX_HI_WM, in words of 4 bytes
    std::uint16_t rx_high_words;
    sc_core::sc_time negotiation;  ///< from the arrival of light to the end of negotiation
    LinkPartner partner;
  };
  /// `interrupt_changed` is called when interrupt() has changed.
  Xmac(const sc_core::sc_module_name& name, RegisterBank& bank, EthMac& mac,
       const Settings& settings, std::function<void()> interrupt_changed);

  /// Sets the source and the receiver of frames, and the function that empties the transmit FIFO
  /// (MODE.FTF, GP_PORT.RES_MAC). A MAC reset does not call it: the caller of set_reset() empties
  /// the FIFO itself. Call before the simulation starts.
  void attach(FrameSource& source, XmacReceiver& receiver,
              std::function<void()> flush_transmit = {});

  EthMac& mac() { return mac_; }
  /// MAC reset, initially on. On: sets everything to its reset value, empties the FIFO and switches
  /// the laser off, also if it was on. Off: switches the laser on and starts negotiation.
  void set_reset(bool on);
  bool in_reset() const { return in_reset_; }
  /// Whether IMSK enables a latched cause or the asserted input pin.
  bool interrupt() const { return interrupt_; }
  /// The FrameSource's answer may have become earlier.
  void kick_tx() { mac_.kick(); }
  /// Sets the pause request of the RAM buffer. With MODE.SPOE_E its edges send XOFF and XON.
  void set_ram_pause(bool asserted);
  /// Whether there is light in both directions.
  bool carrier() const { return mac_.carrier(); }

  // ---- receive FIFO
  struct Received {
    FrameRef frame;
    /// Bytes that are written to memory: frame->size(), and the FCS unless it was stripped.
    std::uint32_t bytes = 0;
    std::uint32_t status = 0;  ///< the frame status word (xm::frame_status)
  };
  bool rx_waits() const { return !fifo_.empty(); }
  const Received& rx_front() const { return fifo_.front(); }
  /// Whether the front is taken out as it arrives. It then occupies no room.
  void rx_leaves(bool leaves);
  /// Removes the front and gives its room back.
  void rx_pop();
  /// Bytes of the receive FIFO that a frame occupies: rounded up to words, plus the status word.
  static constexpr std::uint32_t fifo_bytes(std::uint32_t bytes) { return (bytes + 3) / 4 * 4 + 4; }

  observe::Counter overflows{"overflows", "frame", "frames lost because the receive FIFO was full"};
  observe::Counter filtered{"filtered", "frame", "frames for other stations"};
  observe::Counter rejected{"rejected", "frame",
                            "damaged frames, and frames of a wrong length, that MODE refuses"};
  observe::FrameTap drops{"drops", "frames that the XMAC dropped, with the reason"};

 private:
  std::uint64_t ready_ps() const override { return source_->ready_ps(); }
  FrameRef take_frame() override;
  void frame_received(const FrameRef& frame) override;
  void frame_refused(const FrameRef& frame, RxFault fault) override;
  void carrier_changed(bool up) override;

  // Registers
  void add_control();
  void add_addresses();
  void mmu_cmd_written(std::uint32_t) { update_paths(); }
  void imsk_written(std::uint32_t) { update_interrupt(); }
  void phy_addr_written(std::uint32_t) { phy_fetched_ = false; }
  void phy_data_written(std::uint32_t value);
  void gp_port_written(std::uint32_t commands);
  void mode_low_written(std::uint32_t value);
  void mode_high_written(std::uint32_t value);
  void stat_cmd_written(std::uint32_t value);
  void addresses_changed();
  std::uint32_t show_phy_data();
  std::uint32_t show_gp_port();
  std::uint32_t take_causes();

  // Reception
  bool mode_takes(std::uint32_t status) const;
  void count_faults(std::uint32_t status);
  void take_in(const FrameRef& frame, std::uint32_t status);
  void drop(const FrameRef& frame, observe::Counter& counter, const char* why);
  void flush_receive();
  /// Sends XOFF or XON if `mode_bit` of MODE's upper half allows it.
  void send_pause(std::uint32_t mode_bit, bool xoff);

  void latch(std::uint16_t causes);
  std::uint16_t causes() const;
  void update_interrupt();
  void update_paths();
  void update_filter();
  void update_pause();

  EthMac& mac_;
  const Settings settings_;
  std::function<void()> interrupt_changed_;
  std::function<void()> flush_transmit_;
  FrameSource* source_ = nullptr;
  XmacReceiver* receiver_ = nullptr;
  XmacRegisters registers_;
  XmacStats stats_;
  XmacPhy phy_;
  RxFilter filter_;
  PacketFifo<Received> fifo_;
  bool front_leaves_ = false;  // its room has been given back
  bool in_reset_ = true;
  bool interrupt_ = false;
  bool sends_ = false;  // the last setting of the EthMac
  bool receives_ = false;
  bool ram_pause_ = false;
  bool above_high_ = false;   // the FIFO has reached HI_WM since it was last down to LO_WM
  std::uint16_t causes_ = 0;  // latched
  std::uint16_t phy_data_ = 0;
  bool phy_fetched_ = false;  // since PHY_ADDR was written
};

}  // namespace longhaul::nic::genesis
