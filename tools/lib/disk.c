// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* File access by absolute path. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "disk.h"
#include "names.h"

int disk_open(const char *path)
{
	/* Opening a FIFO in a copy would block. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st = { 0 };

	if (fd < 0)
		return -errno;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode))
		return fd;
	close(fd);
	return S_ISDIR(st.st_mode) ? -EISDIR : -EINVAL;
}

ssize_t disk_read_at(int fd, char *buf, size_t size, off_t at)
{
	ssize_t n;

	do {
		n = pread(fd, buf, size, at);
	} while (n < 0 && errno == EINTR);
	return n < 0 ? -errno : n;
}

void disk_close(int fd)
{
	close(fd);
}

/* Return: the number of bytes, or a negative errno. */
static ssize_t read_whole(int fd, char *buf, size_t size)
{
	size_t len = 0;
	ssize_t n;

	while (len < size) {
		n = read(fd, buf + len, size - len);
		if (n > 0)
			len += n;
		else if (!n)
			break;
		else if (errno != EINTR)
			return -errno;
	}
	return len;
}

ssize_t disk_read(const char *path, char *buf, size_t size)
{
	int fd = disk_open(path);
	ssize_t len;

	if (fd < 0)
		return fd;
	len = read_whole(fd, buf, size);
	close(fd);
	return len;
}

bool disk_read_end(const char *path, char *buf, size_t size)
{
	int fd = disk_open(path);
	bool whole;

	if (fd < 0)
		return false;
	whole = lseek(fd, -(off_t)size, SEEK_END) >= 0 &&
		read_whole(fd, buf, size) == (ssize_t)size;
	close(fd);
	return whole;
}

ssize_t disk_read_link(const char *path, char *buf, size_t size)
{
	ssize_t len = readlink(path, buf, size);

	return len < 0 ? -errno : len;
}

bool disk_may_read(const char *path)
{
	return !access(path, R_OK);
}

int disk_find_directory(const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return -errno;
	return S_ISDIR(st.st_mode) ? 0 : -ENOTDIR;
}

/* Return: false if out of memory. */
static bool add_name(char ***names, size_t nr, const char *name)
{
	char **longer = reallocarray(*names, nr + 2, sizeof(**names));

	if (!longer)
		return false;
	*names = longer;
	longer[nr] = strdup(name);
	longer[nr + 1] = NULL;
	return longer[nr];
}

/* Some file systems leave the type out. */
static bool is_directory(DIR *dir, const struct dirent *entry)
{
	struct stat st;

	if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
		return false;
	if (entry->d_type != DT_UNKNOWN)
		return entry->d_type == DT_DIR;
	return !fstatat(dirfd(dir), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) &&
	       S_ISDIR(st.st_mode);
}

/* Return: the number of names, or -ENOMEM. */
static ssize_t list_names(DIR *dir, char ***names, bool directories)
{
	struct dirent *entry;
	size_t nr = 0;

	*names = calloc(1, sizeof(**names));
	if (!*names)
		return -ENOMEM;
	while ((entry = readdir(dir))) {
		if (directories ? !is_directory(dir, entry) : entry->d_name[0] == '.')
			continue;
		if (!add_name(names, nr, entry->d_name))
			return -ENOMEM;
		nr++;
	}
	return nr;
}

static ssize_t list(const char *path, char ***names, bool directories)
{
	DIR *dir = opendir(path);
	ssize_t nr;

	*names = NULL;
	if (!dir)
		return -errno;
	nr = list_names(dir, names, directories);
	closedir(dir);
	if (nr < 0) {
		free_names(*names);
		*names = NULL;
	}
	return nr;
}

ssize_t disk_list(const char *path, char ***names)
{
	return list(path, names, false);
}

ssize_t disk_list_directories(const char *path, char ***names)
{
	return list(path, names, true);
}

bool disk_find_inode(const char *path, unsigned long long *inode)
{
	struct stat st;

	if (stat(path, &st))
		return false;
	*inode = st.st_ino;
	return true;
}

bool disk_is_cgroup2(const char *path)
{
	struct statfs fs;

	return !statfs(path, &fs) && fs.f_type == CGROUP2_SUPER_MAGIC;
}
