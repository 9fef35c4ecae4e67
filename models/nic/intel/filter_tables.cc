// SPDX-License-Identifier: Apache-2.0
#include "models/nic/intel/filter_tables.h"

#include <utility>

#include "models/nic/blocks/little_endian.h"
#include "models/nic/intel/regs.h"

namespace longhaul::nic::intel {
namespace {

constexpr std::uint32_t kTableWords = 128;
constexpr std::uint32_t kBySource = 1;  // of ASEL's two bits

}  // namespace

FilterTables::FilterTables(const Offsets& offsets, RegisterBank& bank, AddressFilter& filter,
                           EthMac& mac)
    : filter_(filter), mac_(mac) {
  const auto add = [&](const RegisterSpec& spec, Reg32::OnWrite written) {
    registers_.emplace_back(bank, spec, std::move(written));
  };
  for (std::uint32_t i = 0; i < kExactAddresses; ++i) {
    const auto written = [this, i](std::uint32_t) { exact_written(i); };
    add({"RAL", offsets.ral + 8 * i}, written);
    add({"RAH", offsets.ral + 8 * i + 4, kRahFields, Access::kReadWrite, 0, kRahFields.mask()},
        written);
  }
  for (std::uint32_t i = 0; i < kTableWords; ++i) {
    add({"MTA", offsets.mta + 4 * i}, [this, i](std::uint32_t v) { filter_.set_hash_word(i, v); });
    add({"VFTA", offsets.vfta + 4 * i},
        [this, i](std::uint32_t v) { filter_.set_vlan_word(i, v); });
  }
}

void FilterTables::load_own_address(const MacAddress& address) {
  registers_[0].set(read_le32(address.data()));
  registers_[1].set(read_le16(address.data() + 4) | kRahFields.av);
  exact_written(0);
}

void FilterTables::exact_written(std::size_t index) {
  const std::uint32_t low = registers_[2 * index].value();
  const std::uint32_t high = registers_[2 * index + 1].value();
  MacAddress address;
  for (std::uint32_t i = 0; i < 4; ++i) address[i] = static_cast<std::uint8_t>(low >> (8 * i));
  for (std::uint32_t i = 0; i < 2; ++i) address[4 + i] = static_cast<std::uint8_t>(high >> (8 * i));
  filter_.set_exact(index, address, (high & kRahFields.av) != 0,
                    (kRahFields.asel.get(high) & kBySource) != 0);
  if (index == 0) mac_.set_address(address);
}

}  // namespace longhaul::nic::intel
