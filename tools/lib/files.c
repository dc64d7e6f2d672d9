// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Files of a command; errors exit. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "disk.h"
#include "errors.h"
#include "files.h"
#include "memory.h"

ssize_t xdisk_list(const char *path, char ***names)
{
	ssize_t nr = disk_list(path, names);

	if (nr == -ENOMEM)
		out_of_memory();
	if (nr < 0)
		*names = xcalloc(1, sizeof(**names));
	return nr;
}

/* Truncates the file unless another process writes to it. */
static bool take_over(int fd, const char *name)
{
	struct stat stat;

	if (fstat(fd, &stat))
		return false;
	if (!S_ISREG(stat.st_mode))
		return true;
	if (flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
		die(ERR_FILE_IN_USE, "%s: another process is writing to it", name);
	return !ftruncate(fd, 0);
}

FILE *create_private(const char *name)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	FILE *file = fd < 0 || !take_over(fd, name) ? NULL : fdopen(fd, "w");
	struct stat st;

	/* An existing file keeps its mode, which may allow others to read. */
	if (file && !fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_mode & 077 && fchmod(fd, 0600))
		die(ERR_PERMISSION_DENIED, "%s: cannot be made private: %s", name, strerror(errno));
	if (!file)
		die(errno == EACCES ? ERR_PERMISSION_DENIED : ERR_CANNOT_WRITE,
		    "%s: %s", name, strerror(errno));
	return file;
}

bool is_same_file(const char *in, const char *out)
{
	bool named = out && strcmp(out, "-");
	struct stat from, to;

	return !stat(in, &from) && S_ISREG(from.st_mode) &&
	       !(named ? stat(out, &to) : fstat(STDOUT_FILENO, &to)) &&
	       from.st_dev == to.st_dev && from.st_ino == to.st_ino;
}
