// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gmock/gmock.h>

#include <memory>
#include <vector>

#include "models/host/kernel/giant_lock.h"
#include "tests/unit/models/host/kernel/kernel_fixture.h"

namespace longhaul::host {

using testing::Handler;
using testing::Program;

struct GiantLockTest : testing::KernelTest {
  std::unique_ptr<testing::Cpu> second;
  std::unique_ptr<testing::Cpu> third;
  std::unique_ptr<GiantLock> giant;
  Handler tells{[this] {
    log("handler");
    return true;
  }};

  /// Programs run on the first processor, and where a test says so.
  void build(std::size_t processors) {
    KernelTest::build();
    std::vector<Processor*> all{&cpu->processor};
    for (auto* each : {&second, &third}) {
      if (all.size() == processors) break;
      *each = std::make_unique<testing::Cpu>(all.size() == 1 ? "second" : "third", params);
      all.push_back(&(*each)->processor);
    }
    giant = std::make_unique<GiantLock>("giant", all);
  }
  /// In the kernel for so many cycles, in pieces of a hundred.
  static void call(Program& p, std::uint64_t cycles) {
    const Program::Syscall syscall(p);
    for (; cycles != 0; cycles -= 100) p.work(100);
  }
  /// A program that is in the kernel from 74 to 1074.
  void a_call() {
    program("p", [this](Program& p) {
      call(p, 1000);
      log("call ends");
    });
  }
};

}  // namespace longhaul::host
