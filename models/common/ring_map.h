// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace longhaul {

/// Bits of a descriptor, or of a register. Bit 0 is the least significant bit of the first byte;
/// bytes are little-endian. A field of width 0 does not exist and reads as 0.
struct BitField {
  std::uint16_t at = 0;
  std::uint8_t width = 0;

  /// The field's number in a descriptor.
  std::uint64_t of(const std::uint8_t* bytes) const {
    std::uint64_t value = 0;
    for (std::uint32_t bit = 0; bit < width; ++bit) {
      const std::uint32_t place = at + bit;
      value |= static_cast<std::uint64_t>(bytes[place / 8] >> (place % 8) & 1U) << bit;
    }
    return value;
  }
  /// The same of a 32-bit register's value.
  constexpr std::uint64_t in(std::uint32_t value) const {
    return static_cast<std::uint64_t>(value) >> at & ((std::uint64_t{1} << width) - 1);
  }
};

/// Units of a ring's length in its register: bytes, descriptors, or their base-2 logarithm.
enum class RingLength : std::uint8_t { kBytes, kDescriptors, kLog2 };

/// The registers of a descriptor ring, as offsets in the adapter's first memory BAR, and the bytes
/// of a descriptor.
struct RingRegisters {
  std::uint32_t base_low = 0;
  std::uint32_t base_high = 0;  ///< the upper half of the address; equal to base_low: none
  std::uint32_t length = 0;     ///< of the ring
  std::uint32_t head = 0;       ///< a write sets where the adapter goes on
  std::uint32_t tail = 0;       ///< the doorbell
  BitField tail_index;          ///< in it: the first descriptor that software owns
  std::uint32_t descriptor_bytes = 0;
  RingLength length_is = RingLength::kBytes;
  /// The tail counts the descriptors that were ever given, modulo 2^width of `tail_index`.
  bool tail_counts = false;
  /// Bits that say whether a descriptor is valid, in place of head and tail. They are 1 on the
  /// first way round the ring, 0 on the second, and so on. A width of 0: the ring has head and
  /// tail. A ring with these bits may have a doorbell: `tail`, if a bit of `tail_index` is written
  /// as 1.
  BitField generation{};
  BitField generation2{};  ///< the second such bit; width 0: none

  bool has_generations() const { return generation.width != 0; }
};

/// A descriptor ring for frames to send. A packet is descriptors in order, the last marked `end`.
struct TransmitRing {
  RingRegisters registers;
  BitField address;
  BitField length;
  BitField end;
  BitField segment;  ///< the adapter cuts the packet into TCP segments
  BitField kind;     ///< descriptors whose `kind` is `context` have no data
  std::uint64_t context = 0;
  /// A packet begins with a message of so many bytes, which the frame does not have. Its first byte
  /// is `head_opcode`; packets with another one become no frames.
  std::uint32_t head_bytes = 0;
  std::uint8_t head_opcode = 0;
};

/// A descriptor ring of buffers for frames that come. The adapter writes a descriptor back with
/// `length` and `end`.
struct ReceiveRing {
  RingRegisters registers;
  BitField address;
  BitField length;
  BitField end;
  std::uint32_t size_register = 0;  ///< `size_field` of it is the buffers' size:
  BitField size_field;              ///< size_unit << size_field, in bytes
  std::uint32_t size_unit = 0;
  bool size_counts = false;      ///< size_unit times size_field, instead
  std::uint32_t size_reset = 0;  ///< bytes until the register is written; 0: size_unit
  BitField buffer_size{};        ///< of a descriptor, in place of that register; width 0: none
  std::uint32_t head_bytes = 0;  ///< bytes of a message in front of the frame
  std::uint32_t skip_bytes = 0;  ///< a buffer begins with so many, which `length` does not count
};

/// A ring that the adapter writes: each entry tells of a filled buffer, of sent descriptors, or of
/// both. It is used in place of write-backs.
struct CompletionRing {
  RingRegisters registers;  ///< descriptor_bytes of 0: there is no such ring
  BitField filled;          ///< the entry tells of a buffer:
  BitField list;            ///< the oldest one of this receive ring, 0 or 1,
  BitField length;          ///< with so many bytes,
  BitField end;             ///< the last of a packet,
  BitField message;         ///< or of a message that was no frame
  BitField sent;            ///< descriptors of the transmit ring that are done
};

/// An adapter's descriptor rings as data, for observers that follow packets through its memory.
/// Drivers need to know no more, so adapters with the same PCI ids have the same.
struct RingMap {
  /// No register of a BAR: in place of the offset of a register that the adapter does not have.
  static constexpr std::uint32_t kNoRegister = ~std::uint32_t{0};

  TransmitRing transmit;
  ReceiveRing receive;
  ReceiveRing receive2;              ///< descriptor_bytes of 0: there is one receive ring
  CompletionRing completions;        ///< of both receive rings and of the transmit ring
  std::uint32_t reset_register = 0;  ///< a write with `reset` empties both rings
  BitField reset;
  std::uint32_t cause_register = 0;  ///< the driver's interrupt handler reads it, or writes this:
  BitField acknowledge;              ///< of the same register; width 0: it only reads
};

}  // namespace longhaul
