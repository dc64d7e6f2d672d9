// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* The machine that doctor looks at: this one, or a copy of its files. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "common.h"
#include "machine.h"

static char *full_path(const struct machine *machine, const char *path)
{
	return format_string("%s%s", machine->root, path);
}

/* Takes the path, which it frees. Return: a descriptor, or a negative errno. */
static int open_file(char *path)
{
	/* A copy may hold a fifo, for which nobody writes. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	int error = errno;

	free(path);
	return fd < 0 ? -error : fd;
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

/* Takes the path, which it frees. */
static ssize_t read_text(char *path, char *text, size_t size)
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

ssize_t machine_read(const struct machine *machine, const char *path, char *text, size_t size)
{
	return read_text(full_path(machine, path), text, size);
}

ssize_t module_read(const struct machine *machine, const char *path, char *text, size_t size)
{
	return read_text(format_string("%s/%s", machine->module, path), text, size);
}

bool machine_read_end(const struct machine *machine, const char *path, char *end, size_t size)
{
	int fd = open_file(full_path(machine, path));
	bool whole;

	if (fd < 0)
		return false;
	whole = lseek(fd, -(off_t)size, SEEK_END) >= 0 &&
		read_whole(fd, end, size) == (ssize_t)size;
	close(fd);
	return whole;
}

bool machine_read_link(const struct machine *machine, const char *path, char *to, size_t size)
{
	char *full = full_path(machine, path);
	ssize_t len = readlink(full, to, size - 1);

	free(full);
	if (len < 0)
		return false;
	to[len] = '\0';
	return true;
}

bool machine_may_read(const struct machine *machine, const char *path)
{
	char *full = full_path(machine, path);
	bool may = !access(full, R_OK);

	free(full);
	return may;
}

/* Takes the path, which it frees. */
static char **list(char *path)
{
	char **names = grow(NULL, 1, sizeof(*names));
	DIR *dir = opendir(path);
	struct dirent *entry;
	size_t nr = 0;

	free(path);
	while (dir && (entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue;
		names = grow(names, nr + 2, sizeof(*names));
		names[nr++] = copy_string(entry->d_name);
	}
	if (dir)
		closedir(dir);
	names[nr] = NULL;
	return names;
}

char **machine_list(const struct machine *machine, const char *path)
{
	return list(full_path(machine, path));
}

char **module_list(const struct machine *machine)
{
	return list(copy_string(machine->module));
}

void machine_free_names(char **names)
{
	for (size_t i = 0; names[i]; i++)
		free(names[i]);
	free(names);
}

bool module_is_there(const struct machine *machine)
{
	return !access(machine->module, F_OK);
}
