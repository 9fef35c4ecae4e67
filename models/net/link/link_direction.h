// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <systemc>

#include "models/common/event_queue.h"
#include "models/common/observe/probe.h"
#include "models/common/ring_buffer.h"
#include "models/net/eth.h"
#include "models/net/frame/frame_tap.h"
#include "models/net/link/octet_clock.h"
#include "models/net/link/phy.h"

namespace longhaul {

/// One direction of a link: its near end is a transmitter, its far end calls an EthReceiver. Takes
/// one event a frame, and a second one for a receiver that cuts through.
///
/// Light and the remote-fault signal (IEEE 802.3, 46.3.4) travel with the frames. An end has
/// carrier if it sees light and no remote fault; an end without light signals remote fault. So a
/// laser that is switched off takes the carrier from the far end after one propagation delay, and
/// from its own end after two.
class LinkDirection final : public sc_core::sc_module, public EthTransmitter {
 public:
  /// `ppm` is how much the near end's clock is fast; MAC and PHY run on it.
  LinkDirection(const sc_core::sc_module_name& name, const Phy& phy, std::uint64_t propagation_ps,
                double ppm = 0);

  /// `receiver` is at the far end; `back` is the other direction of the link.
  void join(EthReceiver& receiver, LinkDirection& back);
  bool joined() const { return receiver_ != nullptr; }

  // EthTransmitter, for the near end.
  sc_core::sc_time transmit(const FrameRef& frame) override;
  void sent(const FrameRef& frame) override;
  bool carrier() const override;
  void enable(bool on) override;
  BitRate mac_rate() const override { return phy_.mac_rate; }

  /// Breaks the fibre: frames on it are lost, and no new ones get on. Call darken() after both
  /// directions are cut.
  void cut();
  /// Takes the light from the far end.
  void darken() { see(false, false); }
  void mend();

  /// Frames on the fibre or waiting for it.
  std::size_t in_flight() const { return flight_.size(); }

  // A frame that a cut loses later has been counted here; it counts in `lost`, too.
  observe::Counter frames{"frames", "frame", "frames put on the wire"};
  observe::Counter bytes{"bytes", "byte", "octets of those frames with FCS"};
  observe::Counter wire_bytes{"wire_bytes", "byte",
                              "octets with preamble, FCS and the minimum inter-packet gap"};
  observe::Counter lost{"lost", "frame", "frames that met no light, no carrier or a cut"};
  observe::FrameTap tap{"tap", "frames on the wire at the near end, and losses of the link"};

 private:
  /// A frame, or a change of light and fault at the far end if `frame` is empty.
  struct Item {
    FrameRef frame;
    std::uint64_t arrives_ps = 0;
    bool light = false;
    bool fault = false;
    std::uint64_t begins_ps = 0;  // of a frame: when its preamble arrives at the far end
  };

  bool far_carrier() const { return light_seen_ && !fault_seen_; }
  void put(const FrameRef& frame, std::uint64_t start_ps, std::uint64_t first_bit_ps,
           std::uint64_t last_bit_ps);
  void push(Item item);
  std::uint64_t due_ps() const;
  void signal_change();
  void abort_unsent(const char* why);
  void lose(const FrameRef& frame, const char* why);
  void see(bool light, bool fault);
  void set_fault(bool fault);
  void deliver();

  const Phy& phy_;
  const std::uint64_t propagation_ps_;
  const std::int64_t ppb_;
  EthReceiver* receiver_ = nullptr;
  LinkDirection* back_ = nullptr;

  OctetClock wire_;                 // the fibre's near end is busy until then, gap included
  std::uint64_t mac_free_ps_ = 0;   // when the MAC may start again
  std::uint32_t stretch_rest_ = 0;  // ifsStretchCount, bits
  RingBuffer<Item> flight_;
  bool cuts_through_ = false;
  bool begun_ = false;  // begin() was called for the frame at the front

  bool fibre_ = true;
  bool laser_ = true;
  bool fault_ = false;      // near end signals remote fault
  bool light_seen_ = true;  // at the far end
  bool fault_seen_ = false;
  Timer arrival_{[this] { deliver(); }};
};

}  // namespace longhaul
