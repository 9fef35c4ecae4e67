// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

namespace longhaul::bench {

/// The designs that the PCI-X benchmarks drive, elaborated before the first of them runs.
class PcixBench {
 public:
  PcixBench();
  ~PcixBench();

  struct Designs;
  Designs& designs() const { return *designs_; }

 private:
  std::unique_ptr<Designs> designs_;
};

/// Sets (non-null) and returns the elaborated designs.
const PcixBench* current_pcix(const PcixBench* set = nullptr);

}  // namespace longhaul::bench
