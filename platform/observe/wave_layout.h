// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "platform/observe/wave_file.h"

namespace longhaul::observe {

/// The save file with which GTKWave opens a WaveFile: a group for each scope, by rank, with a radix for each row, names for states,
/// curves for windows, and the marker where the trigger fired.
class WaveLayout {
 public:
  explicit WaveLayout(const WaveFile& file) : file_(file) {}
  void write(const std::string& path) const;

 private:
  std::string header() const;
  std::string rows() const;

  const WaveFile& file_;
};

}  // namespace longhaul::observe
