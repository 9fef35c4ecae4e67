// SPDX-License-Identifier: Apache-2.0
#include "models/cpu/cost_book.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/common/param_json.h"
#include "models/cpu/core.h"
#include "models/cpu/pipeline.h"

namespace longhaul::cpu {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Gt;
using ::testing::HasSubstr;

std::vector<std::uint32_t> values(CostBook book) {
  std::vector<std::uint32_t> out;
  std::apply([&](auto&... param) { (out.push_back(param()), ...); }, book.fields());
  return out;
}

// Calls out what a change of the fit's machine would be: scenarios/opteron_10g/calibration was made
// with these.
TEST(CostBook, TheK8sIsWhatItsCalibrationWasMadeWith) {
  EXPECT_THAT(values(cost_book_preset("k8", "cpu")),
              ElementsAre(400, 250, 500, 500, 600, 600, 60, 12));
  EXPECT_EQ(values(CoreParams{}.costs), values(cost_book_preset("k8", "cpu")));
}

TEST(CostBook, EveryPipelineHasOneAndEachCostOfItHasASource) {
  EXPECT_EQ(cost_book_preset_names(), pipeline_preset_names());
  for (const std::string& name : cost_book_preset_names()) {
    const CostBook book = cost_book_preset(name, "cpu");
    EXPECT_THAT(values(book), Each(Gt(0U))) << name;
    for (const auto& param : describe(book)) {
      EXPECT_THAT(param["source"].get<std::string>(), HasSubstr("models/cpu/README.md#"))
          << name << param["name"];
      EXPECT_TRUE(param["evidence"] == "measured" || param["evidence"] == "assumed")
          << name << param["name"];
    }
  }
}

// LMbench of a Pentium 4 at 2.4 GHz under Linux 2.4.18 (P. Mau, linux-kernel, 1 Oct 2002), in
// cycles: a null call 1608, of which the loop and getppid() are some. A switch takes 1752 to 2064,
// with the scheduler. Two copies of a byte take 1.04.
TEST(CostBook, ANetBurstsStaysBelowWhatIsMeasuredWithMoreInIt) {
  const CostBook book = cost_book_preset("netburst", "cpu");
  EXPECT_LT(book.syscall(), 1608U);
  EXPECT_GT(book.syscall(), 1608U * 9 / 10);
  EXPECT_LT(book.context_switch(), 1752U);
  EXPECT_LE(2 * book.byte_copied(), 1042U);
  // An interrupt leaves and enters as an int 0x80 does, and acknowledges besides.
  EXPECT_GT(book.interrupt(), book.syscall());
}

TEST(CostBook, AConfigurationTakesItWithThePipelineAndItsOwnValuesGoOver) {
  const CostBook book = core_params_from({{"preset", "netburst"}, {"syscall_cycles", 540}}, "cpu")
                            .costs;  // sysenter, as Linux 2.6
  EXPECT_EQ(book.syscall(), 540U);
  EXPECT_TRUE(book.syscall.set_by_user);
  EXPECT_EQ(book.interrupt(), cost_book_preset("netburst", "cpu").interrupt());
}

TEST(CostBook, UnknownNameNamesTheNearest) {
  try {
    cost_book_preset("netbrust", "sender.cpu.preset");
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_THAT(
        error.what(),
        HasSubstr("sender.cpu.preset: unknown cost book \"netbrust\"; nearest is \"netburst\""));
  }
}

TEST(CostBook, BytesAreThousandthsOfACycleAndEventsAreWholeCycles) {
  CostBook book;
  book.byte_copied.value = 1250;
  book.byte_checksummed.value = 510;
  book.syscall.value = 1201;
  book.interrupt.value = 2502;
  EXPECT_EQ(book.millicycles(WorkKind::kByteCopied), 1250U);
  EXPECT_EQ(book.millicycles(WorkKind::kByteChecksummed), 510U);
  EXPECT_EQ(book.millicycles(WorkKind::kSyscall), 1'201'000U);
  EXPECT_EQ(book.millicycles(WorkKind::kInterrupt), 2'502'000U);
}

TEST(CostBook, EachCostHasAParameterOfItsOwnAndTheOtherKindsAreOnlyCounted) {
  CostBook book;
  std::uint32_t value = 1;
  std::apply([&](auto&... param) { ((param.value = value++), ...); }, book.fields());
  std::uint64_t seen = 0;
  for (std::size_t k = 0; k < kWorkKinds; ++k) {
    const std::uint64_t cost = book.millicycles(static_cast<WorkKind>(k));
    if (cost != 0) seen |= 1ULL << (cost >= 1000 ? cost / 1000 : cost);
  }
  EXPECT_EQ(seen, 0xfeU) << "a bit for each of the values 1 to 7";
  EXPECT_EQ(book.millicycles(WorkKind::kPacketRx), 0U);
}

TEST(CostBook, ALargestCostDoesNotOverflow) {
  CostBook book;
  book.syscall.value = ~0U;
  EXPECT_EQ(book.millicycles(WorkKind::kSyscall), 4'294'967'295'000U);
}

}  // namespace
}  // namespace longhaul::cpu
