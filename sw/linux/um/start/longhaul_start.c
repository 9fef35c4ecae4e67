// SPDX-License-Identifier: GPL-2.0
/* Attaches the kernel to its simulator: maps what that hands over, and makes the first exchange. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <init.h>
#include <os.h>
#include <longhaul_blocks.h>
#include <longhaul_core.h>
#include <longhaul_os.h>

extern char _text[], _etext[];

/*
 * Maps the block table where the kernel has left room for it, and lets the kernel write to its text meanwhile. Not 0: the table
 * is not of this kernel.
 */
static int __init count_blocks(int fd)
{
	const unsigned long text = (unsigned long)_text & ~(LH_BLOCK_TABLE_ALIGN - 1UL);
	const unsigned long bytes = (unsigned long)_etext - text;
	int failed;

	if (mmap(&longhaul_block_table, sizeof(longhaul_block_table), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd,
		 0) == MAP_FAILED)
		return -1;
	if (mprotect((void *)text, bytes, PROT_READ | PROT_WRITE | PROT_EXEC))
		return -1;
	failed = longhaul_blocks_start();
	return mprotect((void *)text, bytes, PROT_READ | PROT_EXEC) || failed;
}

/* Maps a disk's image; the descriptor of one that the simulator does not hand over is negative. */
static int __init map_image(struct longhaul_image *image, int fd)
{
	struct stat found;

	if (fd < 0)
		return 0;
	if (fstat(fd, &found))
		return -1;
	image->start = mmap(NULL, found.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (image->start == MAP_FAILED)
		return -1;
	image->bytes = found.st_size;
	return 0;
}

/* What is mapped needs no descriptor, and what is closed cannot be misused. */
static void __init close_all(const int *fds, int count)
{
	while (count--) {
		if (fds[count] >= 0)
			close(fds[count]);
	}
}

/* longhaul=PAGE_FD,RAM_FD,BLOCKS_FD,ROOT_FD,FILES_FD: inherited from the simulator. */
static int __init longhaul_setup(char *line, int *add)
{
	int page_fd = -1, blocks_fd = -1, root_fd = -1, files_fd = -1;

	*add = 0;
	if (sscanf(line, "%d,%d,%d,%d,%d", &page_fd, &longhaul_ram_fd, &blocks_fd, &root_fd, &files_fd) != 5) {
		os_warn("longhaul=%s: wants PAGE_FD,RAM_FD,BLOCKS_FD,ROOT_FD,FILES_FD\n", line);
		exit(1);
	}
	if (map_image(&longhaul_images[0], root_fd) || map_image(&longhaul_images[1], files_fd)) {
		os_warn("longhaul=%s: no images of disks there\n", line);
		exit(1);
	}
	longhaul_page = mmap(NULL, sizeof(*longhaul_page), PROT_READ | PROT_WRITE, MAP_SHARED, page_fd, 0);
	if (longhaul_page == MAP_FAILED || longhaul_page->magic != LH_ABI_MAGIC ||
	    longhaul_page->version != LH_ABI_VERSION) {
		os_warn("longhaul=%s: no page of ABI version %u there; rebuild kernel and simulator from one tree\n",
			line, LH_ABI_VERSION);
		exit(1);
	}
	longhaul_on_full_quantum(longhaul_exchange, longhaul_deliver_interrupts);
	if (longhaul_page->block_count && count_blocks(blocks_fd)) {
		os_warn("longhaul=%s: no table of this kernel's basic blocks there; build kernel and table anew\n", line);
		exit(1);
	}
	longhaul_os_seed(longhaul_page->seed);
	close_all((int[]){ page_fd, blocks_fd, root_fd, files_fd }, 4);
	longhaul_exchange(LH_OP_ATTACH);
	return 0;
}
__uml_setup("longhaul=", longhaul_setup,
"longhaul=<page fd>,<ram fd>,<blocks fd>,<root fd>,<files fd>\n"
"    The simulator that this kernel is a guest of.\n\n");
