/* SPDX-License-Identifier: GPL-2.0 */
/* Whose floating-point registers a host process of guest programs holds: a part of its mm_id. */
#ifndef __UM_LONGHAUL_FP_OWNER_H
#define __UM_LONGHAUL_FP_OWNER_H

struct longhaul_fp {
	unsigned long *owner; /* the copy of the thread whose registers they are; null: nobody's */
	int newer;            /* the process has run since the copy was made */
};

#endif
