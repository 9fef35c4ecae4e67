/* SPDX-License-Identifier: GPL-2.0 */
/* Takes from the kernel's process what a running guest does not need of the host. */
#ifndef __UM_LONGHAUL_CONFINE_H
#define __UM_LONGHAUL_CONFINE_H

/* 0, or the number of the host's error. `traces`: the kernel's programs are traced. */
int longhaul_confine(int traces);

#endif
