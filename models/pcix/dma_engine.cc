// SPDX-License-Identifier: Apache-2.0
#include "models/pcix/dma_engine.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace longhaul::pcix {
namespace {

/// Bytes of the next transaction: at most `most`, and up to an allowable disconnect boundary unless
/// it is the last one.
std::uint32_t piece_bytes(std::uint64_t address, std::uint32_t left, std::uint32_t most) {
  if (left <= most) return left;
  const std::uint64_t end = (address + most) / DmaEngine::kAdbBytes * DmaEngine::kAdbBytes;
  return static_cast<std::uint32_t>(end - address);
}

DmaStatus status_of(tlm::tlm_response_status response) {
  switch (response) {
    case tlm::TLM_OK_RESPONSE: return DmaStatus::kOk;
    case tlm::TLM_ADDRESS_ERROR_RESPONSE: return DmaStatus::kMasterAbort;
    default: return DmaStatus::kTargetAbort;
  }
}

}  // namespace

void DmaClient::dma_blank(std::uint64_t, std::uint8_t* data, std::uint32_t length) {
  std::memset(data, 0, length);
}

DmaEngine::DmaEngine(const sc_core::sc_module_name& name, const DmaParams& params, LimitsNow limits)
    : sc_module(name),
      params_(params),
      reads_first_(params.order() == "reads-first"),
      limits_(std::move(limits)) {
  dma_initiator.register_nb_transport_bw(this, &DmaEngine::from_bus);
}

void DmaEngine::read(std::uint64_t address, std::uint8_t* data, std::uint32_t length,
                     DmaClient* client, std::uint64_t tag) {
  if (length == 0 || client == nullptr)
    throw std::logic_error("a DMA read needs bytes and a client");
  reads_.push(new_transfer(address, data, length, client, tag));
  pump();
}

void DmaEngine::write(std::uint64_t address, const std::uint8_t* data, std::uint32_t length,
                      DmaClient* client, std::uint64_t tag, std::uint32_t stored) {
  if (length == 0 || (client == nullptr && length > kCopiedBytes)) {
    throw std::logic_error("a DMA write needs bytes, and a client unless it is short");
  }
  // TLM has one pointer type for both directions. The data of a write are only read.
  Transfer* const transfer =
      new_transfer(address, const_cast<std::uint8_t*>(data), length, client, tag);
  transfer->stored = std::min(stored, length);
  if (client == nullptr) {
    std::memcpy(transfer->copied.data(), data, length);
    transfer->data = transfer->copied.data();
  }
  writes_.push(transfer);
  pump();
}

void DmaEngine::abandon_all() { abandon_if(true, nullptr); }

void DmaEngine::abandon(const DmaClient& client) { abandon_if(false, &client); }

void DmaEngine::abandon_if(bool all, const DmaClient* client) {
  const auto is_given_up = [=](const Transfer& transfer) {
    return all || transfer.client == client;
  };
  for (Queue* queue : {&reads_, &writes_, &refused_}) {
    Queue kept;
    while (Transfer* transfer = queue->pop()) {
      if (!is_given_up(*transfer)) {
        kept.push(transfer);
      } else if (transfer->pieces == 0) {
        // A transfer with pieces in flight is freed below, with its last piece.
        free_.push_back(transfer);
      }
    }
    *queue = kept;
  }
  const auto let_go = [this](Piece& piece) {
    Transfer* const transfer = std::exchange(piece.transfer, nullptr);
    if (--transfer->pieces == 0) free_.push_back(transfer);
  };
  for (Piece& piece : split_reads_) {
    if (piece.payload == nullptr || piece.transfer == nullptr || !is_given_up(*piece.transfer))
      continue;
    piece.payload->set_data_ptr(abandoned_reads_.data());
    let_go(piece);
  }
  if (write_.payload != nullptr && write_.transfer != nullptr && is_given_up(*write_.transfer)) {
    const std::uint32_t stored = attributes_of(*write_.payload)->stored;
    std::memcpy(abandoned_write_.data(), write_.payload->get_data_ptr(),
                std::min(stored, write_.payload->get_data_length()));
    write_.payload->set_data_ptr(abandoned_write_.data());
    let_go(write_);
  }
}

bool DmaEngine::idle() const {
  return reads_.head == nullptr && writes_.head == nullptr && refused_.head == nullptr &&
         split_count_ == 0 && write_.payload == nullptr;
}

DmaEngine::Transfer* DmaEngine::new_transfer(std::uint64_t address, std::uint8_t* data,
                                             std::uint32_t length, DmaClient* client,
                                             std::uint64_t tag) {
  if (free_.empty()) {
    owned_.push_back(std::make_unique<Transfer>());
    free_.reserve(owned_.size());
    free_.push_back(owned_.back().get());
  }
  Transfer* const transfer = free_.back();
  free_.pop_back();
  transfer->address = address;
  transfer->data = data;
  transfer->length = length;
  transfer->stored = length;
  transfer->started = 0;
  transfer->pieces = 0;
  transfer->status = DmaStatus::kOk;
  transfer->client = client;
  transfer->tag = tag;
  transfer->next = nullptr;
  return transfer;
}

void DmaEngine::pump() {
  if (pumping_) return;
  pumping_ = true;
  while (requesting_ == nullptr && (reads_.head != nullptr || writes_.head != nullptr)) {
    Limits limits;
    limits_(limits);
    if (!limits.master_enabled) {
      refuse_waiting();
      break;
    }
    const bool started = reads_first_ || read_is_next_ ? start_read(limits) || start_write()
                                                       : start_write() || start_read(limits);
    if (!started) break;
  }
  pumping_ = false;
}

bool DmaEngine::is_turn_of_read() const {
  return write_.payload == nullptr && (reads_first_ || read_is_next_ || writes_.head == nullptr);
}

bool DmaEngine::is_turn_of_write() const {
  return split_count_ == 0 && (reads_.head == nullptr || (!reads_first_ && !read_is_next_));
}

bool DmaEngine::start_read(const Limits& limits) {
  Transfer* const transfer = reads_.head;
  if (transfer == nullptr || split_count_ >= std::min(limits.max_outstanding, kTags)) return false;
  if (params_.engines() == 1 && !is_turn_of_read()) return false;
  const std::uint64_t address = transfer->address + transfer->started;
  const std::uint32_t bytes = piece_bytes(address, transfer->length - transfer->started,
                                          std::min(limits.max_read_bytes, kMaxTransactionBytes));
  if (split_bytes_ + bytes > params_.read_fifo_bytes()) return false;
  std::uint8_t tag = 0;
  while (split_reads_[tag].payload != nullptr) ++tag;
  Transaction& payload =
      pool_.take(tlm::TLM_READ_COMMAND, address, transfer->data + transfer->started, bytes, tag);
  payload.attributes.takes_blank = bytes >= kLeastBlankBytes;
  split_reads_[tag] = {&payload, transfer};
  outstanding_reads.set(++split_count_);
  split_bytes_ += bytes;
  ++transfer->pieces;
  transfer->started += bytes;
  if (transfer->started == transfer->length) reads_.pop();
  read_is_next_ = false;
  send(payload);
  return true;
}

bool DmaEngine::start_write() {
  Transfer* const transfer = writes_.head;
  if (transfer == nullptr || write_.payload != nullptr) return false;
  if (params_.engines() == 1 && !is_turn_of_write()) return false;
  const std::uint64_t address = transfer->address + transfer->started;
  const std::uint32_t bytes =
      piece_bytes(address, transfer->length - transfer->started, kMaxTransactionBytes);
  Transaction& payload = pool_.take(tlm::TLM_WRITE_COMMAND, address,
                                    transfer->data + transfer->started, bytes, kWriteTag);
  payload.attributes.stored = transfer->stored - std::min(transfer->stored, transfer->started);
  write_ = {&payload, transfer};
  ++transfer->pieces;
  transfer->started += bytes;
  if (transfer->started == transfer->length) writes_.pop();
  read_is_next_ = true;
  send(payload);
  return true;
}

void DmaEngine::send(tlm::tlm_generic_payload& payload) {
  transactions.add();
  requesting_ = &payload;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  switch (dma_initiator->nb_transport_fw(payload, phase, delay)) {
    case tlm::TLM_ACCEPTED: break;
    case tlm::TLM_UPDATED: advance(payload, phase); break;
    case tlm::TLM_COMPLETED: complete(payload); break;
  }
}

tlm::tlm_sync_enum DmaEngine::from_bus(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                       sc_core::sc_time&) {
  const bool completes = phase == tlm::BEGIN_RESP;
  advance(payload, phase);
  return completes ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
}

void DmaEngine::advance(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase) {
  if (phase == tlm::BEGIN_RESP) {
    complete(payload);
  } else if (phase == tlm::END_REQ && requesting_ == &payload) {
    requesting_ = nullptr;
    pump();
  }
}

void DmaEngine::complete(tlm::tlm_generic_payload& payload) {
  if (requesting_ == &payload) requesting_ = nullptr;
  Transfer* transfer = nullptr;
  if (payload.is_read()) {
    const Attributes& attributes = *attributes_of(payload);
    Piece& piece = split_reads_[attributes.tag];
    transfer = piece.transfer;
    piece = {};
    const std::uint32_t length = payload.get_data_length();
    if (attributes.stored < length && transfer != nullptr) {
      transfer->client->dma_blank(transfer->tag, payload.get_data_ptr() + attributes.stored,
                                  length - attributes.stored);
    }
    outstanding_reads.set(--split_count_);
    split_bytes_ -= length;
  } else {
    transfer = write_.transfer;
    write_ = {};
  }
  if (transfer != nullptr) end_piece(transfer, payload);
  payload.release();
  pump();
}

void DmaEngine::end_piece(Transfer* transfer, const tlm::tlm_generic_payload& payload) {
  const DmaStatus status = status_of(payload.get_response_status());
  if (status == DmaStatus::kOk) {
    (payload.is_read() ? read_bytes : written_bytes).add(payload.get_data_length());
  } else {
    transfer->status = status;
    if (transfer->started < transfer->length) {
      // Only the head of a queue can be partly started. Its remaining pieces never start.
      transfer->started = transfer->length;
      (payload.is_read() ? reads_ : writes_).pop();
    }
  }
  if (--transfer->pieces == 0 && transfer->started == transfer->length) retire(transfer);
}

void DmaEngine::retire(Transfer* transfer) {
  DmaClient* const client = transfer->client;
  const std::uint64_t tag = transfer->tag;
  const DmaStatus status = transfer->status;
  if (status != DmaStatus::kOk) failures.add();
  free_.push_back(transfer);
  if (client != nullptr) client->dma_done(tag, status);
}

void DmaEngine::refuse_waiting() {
  refuse_queue(reads_);
  refuse_queue(writes_);
  if (refused_.head != nullptr) refusal_.set(now_ps());
}

void DmaEngine::refuse_queue(Queue& queue) {
  while (Transfer* transfer = queue.pop()) {
    transfer->status = DmaStatus::kMasterDisabled;
    transfer->started = transfer->length;
    if (transfer->pieces == 0) refused_.push(transfer);  // else it ends with its last piece
  }
}

void DmaEngine::report_refused() {
  while (Transfer* transfer = refused_.pop()) retire(transfer);
}

void DmaEngine::Queue::push(Transfer* transfer) {
  transfer->next = nullptr;
  (head == nullptr ? head : tail->next) = transfer;
  tail = transfer;
}

DmaEngine::Transfer* DmaEngine::Queue::pop() {
  Transfer* const transfer = head;
  if (transfer != nullptr) head = transfer->next;
  return transfer;
}

}  // namespace longhaul::pcix
