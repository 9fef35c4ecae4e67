// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

namespace longhaul {

/// A bit field of a 32-bit register: its name in the data sheet or the driver, its lowest bit, its
/// width, and its meaning. Converts to its mask where a number is needed: `value & field`,
/// `~field`, `field | other`.
struct RegisterField {
  const char* name = "";
  std::uint32_t lsb = 0;
  std::uint32_t width = 0;      ///< bits
  const char* meaning = "";     ///< for people; empty if the name says it
  bool without_effect = false;  ///< the model ignores the bits; the bank stores them
  constexpr std::uint32_t mask() const {
    return (width < 32 ? (1U << width) - 1 : 0xffff'ffffU) << lsb;
  }
  constexpr operator std::uint32_t() const { return mask(); }  // NOLINT: converts to the mask
  /// The field's number, taken from a value of the register.
  constexpr std::uint32_t get(std::uint32_t value) const { return (value & mask()) >> lsb; }
  /// `number` shifted to the field's place in the register. Bits of it that do not fit are dropped.
  constexpr std::uint32_t put(std::uint32_t number) const { return number << lsb & mask(); }
};

/// The fields of a register, or of several registers with the same fields. A type derives from this
/// class and declares each field in one line. An object of that type can be iterated:
///
///     struct RctlFields : RegisterFields {
///       RegisterField en = bit("EN", 1, "the unit receives");
///       RegisterField bsize = bits("BSIZE", 16, 2, "size of a buffer");
///     };
///     inline constexpr RctlFields kRctlFields;
///
/// Fields that several controllers share are in a base; each controller's type adds its own. A
/// field that overlaps another one or exceeds the register is a compile error at its line.
class RegisterFields {
 public:
  /// In the order of declaration, the fields of the base first.
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
  /// A field that the hardware has and the model ignores.
  constexpr RegisterField unmodelled(const char* name, std::uint32_t lsb, std::uint32_t width = 1) {
    return add({name, lsb, width, "", true});
  }

 private:
  constexpr RegisterField add(const RegisterField& field) {
    // In a constant expression, a throw is a compile error.
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
