/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Helpers of all units: memory, text, the terminal, time, output. */
#ifndef LIB_UTIL_H
#define LIB_UTIL_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

#include "errors.h"

#define NR(array)		(sizeof(array) / sizeof((array)[0]))

/* The same for a copy, which the caller frees. */
char *plain_copy(const char *text);

void *xreallocarray(void *array, size_t nr, size_t size);
/* Makes room for another element of an array with @nr of at most *max elements. */
void *xgrow(void *array, size_t nr, size_t *max, size_t size);
void *xcalloc(size_t nr, size_t size);
char *xstrdup(const char *text);
/* Frees a NULL-terminated array, or NULL, and its strings. */
void free_names(char **names);
/* disk_list() with an empty array after an error; exits if out of memory. */
ssize_t xdisk_list(const char *path, char ***names);
char *__printf(1, 0) format_args(const char *format, va_list args);
char *__printf(1, 2) format_string(const char *format, ...);

/* Return: @one if nr is 1, otherwise @others. */
const char *plural(unsigned long nr, const char *one, const char *other);
/* Return: whether a blank-separated list has this word of @len characters. */
bool words_have(const char *words, const char *word, size_t len);
/* Return: the rest of the line that begins with a key, not terminated, or NULL. */
const char *find_value(const char *lines, const char *key, size_t *len);
/* The same as a copy, which the caller frees. */
char *value_of_key(const char *lines, const char *key);

/* "±", or "+-" if the user's locale lacks it. */
const char *plus_minus(void);
bool use_colour(FILE *out);
size_t screen_width(size_t otherwise);
size_t screen_height(size_t otherwise);
bool screen_has_changed(void);
void watch_screen(void);

/* Seconds of the monotonic clock. */
double monotonic_now(void);
void sleep_until(double time);

/* Interval timer without drift. */
struct ticker {
	double next;
	double interval;
};

void ticker_start(struct ticker *ticker, double interval);
bool ticker_wait(struct ticker *ticker);

/* Opens closed descriptors among 0 to 2, so that no file gets one of their numbers. */
void streams_open(void);
/* atexit() handler: a failed write to the output of any command is an error. */
void streams_close(void);
/* Exits if that fails. */
void flush_output(FILE *out);
/* Creates a file with mode 0600, for data that other users must not read. */
FILE *create_private(const char *name);
/*
 * Return: whether input and output are the same regular file, which writing would destroy.
 * NULL and "-" stand for the standard output.
 */
bool is_same_file(const char *in, const char *out);

#endif
