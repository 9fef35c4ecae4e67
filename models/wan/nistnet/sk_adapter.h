// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <systemc>

#include "models/common/event_queue.h"
#include "models/common/observe/probe.h"
#include "models/common/ring_buffer.h"
#include "models/net/frame/frame_tap.h"
#include "models/net/mac/eth_mac.h"
#include "models/wan/nistnet/box_cpu.h"
#include "models/wan/nistnet/nistnet_params.h"
#include "models/wan/nistnet/pci_segment.h"

namespace longhaul::wan {

/// Receives frames from an adapter's driver, in a step of the interrupt handler.
class FrameInput {
 public:
  virtual ~FrameInput() = default;
  virtual void frame_input(const FrameRef& frame) = 0;
};

/// An adapter (nic/genesis/sk9843.h) with its driver's interrupt handler (README.md#the-adapter).
///
/// Receiving: MAC, FIFO, DMA over the bus into a ring of buffers, interrupt, handler, FrameInput.
/// Sending: driver's queue, ring, DMA over the bus, FIFO, MAC. The handler reads the interrupt's
/// source, passes on the frames in the ring, and returns sent buffers if that interrupt was due.
/// Then it reads the source again, and continues if there is more.
class SkAdapter final : public sc_core::sc_module,
                        public FrameSource,
                        public FrameSink,
                        public CpuTask {
 public:
  SkAdapter(const sc_core::sc_module_name& name, const SkAdapterParams& params,
            const NistnetCpuParams& cpu_params, sc_core::sc_time interrupt_latency, BoxCpu& cpu,
            PciSegment& bus, FrameInput& input);

  EthMac mac;

  /// Queues a frame to be sent. Drops it if ring and queue are full.
  void transmit(const FrameRef& frame);

  observe::Counter fifo_dropped{"fifo_dropped", "frame",
                                "frames that found the adapter's receive FIFO full"};
  observe::Counter tx_dropped{"tx_dropped", "frame",
                              "frames that found the transmit ring and queue full"};
  observe::Level fifo_bytes{"fifo_bytes", "byte", "octets of frames in the receive FIFO, with FCS"};
  observe::Level rx_waiting{"rx_waiting", "frame",
                            "frames in memory that the interrupt handler has not seen"};
  observe::Level tx_waiting{"tx_waiting", "frame",
                            "frames given to the driver that are not in the adapter yet"};
  observe::FrameTap tap{"tap", "frames that this adapter or its driver dropped, with the reason"};

  // Calls of the MAC.
  void frame_received(const FrameRef& frame) override;
  std::uint64_t ready_ps() const override;
  FrameRef take_frame() override;
  // Calls of the processor: the interrupt handler.
  std::uint64_t begin_step_ps() override;
  bool end_step() override;

 private:
  enum class Step : std::uint8_t { kEnter, kReceive, kFree, kCheck };

  /// A frame that leaves the chip's RAM at `at_ps`.
  struct Passed {
    FrameRef frame;
    std::uint64_t at_ps = 0;
  };

  void rx_arrived();
  void load_rx();
  void end_rx_load();
  void load_tx();
  void end_tx_load();
  void raise_tx_done();
  void raise();
  Step next_step();
  void drop(const FrameRef& frame, observe::Counter& counter, const char* why);

  const SkAdapterParams params_;
  const NistnetCpuParams cpu_params_;
  const std::uint64_t interrupt_latency_ps_;
  BoxCpu& cpu_;
  PciSegment& bus_;
  FrameInput& input_;

  // Receiving.
  RingBuffer<Passed> rx_passing_;
  RingBuffer<FrameRef> rx_fifo_;
  bool rx_loading_ = false;
  RingBuffer<FrameRef> rx_ring_;
  Timer rx_arrives_{[this] { rx_arrived(); }};
  Timer rx_loaded_{[this] { end_rx_load(); }};

  // Sending.
  RingBuffer<FrameRef> tx_ring_;
  bool tx_loading_ = false;
  RingBuffer<Passed> tx_fifo_;
  std::uint64_t tx_fifo_bytes_ = 0;
  std::uint32_t tx_done_ = 0;  // sent and not yet returned
  bool tx_done_is_due_ = false;
  bool tx_done_is_armed_ = false;
  Timer tx_loaded_{[this] { end_tx_load(); }};
  Timer tx_done_interrupt_{[this] { raise_tx_done(); }};

  // The handler.
  Timer interrupt_arrives_{[this] { cpu_.interrupt(*this); }};
  bool handling_ = false;
  Step step_ = Step::kEnter;
  std::uint32_t freeing_ = 0;
};

}  // namespace longhaul::wan
