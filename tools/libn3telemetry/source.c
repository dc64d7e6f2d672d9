// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Source of values: the module's sysfs directory or a copy of it. */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "lib/disk.h"
#include "lib/util.h"
#include "errors.h"
#include "source.h"

char *(*source_advice)(int error);

static const char *root = SOURCE_DEFAULT;

/* The module checks access in addition to file modes: see its guide, "Who may look". */
static void __noreturn failed(const char *path, int error)
{
	if (error != EACCES && error != EPERM)
		die(ERR_CANNOT_READ, "%s: %s", path, strerror(error));
	die(ERR_PERMISSION_DENIED, "%s: %s%s%s", path,
	    error == EACCES ? "permission denied" : "operation not permitted",
	    source_info().live && source_advice ? "; " : "",
	    source_info().live && source_advice ? source_advice(error) : "");
}

/* Distinguishes a missing module from an unreadable directory. */
static void check(void)
{
	int error = disk_find_directory(root);

	if (!error)
		return;
	if (error != -ENOENT && error != -ENOTDIR)
		failed(root, -error);
	if (!source_info().live)
		die(ERR_NO_DIRECTORY, "%s: %s", root,
		    error == -ENOTDIR ? "not a directory" : "no such directory");
	die(ERR_NO_MODULE,
	    "the module is not loaded (no %s); try: modprobe n3_telemetry, or: n3stat doctor",
	    root);
}

void source_open(const char *directory)
{
	root = directory;
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
		die(ERR_CANNOT_READ, "%s: name too long", root);
	return full;
}

/* A copy is untrusted: keep control characters off the terminal. */
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
	ssize_t len = disk_read(full, buffer, sizeof(buffer));

	if (len == -ENOENT || len == -ENODEV || len == -ENOTDIR || len == -EISDIR) {
		/* A CPU's directory may vanish, and so may the module. */
		check();
		return len;
	}
	if (len < 0)
		failed(full, -len);
	if (len == sizeof(buffer))
		failed(full, EFBIG);
	make_printable(buffer, len);
	buffer[len] = '\0';
	*text = buffer;
	return len;
}

static int compare(const void *a, const void *b)
{
	return strverscmp(*(char * const *)a, *(char * const *)b);
}

size_t source_list(const char *directory, char ***names)
{
	const char *full = *directory ? full_path(directory) : root;
	ssize_t nr = xdisk_list(full, names);

	if (nr == -EACCES || nr == -EPERM)
		failed(full, -nr);
	if (nr < 0) {
		check();
		return 0;
	}
	qsort(*names, nr, sizeof(**names), compare);
	return nr;
}
