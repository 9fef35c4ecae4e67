// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "models/common/catalog.h"
#include "models/tcp/congestion/congestion_control.h"

namespace longhaul::tcp {

/// A policy, by its name in the parameter congestion_control.
struct ControlType {
  const char* name;
  const char* title;
  /// Makes a policy, which may keep a reference to `config`.
  std::unique_ptr<CongestionControl> (*make)(const CongestionConfig& config);
  Origin origin{};
};

/// All policies. The policies of this folder are always in it.
Catalog<ControlType>& congestion_controls();

/// The `make` of a ControlType whose class has a constructor from the configuration alone.
template <class Policy>
std::unique_ptr<CongestionControl> make_policy(const CongestionConfig& config) {
  return std::make_unique<Policy>(config);
}

/// Makes the policy that the configuration names. It keeps a reference to `config`.
std::unique_ptr<CongestionControl> make_congestion_control(const CongestionConfig& config);

}  // namespace longhaul::tcp
