// SPDX-License-Identifier: GPL-2.0
/*
 * reread [-n TIMES] FILE... - opens the files and reads them in turn,
 * repeatedly, until killed or TIMES times: all records of moments, the text of others.
 * A file that does not open, or was removed, is skipped.
 *
 * A shell opens the file for each read. That gives fewer reads, and blinds
 * KCSAN: a path lookup declares the next hundred or so accesses as atomic.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RECORD	4096	/* bytes that a read() of moments returns */

/* Return: false after an error. */
static bool read_all(int fd)
{
	static char text[65536];
	ssize_t n = 0;
	off_t at = 0;

	do {
		n = pread(fd, text, sizeof(text), at);
		at += n;
	} while (n == RECORD);
	return n >= 0;
}

int main(int argc, char **argv)
{
	int *fds = calloc(argc, sizeof(*fds));
	int first = argc > 2 && !strcmp(argv[1], "-n") ? 3 : 1;
	long times = first > 1 ? atol(argv[2]) : -1;

	if (!fds)
		return 1;
	for (int i = first; i < argc; i++)
		fds[i] = open(argv[i], O_RDONLY);
	for (; times; times -= times > 0)
		for (int i = first; i < argc; i++)
			if (fds[i] >= 0 && !read_all(fds[i]))
				usleep(1000);
	return 0;
}
