// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <tlm>
#include <vector>

namespace longhaul::pcix {

/// Extension of a PCI-X transaction's payload: the contents of the attribute phase, and which data
/// are zeros that are not stored.
struct Attributes final : tlm::tlm_extension<Attributes> {
  /// Set by the requester: 0 to 31, unique among its outstanding reads.
  std::uint8_t tag = 0;
  std::uint32_t slot = 0;         ///< slot of the requester; set by the bus
  std::uint32_t function = 0;     ///< number of the requester's function; set by the bus
  bool relaxed_ordering = false;  ///< from the device and its PCI-X command register; set by the
                                  ///< bus
  /// Set by the requester of a read: zeros at the end of the data need not be stored.
  bool takes_blank = false;
  /// Bytes of data that are stored; those after them are zero, whatever the buffer holds. Set by
  /// the requester of a write and by the bridge that answers a read.
  std::uint32_t stored = ~0U;

  tlm::tlm_extension_base* clone() const override { return new Attributes(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override {
    *this = static_cast<const Attributes&>(other);
  }
};

/// A payload that owns its Attributes.
class Transaction final : public tlm::tlm_generic_payload {
 public:
  explicit Transaction(tlm::tlm_mm_interface* pool)
      : tlm_generic_payload(pool), attributes(*new Attributes) {
    set_extension(&attributes);
  }
  Attributes& attributes;
};

/// A pool of transactions. A transaction returns to it when its last holder releases it. The pool
/// grows when all are in use.
class TransactionPool final : public tlm::tlm_mm_interface {
 public:
  TransactionPool() = default;
  TransactionPool(const TransactionPool&) = delete;
  TransactionPool& operator=(const TransactionPool&) = delete;

  /// A transaction with one reference, held by the caller, an incomplete response and fresh
  /// attributes.
  Transaction& take(tlm::tlm_command command, std::uint64_t address, std::uint8_t* data,
                    std::uint32_t length, std::uint8_t tag);
  void free(tlm::tlm_generic_payload* payload) override {
    free_.push_back(static_cast<Transaction*>(payload));
  }
  std::size_t allocated() const { return owned_.size(); }

 private:
  std::vector<std::unique_ptr<Transaction>> owned_;
  std::vector<Transaction*> free_;
};

/// The attributes of a payload; null if its initiator attached none.
inline Attributes* attributes_of(tlm::tlm_generic_payload& payload) {
  return payload.get_extension<Attributes>();
}

}  // namespace longhaul::pcix
