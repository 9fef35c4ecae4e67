// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "models/common/register_field.h"

namespace longhaul {

/// Access rules of a 32-bit register. kReadOnly and kClearOnRead ignore writes from the bus.
/// kWriteOnly reads as zero. A write to kAction calls the callback and is not stored.
enum class Access { kReadWrite, kReadOnly, kWriteOnly, kClearOnRead, kAction };

/// A register as the data sheet describes it. Converts to its offset where a number is needed.
struct RegisterSpec {
  const char* name;
  std::uint32_t offset;  ///< bytes from the beginning of the bank
  Access access;
  std::uint32_t reset;
  /// Bits that a write changes; the callback sees only these. So bits of a command that the
  /// register does not keep must be writable, too; the callback clears them.
  std::uint32_t writable;
  const RegisterFields* fields = nullptr;  ///< null for a register that is one number

  constexpr RegisterSpec(const char* title, std::uint32_t at, Access rule = Access::kReadWrite,
                         std::uint32_t reset_value = 0, std::uint32_t changeable = 0xffff'ffff)
      : name(title), offset(at), access(rule), reset(reset_value), writable(changeable) {}
  /// `bit_fields` must outlive every register that is made from this specification.
  constexpr RegisterSpec(const char* title, std::uint32_t at, const RegisterFields& bit_fields,
                         Access rule = Access::kReadWrite, std::uint32_t reset_value = 0,
                         std::uint32_t changeable = 0xffff'ffff)
      : name(title),
        offset(at),
        access(rule),
        reset(reset_value),
        writable(changeable),
        fields(&bit_fields) {}
  constexpr operator std::uint32_t() const { return offset; }  // NOLINT: converts to the offset
};

class Reg32;

/// The memory-mapped registers of a device: a window of `size` bytes with 32-bit registers at
/// 4-byte offsets.
///
/// Reads and writes of 1, 2, 4 or 8 bytes are cut into register accesses. An offset without a
/// register reads as zero and ignores writes, as in the data sheets of these adapters.
/// stray_accesses() counts both.
class RegisterBank {
 public:
  explicit RegisterBank(std::uint32_t size);

  /// One access to the register that holds byte `offset`. `byte_mask` has 0xff in each byte lane
  /// that is written.
  std::uint32_t read(std::uint32_t offset);        ///< with side effects (clear-on-read, callbacks)
  std::uint32_t peek(std::uint32_t offset) const;  ///< without side effects
  void write(std::uint32_t offset, std::uint32_t value, std::uint32_t byte_mask = 0xffff'ffff);
  void reset();  ///< sets every register to its reset value
  std::uint32_t size() const { return size_; }
  std::uint64_t stray_accesses() const { return stray_accesses_; }
  /// All registers, in the order of their offsets.
  std::vector<const Reg32*> registers() const;

 private:
  friend class Reg32;
  Reg32* find(std::uint32_t offset) const;
  void add(Reg32& reg);  // throws std::logic_error if the offset is taken or not a word of the bank
  void remove(const Reg32& reg);

  std::uint32_t size_;
  std::vector<Reg32*> by_word_;
  std::uint64_t stray_accesses_ = 0;
};

/// One register, declared in one line: its bank, its specification, and its callbacks.
///
///     Reg32 ctrl_{bank(), regs::kCtrl, this, &E1000::ctrl_now, &E1000::ctrl_written};
///     Reg32 icr_{bank(), regs::kIcr, [this] { return interrupts_.take(); }};
///
/// A callback that returns a number answers reads in place of the stored value. A clear-on-read
/// register is cleared after it. A callback that returns nothing runs after each write. It gets the
/// new value after that was stored; for kAction it gets the value that was written. Byte lanes that
/// are not written keep their bits.
class Reg32 {
 public:
  using OnRead = std::function<std::uint32_t()>;
  using OnWrite = std::function<void(std::uint32_t)>;

  /// Takes the callbacks in any order; methods of `owner` if one is given.
  template <class... Callbacks>
  Reg32(RegisterBank& bank, const RegisterSpec& spec, Callbacks... callbacks)
      : Reg32(bank, spec.name, spec.offset, spec.reset, spec.access) {
    writable_ = spec.writable;
    fields_ = spec.fields;
    (call(std::move(callbacks)), ...);
  }
  template <class Owner, class... Methods>
  Reg32(RegisterBank& bank, const RegisterSpec& spec, Owner* owner, Methods... methods)
      : Reg32(bank, spec) {
    (call_method(owner, methods), ...);
  }
  /// For registers that a loop declares.
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
  std::uint32_t get(const RegisterField& field) const { return field.get(value_); }
  const char* name() const { return name_; }
  std::uint32_t offset() const { return offset_; }
  Access access() const { return access_; }
  std::uint32_t reset_value() const { return reset_value_; }
  std::uint32_t writable() const { return writable_; }
  /// Null if no fields were declared.
  const RegisterFields* fields() const { return fields_; }

 private:
  friend class RegisterBank;
  template <class Callback>
  void call(Callback callback) {
    if constexpr (std::is_invocable_r_v<void, Callback, std::uint32_t>) {
      on_write_ = std::move(callback);
    } else if constexpr (std::is_void_v<std::invoke_result_t<Callback>>) {
      on_write_ = [callback = std::move(callback)](std::uint32_t) { callback(); };
    } else {
      on_read_ = std::move(callback);
    }
  }
  template <class Owner, class Method>
  void call_method(Owner* owner, Method method) {
    if constexpr (std::is_invocable_v<Method, Owner*, std::uint32_t>) {
      call([owner, method](std::uint32_t value) { (owner->*method)(value); });
    } else {
      call([owner, method] { return (owner->*method)(); });
    }
  }

  RegisterBank& bank_;
  const char* name_;
  std::uint32_t offset_;
  std::uint32_t reset_value_;
  Access access_;
  std::uint32_t writable_ = 0xffff'ffff;
  const RegisterFields* fields_ = nullptr;
  OnRead on_read_;
  OnWrite on_write_;
  std::uint32_t value_;
};

}  // namespace longhaul
