// SPDX-License-Identifier: Apache-2.0
// The interrupt of the design: a message (MSI), or INTA#.
//
// With MSI enabled each rise of irq_i is one message. Software that enables MSI while irq_i is high
// gets one, too. A rise that comes while a message waits for the bus is told by that message.
// Without MSI, INTA# follows irq_i. Test: tests/rtl/pcix/pcix_config_bench.py.
module pcix_interrupt
  import pcix_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  settings_t   settings_i,
  input  logic        irq_i,
  output logic        inta_o,
  output logic        work_valid_o,
  output work_t        work_o,
  input  logic        end_valid_i,
  input  end_t        end_i,
  output logic [63:0] data_o,
  output logic        busy_o
);
  logic wants, wanted_q, waits_q;

  assign wants = irq_i && settings_i.msi_en;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      wanted_q <= 1'b0;
      waits_q  <= 1'b0;
    end else begin
      wanted_q <= wants;
      if (wants && !wanted_q) waits_q <= 1'b1;
      else if (end_valid_i && end_i.how != EndRetry) waits_q <= 1'b0;
    end
  end

  assign busy_o       = waits_q || wants != wanted_q;
  assign work_valid_o = waits_q && settings_i.master_en;
  assign work_o  = '{command: CmdWrite, addr: settings_i.msi_addr, attr: {8'b0, settings_i.id},
                    bytes: count_t'(4)};
  assign data_o = {2{16'b0, settings_i.msi_data}};
  assign inta_o = irq_i && !settings_i.msi_en && !settings_i.intx_off;

  SeenMessageWaits: cover property (
    @(posedge clk_i) disable iff (!rst_ni) waits_q && !settings_i.master_en);
  SeenMessageRetry: cover property (
    @(posedge clk_i) disable iff (!rst_ni) end_valid_i && end_i.how == EndRetry);
  SeenRiseWhileWaiting: cover property (
    @(posedge clk_i) disable iff (!rst_ni) wants && !wanted_q && waits_q);
  SeenIntxOff: cover property (
    @(posedge clk_i) disable iff (!rst_ni) irq_i && !settings_i.msi_en && settings_i.intx_off);
endmodule
