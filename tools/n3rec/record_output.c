// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Output file of record. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/files.h"
#include "lib/memory.h"
#include "reader/errors.h"
#include "record_output.h"

/* A recorder holds the lock of its file. */
static void check_unused(const char *name)
{
	int fd = open(name, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	if (flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
		die(ERR_FILE_IN_USE, "%s: another process is writing to it", name);
	close(fd);
}

/* As perf record does. Links and devices stay. */
static void keep_old(const char *name)
{
	struct stat st;
	char *old;

	if (lstat(name, &st) || !S_ISREG(st.st_mode) || !st.st_size)
		return;
	check_unused(name);
	old = format_string("%s.old", name);
	if (rename(name, old))
		die(errno == EACCES ? ERR_PERMISSION_DENIED : ERR_CANNOT_WRITE,
		    "%s: cannot be renamed to %s: %s", name, old, strerror(errno));
	free(old);
}

FILE *record_output_open(const char *name)
{
	if (strcmp(name, "-")) {
		keep_old(name);
		return create_private(name);
	}
	if (isatty(STDOUT_FILENO))
		die(ERR_OUTPUT_TO_TERMINAL,
		    "a recording is not printed on a terminal; write -o FILE");
	return stdout;
}
