// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* A fake disk: files in memory. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "lib/disk.h"
#include "lib/memory.h"

static struct {
	char *path;
	char *text;
} *files;
static size_t nr_files;

void fuzz_tree_clear(void)
{
	for (size_t i = 0; i < nr_files; i++) {
		free(files[i].path);
		free(files[i].text);
	}
	nr_files = 0;
}

void fuzz_tree_add(char *path, char *text)
{
	files = xreallocarray(files, nr_files + 1, sizeof(*files));
	files[nr_files].path = path;
	files[nr_files++].text = text;
}

void fuzz_add_damaged(char *path, char *text)
{
	size_t size = strlen(text), len = strlen(path);

	if (fuzz_below(16) == 0)
		fuzz_mutate(&text, &size);
	if (fuzz_below(64) == 0)
		fuzz_mutate(&path, &len);
	fuzz_tree_add(path, text);
}

static const char *without_root(const char *path)
{
	return path + strspn(path, "/");
}

static const char *text_of(const char *path)
{
	const char *text = NULL;

	path = without_root(path);
	/* Files appear and disappear; duplicates have different contents. */
	for (size_t i = 0; i < nr_files && fuzz_below(2000); i++) {
		if (strcmp(files[i].path, path))
			continue;
		text = files[i].text;
		if (fuzz_below(2))
			break;
	}
	return text;
}

ssize_t disk_read(const char *path, char *buf, size_t size)
{
	const char *text = text_of(path);
	size_t len = text ? strnlen(text, size) : 0;

	if (!text)
		return fuzz_below(512) ? -ENOENT : -EACCES;
	memcpy(buf, text, len);
	return len;
}

/* Descriptors are positions in the list of files; a file may get another one with each read. */
int disk_open(const char *path)
{
	const char *text = text_of(path);

	for (size_t i = 0; text && i < nr_files; i++)
		if (files[i].text == text)
			return i;
	return fuzz_below(512) ? -ENOENT : -EACCES;
}

ssize_t disk_read_at(int fd, char *buf, size_t size, off_t at)
{
	size_t len;

	if ((size_t)fd >= nr_files || !fuzz_below(2000))
		return -ENODEV;
	len = strlen(files[fd].text);
	if ((size_t)at >= len)
		return 0;
	if (size > len - at)
		size = len - at;
	memcpy(buf, files[fd].text + at, size);
	return size;
}

void disk_close(int fd)
{
	(void)fd;
}

bool disk_read_end(const char *path, char *buf, size_t size)
{
	const char *text = text_of(path);

	if (!text || strlen(text) < size)
		return false;
	memcpy(buf, text + strlen(text) - size, size);
	return true;
}

ssize_t disk_read_link(const char *path, char *buf, size_t size)
{
	return disk_read(path, buf, size);
}

bool disk_may_read(const char *path)
{
	(void)path;
	return fuzz_below(8);
}

/* Return: the rest of the file's path below the directory, or NULL. */
static const char *name_below(size_t file, const char *directory)
{
	const char *path = files[file].path;
	size_t len = strlen(directory);

	if (!len)
		return path;
	return strncmp(path, directory, len) || path[len] != '/' ? NULL : path + len + 1;
}

int disk_find_directory(const char *path)
{
	path = without_root(path);
	for (size_t i = 0; i < nr_files; i++)
		if (name_below(i, path))
			return 0;
	return -ENOENT;
}

static bool has(char **names, size_t nr, const char *name, size_t len)
{
	for (size_t i = 0; i < nr; i++)
		if (strlen(names[i]) == len && !strncmp(names[i], name, len))
			return true;
	return false;
}

static ssize_t list(const char *path, char ***names, bool directories)
{
	size_t nr = 0;

	*names = xreallocarray(NULL, 1, sizeof(**names));
	for (size_t i = 0; i < nr_files; i++) {
		const char *name = name_below(i, without_root(path));

		if (!name || (directories && !strchr(name, '/')) ||
		    has(*names, nr, name, strcspn(name, "/")))
			continue;
		*names = xreallocarray(*names, nr + 2, sizeof(**names));
		(*names)[nr++] = format_string("%.*s", (int)strcspn(name, "/"), name);
	}
	(*names)[nr] = NULL;
	if (nr)
		return nr;
	free(*names);
	*names = NULL;
	return -ENOENT;
}

ssize_t disk_list(const char *path, char ***names)
{
	return list(path, names, false);
}

ssize_t disk_list_directories(const char *path, char ***names)
{
	return list(path, names, true);
}

/* The number of letters below sys/fs/cgroup, which has 1, as the root of cgroups. */
bool disk_find_inode(const char *path, unsigned long long *inode)
{
	*inode = strlen(without_root(path)) - strlen("sys/fs/cgroup") + 1;
	return !disk_find_directory(path);
}

bool disk_is_cgroup2(const char *path)
{
	return !disk_find_directory(path) && fuzz_below(8);
}
