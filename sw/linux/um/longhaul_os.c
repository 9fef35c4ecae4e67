// SPDX-License-Identifier: GPL-2.0
/* The part of the coupling that talks to the host: mapping the shared page and the disks, the futex, seeded randomness. */
#include <errno.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <init.h>
#include <os.h>
#include <longhaul.h>

struct lh_page *longhaul_page;
int longhaul_ram_fd = -1;
struct longhaul_image longhaul_images[LONGHAUL_DISKS];
static unsigned long long random_state;
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
	if (longhaul_page->block_count && count_blocks(blocks_fd)) {
		os_warn("longhaul=%s: no table of this kernel's basic blocks there; build kernel and table anew\n", line);
		exit(1);
	}
	random_state = longhaul_page->seed;
	close_all((int[]){ page_fd, blocks_fd, root_fd, files_fd }, 4);
	longhaul_exchange(LH_OP_ATTACH);
	return 0;
}
__uml_setup("longhaul=", longhaul_setup,
"longhaul=<page fd>,<ram fd>,<blocks fd>,<root fd>,<files fd>\n"
"    The simulator that this kernel is a guest of.\n\n");

void longhaul_os_hand_over(struct lh_page *page)
{
	int saved_errno = errno;

	__atomic_store_n(&page->turn, LH_TURN_SIMULATOR, __ATOMIC_RELEASE);
	syscall(SYS_futex, &page->turn, FUTEX_WAKE, 1, NULL, NULL, 0);
	while (__atomic_load_n(&page->turn, __ATOMIC_ACQUIRE) != LH_TURN_GUEST)
		syscall(SYS_futex, &page->turn, FUTEX_WAIT, LH_TURN_SIMULATOR, NULL, NULL, 0);
	errno = saved_errno;
}

/* splitmix64 (Steele, Lea, Flood 2014): the same numbers in every run with the same seed. */
static unsigned long long next_random(void)
{
	unsigned long long z = (random_state += 0x9e3779b97f4a7c15ULL);

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return z ^ (z >> 31);
}

void longhaul_os_random(void *buffer, unsigned long bytes)
{
	unsigned char *out = buffer;

	while (bytes) {
		unsigned long long r = next_random();
		unsigned int i;

		for (i = 0; i < sizeof(r) && bytes; i++, bytes--)
			*out++ = r >> (8 * i);
	}
}
