// SPDX-License-Identifier: Apache-2.0
// The box of stream_box.sv with parts of a board beside it. After the reset it reads all words of
// an EEPROM, and registers of the devices of two management buses: one of three pins, and one of a
// tri-state pin. Inputs tell what it has to find, its assertions whether it does. For tests of port
// maps.
module board_box (
  input  logic        clk,
  input  logic        rst_n,
  input  logic [15:0] expected_words,   // the words one by one: the value rotated left, XOR the word
  input  logic [31:0] expected_id,      // registers 2 and 3 of the PHY at address 3
  output logic        prom_cs,
  output logic        prom_sk,
  output logic        prom_di,
  input  logic        prom_do,
  output logic        phy_mdc,
  output logic        phy_mdio_out,
  output logic        phy_mdio_oe,
  input  logic        phy_mdio_in,
  output logic        pads_mdc,
  inout  wire         pads_mdio,
  input  logic [63:0] west_rx_tdata,
  input  logic [7:0]  west_rx_tkeep,
  input  logic        west_rx_tlast,
  input  logic        west_rx_tvalid,
  output logic        west_rx_tready,
  output logic [63:0] west_tx_tdata,
  output logic [7:0]  west_tx_tkeep,
  output logic        west_tx_tlast,
  output logic        west_tx_tvalid,
  input  logic        west_tx_tready,
  input  logic [63:0] east_rx_tdata,
  input  logic [7:0]  east_rx_tkeep,
  input  logic        east_rx_tlast,
  input  logic        east_rx_tvalid,
  output logic        east_rx_tready,
  output logic [63:0] east_tx_tdata,
  output logic [7:0]  east_tx_tkeep,
  output logic        east_tx_tlast,
  output logic        east_tx_tvalid,
  input  logic        east_tx_tready
);
  stream_box #(.Users(1)) u_streams (
    .west_rx_tuser(1'b0), .east_rx_tuser(1'b0), .west_tx_tuser(), .east_tx_tuser(), .*
  );

  // ---- EEPROM: two bits with CS low, nine of the instruction, sixteen of the word ----

  localparam logic [4:0] FirstBit = 5'd2;
  localparam logic [4:0] FirstDataBit = 5'd11;
  localparam logic [4:0] LastBit = 5'd26;

  logic [6:0]  phase_q;    // SK is high in the second half
  logic [4:0]  bit_q;
  logic [5:0]  word_q;
  logic [15:0] shift_q, found_q, word;
  logic        prom_done_q, word_ends, last_word;
  logic [8:0]  instruction;

  assign instruction = {3'b110, word_q};
  assign prom_cs     = !prom_done_q && bit_q >= FirstBit;
  assign prom_sk     = prom_cs && phase_q[6];
  assign prom_di     = prom_cs && bit_q < FirstDataBit &&
                       instruction[4'(FirstDataBit - 5'd1 - bit_q)];
  assign word        = {shift_q[14:0], prom_do};
  assign word_ends   = !prom_done_q && phase_q == '1 && bit_q == LastBit;
  assign last_word   = word_ends && word_q == '1;

  always_ff @(posedge clk) begin
    if (!prom_done_q) phase_q <= phase_q + 7'd1;
    if (phase_q == '1) begin
      bit_q   <= bit_q == LastBit ? 5'd0 : bit_q + 5'd1;
      shift_q <= word;
    end
    if (word_ends) begin
      word_q      <= word_q + 6'd1;
      found_q     <= {found_q[14:0], found_q[15]} ^ word;
      prom_done_q <= last_word;
    end
    if (!rst_n) begin
      phase_q     <= '0;
      bit_q       <= '0;
      word_q      <= '0;
      found_q     <= '0;
      prom_done_q <= 1'b0;
    end
  end

  WordsAreRight: assert property (@(posedge clk) disable iff (!rst_n)
    prom_done_q |-> found_q == expected_words)
  else $error("words give %h", found_q);

  // ---- Management buses: both do step after step, at the same time ----

  localparam logic [2:0] Steps = 3'd5;
  localparam logic [1:0] Address = 2'd0, Read = 2'd2, ReadIncrement = 2'd3;

  logic [2:0]  step_q;
  logic        started_q, start, phy_busy, pads_busy, step_ends, waits, right;
  logic [15:0] phy_data, pads_data;
  logic [4:0]  phy_register;
  logic [1:0]  pads_op;
  logic        pads_out, pads_oe;

  assign start     = !started_q && step_q != Steps;
  assign step_ends = started_q && !phy_busy && !pads_busy;
  assign waits     = step_q == 3'd3 && !phy_data[2];   // for the link
  always_ff @(posedge clk) begin
    started_q <= start || started_q && !step_ends;
    if (step_ends && !waits) step_q <= step_q + 3'd1;
    if (!rst_n) begin
      started_q <= 1'b0;
      step_q    <= '0;
    end
  end

  always_comb begin
    case (step_q)
      3'd0:    {phy_register, pads_op} = {5'd2, Address};
      3'd1:    {phy_register, pads_op} = {5'd3, ReadIncrement};
      3'd2:    {phy_register, pads_op} = {5'd1, ReadIncrement};
      default: {phy_register, pads_op} = {5'd1, Read};
    endcase
    // Step 2 reads a status with the loss of link latched. Step 3 is done again until there is link.
    // In step 4 no device has the address.
    case (step_q)
      3'd0:    right = phy_data == expected_id[31:16];
      3'd1:    right = phy_data == expected_id[15:0] && pads_data == 16'("I");
      3'd2:    right = !phy_data[2] && pads_data == 16'("N");
      3'd3:    right = (phy_data | 16'h0024) == 16'h016d && pads_data == 16'("T");
      default: right = phy_data == '1 && pads_data == '1;
    endcase
  end

  nic_mdio u_phy (
    .clk_i(clk), .rst_ni(rst_n), .start_i(start), .clause22_i(1'b1), .op_i(Read),
    .port_i(step_q == 3'd4 ? 5'd4 : 5'd3), .device_i(phy_register), .data_i('0),
    .busy_o(phy_busy), .read_data_o(phy_data),
    .mdc_o(phy_mdc), .mdio_o(phy_mdio_out), .mdio_oe_o(phy_mdio_oe), .mdio_i(phy_mdio_in)
  );
  nic_mdio u_pads (
    .clk_i(clk), .rst_ni(rst_n), .start_i(start), .clause22_i(1'b0), .op_i(pads_op),
    .port_i(step_q == 3'd4 ? 5'd1 : 5'd0), .device_i(5'd1), .data_i(16'h803a),
    .busy_o(pads_busy), .read_data_o(pads_data),
    .mdc_o(pads_mdc), .mdio_o(pads_out), .mdio_oe_o(pads_oe), .mdio_i(pads_mdio)
  );
  assign pads_mdio = pads_oe ? pads_out : 1'bz;

  AnswersAreRight: assert property (@(posedge clk) disable iff (!rst_n) step_ends |-> right)
  else $error("step %0d finds %h and %h", step_q, phy_data, pads_data);
endmodule
