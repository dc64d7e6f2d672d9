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

/* Takes the path, which it frees. */
static ssize_t read_text(char *path, char *text, size_t size)
{
	size_t len = 0;
	ssize_t n = 0;
	int fd, error;

	text[0] = '\0';
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	error = errno;
	free(path);
	if (fd < 0)
		return -error;
	while (len < size - 1) {
		n = read(fd, text + len, size - 1 - len);
		if (n <= 0 && errno == EINTR && n < 0)
			continue;
		if (n <= 0)
			break;
		len += n;
	}
	error = errno;
	close(fd);
	text[len] = '\0';
	return n < 0 ? -error : (ssize_t)len;
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
	char *full = full_path(machine, path);
	FILE *file = fopen(full, "rb");
	bool whole;

	free(full);
	if (!file)
		return false;
	whole = !fseek(file, -(long)size, SEEK_END) && fread(end, 1, size, file) == size;
	fclose(file);
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
