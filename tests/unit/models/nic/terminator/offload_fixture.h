// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "tests/unit/models/nic/terminator/cpl_fixture.h"
#include "tests/unit/models/nic/terminator/terminator_fixture.h"

namespace longhaul::nic::terminator {

/// A T110 whose driver offloads.
class OffloadFixture : public NicHolder<Terminator>, public CplFixture {
 public:
  explicit OffloadFixture(nlohmann::json params = {})
      : NicHolder{make_terminator("nic", on_t110(params), 0)},
        CplFixture(*nic, nic->port(), nic->path()) {}

 private:
  static nlohmann::json on_t110(nlohmann::json params) {
    params["board"] = "t110";
    return params;
  }
};

}  // namespace longhaul::nic::terminator
