// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <tlm>
#include <vector>

namespace longhaul::pcix {

/// What a PCI-X transaction carries beside the generic payload: what the attribute phase says, and
/// which of the data are zeros that nobody needs to store.
struct Attributes final : tlm::tlm_extension<Attributes> {
  std::uint8_t tag =
      0;  ///< 0 to 31, unique among a requester's outstanding reads; set by the requester
  std::uint32_t slot = 0;         ///< where the requester sits; set by the bus
  std::uint32_t function = 0;     ///< which of the functions there; set by the bus
  bool relaxed_ordering = false;  ///< set by the bus: what device and PCI-X command register say
  bool takes_blank = false;  ///< of a read: zeros that nothing else follows need not be stored; set
                             ///< by the requester
  std::uint32_t stored =
      ~0U;  ///< bytes of data that count, those behind being zero, whatever is there; set by the
            ///< requester of a write and by the bridge that answers a read

  tlm::tlm_extension_base* clone() const override { return new Attributes(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override {
    *this = static_cast<const Attributes&>(other);
  }
};

/// A payload with its Attributes, which it owns.
class Transaction final : public tlm::tlm_generic_payload {
 public:
  explicit Transaction(tlm::tlm_mm_interface* pool)
      : tlm_generic_payload(pool), attributes(*new Attributes) {
    set_extension(&attributes);
  }
  Attributes& attributes;
};

/// Transactions, recycled when their last holder releases them; grows when all are in use.
class TransactionPool final : public tlm::tlm_mm_interface {
 public:
  TransactionPool() = default;
  TransactionPool(const TransactionPool&) = delete;
  TransactionPool& operator=(const TransactionPool&) = delete;

  /// One with a reference held by the caller, incomplete response and fresh attributes.
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
