// SPDX-License-Identifier: Apache-2.0
// nic_axil under test, with 64 registers behind it.
//
// An access is done some clocks after its pulse. Reads see a register in that clock alone.
module nic_axil_tb (
  input  logic        rst_ni,
  input  int unsigned bus_half_ps_i,   // half of a bus clock
  input  logic        core_stop_i,     // the core's clock stands still
  input  logic        bus_stop_i,
  input  logic [3:0]  core_clocks_i,   // that an access takes
  output logic        busy_o,
  output logic [31:0] writes_o,        // pulses that were seen
  output logic [31:0] reads_o,
  output logic [16:0] addr_o          // of the last access
);
  // The bus. Those that the test bench drives have no other driver.
  logic [16:0] s_axil_awaddr;
  logic [2:0]  s_axil_awprot;
  logic        s_axil_awvalid;
  logic        s_axil_awready;
  logic [31:0] s_axil_wdata;
  logic [3:0]  s_axil_wstrb;
  logic        s_axil_wvalid;
  logic        s_axil_wready;
  logic [1:0]  s_axil_bresp;
  logic        s_axil_bvalid;
  logic        s_axil_bready;
  logic [16:0] s_axil_araddr;
  logic [2:0]  s_axil_arprot;
  logic        s_axil_arvalid;
  logic        s_axil_arready;
  logic [31:0] s_axil_rdata;
  logic [1:0]  s_axil_rresp;
  logic        s_axil_rvalid;
  logic        s_axil_rready;

  logic clk = 1'b0;
  always #(3200 * 1ps) if (!core_stop_i) clk = !clk;
  logic bus_clk = 1'b0;
  always #((bus_half_ps_i < 1000 ? 3750 : bus_half_ps_i) * 1ps) if (!bus_stop_i) bus_clk = !bus_clk;

  logic core_rst_n, bus_rst_n;
  sync_reset u_core_reset (.clk_i(clk), .arst_ni(rst_ni), .rst_no(core_rst_n));
  sync_reset u_bus_reset (.clk_i(bus_clk), .arst_ni(rst_ni), .rst_no(bus_rst_n));

  logic        write, read, done, awready, wready, arready, bvalid, rvalid;
  logic [15:0] since, since_q;  // the access's pulse, by clocks since
  logic [31:0] data, rdata, answer;
  logic [3:0]  strobes;
  logic [31:0] regs_q [64];

  nic_axil u_axil (
    .bus_clk_i(bus_clk), .bus_rst_ni(bus_rst_n), .s_axil_awaddr, .s_axil_awprot,
    .s_axil_awvalid, .s_axil_awready(awready), .s_axil_wdata, .s_axil_wstrb, .s_axil_wvalid,
    .s_axil_wready(wready), .s_axil_bresp, .s_axil_bvalid(bvalid), .s_axil_bready,
    .s_axil_araddr, .s_axil_arprot, .s_axil_arvalid, .s_axil_arready(arready),
    .s_axil_rdata(rdata), .s_axil_rresp, .s_axil_rvalid(rvalid), .s_axil_rready,
    .bus_busy_o(busy_o), .core_clk_i(clk), .core_rst_ni(core_rst_n), .write_o(write),
    .read_o(read), .addr_o, .data_o(data), .strobes_o(strobes), .done_i(done), .data_i(answer));

  // cocotbext-axi looks right after the clock's edge: what it sees moves half a clock later.
  always_ff @(negedge bus_clk) begin
    s_axil_awready <= awready && bus_rst_n;
    s_axil_wready  <= wready && bus_rst_n;
    s_axil_arready <= arready && bus_rst_n;
    s_axil_bvalid  <= bvalid && bus_rst_n;
    s_axil_rvalid  <= rvalid && bus_rst_n;
    s_axil_rdata   <= rdata;
  end

  assign since  = {since_q[14:0], write || read};
  assign done   = since[core_clocks_i];
  assign answer = done ? regs_q[addr_o[7:2]] : 32'hDEAD_BEEF;

  always_ff @(posedge clk) begin
    if (!core_rst_n) begin
      writes_o <= '0;
      reads_o  <= '0;
      since_q  <= '0;
    end else begin
      since_q <= since;
      if (read) reads_o <= reads_o + 1;
      if (write) begin
        writes_o <= writes_o + 1;
        for (int unsigned i = 0; i < 4; i++) begin
          if (strobes[i]) regs_q[addr_o[7:2]][8*i +: 8] <= data[8*i +: 8];
        end
      end
    end
  end
endmodule
