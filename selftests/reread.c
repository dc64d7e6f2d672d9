// SPDX-License-Identifier: GPL-2.0
/*
 * reread FILE... - opens the files and reads them in turn, repeatedly, until it
 * is killed. A file that does not open, or was removed, is skipped.
 *
 * A shell opens the file for each read. That makes fewer reads, and blinds KCSAN: the
 * lookup of a path declares the next hundred or so accesses as atomic.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	static char text[65536];
	int *fds = calloc(argc, sizeof(*fds));

	if (!fds)
		return 1;
	for (int i = 1; i < argc; i++)
		fds[i] = open(argv[i], O_RDONLY);
	for (;;)
		for (int i = 1; i < argc; i++)
			if (fds[i] >= 0 && pread(fds[i], text, sizeof(text), 0) < 0)
				usleep(1000);
}
