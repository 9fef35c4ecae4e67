// SPDX-License-Identifier: Apache-2.0
#include "platform/guest/tcp_sockets.h"

#include <gmock/gmock.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "models/common/param.h"
#include "tests/unit/platform/observe/scratch_dir.h"

namespace longhaul::guest {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::uint64_t kBase = 0x6000'0000;
constexpr std::uint64_t kImage = 0x6080'0000;  // of the kernel: its variables
constexpr std::uint64_t kBegin = 0x10'0000;    // first offset of the RAM that is shared
constexpr std::uint64_t kTable = kBase + 0x20'0000;
constexpr std::uint64_t kNode = 96;
constexpr std::uint64_t kEnd = 1;  // of a chain

/// A kernel's memory with a table of 8 buckets, and a layout in which every field has an offset of
/// its own.
class TcpSocketsTest : public ::testing::Test {
 protected:
  TcpSocketsTest() {
    page->ram_begin = kBegin;
    nlohmann::json fields;
    std::uint32_t at = 200;
    for (const char* name : {"snd_una", "snd_nxt", "rcv_nxt", "snd_wnd", "rcv_wnd", "snd_cwnd",
                             "snd_ssthresh", "srtt_us", "icsk_rto", "icsk_backoff", "packets_out",
                             "sacked_out", "lost_out", "retrans_out", "total_retrans"})
      fields[name] = {{"offset", at += 4}, {"bytes", 4}};
    const auto add = [&](const char* name, int offset, int bytes) {
      fields[name] = {{"offset", offset}, {"bytes", bytes}};
    };
    add("ehash", 0, 8);
    add("ehash_mask", 16, 4);
    add("ehash_bucket", 0, 8);
    add("skc_daddr", 0, 4);
    add("skc_rcv_saddr", 4, 4);
    add("skc_dport", 12, 2);
    add("skc_num", 14, 2);
    add("skc_family", 16, 2);
    add("skc_state", 18, 1);
    add("skc_v6_daddr", 48, 16);
    add("skc_v6_rcv_saddr", 64, 16);
    add("skc_nulls_node", kNode, 16);
    fields["icsk_ca_state"] = {{"offset", 120}, {"bytes", 1}, {"mask", 0x3e}};
    layout = {{"hz", 100},
              {"symbols", {{"uml_physmem", kImage}, {"tcp_hashinfo", kImage + 64}}},
              {"fields", fields}};
    image_word(0, kBase);
    image_word(64, kTable);
    image_word(64 + 16, 7);
    for (int i = 0; i < 8; ++i) put(kTable + 8 * i, kEnd, 8);
  }
  void image_word(std::uint64_t at, std::uint64_t value) { std::memcpy(&image[at], &value, 8); }
  void put(std::uint64_t address, std::uint64_t value, std::size_t bytes) {
    std::memcpy(ram.data() + (address - kBase), &value, bytes);
  }
  /// A socket at `address` whose chain goes on at `next`.
  std::uint64_t socket(std::uint64_t address, std::uint8_t state, std::uint64_t next = kEnd) {
    put(address, 0x0200'000a, 4);      // 10.0.0.2
    put(address + 4, 0x0100'000a, 4);  // 10.0.0.1
    put(address + 12, 0x8913, 2);      // 5001, in network order
    put(address + 14, 40000, 2);
    put(address + 16, 2, 2);
    put(address + 18, state, 1);
    put(address + kNode, next, 8);
    return address + kNode;
  }
  KernelLayout read_layout() {
    std::ofstream(scratch.path("layout.json")) << layout;
    return KernelLayout(scratch.path("layout.json"));
  }
  TcpSockets sockets() {
    return TcpSockets(GuestMemory(ram, *page,
                                  [this](std::uint64_t address, void* to, std::size_t bytes) {
                                    if (address < kImage || address + bytes > kImage + image.size())
                                      return false;
                                    std::memcpy(to, &image[address - kImage], bytes);
                                    return true;
                                  }),
                      read_layout());
  }
  std::vector<std::uint64_t> found() {
    std::vector<std::uint64_t> list{99};
    sockets().find(list);
    return list;
  }
  std::string refusal() {
    try {
      sockets();
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "accepted";
  }

  observe::ScratchDir scratch;
  SharedMemory ram{"test-ram", std::size_t{4} << 20};
  std::unique_ptr<lh_page> page = std::make_unique<lh_page>();
  std::array<std::uint8_t, 256> image{};
  nlohmann::json layout;
};

TEST_F(TcpSocketsTest, FindsWhatTheChainsHoldButNoSmallerStructures) {
  const std::uint64_t a = kBase + 0x21'0000, b = kBase + 0x22'0000, c = kBase + 0x23'0000,
                      d = kBase + 0x24'0000;
  put(kTable + 8 * 2, socket(a, 1, socket(b, 6, socket(c, 8))), 8);  // b is in TIME_WAIT
  put(kTable + 8 * 7, socket(d, 12), 8);                             // half open
  EXPECT_THAT(found(), ElementsAre(a, c));
}

TEST_F(TcpSocketsTest, ChainsThatMakeNoSenseAreLeft) {
  const std::uint64_t a = kBase + 0x21'0000;
  put(kTable, kBase + 0x1000, 8);                     // in the image
  put(kTable + 8, 0xdead'beef'0000, 8);               // nowhere
  put(kTable + 16, kBase + ram.size() - 8, 8);        // no room for a socket
  put(kTable + 24, socket(a, 1, kBase + 0x1000), 8);  // goes astray after one
  EXPECT_THAT(found(), ElementsAre(a));
  put(kTable + 24, socket(a, 1, a + kNode), 8);  // round in circles
  EXPECT_EQ(found().front(), a);
}

TEST_F(TcpSocketsTest, AKernelThatHasNoTableYetHasNoSockets) {
  image_word(64, 0);
  EXPECT_THAT(found(), IsEmpty());
  image_word(64, kTable);
  image_word(64 + 16, 0xffff'ffff);
  EXPECT_THAT(found(), IsEmpty());
  layout["symbols"]["tcp_hashinfo"] = kImage + 250;  // what the host does not let us read
  EXPECT_THAT(found(), IsEmpty());
}

TEST_F(TcpSocketsTest, EndsAreTheGuestsView) {
  const std::uint64_t a = kBase + 0x21'0000;
  put(kTable, socket(a, 1), 8);
  TcpSockets table = sockets();
  std::vector<std::uint64_t> list;
  table.find(list);
  TcpEnds ends;
  ASSERT_TRUE(table.ends(a, ends));
  EXPECT_EQ(ends.remote_text(), "10_0_0_2_5001");
  EXPECT_EQ(ends.local_port, 40000);
  EXPECT_EQ(ends.local[3], 1);
  // An IPv4 connection of an IPv6 socket, and a true one.
  put(a + 16, 10, 2);
  put(a + 48, 0, 8);
  put(a + 56, 0x0200'000a'ffff'0000, 8);
  ASSERT_TRUE(table.ends(a, ends));
  EXPECT_EQ(ends.remote_text(), "10_0_0_2_5001");
  put(a + 48, 0x00fd, 8);
  put(a + 56, 0x0200'0000'0000'0000, 8);
  ASSERT_TRUE(table.ends(a, ends));
  EXPECT_EQ(ends.remote_text(), "fd00_0000_0000_0000_0000_0000_0000_0002_5001");
  put(a + 16, 1, 2);  // a local socket is none
  EXPECT_FALSE(table.ends(a, ends));
  EXPECT_FALSE(table.ends(kBase, ends));
}

TEST_F(TcpSocketsTest, NumbersComeInTheirUnits) {
  const std::uint64_t a = kBase + 0x21'0000;
  put(kTable, socket(a, 4), 8);
  put(a + 120, 0xc0 | 3 << 1, 1);  // other bits of the byte are other fields
  const auto at = [this, a](const char* name) {
    return a + layout["fields"][name]["offset"].get<std::uint64_t>();
  };
  put(at("srtt_us"), 8 * 1250 + 7, 4);
  put(at("icsk_rto"), 21, 4);
  put(at("snd_una"), 0xffff'fff0, 4);
  TcpSockets table = sockets();
  std::vector<std::uint64_t> list;
  table.find(list);
  TcpState state;
  ASSERT_TRUE(table.state(a, state));
  EXPECT_EQ(state.values[TcpState::kSkState], 4U);
  EXPECT_EQ(state.values[TcpState::kCaState], 3U);
  EXPECT_EQ(state.values[TcpState::kSrttUs], 1250U);
  EXPECT_EQ(state.values[TcpState::kRtoUs], 210'000U);
  EXPECT_EQ(state.values[TcpState::kSndUna], 0xffff'fff0U);
  EXPECT_FALSE(table.state(kBase + 8, state));
}

TEST_F(TcpSocketsTest, ALayoutThatLacksSomethingIsNamed) {
  const std::string path = scratch.path("layout.json");
  nlohmann::json whole = layout;
  layout["fields"].erase("snd_una");
  EXPECT_EQ(refusal(), "kernel_layout: " + path + " has no field 'snd_una'");
  layout = whole;
  layout["symbols"].erase("uml_physmem");
  EXPECT_EQ(refusal(), "kernel_layout: " + path + " has no symbol 'uml_physmem'");
  layout = whole;
  layout["hz"] = 0;
  EXPECT_EQ(refusal(), "kernel_layout: " + path + ": hz is 0");
  layout = "text";
  EXPECT_EQ(refusal().rfind("kernel_layout: " + path + ": ", 0), 0U);
  EXPECT_THROW(KernelLayout(scratch.path("none.json")), ConfigError);
}

}  // namespace
}  // namespace longhaul::guest
