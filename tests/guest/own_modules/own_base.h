/* SPDX-License-Identifier: GPL-2.0 */
int own_base(int n);
