/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The share of time in which the places' CPUs ran the named processes, in each snapshot. */
#ifndef N3REC_RECORD_WHO_H
#define N3REC_RECORD_WHO_H

#include "libn3telemetry/busy.h"
#include "reader/options.h"
#include "recording.h"

struct record_who {
	bool wanted;		/* processes were named; else nothing below does anything */
	struct who who;
};

/* Adds the column; the choice must have its places. Exits if there is no such process. */
void record_who_start(struct record_who *who, const struct options *options,
		      struct choice *choice);
void record_who_describe(const struct record_who *who, struct recording_writer *writer);
/* The time of the next sample, or @end if that is earlier. */
double record_who_due(const struct record_who *who, double end);
void record_who_sample(struct record_who *who);
/* Of the time since the last record_who_begin(), with the CPUs of nodes and the system. */
void record_who_fill(const struct record_who *who, const struct busy *busy,
		     struct snapshot *snapshot, const struct choice *choice);
void record_who_begin(struct record_who *who);
/* Whether all of them have ended, with a warning. */
bool record_who_is_over(const struct record_who *who);
void record_who_end(struct record_who *who);

#endif
