/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What every unit of n3stat uses: errors, memory, the terminal, time. */
#ifndef LIB_UTIL_H
#define LIB_UTIL_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "errors.h"

#define NR(array)		(sizeof(array) / sizeof((array)[0]))

/* What is no text of UTF-8, or would move the cursor, becomes '?'. */
void plain_text(char *text);
/* The same of a copy, to be freed. */
char *plain_copy(const char *text);

void *xreallocarray(void *array, size_t nr, size_t size);
void *xcalloc(size_t nr, size_t size);
char *xstrdup(const char *text);
/* The texts of an array that ends with NULL, and the array. */
void free_names(char **names);
char *__printf(1, 0) format_args(const char *format, va_list args);
char *__printf(1, 2) format_string(const char *format, ...);

/* Return: the word or words that go with a number of things. */
const char *plural(unsigned long nr, const char *one, const char *other);
/* Return: whether one of the words, with blanks between, is this one of @len characters. */
bool words_have(const char *words, const char *word, size_t len);

/* "±" where the user's locale has it. */
const char *plus_minus(void);
bool use_colour(FILE *out);
size_t screen_width(size_t otherwise);
size_t screen_height(size_t otherwise);
bool screen_has_changed(void);
void watch_screen(void);

/* Seconds of a clock that does not follow changes of the time of day. */
double monotonic_now(void);
void sleep_until(double time);

/* A clock of intervals: reports come at fixed times. */
struct ticker {
	double next;
	double interval;
};

void ticker_start(struct ticker *ticker, double interval);
bool ticker_wait(struct ticker *ticker);

/* Opens what is closed of descriptors 0 to 2, so that no file gets one of their numbers. */
void streams_open(void);
/* For atexit(): output that could not be written is an error, whatever command printed it. */
void streams_close(void);
/* Ends the program if that fails. */
void flush_output(FILE *out);
/* A file for what counters tell: as private as the module's own. */
FILE *create_private(const char *name);
/*
 * Writing to what is read would destroy it. No name, or "-", is the standard output. Return:
 * whether that is the same regular file.
 */
bool is_same_file(const char *in, const char *out);

#endif
