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
	char path[];
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
	free(file);
}

void open_files_close(struct open_files *open)
{
	tdestroy(open->files, close_file);
	open->files = NULL;
	open->nr = 0;
}

static struct open_file *make_key(const char *path)
{
	size_t bytes = strlen(path) + 1;
	struct open_file *key = malloc(sizeof(*key) + bytes);

	if (key)
		memcpy(key->path, path, bytes);
	return key;
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

/* Keeps @key, if there is room. Return: whether it does. */
static bool keep(struct open_files *open, struct open_file *key)
{
	if (open->nr >= open->most || !tsearch(key, &open->files, compare))
		return false;
	open->nr++;
	return true;
}

/*
 * A file of sysfs that was removed gives ENODEV, also if there is a new one of its name. A copy
 * that was replaced has no name any more.
 */
static struct open_file *find(struct open_files *open, const struct open_file *key, off_t at)
{
	struct open_file **found = tfind(key, &open->files, compare);

	if (!found)
		return NULL;
	if (at || disk_is_there((*found)->fd))
		return *found;
	forget(open, *found);
	return NULL;
}

ssize_t open_files_read_at(struct open_files *open, const char *path, char *buf, size_t size,
			   off_t at)
{
	struct open_file *key = make_key(path), *file;
	ssize_t len = -ENODEV;

	if (!key)
		return -ENOMEM;
	file = find(open, key, at);
	if (file) {
		len = disk_read_at(file->fd, buf, size, at);
		if (len == -ENODEV)
			forget(open, file);
	}
	if (len != -ENODEV) {
		free(key);
		return len;
	}
	key->fd = open_path(open, path);
	if (key->fd < 0) {
		len = key->fd;
		free(key);
		return len;
	}
	len = disk_read_at(key->fd, buf, size, at);
	if (len < 0 || !keep(open, key))
		close_file(key);
	return len;
}

ssize_t open_files_read(struct open_files *open, const char *path, char *buf, size_t size)
{
	size_t len = 0;
	ssize_t n = 1;

	while (len < size && n > 0) {
		n = open_files_read_at(open, path, buf + len, size - len, len);
		if (n < 0)
			return n;
		len += n;
	}
	return len;
}
