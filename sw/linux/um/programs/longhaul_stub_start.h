/* SPDX-License-Identifier: GPL-2.0 */
/* How programs run, and the process that theirs are made from. */
#ifndef __UM_LONGHAUL_STUB_START_H
#define __UM_LONGHAUL_STUB_START_H

/*
 * Decides how programs run, and prepares it. Returns `longhaul_stubs`. Called before the kernel is
 * confined; later calls return what was decided.
 */
int longhaul_stubs_start(void);

#endif
