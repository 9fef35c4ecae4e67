// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace longhaul {

/// Access rules of a 32-bit register: kReadOnly and kClearOnRead ignore writes from the bus,
/// kWriteOnly reads as zero.
enum class Access { kReadWrite, kReadOnly, kWriteOnly, kClearOnRead };

class Reg32;

/// The memory-mapped registers of a device: a window of `size` bytes with 32-bit registers at
/// 4-byte offsets.
///
/// Reads and writes of 1, 2, 4 or 8 bytes are cut into register accesses. An offset without a
/// register reads as zero and ignores writes, as the data sheets of these adapters have it; both
/// are counted in stray_accesses().
class RegisterBank {
 public:
  explicit RegisterBank(std::uint32_t size);

  /// One access to the register that holds byte `offset`; `byte_mask` has 0xff in each byte lane
  /// that is written.
  std::uint32_t read(std::uint32_t offset);        ///< with side effects (clear-on-read, callbacks)
  std::uint32_t peek(std::uint32_t offset) const;  ///< without
  void write(std::uint32_t offset, std::uint32_t value, std::uint32_t byte_mask = 0xffff'ffff);
  void reset();  ///< every register to its reset value
  std::uint32_t size() const { return size_; }
  std::uint64_t stray_accesses() const { return stray_accesses_; }
  /// All registers, by offset.
  std::vector<const Reg32*> registers() const;

 private:
  friend class Reg32;
  Reg32* find(std::uint32_t offset) const;
  void add(Reg32& reg);  // throws std::logic_error if the place is taken or outside the bank
  void remove(const Reg32& reg);

  std::uint32_t size_;
  std::vector<Reg32*> by_word_;
  std::uint64_t stray_accesses_ = 0;
};

/// One register, declared in one line: bank, name, offset, reset value, access and the callbacks
/// that give it meaning.
///
/// `on_read` replaces the value that a read returns; `on_write` gets the merged new value after it
/// was stored. A clear-on-read register is cleared after `on_read`.
class Reg32 {
 public:
  using OnRead = std::function<std::uint32_t()>;
  using OnWrite = std::function<void(std::uint32_t)>;

  Reg32(RegisterBank& bank, const char* name, std::uint32_t offset, std::uint32_t reset_value = 0,
        Access access = Access::kReadWrite, OnRead on_read = {}, OnWrite on_write = {});
  Reg32(const Reg32&) = delete;
  Reg32& operator=(const Reg32&) = delete;
  ~Reg32();

  std::uint32_t value() const { return value_; }
  void set(std::uint32_t value) { value_ = value; }
  void set_bits(std::uint32_t bits) { value_ |= bits; }
  void clear_bits(std::uint32_t bits) { value_ &= ~bits; }
  bool has(std::uint32_t bits) const { return (value_ & bits) != 0; }
  const char* name() const { return name_; }
  std::uint32_t offset() const { return offset_; }

 private:
  friend class RegisterBank;
  RegisterBank& bank_;
  const char* name_;
  std::uint32_t offset_;
  std::uint32_t reset_value_;
  Access access_;
  OnRead on_read_;
  OnWrite on_write_;
  std::uint32_t value_;
};

}  // namespace longhaul
