// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Preloaded into n3-exporter: its clocks are ahead by the seconds in the file $LATER. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *now)
{
	FILE *file = fopen(getenv("LATER"), "r");
	long seconds = 0;

	if (file) {
		if (fscanf(file, "%ld", &seconds) != 1)
			abort();
		fclose(file);
	}
	if (syscall(SYS_clock_gettime, clock, now))
		return -1;
	now->tv_sec += seconds;
	return 0;
}
