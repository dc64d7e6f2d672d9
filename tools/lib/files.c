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
#include "streams.h"

ssize_t xdisk_list(const char *path, char ***names)
{
	ssize_t nr = disk_list(path, names);

	if (nr == -ENOMEM)
		out_of_memory();
	if (nr < 0)
		*names = xcalloc(1, sizeof(**names));
	return nr;
}

void die_of_file(const struct error_kind *kind, const char *name)
{
	bool writes = kind == ERR_CANNOT_WRITE;

	if (errno == EACCES)
		die(ERR_PERMISSION_DENIED, "%s: permission denied; %s", name,
		    writes ? "be root, or name another file" : "be root, or its owner");
	die(kind, "%s: %s", name, strerror(errno));
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
		die_of_file(ERR_CANNOT_WRITE, name);
	return file;
}

/* rename() must not replace a device, a pipe or a link. */
static bool is_replaceable(const char *path)
{
	struct stat st;

	return lstat(path, &st) ? errno == ENOENT : S_ISREG(st.st_mode);
}

static void remove_temporary(void *output)
{
	unlink(((struct output *)output)->temporary);
}

void output_open(struct output *output, const char *name)
{
	int fd;

	*output = (struct output) { .file = stdout, .name = name };
	if (!name)
		return;
	if (!is_replaceable(name)) {
		output->file = create_private(name);
		return;
	}
	output->temporary = format_string("%s.XXXXXX", name);
	fd = mkostemp(output->temporary, O_CLOEXEC);
	if (fd < 0)
		die_of_file(ERR_CANNOT_WRITE, name);
	before_dying(remove_temporary, output);
	output->file = fdopen(fd, "w");
	if (!output->file)
		out_of_memory();
}

void output_close(struct output *output)
{
	if (!output->name) {
		flush_output(output->file);
		return;
	}
	flush_file(output->file, output->name);
	if ((output->temporary && fsync(fileno(output->file))) || fclose(output->file) ||
	    (output->temporary && rename(output->temporary, output->name)))
		die_of_file(ERR_CANNOT_WRITE, output->name);
	before_dying(NULL, NULL);
	free(output->temporary);
}

void output_drop(struct output *output)
{
	fclose(output->file);
	remove_temporary(output);
	before_dying(NULL, NULL);
	free(output->temporary);
}

bool is_same_file(const char *in, const char *out)
{
	bool named = out && strcmp(out, "-");
	struct stat from, to;

	return !stat(in, &from) && S_ISREG(from.st_mode) &&
	       !(named ? stat(out, &to) : fstat(STDOUT_FILENO, &to)) &&
	       from.st_dev == to.st_dev && from.st_ino == to.st_ino;
}
