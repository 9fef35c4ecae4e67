/* SPDX-License-Identifier: GPL-2.0 */
/* How many of the host's processes a guest may have. */
#ifndef __UM_LONGHAUL_PROCESSES_H
#define __UM_LONGHAUL_PROCESSES_H

/* Called for each address space; false: there are as many as the guest may have. */
_Bool longhaul_process_begins(void);
void longhaul_process_ends(void);
unsigned long longhaul_most_processes(void);

#endif
