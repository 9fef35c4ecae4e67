// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/bus/axi_coverage.h"

#include <gtest/gtest.h>

#include <map>

namespace longhaul::cosim {
namespace {

/// The pins of an AXI4 bus of 64 bits, and what AxiCoverage counts at them.
struct AxiCoverageTest : ::testing::Test {
  std::uint8_t awvalid = 0, awready = 0, awlen = 0, wvalid = 0, wready = 0, wstrb = 0;
  std::uint8_t bvalid = 0, bready = 0, bresp = 0, arvalid = 0, arready = 0, arlen = 0;
  std::uint64_t awaddr = 0, wdata = 0, araddr = 0;

  AxiPins pins() {
    AxiPins p;
    p.aw.valid = Pin(&awvalid, 0, 1);
    p.aw.ready = Pin(&awready, 0, 1);
    p.aw.addr = Pin(&awaddr, 0, 64);
    p.aw.len = Pin(&awlen, 0, 8);
    p.w.valid = Pin(&wvalid, 0, 1);
    p.w.ready = Pin(&wready, 0, 1);
    p.w.data = Pin(&wdata, 0, 64);
    p.w.strb = Pin(&wstrb, 0, 8);
    p.b.valid = Pin(&bvalid, 0, 1);
    p.b.ready = Pin(&bready, 0, 1);
    p.b.resp = Pin(&bresp, 0, 2);
    p.ar.valid = Pin(&arvalid, 0, 1);
    p.ar.ready = Pin(&arready, 0, 1);
    p.ar.addr = Pin(&araddr, 0, 64);
    p.ar.len = Pin(&arlen, 0, 8);
    return p.completed("");
  }
  /// All bins that are not zero.
  static std::map<std::string, std::uint64_t> hit(const AxiCoverage& coverage) {
    std::map<std::string, std::uint64_t> found;
    for (const auto& [name, count] : coverage.bins()) {
      if (count != 0) found[name] = count;
    }
    return found;
  }
};

using Hits = std::map<std::string, std::uint64_t>;

TEST_F(AxiCoverageTest, NothingIsHitOnAnIdleBusAndEachBinIsListedOnce) {
  AxiCoverage coverage(pins());
  for (int i = 0; i < 4; ++i) coverage.sample();
  EXPECT_EQ(hit(coverage), Hits{});
  std::map<std::string, int> times;
  for (const auto& bin : coverage.bins()) ++times[bin.first];
  for (const auto& [name, count] : times) EXPECT_EQ(count, 1) << name;
  EXPECT_EQ(times.count("write answered SLVERR"), 1U);
  EXPECT_EQ(times.count("read answered SLVERR"), 0U) << "there is no RRESP";
  EXPECT_EQ(times.count("write answered EXOKAY"), 0U) << "there is no AWLOCK";
  EXPECT_EQ(times.count("R back to back"), 0U) << "there is no RVALID";
}

TEST_F(AxiCoverageTest, AddressesThatWaitAndFollowEachOther) {
  AxiCoverage coverage(pins());
  awvalid = 1;
  awlen = 16;  // 17 beats
  awaddr = 0x1008;
  coverage.sample();
  coverage.sample();
  awready = 1;
  coverage.sample();
  awlen = 0;
  awaddr = 0x100a;
  coverage.sample();
  awvalid = 0;
  coverage.sample();
  EXPECT_EQ(hit(coverage), (Hits{{"AW waits for READY", 2},
                                 {"AW back to back", 1},
                                 {"write of 1 beat", 1},
                                 {"write of 17 to 64 beats", 1},
                                 {"write from a word's begin on", 1},
                                 {"write from within a word on", 1}}));
}

TEST_F(AxiCoverageTest, StrobesAndResponses) {
  AxiCoverage coverage(pins());
  wvalid = wready = 1;
  for (const int strobes : {0xff, 0x0f, 0x00, 0xff}) {
    wstrb = static_cast<std::uint8_t>(strobes);
    coverage.sample();
  }
  wvalid = 0;
  bvalid = bready = 1;
  bresp = 2;
  coverage.sample();
  EXPECT_EQ(hit(coverage), (Hits{{"beat with all bytes", 2},
                                 {"beat with some bytes", 1},
                                 {"beat without a byte", 1},
                                 {"W back to back", 3},
                                 {"write answered SLVERR", 1}}));
}

TEST_F(AxiCoverageTest, LengthsFallIntoTheirBins) {
  AxiCoverage coverage(pins());
  arvalid = arready = 1;
  for (const int beats : {1, 2, 3, 4, 5, 16, 17, 64, 65, 256}) {
    arlen = static_cast<std::uint8_t>(beats - 1);
    coverage.sample();
  }
  const Hits found = hit(coverage);
  EXPECT_EQ(found.at("read of 1 beat"), 1U);
  EXPECT_EQ(found.at("read of 2 beats"), 1U);
  for (const char* const name : {"3 to 4", "5 to 16", "17 to 64", "65 to 256"})
    EXPECT_EQ(found.at(std::string("read of ") + name + " beats"), 2U) << name;
}

}  // namespace
}  // namespace longhaul::cosim
