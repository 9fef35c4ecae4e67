// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <nlohmann/json.hpp>

#include "models/nic/terminator/terminator.h"
#include "tests/unit/models/nic/terminator/sge_fixture.h"

namespace longhaul::nic::terminator {

/// The adapter of a fixture, which is made before the rest of it.
template <class Nic>
struct NicHolder {
  std::unique_ptr<Nic> nic;
};

/// A Terminator in SgeFixture.
class TerminatorFixture : public NicHolder<Terminator>, public SgeFixture {
 public:
  explicit TerminatorFixture(const nlohmann::json& params = {})
      : NicHolder{make_terminator("nic", params, 0)}, SgeFixture(*nic, nic->port(), nic->path()) {}
};

}  // namespace longhaul::nic::terminator
