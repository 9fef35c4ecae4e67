// SPDX-License-Identifier: Apache-2.0
#include "models/pcix/transaction.h"

#include <gtest/gtest.h>

#include <array>

namespace longhaul::pcix {
namespace {

std::array<std::uint8_t, 64> g_data{};

TEST(TransactionPool, APayloadIsUsedAgainOnlyWhenItsLastHolderLetGo) {
  TransactionPool pool;
  tlm::tlm_generic_payload& first = pool.take(tlm::TLM_READ_COMMAND, 0x1000, g_data.data(), 64, 3);
  first.acquire();  // the bus holds it too
  first.release();
  EXPECT_NE(&pool.take(tlm::TLM_READ_COMMAND, 0x2000, g_data.data(), 64, 4), &first);
  EXPECT_EQ(pool.allocated(), 2U);
  first.release();
  EXPECT_EQ(&pool.take(tlm::TLM_WRITE_COMMAND, 0x3000, g_data.data(), 32, 5), &first);
  EXPECT_EQ(pool.allocated(), 2U);
}

TEST(TransactionPool, NothingOfAnEarlierUseIsLeft) {
  TransactionPool pool;
  tlm::tlm_generic_payload& used = pool.take(tlm::TLM_WRITE_COMMAND, 0x1000, g_data.data(), 64, 31);
  used.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
  used.set_byte_enable_ptr(g_data.data());
  used.set_dmi_allowed(true);
  attributes_of(used)->slot = 5;
  used.release();
  tlm::tlm_generic_payload& again =
      pool.take(tlm::TLM_READ_COMMAND, 0x2000, g_data.data() + 8, 16, 2);
  ASSERT_EQ(&again, &used);
  EXPECT_TRUE(again.is_read());
  EXPECT_EQ(again.get_address(), 0x2000U);
  EXPECT_EQ(again.get_data_ptr(), g_data.data() + 8);
  EXPECT_EQ(again.get_data_length(), 16U);
  EXPECT_EQ(again.get_streaming_width(), 16U);
  EXPECT_EQ(again.get_byte_enable_ptr(), nullptr);
  EXPECT_FALSE(again.is_dmi_allowed());
  EXPECT_EQ(again.get_response_status(), tlm::TLM_INCOMPLETE_RESPONSE);
  EXPECT_EQ(attributes_of(again)->tag, 2);
  EXPECT_EQ(attributes_of(again)->slot, 0U);
}

TEST(TransactionPool, ManyUsesOfFewPayloadsAllocateFew) {
  TransactionPool pool;
  std::array<tlm::tlm_generic_payload*, 4> held{};
  for (std::uint32_t i = 0; i < 1000; ++i) {
    tlm::tlm_generic_payload*& slot = held[i % held.size()];
    if (slot != nullptr) slot->release();
    slot = &pool.take(tlm::TLM_READ_COMMAND, i * 64ULL, g_data.data(), 64,
                      static_cast<std::uint8_t>(i % 32));
  }
  EXPECT_EQ(pool.allocated(), 4U);
}

TEST(Attributes, AreCopiedWithThePayload) {
  TransactionPool pool;
  tlm::tlm_generic_payload& from = pool.take(tlm::TLM_READ_COMMAND, 0, g_data.data(), 64, 7);
  attributes_of(from)->slot = 3;
  tlm::tlm_generic_payload to;
  EXPECT_EQ(attributes_of(to), nullptr);
  to.deep_copy_from(from);
  ASSERT_NE(attributes_of(to), nullptr);
  EXPECT_EQ(attributes_of(to)->tag, 7);
  EXPECT_EQ(attributes_of(to)->slot, 3U);
}

}  // namespace
}  // namespace longhaul::pcix
