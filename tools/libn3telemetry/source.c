// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Source of values: the module's sysfs directory or a copy of it. */
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "lib/cpu_list.h"
#include "lib/disk.h"
#include "lib/machine.h"
#include "lib/names.h"
#include "source.h"

/* EPERM is from the check of the module, EACCES from the mode of a copy or a security module. */
static bool failed(struct source *source, const char *path, int error)
{
	const char *text;
	const struct error_kind *kind = access_error(error, &text);

	failure_set(&source->failure, kind, "%s: %s", path, text);
	if (kind == ERR_PERMISSION_DENIED && source->failure.text)
		source->failure.denied = error;
	return false;
}

/* Distinguishes a missing module from an unreadable directory. */
static bool check(struct source *source)
{
	int error = -disk_find_directory(source->root);

	if ((error == ENOENT || error == ENOTDIR) && source_is_live(source))
		return failure_set(&source->failure, ERR_NO_MODULE,
				   "the module is not loaded (no %s)", source->root);
	return !error || failed(source, source->root, error);
}

static bool check_copy(struct source *source)
{
	char **names;
	ssize_t nr = source_list(source, "", &names);
	bool found = nr > 0 && cpu_is_among(names);

	free_names(names);
	return found || (nr >= 0 && failed(source, source->root, ENODATA));
}

static void forget(struct source *source)
{
	open_files_close(&source->open);
	if (source->forget)
		source->forget(source);
}

bool source_open(struct source *source, const char *root)
{
	source->root = root;
	failure_clear(&source->failure);
	source->about.is_known = false;
	forget(source);
	source->open.most = 0;
	/* A copy can be renamed, and its directories are not many. */
	if (source_is_live(source))
		open_files_begin(&source->open);
	return check(source) && (source_is_live(source) || check_copy(source));
}

void source_close(struct source *source)
{
	failure_clear(&source->failure);
	forget(source);
}

bool source_is_live(const struct source *source)
{
	return !strcmp(source->root, SOURCE_DEFAULT);
}

static bool make_path(struct source *source, const char *path)
{
	size_t len = strlen(source->root);

	if (len + strlen(path) + sizeof("/") > sizeof(source->path))
		return failure_set(&source->failure, ERR_CANNOT_READ, "%s: name too long",
				   source->root);
	memcpy(source->path, source->root, len + 1);
	if (*path) {
		source->path[len] = '/';
		strcpy(&source->path[len + 1], path);
	}
	return true;
}

/* A copy is untrusted: keep control characters off the terminal. */
static void make_printable(char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (text[i] != '\n' && text[i] != ' ' && !isgraph((unsigned char)text[i]))
			text[i] = '?';
}

/* A CPU's directory may vanish, and so may the module. */
static bool is_absent(ssize_t error)
{
	return error == -ENOENT || error == -ENODEV || error == -ENOTDIR;
}

bool source_read(struct source *source, const char *path, char **text)
{
	ssize_t len;

	*text = NULL;
	source->error = ENAMETOOLONG;
	if (!make_path(source, path))
		return false;
	len = open_files_read(&source->open, source->path, source->text, sizeof(source->text));
	if (len == sizeof(source->text))
		len = -EFBIG;
	source->error = len < 0 ? -len : 0;
	if (is_absent(len) || len == -EISDIR)
		return check(source);
	if (len == -ENOMEM)
		return failure_no_memory(&source->failure);
	if (len < 0)
		return failed(source, source->path, -len);
	make_printable(source->text, len);
	source->text[len] = '\0';
	*text = source->text;
	return true;
}

ssize_t source_read_at(struct source *source, const char *path, unsigned char *buf, size_t size,
		       off_t at)
{
	ssize_t len;

	if (!make_path(source, path))
		return -ENAMETOOLONG;
	len = open_files_read_at(&source->open, source->path, (char *)buf, size, at);
	if (is_absent(len) || len == -EISDIR)
		return check(source) ? 0 : len;
	if (len == -ENOMEM)
		failure_no_memory(&source->failure);
	else if (len < 0)
		failed(source, source->path, -len);
	return len;
}

ssize_t source_list(struct source *source, const char *directory, char ***names)
{
	ssize_t nr;

	*names = NULL;
	if (!make_path(source, directory))
		return -ENAMETOOLONG;
	nr = disk_list(source->path, names);
	if (nr == -ENOMEM)
		failure_no_memory(&source->failure);
	else if (nr < 0 && !is_absent(nr))
		failed(source, source->path, -nr);
	else if (nr < 0 && check(source))
		return 0;
	return nr;
}

ssize_t source_list_sorted(struct source *source, const char *directory, char ***names)
{
	ssize_t nr = source_list(source, directory, names);

	if (nr > 0)
		sort_names(*names, (size_t)nr);
	return nr;
}
