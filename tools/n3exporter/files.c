// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Files of the module, of which some may be unreadable or not in their format. */
#include <errno.h>
#include <json-c/linkhash.h>
#include <stdio.h>
#include <string.h>

#include "files.h"
#include "lib/keys.h"
#include "lib/memory.h"
#include "reader/telemetry.h"

#define DIGITS		"0123456789"
#define NAME		DIGITS "ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"
#define INITIAL_SIZE	16	/* of a table, which grows */

static bool is_number(const char *text, size_t len)
{
	return len && len <= MAX_DIGITS && strspn(text, DIGITS) >= len;
}

static bool has_keys(const char *text, bool numbers)
{
	for (const char *line = text; *line; line += *line == '\n') {
		size_t key = strspn(line, NAME), len = strcspn(line, "\n");

		if (!key || line[key] != ' ' ||
		    (numbers && !is_number(line + key + 1, len - key - 1)))
			return false;
		line += len;
	}
	return true;
}

static bool has_format(const char *text, enum format format)
{
	if (!*text)
		return format == FORMAT_GROUP;
	if (format == FORMAT_WORDS)
		return !text[strspn(text, NAME " \n")];
	return has_keys(text, format != FORMAT_VALUES);
}

/* Whether the file that was read last is; ENODEV: its directory was removed. */
static bool is_absent(void)
{
	return telemetry.error == ENOENT || telemetry.error == ENODEV;
}

static void free_message(struct lh_entry *entry)
{
	free(lh_entry_k(entry));
}

void files_add_failure(struct files *files)
{
	const struct failure *failure = &telemetry.failure;

	if (!failure->text)
		out_of_memory();
	/* The file "status" is read several times. */
	if (!lh_table_lookup_ex(files->unreadable, failure->text, NULL) &&
	    lh_table_insert(files->unreadable, xstrdup(failure->text), failure->kind))
		out_of_memory();
}

/* The file that was read last; its error is that of the source until the next one. */
static void add_unreadable(struct files *files)
{
	const char *text = "not in the module's format";
	const struct error_kind *kind = telemetry.error ? access_error(telemetry.error, &text) :
						  ERR_MALFORMED_FILE;

	failure_set(&telemetry.failure, kind, "%s: %s", telemetry.path, text);
	if (kind == ERR_PERMISSION_DENIED)
		telemetry.failure.denied = telemetry.error;
	files_add_failure(files);
}

char *files_read(struct files *files, const char *directory, const char *file,
		 enum format format)
{
	char path[PATH_MAX], *text;
	bool ok;

	if (files->failed)
		return NULL;
	snprintf(path, sizeof(path), "%s%s%s", directory, *directory ? "/" : "", file);
	ok = source_read(&telemetry, path, &text);
	if (text && has_format(text, format)) {
		files->has_totals |= format >= FORMAT_TIME;
		return text;
	}
	if (is_absent()) {
		files->failed = !ok;
		return NULL;
	}
	files->lacks_totals |= format >= FORMAT_TIME;
	add_unreadable(files);
	return NULL;
}

bool files_find_number(struct files *files, const char *text, const char *key,
		       char number[MAX_DIGITS + 1])
{
	size_t len;
	const char *value = text ? find_value(text, key, &len) : NULL;

	if (!value)
		return false;
	if (!is_number(value, len)) {
		add_unreadable(files);
		return false;
	}
	memcpy(number, value, len);
	number[len] = '\0';
	return true;
}

static bool is_there(struct files *files, const char *file)
{
	return files_read(files, "", file, FORMAT_VALUES) || files->failed || !is_absent();
}

void files_find_module(struct files *files)
{
	if (is_there(files, "spec") || is_there(files, "status"))
		return;
	failure_set(&telemetry.failure, ERR_NO_MODULE, "%s has no files of the module",
		    telemetry.root);
	files->failed = true;
}

static void report_new(const struct files *files)
{
	struct lh_entry *entry;

	lh_foreach(files->unreadable, entry)
		if (!files->before || !lh_table_lookup_entry(files->before, lh_entry_k(entry)))
			warn(lh_entry_v(entry), "%s", (const char *)lh_entry_k(entry));
}

static void drop(struct lh_table *table)
{
	if (table)
		lh_table_free(table);
}

void files_begin(struct files *files)
{
	drop(files->before);
	*files = (struct files) {
		.unreadable = lh_kchar_table_new(INITIAL_SIZE, free_message),
		.before = files->unreadable,
	};
	if (!files->unreadable)
		out_of_memory();
}

size_t files_end(struct files *files)
{
	size_t nr = (size_t)lh_table_length(files->unreadable);

	if (!files->failed) {
		report_new(files);
	} else {
		drop(files->unreadable);
		files->unreadable = NULL;
	}
	return nr;
}

void files_free(struct files *files)
{
	drop(files->unreadable);
	drop(files->before);
}
