/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What the pure units take from the kernel's header of this name. */
#ifndef _N3T_SHIM_LINUX_KERNEL_H
#define _N3T_SHIM_LINUX_KERNEL_H

#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/printk.h>
#include <linux/types.h>
#include <stdarg.h>

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))
#define BUILD_BUG_ON(condition)	_Static_assert(!(condition), #condition)

/* As snprintf(), but returns what was written: less than a size that is not 0. */
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
