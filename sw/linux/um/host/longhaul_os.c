// SPDX-License-Identifier: GPL-2.0
/* The part of the coupling that talks to the host: the shared page's futex, seeded randomness. */
#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <longhaul_os.h>

struct lh_page *longhaul_page;
int longhaul_ram_fd = -1;
struct longhaul_image longhaul_images[LONGHAUL_DISKS];
static unsigned long long random_state;

void longhaul_os_hand_over(struct lh_page *page)
{
	int saved_errno = errno;

	__atomic_store_n(&page->turn, LH_TURN_SIMULATOR, __ATOMIC_RELEASE);
	syscall(SYS_futex, &page->turn, FUTEX_WAKE, 1, NULL, NULL, 0);
	while (__atomic_load_n(&page->turn, __ATOMIC_ACQUIRE) != LH_TURN_GUEST)
		syscall(SYS_futex, &page->turn, FUTEX_WAIT, LH_TURN_SIMULATOR, NULL, NULL, 0);
	errno = saved_errno;
}

void longhaul_os_seed(unsigned long long seed)
{
	random_state = seed;
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
