// SPDX-License-Identifier: GPL-2.0
/*
 * reread FILE... - opens the files and reads them in turn, again and again, until it
 * is killed. A file that does not open, or is gone, is passed over.
 *
 * A shell opens a file for each reading. That makes fewer readings, and blinds
 * KCSAN: the look-up of a path declares some hundred accesses to come as atomic.
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
