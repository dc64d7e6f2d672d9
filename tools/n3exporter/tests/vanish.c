// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Preloaded into n3-exporter: the module's files vanish from the directory $VANISHING when the
 * first file of totals is opened.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void vanish(const char *file)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s", getenv("VANISHING"), file);
	unlink(path);
}

int open(const char *path, int flags, ...)
{
	if (strstr(path, "/counters/time")) {
		vanish("spec");
		vanish("status");
	}
	/* Nothing is created. */
	return openat(AT_FDCWD, path, flags);
}
