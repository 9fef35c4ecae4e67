// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "models/wan/delay_box/delay_box.h"
#include "tests/unit/models/host/drivers/chelsio/offload/random_connection.h"

namespace longhaul::host::offload_testing {

/// Two hosts with TCP in one adapter or in both, and a network between them. All of it is drawn
/// from a seed, which is the test's parameter.
class RandomPair : public ::testing::TestWithParam<std::uint64_t> {
 protected:
  /// `adapter` is the type of both hosts' adapters, and `driver` has parameters of theirs. With
  /// `cuts`, cables are cut for a while.
  void draw(const std::string& adapter, bool cuts,
            const nlohmann::json& driver = nlohmann::json::object());
  /// Runs it to the end. Expects that every byte arrives once and in order, that no program hangs,
  /// and that all memory comes back.
  void run();

 private:
  struct Cut {
    std::uint64_t at_ps;
    Link* cable;
    bool up;
  };

  HostOptions draw_host(bool offload);
  void draw_memories(HostOptions& host);
  void draw_network();
  void draw_cuts();
  EndPlan draw_end(std::uint32_t processors);
  ConnectionPlan draw_connection(std::uint32_t client_cpus, std::uint32_t server_cpus);
  void administer(Program& self, ToeHost& host);
  void heal();
  bool done() const;
  void expect_nothing_left() const;

  Dice dice_{GetParam() + 1};
  std::string adapter_;
  nlohmann::json driver_;
  std::vector<Cut> cuts_;  // by time
  std::unique_ptr<ToeHost> a_;
  std::unique_ptr<ToeHost> b_;
  std::unique_ptr<DelayBox> box_;
  std::unique_ptr<Link> west_;
  std::unique_ptr<Link> east_;
  std::vector<std::unique_ptr<RandomConnection>> connections_;
  bool up_ = false;
  std::uint32_t closing_ = 0;
  std::uint32_t closed_ = 0;
};

}  // namespace longhaul::host::offload_testing
