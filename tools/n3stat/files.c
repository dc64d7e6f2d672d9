// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Files by their whole paths: all that machine.c asks the system for. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common.h"
#include "files.h"

/* Return: a descriptor, or a negative errno. */
static int open_file(const char *path)
{
	/* A copy may hold a fifo, for which nobody writes. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;

	if (fd < 0)
		return -errno;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode))
		return fd;
	close(fd);
	return -EINVAL;
}

/* Return: the number of bytes, or a negative errno. */
static ssize_t read_whole(int fd, char *text, size_t size)
{
	size_t len = 0;
	ssize_t n;

	while (len < size) {
		n = read(fd, text + len, size - len);
		if (n > 0)
			len += n;
		else if (!n)
			break;
		else if (errno != EINTR)
			return -errno;
	}
	return len;
}

ssize_t file_read(const char *path, char *text, size_t size)
{
	int fd = open_file(path);
	ssize_t len;

	text[0] = '\0';
	if (fd < 0)
		return fd;
	len = read_whole(fd, text, size - 1);
	close(fd);
	text[len < 0 ? 0 : len] = '\0';
	return len;
}

bool file_read_end(const char *path, char *end, size_t size)
{
	int fd = open_file(path);
	bool whole;

	if (fd < 0)
		return false;
	whole = lseek(fd, -(off_t)size, SEEK_END) >= 0 &&
		read_whole(fd, end, size) == (ssize_t)size;
	close(fd);
	return whole;
}

bool file_read_link(const char *path, char *to, size_t size)
{
	ssize_t len = readlink(path, to, size - 1);

	if (len < 0)
		return false;
	to[len] = '\0';
	return true;
}

bool file_may_read(const char *path)
{
	return !access(path, R_OK);
}

bool file_is_there(const char *path)
{
	return !access(path, F_OK);
}

char **file_list(const char *path)
{
	char **names = xreallocarray(NULL, 1, sizeof(*names));
	DIR *dir = opendir(path);
	struct dirent *entry;
	size_t nr = 0;

	while (dir && (entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue;
		names = xreallocarray(names, nr + 2, sizeof(*names));
		names[nr++] = xstrdup(entry->d_name);
	}
	if (dir)
		closedir(dir);
	names[nr] = NULL;
	return names;
}
