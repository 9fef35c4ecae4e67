/* SPDX-License-Identifier: GPL-2.0 */
/* What needs the host's libc: the shared page and its turns, RAM, images of disks, randomness. */
#ifndef __UM_LONGHAUL_OS_H
#define __UM_LONGHAUL_OS_H

#include "longhaul_abi.h"

/* What a guest takes for its host's name. */
#define LONGHAUL_HOST "longhaul"
/* Where the address space of a process ends on the host, with four levels of page tables. */
#define LONGHAUL_HOST_END 0x7ffffffff000UL

/* Null until the kernel has attached, which is before anything that tells the time. */
extern struct lh_page *longhaul_page;
/* Below 0 until then. */
extern int longhaul_ram_fd;

/* The image of a disk, mapped; no bytes: there is no such disk. */
struct longhaul_image {
	const char *start;
	unsigned long long bytes;
};

#define LONGHAUL_DISKS 2
extern struct longhaul_image longhaul_images[LONGHAUL_DISKS];

/* Gives the turn to the simulator and returns with the next one. */
void longhaul_os_hand_over(struct lh_page *page);
/* Lets the random numbers begin. */
void longhaul_os_seed(unsigned long long seed);
void longhaul_os_random(void *buffer, unsigned long bytes);

#endif
