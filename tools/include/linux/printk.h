/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* User-space subset of the kernel header of the same name. */
#ifndef _N3T_SHIM_LINUX_PRINTK_H
#define _N3T_SHIM_LINUX_PRINTK_H

#include <stdio.h>

#define pr_err(...)	fprintf(stderr, __VA_ARGS__)

#endif /* _N3T_SHIM_LINUX_PRINTK_H */
