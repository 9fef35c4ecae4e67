// SPDX-License-Identifier: GPL-2.0
/*
 * Loads modules: what x86's loader does, and then lets their basic blocks count. What the blocks consist of is in a section of
 * the module's file (longhaul.module_blocks makes it); what they cost, the simulator says.
 */
#define module_finalize x86_module_finalize
#define module_arch_cleanup x86_module_arch_cleanup
#include "../kernel/module.c"
#undef module_finalize
#undef module_arch_cleanup

#include <linux/minmax.h>
#include <longhaul_blocks.h>
#include <longhaul_core.h>
#include <longhaul_os.h>

int module_finalize(const Elf_Ehdr *hdr, const Elf_Shdr *sechdrs, struct module *me);
void module_arch_cleanup(struct module *mod);

#define TABLE ".longhaul.blocks"
#define SECTION_NAME_BYTES 56

/* The section: this, the names of the sections of text, and the blocks. */
struct table {
	char magic[8];
	u32 sections, blocks;
} __packed;

struct block {
	u32 section; /* index of its name */
	u32 offset;  /* of its site in the section */
	u32 place;   /* there without sites */
	u8 ops[LH_OP_CLASSES];
} __packed;

struct names {
	char name[SECTION_NAME_BYTES];
} __packed;

static const char magic[8] = "LHMODBL1";
static char symbols[LH_MESSAGE_BYTES];

/* Null: the module has no such section. */
static const Elf_Shdr *find_section(const Elf_Ehdr *hdr, const Elf_Shdr *sechdrs, const char *name)
{
	const char *strings = (const char *)hdr + sechdrs[hdr->e_shstrndx].sh_offset;
	unsigned int i;

	for (i = 1; i < hdr->e_shnum; i++) {
		if (!strncmp(strings + sechdrs[i].sh_name, name, SECTION_NAME_BYTES))
			return &sechdrs[i];
	}
	return NULL;
}

static const struct names *names_of(const struct table *table)
{
	return (const struct names *)(table + 1);
}

static bool is_whole(const struct table *table, unsigned long bytes)
{
	return bytes >= sizeof(*table) && !memcmp(table->magic, magic, sizeof(magic)) &&
	       bytes == sizeof(*table) + (u64)table->sections * sizeof(struct names) +
				(u64)table->blocks * sizeof(struct block);
}

static const Elf_Shdr *section_of(const Elf_Ehdr *hdr, const Elf_Shdr *sechdrs, const struct table *table,
				  const struct block *block)
{
	const Elf_Shdr *found;

	if (block->section >= table->sections)
		return NULL;
	found = find_section(hdr, sechdrs, names_of(table)[block->section].name);
	return found && block->offset < found->sh_size ? found : NULL;
}

/* Hands `count` blocks over; their sites count from now on. */
static int start_blocks(const Elf_Ehdr *hdr, const Elf_Shdr *sechdrs, const struct table *table,
			const struct block *block, unsigned int count)
{
	struct lh_module_block *record = (struct lh_module_block *)longhaul_page->message;
	unsigned long long first;
	unsigned int i;

	for (i = 0; i < count; i++) {
		const Elf_Shdr *section = section_of(hdr, sechdrs, table, &block[i]);

		if (!section)
			return -ENOEXEC;
		record[i].address = section->sh_addr + block[i].offset;
		record[i].place = section->sh_addr + block[i].place;
		memcpy(record[i].ops, block[i].ops, sizeof(record[i].ops));
	}
	longhaul_page->size = count;
	longhaul_exchange(LH_OP_BLOCKS);
	first = longhaul_page->data;
	if (first == LH_NO_ROOM)
		return -ENOSPC;
	for (i = 0; i < count; i++) {
		const Elf_Shdr *section = section_of(hdr, sechdrs, table, &block[i]);

		if (!longhaul_start_site(section->sh_addr + block[i].offset, first + i))
			return -ENOEXEC;
	}
	return 0;
}

/* Tells the simulator how the module's functions are called, for the profile. */
static void name_functions(const Elf_Ehdr *hdr, const Elf_Shdr *sechdrs, const struct module *me)
{
	unsigned int used = 0, i, k;

	for (i = 1; i < hdr->e_shnum; i++) {
		const Elf_Sym *symbol = (const Elf_Sym *)sechdrs[i].sh_addr;
		const char *strings = (const char *)sechdrs[sechdrs[i].sh_link].sh_addr;

		if (sechdrs[i].sh_type != SHT_SYMTAB)
			continue;
		for (k = 0; k < sechdrs[i].sh_size / sizeof(*symbol); k++) {
			char line[128];
			int bytes;

			if (ELF64_ST_TYPE(symbol[k].st_info) != STT_FUNC || symbol[k].st_shndx == SHN_UNDEF ||
			    symbol[k].st_shndx >= hdr->e_shnum)
				continue;
			bytes = scnprintf(line, sizeof(line), "%llx %.80s [%.30s]\n", symbol[k].st_value,
					  strings + symbol[k].st_name, me->name);
			if (used + bytes > sizeof(symbols)) {
				longhaul_message(LH_MESSAGE_SYMBOLS, symbols, used);
				used = 0;
			}
			memcpy(symbols + used, line, bytes);
			used += bytes;
		}
	}
	if (used)
		longhaul_message(LH_MESSAGE_SYMBOLS, symbols, used);
}

static int count_module(const Elf_Ehdr *hdr, const Elf_Shdr *sechdrs, struct module *me)
{
	const Elf_Shdr *section = find_section(hdr, sechdrs, TABLE);
	const struct table *table = section ? (const void *)section->sh_addr : NULL;
	const struct block *block;
	unsigned int done, count;
	int err = 0;

	if (!table) {
		pr_err("%s has no table of its basic blocks, so what it does would take no time; "
		       "build it with './longhaul kernel --module FOLDER'\n", me->name);
		return -ENOEXEC;
	}
	if (!is_whole(table, section->sh_size)) {
		pr_err("%s: its table of basic blocks is damaged or of another version\n", me->name);
		return -ENOEXEC;
	}
	block = (const struct block *)(names_of(table) + table->sections);
	for (done = 0; done < table->blocks && !err; done += count) {
		count = min_t(unsigned int, table->blocks - done, LH_MESSAGE_BYTES / sizeof(struct lh_module_block));
		err = start_blocks(hdr, sechdrs, table, &block[done], count);
	}
	if (err == -ENOSPC)
		pr_err("%s: the simulator has no room for its %u basic blocks\n", me->name, table->blocks);
	else if (err)
		pr_err("%s: its table of basic blocks is of another build of it\n", me->name);
	if (err)
		return err;
	name_functions(hdr, sechdrs, me);
	longhaul_add_text(me->core_layout.base, me->core_layout.text_size);
	longhaul_add_text(me->init_layout.base, me->init_layout.text_size);
	pr_info("%s: %u basic blocks count\n", me->name, table->blocks);
	return 0;
}

int module_finalize(const Elf_Ehdr *hdr, const Elf_Shdr *sechdrs, struct module *me)
{
	int err = x86_module_finalize(hdr, sechdrs, me);

	if (err || !longhaul_page->block_count)
		return err;
	return count_module(hdr, sechdrs, me);
}

void module_arch_freeing_init(struct module *mod)
{
	longhaul_remove_text(mod->init_layout.base);
}

void module_arch_cleanup(struct module *mod)
{
	longhaul_remove_text(mod->core_layout.base);
	longhaul_remove_text(mod->init_layout.base);
	x86_module_arch_cleanup(mod);
}
