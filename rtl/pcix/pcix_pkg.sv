// SPDX-License-Identifier: Apache-2.0
// Types and constants that the modules of the PCI-X core share.
//
// Inside of the core each control signal of the bus is high when it is asserted. README.md tells
// the clocks of the bus, and where each rule comes from.
package pcix_pkg;
  // ---- The bus ----

  // Commands, C/BE[3:0]# of the address phase.
  localparam logic [3:0] CmdReadDword       = 4'h6;
  localparam logic [3:0] CmdWrite           = 4'h7;  // with byte enables
  localparam logic [3:0] CmdReadBlockAlias  = 4'h8;
  localparam logic [3:0] CmdWriteBlockAlias = 4'h9;
  localparam logic [3:0] CmdConfigRead      = 4'hA;
  localparam logic [3:0] CmdConfigWrite     = 4'hB;
  localparam logic [3:0] CmdSplitCompletion = 4'hC;
  localparam logic [3:0] CmdDual            = 4'hD;  // low half of a 64-bit address
  localparam logic [3:0] CmdReadBlock       = 4'hE;
  localparam logic [3:0] CmdWriteBlock      = 4'hF;

  // Bursts may be cut where an address is a multiple of this (allowable disconnect boundary).
  localparam int unsigned AdbBytes = 128;

  // Clocks from the last address phase to the last one in which DEVSEL# may come.
  localparam logic [2:0] LastDecodeClocks = 3'd6;

  // One clock of the bus, as the input registers have it.
  typedef struct packed {
    logic        frame;
    logic        irdy;
    logic        trdy;
    logic        stop;
    logic        devsel;
    logic        idsel;
    logic        gnt;
    logic        req64;
    logic        ack64;
    logic        perr;
    logic        par;
    logic        par64;
    logic [7:0]  cbe;     // levels of the pins: a byte enable is low if its byte counts
    logic [63:0] ad;
  } bus_t;

  // The initiator's share of the bus in the next clock. AD and C/BE# are driven as a whole, the
  // upper halves only on a bus of 64 bits.
  typedef struct packed {
    logic        frame;
    logic        irdy;
    logic        req64;
    logic        ad_en;
    logic        cbe_en;
    logic [7:0]  cbe;
    logic [63:0] ad;
  } initiator_drive_t;

  // The target's share of the bus in the next clock. It drives data of AD[31:0] only.
  typedef struct packed {
    logic        active;  // the control signals are driven
    logic        devsel;
    logic        trdy;
    logic        stop;
    logic        ack64;
    logic        ad_en;
    logic [31:0] ad;
  } target_drive_t;

  // ---- Sequences ----

  // Bytes of a sequence or of a part of it: 1 to 4096.
  localparam int unsigned CountBits = 13;
  typedef logic [CountBits-1:0] count_t;

  // The requester's number: bus, device, function.
  typedef struct packed {
    logic [7:0] bus;
    logic [4:0] device;
    logic [2:0] fn;
  } id_t;

  // Attributes of a request, AD[31:0]. The upper byte count, or the byte enables of a DWORD, are on
  // C/BE[3:0]#.
  typedef struct packed {
    logic       reserved;
    logic       no_snoop;
    logic       relaxed;
    logic [4:0] tag;
    id_t        requester;
    logic [7:0] count;
  } request_attr_t;

  // Attributes of a Split Completion, AD[31:0].
  typedef struct packed {
    logic       modified;   // BCM: the byte count is that of this transaction
    logic       error;      // SCE
    logic       is_message; // SCM
    logic [4:0] reserved;
    id_t        completer;
    logic [7:0] count;
  } completion_attr_t;

  // Address of a Split Completion, AD[31:0].
  typedef struct packed {
    logic [1:0] reserved;
    logic       relaxed;
    logic [4:0] tag;
    id_t        requester;
    logic       reserved_low;
    logic [6:0] lower;
  } completion_addr_t;

  // Data of a Split Completion Message.
  typedef struct packed {
    logic [3:0]  kind;
    logic [7:0]  index;
    logic        reserved;
    logic [6:0]  lower;
    logic [11:0] count;
  } message_t;

  localparam logic [3:0] MessageCompleter  = 4'h2;   // class: an error of the completer
  localparam logic [7:0] MessageOutOfRange = 8'h00;  // index: the sequence crosses the device's end
  localparam logic [7:0] MessageDevice     = 8'h80;  // index: an error of the device's own

  // ---- The initiator's work ----

  // A transaction that is to be run. Sources keep it as it is until its end.
  typedef struct packed {
    logic [3:0]  command;
    logic [63:0] addr;    // of a Split Completion: AD of its address phase
    logic [23:0] attr;    // AD[31:8] of the attribute phase
    count_t      bytes;
  } work_t;

  typedef enum logic [2:0] {
    EndMoved       = 3'd0,  // `bytes` of it have moved, at least one
    EndRetry       = 3'd1,
    EndSplit       = 3'd2,
    EndMasterAbort = 3'd3,
    EndTargetAbort = 3'd4
  } end_e;

  typedef struct packed {
    end_e   how;
    count_t bytes;
  } end_t;

  // Who gives work to the initiator.
  localparam int unsigned SourceMessage    = 0;  // MSI
  localparam int unsigned SourceCompletion = 1;
  localparam int unsigned SourceWrite      = 2;
  localparam int unsigned SourceRead       = 3;
  localparam int unsigned Sources          = 4;

  // ---- The target's work ----

  // An access to a BAR, of one DWORD or, for a read, of many bytes.
  typedef struct packed {
    logic        is_read;
    logic        bar;
    logic [31:0] addr;     // on the bus; the low bits are the place in the BAR
    logic [31:0] data;
    logic [3:0]  strobes;
    logic        is_dword; // a read of one DWORD
    logic        relaxed;
    logic [4:0]  tag;
    id_t         requester;
    count_t      bytes;
  } access_t;

  // A data phase that brings data of a read.
  typedef struct packed {
    logic [4:0]  tag;
    logic        wide;
    logic [63:0] data;     // a narrow one has its DWORD in [31:0]
  } fill_t;

  // ---- Configuration space ----

  localparam logic [7:0] CapPcix = 8'h40;
  localparam logic [7:0] CapMsi  = 8'h50;

  // Settings of software.
  typedef struct packed {
    logic        memory_en;
    logic        master_en;
    logic        parity_response;
    logic        serr_en;
    logic        intx_off;
    logic [7:0]  latency_timer;
    logic        recovers;         // data parity errors are the driver's business
    logic [1:0]  max_read;         // MMRBC: 512 B shifted left by it
    logic [5:0]  max_splits;
    logic        msi_en;
    logic [63:0] msi_addr;
    logic [15:0] msi_data;
    logic [63:0] bar0;
    logic [31:0] bar1;
    id_t         id;
  } settings_t;

  // Events for the status registers.
  typedef struct packed {
    logic parity;            // any parity error that was seen
    logic got_master_abort;
    logic got_target_abort;
    logic gave_target_abort;
    logic master_parity;     // a data parity error of the core's own sequences
    logic bad_address;       // an address or attributes had bad parity
    logic discarded;         // a Split Completion of the core was not taken
    logic unexpected;        // a Split Completion came that nobody had asked for
    logic error_message;     // a Split Completion Message with an error came
  } events_t;

  // Data phases of `count` bytes from `addr` on.
  function automatic logic [10:0] phases_of(
    input logic [2:0] addr, input count_t count, input logic wide);
    return wide ? 11'((14'(count) + 14'(addr) + 14'd7) >> 3)
                : 11'((14'(count) + 14'(addr[1:0]) + 14'd3) >> 2);
  endfunction

  // The byte count of an attribute phase; 0 stands for 4096.
  function automatic count_t count_of(input logic [3:0] upper, input logic [7:0] lower);
    return {upper == '0 && lower == '0, upper, lower};
  endfunction
endpackage
