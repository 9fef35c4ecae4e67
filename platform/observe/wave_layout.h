// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "platform/observe/wave_file.h"

namespace longhaul::observe {

/// The save file with which GTKWave opens a WaveFile: a group for each scope, by rank, with a radix
/// for each row, names for states, curves for windows, and the marker at the trigger. An open group
/// at the top shows the trigger's cause; its rows are in their own groups, too. The cause has the
/// marker A.
class WaveLayout {
 public:
  explicit WaveLayout(const WaveFile& file) : file_(file) {}
  void write(const std::string& path) const;

 private:
  std::string header() const;
  std::string cause() const;
  std::string rows() const;
  static std::string row(const WaveFile::Variable& variable, WaveShow show,
                         const std::string& label);

  const WaveFile& file_;
};

}  // namespace longhaul::observe
