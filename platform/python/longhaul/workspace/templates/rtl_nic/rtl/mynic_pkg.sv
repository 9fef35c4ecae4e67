// SPDX-License-Identifier: Apache-2.0
// Types and constants that the modules of the NIC share.
package mynic_pkg;
  // Offsets of the registers; mynic.rdl describes them.
  typedef enum logic [7:0] {
    RegId         = 8'h00,
    RegVersion    = 8'h04,
    RegCtrl       = 8'h08,
    RegStatus     = 8'h0C,
    RegCause      = 8'h10,
    RegMask       = 8'h14,
    RegModeration = 8'h18,
    RegMacLow     = 8'h20,
    RegMacHigh    = 8'h24,
    RegHashLow    = 8'h28,
    RegHashHigh   = 8'h2C,
    RegRxBufSize  = 8'h30,
    RegTxBaseLow  = 8'h40,
    RegTxBaseHigh = 8'h44,
    RegTxSizeLog2 = 8'h48,
    RegTxTail     = 8'h4C,
    RegTxHead     = 8'h50,
    RegRxBaseLow  = 8'h60,
    RegRxBaseHigh = 8'h64,
    RegRxSizeLog2 = 8'h68,
    RegRxTail     = 8'h6C,
    RegRxHead     = 8'h70,
    RegCounters   = 8'h80
  } reg_e;

  localparam logic [31:0] Id      = 32'h4D59_4E43;  // "MYNC"
  localparam logic [31:0] Version = 32'h0001_0000;  // 1.0

  // Bits of CAUSE and MASK.
  typedef struct packed {
    logic fault;    // the bus answered with an error, or a descriptor is wrong
    logic rx_drop;  // a frame was lost for lack of descriptors or of buffer
    logic tx;       // a transmit descriptor was written back
    logic rx;       // a receive descriptor was written back
  } cause_t;

  // Events that are counted, in the order of the counters' registers.
  typedef struct packed {
    logic tx_bad;
    logic tx_good;
    logic rx_overrun;
    logic rx_no_desc;
    logic rx_filtered;
    logic rx_long;
    logic rx_runt;
    logic rx_error;
    logic rx_fcs;
    logic rx_good;
  } events_t;
  localparam int unsigned Counters = $bits(events_t);

  // A ring's index runs freely modulo 2^16; its low bits are the place in the ring.
  typedef logic [15:0] index_t;

  // A burst of reads or writes: 64-bit beats, incrementing.
  typedef struct packed {
    logic [63:0] addr;
    logic [7:0]  len;  // beats less one, as on AXI
  } burst_t;

  // A beat of data to write.
  typedef struct packed {
    logic [63:0] data;
    logic [7:0]  strb;
    logic        last;
  } wbeat_t;

  // A word of the transmit buffer: the bytes of lanes first to last are of the frame.
  typedef struct packed {
    logic        eop;   // the frame ends here
    logic        bad;   // the bus answered this beat with an error
    logic [2:0]  first;
    logic [2:0]  last;
    logic [63:0] data;
  } txword_t;

  // A word from the receive MAC. A last word has `lanes` bytes, 0 to 7; any other has 8.
  typedef struct packed {
    logic        last;
    logic        fcs_bad;
    logic        error;
    logic [2:0]  lanes;
    logic [63:0] data;
  } rxword_t;

  // Bursts stay within 256 bytes, so they never cross 4 KB.
  localparam int unsigned BurstBytesLog2 = 8;
  localparam int unsigned BurstBeats     = 2 ** (BurstBytesLog2 - 3);

  // A received frame starts this many bytes into its buffer, which aligns its IP header to 4.
  localparam int unsigned RxPad = 2;

  // Ethernet (IEEE 802.3, 3.1.1 and 4.4.2).
  localparam logic [7:0]  Preamble    = 8'h55;
  localparam logic [7:0]  Sfd         = 8'hD5;
  localparam int unsigned MinBytes    = 60;  // without FCS
  localparam int unsigned GapBytes    = 12;
  localparam logic [31:0] CrcInit     = '1;
  localparam logic [31:0] CrcResidue  = 32'hDEBB_20E3;  // over a frame with its FCS

  // CRC-32 (IEEE 802.3, 3.2.9), reflected: one byte more, least significant bit first.
  function automatic logic [31:0] crc32(input logic [31:0] crc, input logic [7:0] data);
    logic [31:0] state;
    state = crc ^ {24'b0, data};
    for (int unsigned i = 0; i < 8; i++) begin
      state = {1'b0, state[31:1]} ^ (state[0] ? 32'hEDB8_8320 : 32'b0);
    end
    return state;
  endfunction

  // Bit of the multicast hash table for an address whose first byte is [7:0].
  function automatic logic [5:0] hash_of(input logic [47:0] address);
    logic [31:0] crc;
    crc = CrcInit;
    for (int unsigned i = 0; i < 6; i++) crc = crc32(crc, address[8*i+:8]);
    return crc[5:0];
  endfunction
endpackage
