/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* User-space subset of the kernel header of the same name. */
#ifndef _N3T_SHIM_LINUX_STRING_H
#define _N3T_SHIM_LINUX_STRING_H

#include <linux/ctype.h>
#include <string.h>
#include <strings.h>

static inline char *skip_spaces(const char *text)
{
	while (isspace(*text))
		text++;
	return (char *)text;
}

#endif /* _N3T_SHIM_LINUX_STRING_H */
