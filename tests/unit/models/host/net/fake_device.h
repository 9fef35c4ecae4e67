// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "models/common/ring_buffer.h"
#include "models/host/kernel/memory_pool.h"
#include "models/host/kernel/processor.h"
#include "models/host/net/net_device.h"

namespace longhaul::host::testing {

/// How a fake device behaves.
struct FakeDeviceParams {
  std::uint32_t mtu = 1500;
  std::uint32_t ring = 256;  ///< packets that it takes before it refuses
  std::uint64_t bits_per_s = 10'000'000'000;
  std::uint64_t delay_ps = 10'000'000;  ///< one way
  std::uint32_t buffer_bytes = 2048;    ///< of a receive buffer
  bool napi = true;  ///< else received() and sent() come in hard interrupt context
  DeviceFeatures features{true, true, true, 0};
};

/// A network adapter without bus and registers, joined to another one: serializes frames, delays
/// them, and interrupts a processor.
///
/// Everything that it does takes no time of the processor, so that what a test sees charged is the
/// stack's.
class FakeDevice final : public sc_core::sc_module,
                         public NetDevice,
                         private InterruptHandler,
                         private Softirq {
 public:
  using Bytes = std::vector<std::uint8_t>;
  /// What becomes of the n-th frame sent: extra delay of each copy that arrives, in ps; none: it is
  /// lost. It may change the bytes.
  using Fate = std::function<std::vector<std::uint64_t>(std::uint64_t n, Bytes& frame)>;

  FakeDevice(const sc_core::sc_module_name& name, Processor& processor, MemoryPool& pool,
             FakeDeviceParams params, std::uint8_t station);
  void join(FakeDevice& peer) { peer_ = &peer; }
  void attach(DeviceUser& user) override { user_ = &user; }
  void join(const MacAddress& /*group*/) override {}

  void open() override {}
  void close() override {}
  bool transmit(const TxPacket& packet) override;
  const DeviceFeatures& features() const override { return params.features; }
  MacAddress mac() const override { return mac_; }
  std::uint32_t mtu() const override { return params.mtu; }
  bool link_up() const override { return true; }

  FakeDeviceParams params;
  Fate fate;
  std::function<void(const Bytes&)> on_sent;  ///< each frame as it is on the wire
  std::uint64_t frames_sent = 0;
  std::uint64_t packets_taken = 0;
  std::uint64_t refusals = 0;
  std::uint64_t no_buffer = 0;
  bool stuck = false;  ///< takes packets, and does not send them
  TxPacket last;
  std::vector<Bytes> captured;  ///< filled while `capture`
  bool capture = false;

 private:
  struct Flying {
    Bytes bytes;
  };
  static constexpr std::uint32_t kVector = 5;

  void wire_method();
  void put_on_wire(Bytes frame);
  void cut(const TxPacket& packet, const Bytes& whole);
  bool interrupt() override;
  bool run() override;
  bool work(std::uint32_t budget);
  Bytes take_bytes();

  Processor& processor_;
  MemoryPool& pool_;
  MacAddress mac_;
  FakeDevice* peer_ = nullptr;
  DeviceUser* user_ = nullptr;
  std::multimap<std::uint64_t, Bytes> flying_;           // to this one, by arrival
  std::multimap<std::uint64_t, std::uint64_t> leaving_;  // cookies by the end of their sending
  RingBuffer<Bytes> arrived_;
  RingBuffer<std::uint64_t> done_;
  std::vector<Bytes> spare_;
  std::uint32_t in_ring_ = 0;
  bool full_ = false;
  std::uint64_t free_at_ = 0;
  sc_core::sc_event wire_event_{"wire_event"};
};

}  // namespace longhaul::host::testing
