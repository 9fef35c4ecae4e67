// SPDX-License-Identifier: Apache-2.0
#include "platform/observe/packets/packet_file.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>

#include "platform/observe/sink_error.h"
#include "tests/unit/platform/observe/file_bytes.h"
#include "tests/unit/platform/observe/scratch_dir.h"

namespace longhaul::observe {
namespace {

struct PacketFileTest : ::testing::Test {
  PacketBook book;
  ScratchDir dir;
};

TEST_F(PacketFileTest, WritesRecordsAndTablesByteForByte) {
  PacketFile file(dir.path("packets.bin"), book);
  const std::uint16_t place = book.add_place("sender.eth0.tx");
  book.tell({77, 1000, 2000, 0xfee0'0000'1234, 64, 9, place, Stage::kBuffer, Fault::kDiffers});
  const std::string text(60, 'x');
  book.tell(77, text);
  file.close({{"sender.eth0", nullptr}});
  const std::string tables =
      R"({"adapters":{"sender.eth0":null},"left_out":0,"left_out_from_ps":0,)"
      R"("places":["sender.eth0.tx"]})";
  const auto expected = FileBytes()
                            .raw("LHPACKT1")
                            .u32(64)
                            .u32(64)
                            .u64(3)
                            .u64(256)
                            .u64(tables.size())
                            .zeros(24)
                            .u64(77)
                            .u64(1000)
                            .u64(2000)
                            .u64(0xfee0'0000'1234)
                            .u32(64)
                            .u32(9)
                            .u16(0)
                            .u8(3)
                            .u8(1)
                            .zeros(20)
                            .u64(77)
                            .raw(std::string(34, 'x'))
                            .u8(255)
                            .u8(54)
                            .raw(std::string(20, 'x'))
                            .u64(77)
                            .raw(std::string(6, 'x'))
                            .zeros(28)
                            .u8(255)
                            .u8(6)
                            .zeros(20)
                            .raw(tables);
  EXPECT_EQ(dir.bytes("packets.bin"), expected.get());
}

TEST_F(PacketFileTest, CountsWhatAFullFileDoesNotTakeAndFromWhen) {
  PacketFile file(dir.path("packets.bin"), book, 2);
  for (std::uint64_t i = 1; i <= 5; ++i)
    book.tell({i, i * 100, i * 100, 0, 0, 0, 0, Stage::kWire, Fault::kNone});
  file.close(nlohmann::json::object());
  EXPECT_EQ(file.left_out(), 3U);
  EXPECT_EQ(file.left_out_from_ps(), 300U);
  std::uint64_t records = 0;
  std::memcpy(&records, &dir.bytes("packets.bin")[16], sizeof records);
  EXPECT_EQ(records, 2U);
}

TEST_F(PacketFileTest, AFullDiskIsOneLineAndLeavesNoFile) {
  std::filesystem::create_symlink("/dev/full", dir.path("packets.bin.part"));
  PacketFile file(dir.path("packets.bin"), book);
  EXPECT_THROW(file.close(nlohmann::json::object()), SinkError);
}

}  // namespace
}  // namespace longhaul::observe
