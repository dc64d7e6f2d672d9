/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Facts about the source: core, simulated counts, window. */
#ifndef LIBN3TELEMETRY_ABOUT_H
#define LIBN3TELEMETRY_ABOUT_H

#include "source.h"

#define DEFAULT_WINDOW	2.0	/* the module's own default, in seconds */

/*
 * Window of the values; the module's default if the source lacks the setting. Return: false after
 * an error of the source.
 */
bool window_seconds(struct source *source, double *seconds);

/*
 * Reads the file "spec" once, which invalidates the text of a file read before. Return: NULL after
 * an error of the source.
 */
const struct about *source_about(struct source *source);

/* In the description of a core other than Neoverse N3; parts like "a lower bound" may follow. */
#define OTHER_CORE	": not a Neoverse N3"

/*
 * Return: the description of a core other than Neoverse N3 (core=) in the text of "spec", not
 * terminated, as in "Neoverse V2 (0xd4f): not a Neoverse N3"; NULL for an N3.
 */
const char *other_core_of(const char *spec, size_t *len);
/* Whether counts are simulated, from the text of "spec". */
bool spec_is_simulated(const char *spec);
/* Whether a list of PMUs has the simulated one, n3_sim. */
bool pmu_is_simulated(const char *pmu);

#endif
