// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Standard streams. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "errors.h"
#include "memory.h"
#include "streams.h"

#define STANDARD_OUTPUT	"standard output"

void streams_open(void)
{
	/* Opposite direction: access fails with EBADF, as if it were still closed. */
	static const int flags[] = { O_WRONLY, O_RDONLY, O_RDONLY };

	for (int fd = 0; fd < (int)NR(flags); fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", flags[fd]) != fd)
			die(ERR_SYSTEM_ERROR, "/dev/null: %s", strerror(errno));
}

/* A closed pipe is not an error. An earlier write may have set errno. */
static bool reader_is_gone(int fd)
{
	struct pollfd pollfd = { .fd = fd };
	struct stat stat;

	return !fstat(fd, &stat) && (S_ISFIFO(stat.st_mode) || S_ISSOCK(stat.st_mode)) &&
	       poll(&pollfd, 1, 0) > 0 && pollfd.revents & (POLLERR | POLLHUP);
}

void flush_file(FILE *out, const char *name)
{
	if (!fflush(out) && !ferror(out))
		return;
	if (reader_is_gone(fileno(out)))
		exit(EXIT_SUCCESS);
	die(ERR_CANNOT_WRITE, "%s: %s", name, strerror(errno));
}

void flush_output(FILE *out)
{
	flush_file(out, STANDARD_OUTPUT);
}

void streams_close(void)
{
	bool failed, gone = reader_is_gone(STDOUT_FILENO);

	errno = 0;
	failed = ferror(stdout);
	failed |= fclose(stdout) != 0;
	if (!failed || gone || is_dying())
		return;
	warn(ERR_CANNOT_WRITE, STANDARD_OUTPUT ": %s", strerror(errno ? errno : EIO));
	/* This is an exit() handler, and exit() must not be called again. */
	_exit(EXIT_OTHER);
}
