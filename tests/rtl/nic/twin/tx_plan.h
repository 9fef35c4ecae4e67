// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tests/rtl/nic/twin/phase.h"
#include "tests/rtl/nic/twin/random.h"
#include "tests/unit/models/net/frame/packets.h"

namespace longhaul::nic_twin {

/// Draws packets to send, as descriptors and their data.
class TxPlan {
 public:
  using Descriptor = std::array<std::uint8_t, 16>;

  /// Data lie in [begin, end) of host memory.
  TxPlan(Random& random, std::uint64_t begin, std::uint64_t end)
      : random_(random), next_(begin + random.below(4096)), end_(end) {}

  /// Adds packets while no more than `most` descriptors are there, at most `packets`.
  void draw(std::uint32_t packets, std::uint32_t most);

  std::vector<Descriptor> descriptors;
  std::vector<Store> stores;
  std::vector<std::size_t> ends;  ///< behind each packet: the number of descriptors

 private:
  using Bytes = longhaul::testing::ByteVector;
  struct Options {
    std::uint32_t command = 0;  ///< bits of all descriptors of the packet
    std::uint32_t sums = 0;     ///< POPTS
    std::uint32_t tag = 0;
  };

  void packet();
  void plain();
  void summed();
  void super();
  void damaged();
  void context();
  longhaul::testing::PacketSpec spec(std::uint32_t most_payload);
  Options options();
  void context_of(const longhaul::testing::PacketSpec& spec, std::uint32_t payload,
                  std::uint32_t mss);
  void fragments(const Bytes& bytes, const Options& options);
  void data(std::uint64_t address, std::uint32_t length, std::uint32_t command,
            const Options& options);
  std::uint64_t place(std::uint32_t length);
  void add(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d);

  Random& random_;
  std::uint64_t next_;
  const std::uint64_t end_;
};

}  // namespace longhaul::nic_twin
