/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The source of a program. Functions of libn3telemetry leave errors to the caller; here they end
 * the program with the exit status of their kind.
 */
#ifndef READER_TELEMETRY_H
#define READER_TELEMETRY_H

#include "libn3telemetry/interval.h"
#include "libn3telemetry/places.h"
#include "libn3telemetry/source.h"

extern struct source telemetry;

/* Prepares the tables of the library. */
void telemetry_start(void);

/* Reports the error of the source and exits, unless a function of the library succeeded. */
void must(bool ok);

/* Results of functions of the library that succeed or exit. */
const char *telemetry_read(const char *path);
size_t telemetry_list(const char *directory, char ***names);
double telemetry_window(void);
bool telemetry_is_simulated(void);
/* Return: whether to read intervals: longer than the window. */
bool telemetry_has_intervals(struct interval *interval, double seconds);
/* Return: NULL for a Neoverse N3. */
const char *telemetry_other_core(void);

/* places_add_one(), but exits if out of memory. */
void xplaces_add_one(struct places *places, struct place place);

#endif
