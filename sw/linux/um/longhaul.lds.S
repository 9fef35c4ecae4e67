/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What arch/um brings lies in a stretch of a fixed place and size behind all other code and data, so
 * that an edit in arch/um moves nothing else: neither the lines of the instruction cache that counted
 * code lies in, nor a variable, nor the first free page. dyn.lds.S includes this at its begin, since
 * the linker gives a section to the first pattern that it matches.
 *
 * Not here: the longhaul_bench loops, which are counted; tables that the whole kernel shares (calls at
 * boot, exported symbols, arguments).
 */
#define LONGHAUL_UM_BEGIN	(START + 0x1100000)
#define LONGHAUL_UM_END		(START + 0x1900000)
#define LONGHAUL_UM(...)						\
	EXCLUDE_FILE(*longhaul_bench.o) *arch/um?*.o(__VA_ARGS__)	\
	*arch/x86/um?*.o(__VA_ARGS__)					\
	*.tmp_vmlinux.kallsyms*.o(__VA_ARGS__)

  . = LONGHAUL_UM_BEGIN;
  .interp	: { *(.interp) }
  .hash		: { *(.hash) }
  .gnu.hash	: { *(.gnu.hash) }
  .dynsym	: { *(.dynsym) }
  .dynstr	: { *(.dynstr) }
  .gnu.version	: { *(.gnu.version) }
  .gnu.version_d : { *(.gnu.version_d) }
  .gnu.version_r : { *(.gnu.version_r) }
  .rela.plt	: {
	*(.rela.plt)
	PROVIDE_HIDDEN(__rela_iplt_start = .);
	*(.rela.iplt)
	PROVIDE_HIDDEN(__rela_iplt_end = .);
  }
  .rela.dyn	: { *(.rela.*) }
  .um.rodata	: { LONGHAUL_UM(.rodata .rodata.* .init.rodata) }
  . = ALIGN(4096);
  .plt		: { *(.plt) }
  .plt.got	: { *(.plt.got) }
  .um.text	: {
	LONGHAUL_UM(.text .text.* .init.text)
	. = ALIGN(4096);
	longhaul_stub_begin = .;
	*(.longhaul_stub)
	longhaul_stub_end = .;
	. = ALIGN(4096);
  }
  ASSERT(longhaul_stub_end - longhaul_stub_begin <= 4096, "the stub of programs is larger than its page")
  . = ALIGN(4096);
  .dynamic	: { *(.dynamic) }
  .got		: { *(.got.plt) *(.got) }
  .um.data	: { LONGHAUL_UM(.data .data.once .init.data) }
  .um.bss	: { *(.dynbss) LONGHAUL_UM(.bss) }
  ASSERT(. <= LONGHAUL_UM_END - 4096, "arch/um is larger than its place in longhaul.lds.S")
  . = LONGHAUL_UM_END - 4096;
  .um.end (NOLOAD) : { . = 4096; _end = .; PROVIDE (end = .); }
  /DISCARD/	: { *(.eh_frame) }
