// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Another source than a folder of files: texts in memory. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../common.h"
#include "../source.h"
#include "fuzz.h"

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

const char *fuzz_tree_find(const char *path)
{
	for (size_t i = 0; i < nr_files; i++)
		if (!strcmp(files[i].path, path))
			return files[i].text;
	return NULL;
}

void source_open(const char *root)
{
	(void)root;
}

struct source_info source_info(void)
{
	return (struct source_info) { .name = "memory", .live = false };
}

ssize_t source_read(const char *path, const char **text)
{
	/* Files come and go, too. */
	*text = fuzz_below(200) ? fuzz_tree_find(path) : NULL;
	return *text ? (ssize_t)strlen(*text) : -ENOENT;
}

static bool has(char **names, size_t nr, const char *name, size_t len)
{
	for (size_t i = 0; i < nr; i++)
		if (strlen(names[i]) == len && !strncmp(names[i], name, len))
			return true;
	return false;
}

/* Like a folder: the next part of each path that leads through it. */
size_t source_list(const char *folder, char ***names)
{
	size_t nr = 0, len = strlen(folder);

	*names = NULL;
	for (size_t i = 0; i < nr_files; i++) {
		const char *name = files[i].path;

		if (len && (strncmp(name, folder, len) || name[len] != '/'))
			continue;
		name += len ? len + 1 : 0;
		if (has(*names, nr, name, strcspn(name, "/")))
			continue;
		*names = xreallocarray(*names, nr + 1, sizeof(**names));
		(*names)[nr++] = format_string("%.*s", (int)strcspn(name, "/"), name);
	}
	return nr;
}

void source_free_names(char **names, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		free(names[i]);
	free(names);
}
