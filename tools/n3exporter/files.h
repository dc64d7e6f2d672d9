/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Files of the module, of which some may be unreadable or not in their format. */
#ifndef N3EXPORTER_FILES_H
#define N3EXPORTER_FILES_H

#include <stdbool.h>
#include <stddef.h>

#define MAX_DIGITS	40	/* of 128 bits */

/* Words, or lines of a key and a value or number. Only files of groups may be empty. */
enum format {
	FORMAT_WORDS,
	FORMAT_VALUES,
	FORMAT_NUMBERS,
	FORMAT_TIME,		/* this one and the next: numbers that are totals */
	FORMAT_GROUP,
};

/* Zeroed at first. */
struct files {
	bool failed;		/* the source has the error; nothing more is read */
	bool has_totals;	/* from some file */
	bool lacks_totals;	/* as a file of them is unreadable */
	struct lh_table *unreadable;	/* kinds of errors by message */
	struct lh_table *before;	/* those of the previous scrape, or NULL */
};

/* Begins a scrape. */
void files_begin(struct files *files);

/* Return: NULL if the file is absent or unreadable, and after an error. */
char *files_read(struct files *files, const char *directory, const char *file,
		 enum format format);
/*
 * Return: whether there is a text, of the file that was read last, and it has the key; then
 * @number holds its digits.
 */
bool files_find_number(struct files *files, const char *text, const char *key,
		       char number[MAX_DIGITS + 1]);
/* Counts the error of the source as an unreadable file, of which files_end() warns. */
void files_add_failure(struct files *files);
/* It is an error of the source if the directory does not have the module's files. */
void files_find_module(struct files *files);
/*
 * Ends a scrape: unless it failed, with a warning about each file that has become unreadable, or
 * for another reason. Return: the number of unreadable files.
 */
size_t files_end(struct files *files);
void files_free(struct files *files);

#endif
