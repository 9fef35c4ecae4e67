// SPDX-License-Identifier: Apache-2.0
// Gray code. Every block that passes a counter to another clock domain uses it.
package common_pkg;
  // Width of the widest counter that crosses a clock boundary in rtl/.
  localparam int unsigned GrayBits = 16;
  typedef logic [GrayBits-1:0] gray_t;

  // Successive values differ in one bit. A sample taken during a change is the old or the new
  // value.
  function automatic gray_t bin_to_gray(input gray_t bin);
    return bin ^ (bin >> 1);
  endfunction

  function automatic gray_t gray_to_bin(input gray_t gray);
    gray_t bin;
    bin = gray;
    for (int unsigned shift = 1; shift < GrayBits; shift *= 2) bin ^= bin >> shift;
    return bin;
  endfunction
endpackage
