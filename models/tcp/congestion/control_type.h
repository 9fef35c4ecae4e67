// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "models/common/catalog.h"
#include "models/tcp/congestion/congestion_control.h"

namespace longhaul::tcp {

/// A policy by the name that the parameter congestion_control has.
struct ControlType {
  const char* name;
  const char* title;
  /// It may keep a reference to `config`.
  std::unique_ptr<CongestionControl> (*make)(const CongestionConfig& config);
  Origin origin{};
};

/// All policies. Those of this folder are in it from the beginning.
Catalog<ControlType>& congestion_controls();

/// A ControlType's make for a class that is made of the configuration alone.
template <class Policy>
std::unique_ptr<CongestionControl> make_policy(const CongestionConfig& config) {
  return std::make_unique<Policy>(config);
}

/// The policy that the configuration names. It keeps a reference to `config`.
std::unique_ptr<CongestionControl> make_congestion_control(const CongestionConfig& config);

}  // namespace longhaul::tcp
