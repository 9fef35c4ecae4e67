// SPDX-License-Identifier: Apache-2.0
// What the modules of a descriptor ring share.
package nic_ring_pkg;
  // A position: descriptors since the head was set. Differences are less than half of its range.
  localparam int unsigned PosBits = 18;
  typedef logic [PosBits-1:0] pos_t;

  // Thresholds of RXDCTL and TXDCTL, and descriptors on chip.
  localparam int unsigned ThresholdBits = 9;
  typedef logic [ThresholdBits-1:0] threshold_t;
  localparam int unsigned CountBits = 10;
  typedef logic [CountBits-1:0] count_t;

  // Descriptors, 0 to 65535.
  localparam int unsigned AvailableBits = 17;
  typedef logic [AvailableBits-1:0] available_t;
endpackage
