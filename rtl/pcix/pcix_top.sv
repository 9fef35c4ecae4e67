// SPDX-License-Identifier: Apache-2.0
// A PCI-X core: pins on one side, AXI4 and AXI4-Lite of a design on the other, one clock.
//
// README.md has its picture, the clocks of the bus, and what each module may expect of the others.
// rst_no is the reset for the design's side of the bus clock. In a slot that is not PCI-X the core
// stays in reset. TLM twin: models/pcix. Test: tests/rtl/pcix/pcix_*_bench.py.
module pcix_top
  import pcix_pkg::*;
#(
  parameter  logic [15:0] VendorId          = 16'h0000,
  parameter  logic [15:0] DeviceId          = 16'h0000,
  parameter  logic [7:0]  Revision          = 8'h00,
  parameter  logic [23:0] ClassCode         = 24'h020000,
  parameter  logic [15:0] SubsystemVendorId = 16'h0000,
  parameter  logic [15:0] SubsystemId       = 16'h0000,
  parameter  int unsigned Bar0Log2          = 17,    // bytes, as a power of two: 7 to 31
  parameter  bit          Bar0Is64          = 1'b1,
  parameter  int unsigned Bar1Log2          = 0,     // 7 to Bar0Log2; 0: none
  parameter  int unsigned IdBits            = 4,
  parameter  int unsigned Tags              = 8,     // reads at once, a power of two, at most 32
  parameter  int unsigned ReadWords         = 1024,  // of 64 bits, for their data
  parameter  int unsigned WriteWords        = 512,   // for data of writes
  localparam int unsigned AddrBits          = Bar0Log2 + (Bar1Log2 != 0 ? 1 : 0)
) (
  input  logic                clk_i,         // CLK
  input  logic                rst_pin_ni,    // RST#
  output logic                rst_no,
  output logic                clk_req_o,     // CLK must not stand still; of other clocks, too
  // Pins: input, output, output enable.
  input  logic [63:0]         ad_i,
  output logic [63:0]         ad_o,
  output logic                ad_oe_o,      // AD[31:0]
  output logic                ad64_oe_o,    // AD[63:32]
  input  logic [7:0]          cbe_ni,
  output logic [7:0]          cbe_no,
  output logic                cbe_oe_o,
  output logic                cbe64_oe_o,
  input  logic                par_i,
  output logic                par_o,
  output logic                par_oe_o,
  input  logic                par64_i,
  output logic                par64_o,
  output logic                par64_oe_o,
  input  logic                frame_ni,
  output logic                frame_no,
  output logic                frame_oe_o,
  input  logic                irdy_ni,
  output logic                irdy_no,
  output logic                irdy_oe_o,
  input  logic                trdy_ni,
  output logic                trdy_no,
  input  logic                stop_ni,
  output logic                stop_no,
  input  logic                devsel_ni,
  output logic                devsel_no,
  output logic                target_oe_o,  // TRDY#, STOP#, DEVSEL#
  input  logic                idsel_i,
  output logic                req_no,
  output logic                req_oe_o,
  input  logic                gnt_ni,
  input  logic                req64_ni,
  output logic                req64_no,
  output logic                req64_oe_o,
  input  logic                ack64_ni,
  output logic                ack64_no,
  output logic                ack64_oe_o,
  input  logic                perr_ni,
  output logic                perr_no,
  output logic                perr_oe_o,
  output logic                serr_oe_o,    // open drain: low when driven
  output logic                inta_oe_o,    // open drain
  input  logic                irq_i,         // level, of any clock
  // AXI4: the design masters the bus.
  input  logic [IdBits-1:0]   s_axi_awid,
  input  logic [63:0]         s_axi_awaddr,
  input  logic [7:0]          s_axi_awlen,
  input  logic [2:0]          s_axi_awsize,
  input  logic [1:0]          s_axi_awburst,
  input  logic                s_axi_awlock,
  input  logic [3:0]          s_axi_awcache,
  input  logic [2:0]          s_axi_awprot,
  input  logic                s_axi_awvalid,
  output logic                s_axi_awready,
  input  logic [63:0]         s_axi_wdata,
  input  logic [7:0]          s_axi_wstrb,
  input  logic                s_axi_wlast,
  input  logic                s_axi_wvalid,
  output logic                s_axi_wready,
  output logic [IdBits-1:0]   s_axi_bid,
  output logic [1:0]          s_axi_bresp,
  output logic                s_axi_bvalid,
  input  logic                s_axi_bready,
  input  logic [IdBits-1:0]   s_axi_arid,
  input  logic [63:0]         s_axi_araddr,
  input  logic [7:0]          s_axi_arlen,
  input  logic [2:0]          s_axi_arsize,
  input  logic [1:0]          s_axi_arburst,
  input  logic                s_axi_arlock,
  input  logic [3:0]          s_axi_arcache,
  input  logic [2:0]          s_axi_arprot,
  input  logic                s_axi_arvalid,
  output logic                s_axi_arready,
  output logic [IdBits-1:0]   s_axi_rid,
  output logic [63:0]         s_axi_rdata,
  output logic [1:0]          s_axi_rresp,
  output logic                s_axi_rlast,
  output logic                s_axi_rvalid,
  input  logic                s_axi_rready,
  // AXI4-Lite: registers of the design.
  output logic [AddrBits-1:0] m_axil_awaddr,
  output logic [2:0]          m_axil_awprot,
  output logic                m_axil_awvalid,
  input  logic                m_axil_awready,
  output logic [31:0]         m_axil_wdata,
  output logic [3:0]          m_axil_wstrb,
  output logic                m_axil_wvalid,
  input  logic                m_axil_wready,
  input  logic [1:0]          m_axil_bresp,
  input  logic                m_axil_bvalid,
  output logic                m_axil_bready,
  output logic [AddrBits-1:0] m_axil_araddr,
  output logic [2:0]          m_axil_arprot,
  output logic                m_axil_arvalid,
  input  logic                m_axil_arready,
  input  logic [31:0]         m_axil_rdata,
  input  logic [1:0]          m_axil_rresp,
  input  logic                m_axil_rvalid,
  output logic                m_axil_rready
);
  // Of the PCI-X status register: bytes of reads at once, splits at once.
  localparam logic [2:0] MostBytes  = 3'($clog2(ReadWords) - 7);
  localparam logic [2:0] MostSplits = Tags >= 32 ? 3'd7 : Tags >= 16 ? 3'd6 : Tags >= 8 ? 3'd4 :
                                      Tags >= 4 ? 3'd3 : Tags >= 2 ? 3'd1 : 3'd0;

  logic rst_n, is_pcix, wide;

  sync_reset u_reset (.clk_i, .arst_ni(rst_pin_ni), .rst_no(rst_n));

  assign rst_no = rst_n && is_pcix;

  // ---- The bus ----

  bus_t             bus;
  logic             low_bad, high_bad;
  initiator_drive_t initiator_drive;
  target_drive_t    target_drive;
  settings_t        settings;
  logic             req, serr, inta, irq, target_perr, initiator_perr;

  pcix_pins u_pins (
    .clk_i, .rst_pin_ni, .rst_ni(rst_n),
    .ad_i, .ad_o, .ad_oe_o, .ad64_oe_o, .cbe_ni, .cbe_no, .cbe_oe_o, .cbe64_oe_o, .par_i, .par_o,
    .par_oe_o, .par64_i, .par64_o, .par64_oe_o, .frame_ni, .frame_no, .frame_oe_o, .irdy_ni,
    .irdy_no, .irdy_oe_o, .trdy_ni, .trdy_no, .stop_ni, .stop_no, .devsel_ni, .devsel_no,
    .target_oe_o, .idsel_i, .req_no, .req_oe_o, .gnt_ni, .req64_ni, .req64_no, .req64_oe_o,
    .ack64_ni, .ack64_no, .ack64_oe_o, .perr_ni, .perr_no, .perr_oe_o, .serr_oe_o, .inta_oe_o,
    .bus_o(bus), .low_bad_o(low_bad), .high_bad_o(high_bad), .initiator_i(initiator_drive),
    .target_i(target_drive), .req_i(req), .perr_i(target_perr || initiator_perr), .serr_i(serr),
    .inta_i(inta), .is_pcix_o(is_pcix), .is_wide_o(wide));

  // ---- Target ----

  logic        target_busy, axil_busy, write_busy, read_busy, split_busy, interrupt_busy;
  logic        bad_addr, target_bad_data, gave_abort, own;
  logic [5:0]  config_reg;
  logic [31:0] config_rdata, config_wdata;
  logic        config_write;
  logic [3:0]  config_strobes;
  logic [4:0]  config_device;
  logic [7:0]  config_bus;
  logic        write_room, read_room, access_valid;
  access_t     access;
  logic        known, part_message, target_fill_valid, target_fill_bad, failed, unexpected;
  logic [6:0]  part_lower;
  count_t      part_bytes;
  fill_t       target_fill;

  pcix_target #(.Bar0Log2(Bar0Log2), .Bar1Log2(Bar1Log2)) u_target (
    .clk_i, .rst_ni(rst_no), .bus_i(bus), .low_bad_i(low_bad), .high_bad_i(high_bad),
    .own_i(own), .wide_i(wide), .settings_i(settings), .drive_o(target_drive),
    .busy_o(target_busy), .perr_o(target_perr), .bad_addr_o(bad_addr), .bad_data_o(target_bad_data),
    .gave_abort_o(gave_abort), .config_reg_o(config_reg), .config_data_i(config_rdata),
    .config_write_o(config_write), .config_data_o(config_wdata),
    .config_strobes_o(config_strobes), .config_device_o(config_device),
    .config_bus_o(config_bus), .write_room_i(write_room), .read_room_i(read_room),
    .access_valid_o(access_valid), .access_o(access), .known_i(known),
    .part_lower_o(part_lower), .part_bytes_o(part_bytes), .part_message_o(part_message),
    .fill_valid_o(target_fill_valid), .fill_o(target_fill), .fill_bad_o(target_fill_bad),
    .failed_o(failed), .unexpected_o(unexpected));

  // ---- Initiator ----

  logic              work_valid, start, end_valid;
  work_t              work;
  end_t              ending;
  logic [1:0]        source;
  logic [9:0]        word;
  logic [63:0]       data, write_data, axil_data, message_data;
  logic [7:0]        strobes, write_strobes;
  logic              initiator_fill_valid, initiator_fill_bad;
  logic              initiator_bad_data, perr_seen;
  fill_t             initiator_fill;
  logic [Sources-1:0] work_valids, end_valids;
  work_t [Sources-1:0] works;
  logic              write_came, write_ended, discarded;

  pcix_schedule u_schedule (
    .clk_i, .rst_ni(rst_no), .master_en_i(settings.master_en), .write_came_i(write_came),
    .write_ended_i(write_ended), .valid_i(work_valids), .work_i(works), .end_valid_o(end_valids),
    .req_o(req), .work_valid_o(work_valid), .work_o(work), .source_o(source), .start_i(start),
    .end_valid_i(end_valid));

  pcix_initiator u_initiator (
    .clk_i, .rst_ni(rst_no), .bus_i(bus), .low_bad_i(low_bad), .high_bad_i(high_bad),
    .wide_i(wide), .settings_i(settings), .drive_o(initiator_drive), .own_o(own),
    .work_valid_i(work_valid), .work_i(work), .start_o(start), .end_valid_o(end_valid),
    .end_o(ending), .word_o(word), .data_i(data), .strobes_i(strobes),
    .fill_valid_o(initiator_fill_valid), .fill_o(initiator_fill),
    .fill_bad_o(initiator_fill_bad), .perr_o(initiator_perr), .bad_data_o(initiator_bad_data),
    .perr_seen_o(perr_seen));

  always_comb begin
    data    = write_data;
    strobes = write_strobes;
    if (source == 2'(SourceCompletion)) data = axil_data;
    if (source == 2'(SourceMessage)) begin
      data    = message_data;
      strobes = '1;
    end
  end

  // ---- The design's side ----

  logic              open_valid, open_ready, open_last, asked_split, asked_abort;
  logic [IdBits-1:0] open_id;
  logic [6:0]        open_lower;
  logic [9:0]        open_words;
  logic [4:0]        open_tag, asked_tag;
  logic [5:0]        splits;
  logic [1:0]        abort_resp;

  pcix_read #(.IdBits(IdBits)) u_read (
    .clk_i, .rst_ni(rst_no), .settings_i(settings), .ar_valid_i(s_axi_arvalid),
    .ar_ready_o(s_axi_arready), .ar_id_i(s_axi_arid), .ar_addr_i(s_axi_araddr),
    .ar_len_i(s_axi_arlen), .open_valid_o(open_valid), .open_ready_i(open_ready),
    .open_id_o(open_id), .open_lower_o(open_lower), .open_words_o(open_words),
    .open_last_o(open_last), .open_tag_i(open_tag), .splits_i(splits), .asked_tag_o(asked_tag),
    .split_o(asked_split), .abort_o(asked_abort), .abort_resp_o(abort_resp),
    .work_valid_o(work_valids[SourceRead]), .work_o(works[SourceRead]),
    .end_valid_i(end_valids[SourceRead]), .end_i(ending), .busy_o(read_busy));

  pcix_split #(.IdBits(IdBits), .Tags(Tags), .Words(ReadWords)) u_split (
    .clk_i, .rst_ni(rst_no), .open_valid_i(open_valid), .open_ready_o(open_ready),
    .open_id_i(open_id), .open_lower_i(open_lower), .open_words_i(open_words),
    .open_last_i(open_last), .open_tag_o(open_tag), .asked_tag_i(asked_tag),
    .split_i(asked_split), .abort_i(asked_abort), .abort_resp_i(abort_resp), .splits_o(splits),
    .busy_o(split_busy), .part_tag_i(target_fill.tag), .part_lower_i(part_lower), .part_bytes_i(part_bytes),
    .part_message_i(part_message), .known_o(known), .failed_i(failed),
    .fill_valid_i(target_fill_valid || initiator_fill_valid),
    .fill_i(own ? initiator_fill : target_fill),
    .fill_bad_i(target_fill_bad || initiator_fill_bad), .r_valid_o(s_axi_rvalid),
    .r_ready_i(s_axi_rready), .r_id_o(s_axi_rid), .r_data_o(s_axi_rdata),
    .r_resp_o(s_axi_rresp), .r_last_o(s_axi_rlast));

  pcix_write #(.IdBits(IdBits), .Words(WriteWords)) u_write (
    .clk_i, .rst_ni(rst_no), .settings_i(settings), .aw_valid_i(s_axi_awvalid),
    .aw_ready_o(s_axi_awready), .aw_id_i(s_axi_awid), .aw_addr_i(s_axi_awaddr),
    .w_valid_i(s_axi_wvalid), .w_ready_o(s_axi_wready), .w_data_i(s_axi_wdata),
    .w_strobes_i(s_axi_wstrb), .w_last_i(s_axi_wlast), .b_valid_o(s_axi_bvalid),
    .b_ready_i(s_axi_bready), .b_id_o(s_axi_bid), .b_resp_o(s_axi_bresp),
    .work_valid_o(work_valids[SourceWrite]), .work_o(works[SourceWrite]),
    .end_valid_i(end_valids[SourceWrite]), .end_i(ending), .word_i(word), .data_o(write_data),
    .strobes_o(write_strobes), .came_o(write_came), .ended_o(write_ended),
    .busy_o(write_busy));

  pcix_axil #(.Bar0Log2(Bar0Log2), .Bar1Log2(Bar1Log2)) u_axil (
    .clk_i, .rst_ni(rst_no), .settings_i(settings), .access_valid_i(access_valid),
    .access_i(access), .write_room_o(write_room), .read_room_o(read_room),
    .m_axil_awaddr, .m_axil_awprot, .m_axil_awvalid, .m_axil_awready, .m_axil_wdata,
    .m_axil_wstrb, .m_axil_wvalid, .m_axil_wready, .m_axil_bresp, .m_axil_bvalid,
    .m_axil_bready, .m_axil_araddr, .m_axil_arprot, .m_axil_arvalid, .m_axil_arready,
    .m_axil_rdata, .m_axil_rresp, .m_axil_rvalid, .m_axil_rready,
    .work_valid_o(work_valids[SourceCompletion]), .work_o(works[SourceCompletion]),
    .end_valid_i(end_valids[SourceCompletion]), .end_i(ending), .word_i(word),
    .data_o(axil_data), .discarded_o(discarded),
    .busy_o(axil_busy));

  sync_bits u_irq (.clk_i, .rst_ni(rst_no), .d_i(irq_i), .q_o(irq));

  pcix_interrupt u_interrupt (
    .clk_i, .rst_ni(rst_no), .settings_i(settings), .irq_i(irq), .inta_o(inta),
    .work_valid_o(work_valids[SourceMessage]), .work_o(works[SourceMessage]),
    .end_valid_i(end_valids[SourceMessage]), .end_i(ending), .data_o(message_data),
    .busy_o(interrupt_busy));

  // ---- Configuration space ----

  events_t events;

  always_comb begin
    events                   = '0;
    events.bad_address       = bad_addr;
    events.parity            = bad_addr || target_bad_data || initiator_bad_data;
    events.got_master_abort  = end_valid && ending.how == EndMasterAbort;
    events.got_target_abort  = end_valid && ending.how == EndTargetAbort;
    events.gave_target_abort = gave_abort;
    events.master_parity     = target_fill_bad || initiator_bad_data || perr_seen;
    events.discarded         = discarded;
    events.unexpected        = unexpected;
    events.error_message     = failed;
  end

  pcix_config #(
    .VendorId(VendorId), .DeviceId(DeviceId), .Revision(Revision), .ClassCode(ClassCode),
    .SubsystemVendorId(SubsystemVendorId), .SubsystemId(SubsystemId), .Bar0Log2(Bar0Log2),
    .Bar0Is64(Bar0Is64), .Bar1Log2(Bar1Log2), .MostBytes(MostBytes), .MostSplits(MostSplits)
  ) u_config (
    .clk_i, .rst_ni(rst_no), .irq_i(irq), .reg_i(config_reg), .data_o(config_rdata),
    .write_i(config_write), .data_i(config_wdata), .strobes_i(config_strobes),
    .device_i(config_device), .bus_i(config_bus), .events_i(events), .settings_o(settings),
    .serr_o(serr));

  // ---- The request for the clock ----

  // The gate opens at once. It lets the clock go on for 16 clocks at least, in which the pins are
  // let go and status bits are set.
  assign clk_req_o = !rst_n || bus.frame || bus.irdy || bus.gnt || own || target_busy ||
                     axil_busy || write_busy || read_busy || split_busy || interrupt_busy ||
                     req || irq_i != irq || s_axi_awvalid || s_axi_wvalid || s_axi_arvalid;

  // AXI4 as README.md asks for it.
  logic unused_axi;
  assign unused_axi = ^{s_axi_awlock, s_axi_awcache, s_axi_awprot, s_axi_arlock, s_axi_arcache,
                        s_axi_arprot};
  WritesAreWords: assert property (
    @(posedge clk_i) disable iff (!rst_no)
    s_axi_awvalid |-> s_axi_awsize == 3'd3 && s_axi_awburst == 2'b01);
  ReadsAreWords: assert property (
    @(posedge clk_i) disable iff (!rst_no)
    s_axi_arvalid |-> s_axi_arsize == 3'd3 && s_axi_arburst == 2'b01);
endmodule
