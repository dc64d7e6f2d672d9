/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Advice on an answer: groups to read, and a command that finds the code. */
#ifndef READER_PATH_ADVICE_H
#define READER_PATH_ADVICE_H

#include "advice.h"
#include "libn3telemetry/answer.h"
#include "libn3telemetry/infer.h"
#include "libn3telemetry/places.h"
#include "libn3telemetry/values.h"

/*
 * Groups to look at for a metric, with the command that enables them if one is not sampled. The
 * caller frees all texts. Return: NULL if there is no group to look at.
 */
char *path_groups_text(int metric);
/* A share of all slots with the decimals that its error leaves, at most two. */
struct share_text {
	char number[NUMBER_TEXT + 2];	/* "~46.0%" */
	char error[NUMBER_TEXT + 2];	/* "+-0.2", "+-<0.01", or "none" if unknown */
	int decimals;
};

struct share_text path_share_format(int metric, const struct path_share *share);
/* Likewise any number, with a mark before it and a unit of one character behind it, or "". */
struct share_text path_number_format(const char *mark, const struct path_share *share,
				     const char *unit);
/* The largest losses with their errors, or NULL. */
char *path_losses_text(const struct answer *answer);
/* Numbers of the CPUs of a node or the system by area; none without moments. */
void path_count_cpus(struct infer_counts *counts, const struct place *place);
/* The same as a text, or NULL. */
char *path_cpus_text(const struct place *place);
/* Facts about a place of the measured machine. */
struct advice_facts path_facts(const struct place *place);
/* Command that finds the code of a metric of the tree. */
char *path_find_it_text(const char *metric, const struct advice_facts *facts,
			const struct place *place);
/* Its lead: with simulated counts it is for a real machine. */
const char *path_find_it_lead(const struct advice_facts *facts);

/* Of text below a tree. */
#define PATH_INDENT	"            "
#define PATH_WIDTH	80

/* Each prints on stdout and frees its text; path_print_text() prints nothing for NULL. */
void path_print_text(const char *lead, char *text);
void path_print_command(const struct advice_facts *facts, char *command);

#endif
