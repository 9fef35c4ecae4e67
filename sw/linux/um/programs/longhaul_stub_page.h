/* SPDX-License-Identifier: GPL-2.0 */
/* The stub's page, whose begin and end the linker knows (longhaul.lds.S). */
#ifndef __UM_LONGHAUL_STUB_PAGE_H
#define __UM_LONGHAUL_STUB_PAGE_H

extern char longhaul_stub_begin[], longhaul_stub_end[];
void longhaul_stub_handler(int signal, void *info, void *context);
void longhaul_stub_child(void);

#endif
