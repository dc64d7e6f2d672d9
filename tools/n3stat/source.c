// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Where values come from: the module's folder in sysfs or a copy of it. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common.h"
#include "source.h"

static const char *root = SOURCE_DEFAULT;

static void __noreturn failed(const char *path, int error)
{
	if (error == EACCES || error == EPERM)
		die(EXIT_DENIED, "%s: permission denied; be root or in the module's gid= group",
		    path);
	die(EXIT_OTHER, "%s: %s", path, strerror(error));
}

/* Tells a module that is not there from a folder that cannot be read. */
static void check(void)
{
	struct stat st;

	if (!stat(root, &st)) {
		if (!S_ISDIR(st.st_mode))
			die(EXIT_NO_MODULE, "%s: not a directory", root);
		return;
	}
	if (errno != ENOENT && errno != ENOTDIR)
		failed(root, errno);
	if (!source_info().live)
		die(EXIT_NO_MODULE, "%s: no such directory", root);
	die(EXIT_NO_MODULE,
	    "the module is not loaded (no %s); try: modprobe n3_telemetry, or: n3stat doctor",
	    root);
}

void source_open(const char *folder)
{
	root = folder;
	check();
}

struct source_info source_info(void)
{
	return (struct source_info) {
		.name = root,
		.live = !strcmp(root, SOURCE_DEFAULT),
	};
}

static const char *full_path(const char *path)
{
	static char full[PATH_MAX];

	if (snprintf(full, sizeof(full), "%s/%s", root, path) >= PATH_MAX)
		die(EXIT_OTHER, "%s: name too long", root);
	return full;
}

/* Return: the number of bytes, or a negative errno. */
static ssize_t read_whole(const char *path, char *text, size_t size)
{
	size_t len = 0;
	ssize_t n;
	int fd;

	/* A copy may hold a fifo, for which nobody writes. */
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return -errno;
	do {
		n = read(fd, text + len, size - len);
		if (n > 0)
			len += n;
	} while ((n > 0 && len < size) || (n < 0 && errno == EINTR));
	n = n < 0 ? -errno : (ssize_t)len;
	close(fd);
	return len == size ? -EFBIG : n;
}

/* A copy may hold anything; a terminal shall not act on it. */
static void make_printable(char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (text[i] != '\n' && text[i] != ' ' && !isgraph((unsigned char)text[i]))
			text[i] = '?';
}

ssize_t source_read(const char *path, const char **text)
{
	static char buffer[SOURCE_MAX_TEXT];
	const char *full = full_path(path);
	ssize_t len = read_whole(full, buffer, sizeof(buffer) - 1);

	if (len == -ENOENT || len == -ENODEV || len == -ENOTDIR || len == -EISDIR) {
		/* A CPU's folder may go; the module may, too. */
		check();
		return len;
	}
	if (len < 0)
		failed(full, -len);
	make_printable(buffer, len);
	buffer[len] = '\0';
	*text = buffer;
	return len;
}

static int is_shown(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

size_t source_list(const char *folder, char ***names)
{
	const char *full = *folder ? full_path(folder) : root;
	struct dirent **entries;
	int n;

	*names = NULL;
	n = scandir(full, &entries, is_shown, versionsort);
	if (n < 0) {
		if (errno == EACCES || errno == EPERM)
			failed(full, errno);
		check();
		return 0;
	}
	*names = xreallocarray(NULL, n, sizeof(**names));
	for (int i = 0; i < n; i++) {
		(*names)[i] = xstrdup(entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	return n;
}

void source_free_names(char **names, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		free(names[i]);
	free(names);
}
