// SPDX-License-Identifier: Apache-2.0
// Types and constants that the modules of the 10-gigabit NIC share.
//
// Everything runs in the core's clock, 156.25 MHz, at which 64 bits carry 10 Gb/s. README.md tells
// which modules speak to which, and what each may expect.
package nic_pkg;
  // ---- Frames ----

  // Eight bytes of a frame, the first on the wire in [7:0]. Only a frame's last word may have fewer.
  typedef struct packed {
    logic        last;
    logic [2:0]  lanes;  // of a last word: how many bytes it has, less one; of others 7
    logic [63:0] data;   // bytes beyond `lanes` are zero
  } word_t;

  // Length of a frame or a part of it, in bytes.
  localparam int unsigned LengthBits = 15;
  typedef logic [LengthBits-1:0] length_t;

  // Longest frame that the NIC sends or receives, from destination address to FCS.
  localparam int unsigned MaxFrameBytes = 16383;

  // A word from the line. The FCS is part of the frame.
  typedef struct packed {
    logic  error;    // with the last word: an error character, or no proper end
    logic  fcs_bad;  // with the last word
    word_t word;
  } line_word_t;

  // Ethernet (IEEE 802.3, 3.1.1, 4.4.2), 802.1Q.
  localparam int unsigned MinFrameBytes = 64;  // FCS included
  localparam int unsigned FcsBytes      = 4;
  localparam int unsigned GapBytes      = 12;
  localparam int unsigned PreambleBytes = 8;   // with the start-of-frame delimiter
  localparam int unsigned TagBytes      = 4;
  localparam logic [15:0] TypeVlan      = 16'h8100;
  localparam logic [15:0] TypeControl   = 16'h8808;
  localparam logic [15:0] OpcodePause   = 16'h0001;
  localparam logic [47:0] PauseAddress  = 48'h01_00_00_C2_80_01;  // first byte in [7:0]

  // Characters of XGMII (IEEE 802.3, table 46-3).
  localparam logic [7:0] XgmiiIdle      = 8'h07;
  localparam logic [7:0] XgmiiSequence  = 8'h9C;
  localparam logic [7:0] XgmiiStart     = 8'hFB;
  localparam logic [7:0] XgmiiTerminate = 8'hFD;
  localparam logic [7:0] XgmiiError     = 8'hFE;
  localparam logic [63:0] XgmiiIdles    = {8{XgmiiIdle}};

  // ---- Host memory ----

  // A part of host memory to be read or written: any address, 1 to 16383 bytes.
  typedef struct packed {
    logic [63:0] addr;
    length_t     bytes;
  } span_t;

  // Bytes that were read: those of lanes first to last of a word of host memory.
  typedef struct packed {
    logic        last;   // of the span
    logic        error;  // the bus answered this word with an error
    logic [2:0]  first;
    logic [2:0]  lanes;  // the last lane that counts
    logic [63:0] data;
  } read_word_t;

  // A burst of AXI4 with 64 bits a beat.
  typedef struct packed {
    logic [63:0] addr;
    logic [7:0]  len;    // beats, less one
  } burst_t;

  typedef struct packed {
    logic        last;   // of its burst
    logic [7:0]  strobes;
    logic [63:0] data;
  } write_beat_t;

  typedef struct packed {
    logic        last;   // of its burst
    logic        error;
    logic [63:0] data;
  } read_beat_t;

  // Who reads and who writes. The lowest number goes first.
  localparam int unsigned ReadTxRing = 0;
  localparam int unsigned ReadRxRing = 1;
  localparam int unsigned ReadTxData = 2;
  localparam int unsigned Readers    = 3;
  localparam int unsigned WriteRxRing = 0;
  localparam int unsigned WriteTxRing = 1;
  localparam int unsigned WriteRxData = 2;
  localparam int unsigned Writers     = 3;

  // ---- Descriptors: 16 bytes, the first in [7:0] ----

  typedef logic [127:0] descriptor_t;

  // A transmit descriptor that points at data.
  typedef struct packed {
    logic [15:0] vlan_tag;
    logic [7:0]  options;    // POPTS
    logic [7:0]  status;
    logic [7:0]  command;
    logic [3:0]  kind;       // 0 is a context descriptor
    logic [19:0] bytes;
    logic [63:0] addr;
  } tx_data_t;

  // A transmit descriptor that sets the checksum and segmentation context.
  typedef struct packed {
    logic [15:0] mss;
    logic [7:0]  header_bytes;
    logic [7:0]  status;
    logic [7:0]  command;
    logic [3:0]  kind;
    logic [19:0] payload_bytes;
    logic [15:0] l4_end;
    logic [7:0]  l4_field;
    logic [7:0]  l4_start;
    logic [15:0] ip_end;
    logic [7:0]  ip_field;
    logic [7:0]  ip_start;
  } tx_context_t;

  // Bits of `command`, of `status` and of `options`.
  localparam int unsigned CmdEop = 0;  // of a context descriptor: TCP
  localparam int unsigned CmdIp  = 1;  // of a context descriptor: IPv4
  localparam int unsigned CmdTse = 2;
  localparam int unsigned CmdRs  = 3;
  localparam int unsigned CmdVle = 6;
  localparam int unsigned CmdIde = 7;
  localparam int unsigned TxDone = 0;
  localparam int unsigned OptIxsm = 0;
  localparam int unsigned OptTxsm = 1;

  // A receive descriptor as it is written back.
  typedef struct packed {
    logic [15:0] special;   // the tag that was stripped
    logic [7:0]  errors;
    logic [7:0]  status;
    logic [15:0] checksum;  // zero: the 82597EX has no sum of the packet
    logic [15:0] bytes;
    logic [63:0] addr;
  } rx_done_t;

  // Bits of `status` and of `errors`.
  localparam int unsigned RxDd    = 0;
  localparam int unsigned RxEop   = 1;
  localparam int unsigned RxIxsm  = 2;
  localparam int unsigned RxVp    = 3;
  localparam int unsigned RxTcpcs = 5;
  localparam int unsigned RxIpcs  = 6;
  localparam int unsigned RxPif   = 7;
  localparam int unsigned RxCe    = 0;
  localparam int unsigned RxTcpe  = 5;
  localparam int unsigned RxIpe   = 6;
  localparam int unsigned RxRxe   = 7;

  // Index of a descriptor in its ring, and how many there are.
  localparam int unsigned IndexBits = 16;
  typedef logic [IndexBits-1:0] index_t;

  // The bus has answered the write-back of some descriptors.
  typedef struct packed {
    logic       error;       // with an error
    logic       some_ide;    // transmit: some of them have IDE,
    logic       some_other;  // some have not
    logic       some_eop;    // receive: some end a packet
    logic [9:0] count;
  } written_t;

  // What is known of a received frame when it has been stored whole.
  typedef struct packed {
    length_t     bytes;     // that were stored: without a stripped tag, without a stripped FCS
    logic [15:0] special;
    logic [7:0]  errors;
    logic [7:0]  status;    // without EOP
    logic [15:0] checksum;
  } rx_info_t;

  // ---- Events that are counted ----

  typedef enum logic [1:0] {CastUni = 2'd0, CastMulti = 2'd1, CastBroad = 2'd2} cast_e;

  // A frame came: what became of it.
  typedef struct packed {
    logic    total;         // it counts in the totals of frames and octets
    length_t octets;        // destination address to FCS; of PAUSE 64
    cast_e   sort;
    logic    vlan;          // with a tag
    logic    jumbo;         // over 1518 bytes, a tag not counted
    logic    good;          // entered the receive buffer without an error
    logic    missed;        // was wanted and found the buffer full
    logic    no_descriptor; // was wanted while the host had given no descriptor
    logic    fcs_bad;       // of proper length
    logic    runt;          // under 64 bytes, FCS good
    logic    oversize;      // over the limit, FCS good
    logic    jabber;        // over the limit, FCS bad
    logic    length_bad;    // the length field says more than came
    logic    control;       // MAC control other than PAUSE
    logic    xon;
    logic    xoff;
  } rx_event_t;

  // A frame starts on the wire.
  typedef struct packed {
    length_t octets;        // on the wire, FCS included
    cast_e   sort;
    logic    vlan;          // with a tag
    logic    jumbo;
    logic    padded;        // it was shorter than 64 bytes
    logic    xon;           // it is the MAC's own PAUSE frame, which ends a pause
    logic    xoff;
  } tx_event_t;

  // ---- Verdicts on received frames ----

  // What a frame's header says, and what the filters say of it.
  typedef struct packed {
    logic        match;    // the address is wanted
    logic        by_name;  // by an exact entry, or as broadcast
    logic        vlan_ok;  // its VLAN is wanted, if it has a tag
    logic        vlan;     // it has a tag
    cast_e       sort;
    logic [15:0] tag;      // bytes 14 and 15
    logic [15:0] kind;     // type or length; that behind a tag
  } rx_filter_t;

  // What the sums in a packet are. `good` means something where `checked` is high.
  typedef struct packed {
    logic ip_checked;
    logic ip_good;
    logic l4_checked;
    logic l4_good;
  } rx_sums_t;

  // The filters' tables, as software addresses them.
  typedef enum logic [1:0] {
    TableExact = 2'd0,  // RAL at even places, RAH at odd ones
    TableMulti = 2'd1,  // MTA
    TableVlan  = 2'd2   // VFTA
  } rx_table_e;

  // ---- Arithmetic ----

  localparam logic [31:0] CrcInit    = '1;
  localparam logic [31:0] CrcResidue = 32'hDEBB_20E3;  // over a frame with its FCS

  // Ones' complement sum (RFC 1071) of two folded sums.
  function automatic logic [15:0] ones_add(input logic [15:0] a, input logic [15:0] b);
    logic [16:0] sum;
    sum = {1'b0, a} + {1'b0, b};
    return sum[15:0] + {15'b0, sum[16]};
  endfunction

  // Bytes 0 and 1 of a number that the wire carries with its high byte first.
  function automatic logic [15:0] swap16(input logic [15:0] value);
    return {value[7:0], value[15:8]};
  endfunction
endpackage
