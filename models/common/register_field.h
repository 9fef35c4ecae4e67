// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

namespace longhaul {

/// Bits of a 32-bit register as data: a name as the data sheet or the driver has it, the lowest
/// bit, how many bits, and what they mean. Stands for its mask where a number is wanted:
/// `value & field`, `~field`, `field | other`.
struct RegisterField {
  const char* name = "";
  std::uint32_t lsb = 0;
  std::uint32_t width = 0;      ///< bits
  const char* meaning = "";     ///< for people; empty where the name says it
  bool without_effect = false;  ///< the model does nothing with it, but for what the bank keeps
  constexpr std::uint32_t mask() const {
    return (width < 32 ? (1U << width) - 1 : 0xffff'ffffU) << lsb;
  }
  constexpr operator std::uint32_t() const { return mask(); }  // NOLINT: stands for the mask
  /// The field's number in a value of the register.
  constexpr std::uint32_t get(std::uint32_t value) const { return (value & mask()) >> lsb; }
  /// A number in its place in the register; bits of it that have no room are lost.
  constexpr std::uint32_t put(std::uint32_t number) const { return number << lsb & mask(); }
};

/// The fields of a register, or of several with the same ones. A type derives from it and declares
/// each field in one line; an object of that type is all of them, for whoever walks them:
///
///     struct RctlFields : RegisterFields {
///       RegisterField en = bit("EN", 1, "the unit receives");
///       RegisterField bsize = bits("BSIZE", 16, 2, "size of a buffer");
///     };
///     inline constexpr RctlFields kRctlFields;
///
/// What several controllers share is a base, to which each adds its own. A field that overlaps
/// another one, or exceeds the register, ends the compilation at its line.
class RegisterFields {
 public:
  /// In the order of declaration, a base's first.
  constexpr const RegisterField* begin() const { return fields_.data(); }
  constexpr const RegisterField* end() const { return fields_.data() + count_; }
  /// All bits that belong to a field.
  constexpr std::uint32_t mask() const { return mask_; }

 protected:
  constexpr RegisterFields() = default;
  constexpr RegisterField bits(const char* name, std::uint32_t lsb, std::uint32_t width,
                               const char* meaning = "") {
    return add({name, lsb, width, meaning});
  }
  constexpr RegisterField bit(const char* name, std::uint32_t lsb, const char* meaning = "") {
    return bits(name, lsb, 1, meaning);
  }
  /// A field that the hardware has, and the model does nothing with.
  constexpr RegisterField unmodelled(const char* name, std::uint32_t lsb, std::uint32_t width = 1) {
    return add({name, lsb, width, "", true});
  }

 private:
  constexpr RegisterField add(const RegisterField& field) {
    // What is thrown in a constant expression is the compiler's error.
    if (field.width == 0 || field.width > 32 || field.lsb > 32 - field.width) {
      throw std::logic_error("a field does not lie within the 32 bits of its register");
    }
    if ((field & mask_) != 0) throw std::logic_error("two fields of a register overlap");
    mask_ |= field;
    fields_[count_++] = field;
    return field;
  }

  std::array<RegisterField, 32> fields_{};
  std::size_t count_ = 0;
  std::uint32_t mask_ = 0;
};

}  // namespace longhaul
