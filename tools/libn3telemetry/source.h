/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Source of values. Only this unit knows that it is a directory of files; paths are relative
 * to it, as in "cpu3/topdown_l1".
 */
#ifndef LIBN3TELEMETRY_SOURCE_H
#define LIBN3TELEMETRY_SOURCE_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "errors.h"
#include "open_files.h"
#include "values.h"

/* A sysfs file is at most one page, and an arm64 page at most 64 KiB. */
#define SOURCE_MAX_TEXT	65536

struct inferred;

/* Contents of the file "spec": see about.h. */
struct about {
	bool is_known;
	bool simulated;
	char other_core[2 * VALUE_NAME];	/* "": Neoverse N3 */
};

/*
 * A source and buffers for the file read last. Functions that fail return false or a negative
 * errno and describe the error in @failure.
 */
struct source {
	const char *root;
	struct failure failure;
	struct about about;
	struct values values;
	struct inferred *inferred;	/* see infer.h */
	void (*forget)(struct source *source);	/* frees it; NULL without */
	struct open_files open;
	char path[PATH_MAX];
	int error;		/* errno of source_read(), 0 if there is a text */
	char text[SOURCE_MAX_TEXT];
};

/*
 * The source is zeroed, or was opened before. Return: false if there is nothing to read. The root
 * must stay valid.
 */
bool source_open(struct source *source, const char *root);
/* Frees the error, also after source_open() failed. */
void source_close(struct source *source);
/* Whether this is the directory of the loaded module, not a copy. */
bool source_is_live(const struct source *source);

/*
 * Reads a file as printable, NUL-terminated text, valid until the next call; *text is NULL if the
 * file does not exist. Return: false if the whole source has vanished or the file is unreadable.
 */
bool source_read(struct source *source, const char *path, char **text);

/*
 * One read() at @at, as binary files take it. Return: the number of bytes, 0 without the file, or a
 * negative errno.
 */
ssize_t source_read_at(struct source *source, const char *path, unsigned char *buf, size_t size,
		       off_t at);

/*
 * Lists the names in a directory ("" is the top). Return: their number, 0 if the directory
 * does not exist, or a negative errno; *names must be freed with free_names() and is NULL without
 * a directory.
 */
ssize_t source_list(struct source *source, const char *directory, char ***names);
ssize_t source_list_sorted(struct source *source, const char *directory, char ***names);

#endif
