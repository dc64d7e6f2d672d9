// SPDX-License-Identifier: GPL-2.0
/*
 * reread [-n TIMES] FILE... - opens the files and reads them in turn,
 * repeatedly, until killed or TIMES times. A file that does not open, or was
 * removed, is skipped.
 *
 * A shell opens the file for each read. That gives fewer reads, and blinds
 * KCSAN: a path lookup declares the next hundred or so accesses as atomic.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	static char text[65536];
	int *fds = calloc(argc, sizeof(*fds));
	int first = argc > 2 && !strcmp(argv[1], "-n") ? 3 : 1;
	long times = first > 1 ? atol(argv[2]) : -1;

	if (!fds)
		return 1;
	for (int i = first; i < argc; i++)
		fds[i] = open(argv[i], O_RDONLY);
	for (; times; times -= times > 0)
		for (int i = first; i < argc; i++)
			if (fds[i] >= 0 && pread(fds[i], text, sizeof(text), 0) < 0)
				usleep(1000);
	return 0;
}
