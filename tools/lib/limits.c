// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The limit of open files. */
#include <sys/resource.h>

#include "limits.h"

/* That of the process when it was started; .rlim_max is 0 until it was raised. */
static struct rlimit limit;

void limits_raise(void)
{
	struct rlimit raised;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return;
	raised = limit;
	raised.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &raised);
}

void limits_restore(void)
{
	if (limit.rlim_max)
		setrlimit(RLIMIT_NOFILE, &limit);
}
