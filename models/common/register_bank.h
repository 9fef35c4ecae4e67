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

/// Access rules of a 32-bit register: kReadOnly and kClearOnRead ignore writes from the bus,
/// kWriteOnly reads as zero, a write to kAction calls back and is not stored.
enum class Access { kReadWrite, kReadOnly, kWriteOnly, kClearOnRead, kAction };

/// A register of a data sheet as data. Stands for its offset where a number is wanted.
struct RegisterSpec {
  const char* name;
  std::uint32_t offset;  ///< bytes from the beginning of the bank
  Access access;
  std::uint32_t reset;
  /// Bits that a write changes. A callback sees no others of what was written, so command bits
  /// that the register does not keep are writable, too; the callback clears them.
  std::uint32_t writable;
  const RegisterFields* fields = nullptr;  ///< null for a register that is one number

  constexpr RegisterSpec(const char* title, std::uint32_t at, Access rule = Access::kReadWrite,
                         std::uint32_t reset_value = 0, std::uint32_t changeable = 0xffff'ffff)
      : name(title), offset(at), access(rule), reset(reset_value), writable(changeable) {}
  /// `bit_fields` outlives every register that is made of this.
  constexpr RegisterSpec(const char* title, std::uint32_t at, const RegisterFields& bit_fields,
                         Access rule = Access::kReadWrite, std::uint32_t reset_value = 0,
                         std::uint32_t changeable = 0xffff'ffff)
      : name(title),
        offset(at),
        access(rule),
        reset(reset_value),
        writable(changeable),
        fields(&bit_fields) {}
  constexpr operator std::uint32_t() const { return offset; }  // NOLINT: stands for the offset
};

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

/// One register, declared in one line: its bank, what the data sheet says, and its callbacks.
///
///     Reg32 ctrl_{bank(), regs::kCtrl, this, &E1000::ctrl_now, &E1000::ctrl_written};
///     Reg32 icr_{bank(), regs::kIcr, [this] { return interrupts_.take(); }};
///
/// A callback that returns a number gives what a read returns in place of the value. One that
/// returns nothing follows each write: it gets the new value, after that was stored (of kAction,
/// what was written). Bits of byte lanes that are not written count as they were. A clear-on-read
/// register is cleared after the callback.
class Reg32 {
 public:
  using OnRead = std::function<std::uint32_t()>;
  using OnWrite = std::function<void(std::uint32_t)>;

  /// Callbacks in any order; methods of `owner`, if there is one.
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
  /// Null if none were declared.
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
