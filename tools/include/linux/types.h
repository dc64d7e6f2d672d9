/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* User-space subset of the kernel header of the same name. */
#ifndef _N3T_SHIM_LINUX_TYPES_H
#define _N3T_SHIM_LINUX_TYPES_H

#include_next <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef signed char s8;
typedef short s16;
typedef int s32;
typedef long long s64;

#endif /* _N3T_SHIM_LINUX_TYPES_H */
