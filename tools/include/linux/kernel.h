/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* User-space subset of the kernel header of the same name. */
#ifndef _N3T_SHIM_LINUX_KERNEL_H
#define _N3T_SHIM_LINUX_KERNEL_H

#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/printk.h>
#include <linux/types.h>
#include <stdarg.h>

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))
#define BUILD_BUG_ON(condition)	_Static_assert(!(condition), #condition)

/* As snprintf(), but returns the length written: less than @size unless @size is 0. */
static inline int scnprintf(char *buf, size_t size, const char *format, ...)
{
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(buf, size, format, args);
	va_end(args);
	return (size_t)len < size ? len : (int)size - !!size;
}

#endif /* _N3T_SHIM_LINUX_KERNEL_H */
