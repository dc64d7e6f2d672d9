// SPDX-License-Identifier: GPL-2.0
/*
 * write_cost FILE TEXT... - nanoseconds of writing each text to a file, one
 * after another, a line each. If time is counted in instructions these are the
 * instructions of all CPUs meanwhile, provided one of them always runs.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static unsigned long now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ul + now.tv_nsec;
}

int main(int argc, char **argv)
{
	int fd = argc > 2 ? open(argv[1], O_WRONLY) : -1;

	for (int i = 2; fd >= 0 && i < argc; i++) {
		unsigned long begin = now_ns();

		if (pwrite(fd, argv[i], strlen(argv[i]), 0) < 0) {
			perror(argv[1]);
			return 1;
		}
		printf("%s %lu\n", argv[i], now_ns() - begin);
	}
	return fd < 0;
}
