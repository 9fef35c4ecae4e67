// SPDX-License-Identifier: Apache-2.0
// The EEPROM's pins (93C46, 64 words of 16 bits): driven by software through EECD, or by the NIC,
// which reads its own Ethernet address.
//
// load_i starts a reading of words 0 to 2: the address, low byte first. It takes 57 clocks of SK
// of 1.6384 us each. Before and after them CS is low for the time of one clock. Software may hold
// CS high all the time, and the EEPROM takes a command only behind a rise of CS.
// address_valid_o is high for one clock at the end. Software's pins do not reach the EEPROM while
// the NIC reads. A load_i while one goes on begins again. TLM twin:
// models/nic/blocks/eeprom_93c46. Test: tests/rtl/nic/nic_control_bench.py.
module nic_eeprom (
  input  logic        clk_i,            // 156.25 MHz
  input  logic        rst_ni,
  input  logic        load_i,
  output logic        busy_o,           // the NIC reads
  output logic        address_valid_o,
  output logic [47:0] address_o,        // first byte in [7:0]
  // Software's.
  input  logic        sk_i,
  input  logic        cs_i,
  input  logic        di_i,
  output logic        do_o,
  // The EEPROM's.
  output logic        eeprom_sk_o,
  output logic        eeprom_cs_o,
  output logic        eeprom_di_o,
  input  logic        eeprom_do_i
);
  // Start bit, read, address 0; then the EEPROM gives word after word.
  localparam int unsigned   CommandBits = 9;
  localparam logic [8:0]    ReadWord0   = 9'b1_10_000000;
  localparam logic [5:0]    LastBit     = 6'(CommandBits + 3 * 16);
  // SK is low in the first half of its 256 clocks. Data change when it falls. They are taken when
  // it falls again: the EEPROM gives a bit behind SK's rise.
  localparam int unsigned   PhaseBits   = 8;

  logic [5:0]           bit_q;      // 1 to LastBit; before and after them a pause with CS low
  logic [PhaseBits-1:0] phase_q;
  logic [8:0]           command_q;
  logic [47:0]          shift_q;
  logic                 select_q;
  logic                 bit_ends, ends;

  assign bit_ends = busy_o && phase_q == '1;
  assign ends     = bit_ends && bit_q > LastBit;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_o          <= 1'b0;
      select_q        <= 1'b0;
      address_valid_o <= 1'b0;
    end else begin
      address_valid_o <= ends && !load_i;
      if (load_i) begin
        busy_o   <= 1'b1;
        select_q <= 1'b0;
        bit_q    <= '0;
        phase_q  <= '0;
      end else if (busy_o) begin
        phase_q <= phase_q + PhaseBits'(1);
        if (bit_ends) begin
          select_q <= bit_q < LastBit;
          bit_q    <= bit_q + 6'd1;
          busy_o   <= !ends;
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (load_i) command_q <= ReadWord0;
    else if (bit_ends && select_q) command_q <= {command_q[7:0], 1'b0};
  end

  always_ff @(posedge clk_i) begin
    if (bit_ends && select_q) shift_q <= {shift_q[46:0], eeprom_do_i};
  end

  // Words come with their highest bit first; a word's low byte is the earlier one of the address.
  assign address_o = {shift_q[15:0], shift_q[31:16], shift_q[47:32]};

  assign eeprom_cs_o = busy_o ? select_q : cs_i;
  assign eeprom_sk_o = busy_o ? select_q && phase_q[PhaseBits-1] : sk_i;
  assign eeprom_di_o = busy_o ? command_q[8] : di_i;
  assign do_o        = eeprom_do_i;

  logic                 idle_was_q, busy_was_q, cs_was_q, sk_was_q, di_was_q;
  logic [PhaseBits-1:0] phase_was_q;
  always_ff @(posedge clk_i) begin : checks
    idle_was_q  <= rst_ni && !busy_o && !load_i;
    busy_was_q  <= busy_o;
    cs_was_q    <= eeprom_cs_o;
    sk_was_q    <= eeprom_sk_o;
    di_was_q    <= eeprom_di_o;
    phase_was_q <= phase_q;
    if (rst_ni) begin
      // DI stands still while SK is high and the NIC reads.
      StableWhileHigh: assert (
        !(busy_o && busy_was_q && eeprom_sk_o && sk_was_q) || eeprom_di_o == di_was_q);
      // Without a reading nothing moves.
      IdleStandsStill: assert (!idle_was_q || phase_q == phase_was_q);
      // A command begins with a rise of CS, the NIC's and software's behind it.
      SelectsAnew: assert (busy_o == busy_was_q || (busy_o ? !eeprom_cs_o : !cs_was_q));
    end
  end

  // Corners: a reading that begins again, and software that asks meanwhile.
  BeginsAnew: cover property (@(posedge clk_i) disable iff (!rst_ni) load_i && busy_o);
  SoftwareWaits: cover property (@(posedge clk_i) disable iff (!rst_ni) busy_o && cs_i);
endmodule
