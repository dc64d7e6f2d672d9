// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * LD_PRELOAD: a command, $ON_SLEEP, instead of each sleep. Its failure ends the program. With
 * $NO_ROOT each directory looks like one of cgroups.
 */
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <time.h>

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time,
		    struct timespec *left)
{
	const char *command = getenv("ON_SLEEP");

	(void)clock;
	(void)flags;
	(void)time;
	(void)left;
	/* The command may sleep. */
	unsetenv("LD_PRELOAD");
	if (system(command))
		abort();
	return 0;
}

int statfs(const char *path, struct statfs *fs)
{
	(void)path;
	memset(fs, 0, sizeof(*fs));
	fs->f_type = getenv("NO_ROOT") ? CGROUP2_SUPER_MAGIC : 0;
	return 0;
}
