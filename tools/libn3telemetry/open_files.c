// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Files that stay open between reads. */
#include <errno.h>
#include <search.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "lib/disk.h"
#include "open_files.h"

struct open_file {
	int fd;
	char *path;
};

static int compare(const void *a, const void *b)
{
	return strcmp(((const struct open_file *)a)->path, ((const struct open_file *)b)->path);
}

void open_files_begin(struct open_files *open)
{
	struct rlimit limit;

	open->most = 0;
	if (!getrlimit(RLIMIT_NOFILE, &limit))
		open->most = limit.rlim_cur / 2;
}

static void close_file(void *file)
{
	disk_close(((struct open_file *)file)->fd);
	free(((struct open_file *)file)->path);
	free(file);
}

void open_files_close(struct open_files *open)
{
	tdestroy(open->files, close_file);
	open->files = NULL;
	open->nr = 0;
}

static void forget(struct open_files *open, struct open_file *file)
{
	tdelete(file, &open->files, compare);
	open->nr--;
	close_file(file);
}

/* Another user of the process may have taken the descriptors: give back all of ours. */
static int open_path(struct open_files *open, const char *path)
{
	int fd = disk_open(path);

	if (fd != -EMFILE || !open->nr)
		return fd;
	open_files_close(open);
	open->most = 0;
	return disk_open(path);
}

/* Return: false if there is no room. */
static bool keep(struct open_files *open, int fd, const char *path)
{
	struct open_file *file;

	if (open->nr >= open->most)
		return false;
	file = malloc(sizeof(*file));
	if (!file)
		return false;
	*file = (struct open_file) { .fd = fd, .path = strdup(path) };
	if (!file->path || !tsearch(file, &open->files, compare)) {
		free(file->path);
		free(file);
		return false;
	}
	open->nr++;
	return true;
}

ssize_t open_files_read_at(struct open_files *open, const char *path, char *buf, size_t size,
			   off_t at)
{
	const struct open_file key = { .path = (char *)path };
	struct open_file **found = tfind(&key, &open->files, compare);
	ssize_t len = -ENODEV;
	int fd;

	/* A file of sysfs that was removed gives ENODEV, also if there is a new one of its name. */
	if (found)
		len = disk_read_at((*found)->fd, buf, size, at);
	if (len != -ENODEV)
		return len;
	if (found)
		forget(open, *found);
	fd = open_path(open, path);
	if (fd < 0)
		return fd;
	len = disk_read_at(fd, buf, size, at);
	if (len < 0 || !keep(open, fd, path))
		disk_close(fd);
	return len;
}

/* A file of sysfs comes with one read. */
ssize_t open_files_read(struct open_files *open, const char *path, char *buf, size_t size)
{
	return open->most ? open_files_read_at(open, path, buf, size, 0) :
			    disk_read(path, buf, size);
}
