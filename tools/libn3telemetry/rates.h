/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Frequency and instructions per second of CPUs, between two readings of the module's totals.
 *
 * The totals are of whole slices. Idle time is sampled as well, but has no cycles. A slice of an
 * idle CPU can be longer than the time between two readings: it is counted where it ends.
 */
#ifndef LIBN3TELEMETRY_RATES_H
#define LIBN3TELEMETRY_RATES_H

#include "source.h"

/* Percent; the frequency of a CPU that is busy for less is unknown. */
#define RATES_MIN_BUSY	1.0

/* Of the cycles of several CPUs: the largest part without instructions, if their sum is known. */
#define RATES_MAX_UNCOUNTED	0.05

/* Totals of a CPU: sums modulo 2^64, which begin with the sampling of the CPU. */
struct cpu_totals {
	bool known;
	bool has_instructions;
	unsigned long long start_ns;
	unsigned long long sampled_ns;
	unsigned long long passed_ns;		/* sampled or not, in whole slices */
	unsigned long long cycles;		/* in sampled_ns */
	unsigned long long instructions;	/* relative to ipc_cycles */
	unsigned long long ipc_cycles;
};

struct totals {
	double time;		/* of monotonic_now(); NAN: the source is a copy */
	bool simulated;		/* counts of n3_sim, whose cycles advance in idle time as well */
	struct cpu_totals *cpus;
	size_t nr;
};

/* NAN: unknown. */
struct rates {
	double ghz;		/*
				 * while busy; of several CPUs: the mean over their busy time;
				 * NAN if the counts are simulated
				 */
	double instructions;	/* per second; of several CPUs: the sum */
};

/* Columns of choose_rates(), which the program computes. */
#define RATES_FILE	"rates"

enum rates_column { RATES_BUSY, RATES_GHZ, RATES_GIPS, NR_RATES };

extern const struct rates_info {
	const char *name;
	const char *unit;
	const char *short_unit;
	int decimals;
} rates_info[NR_RATES];

/* Column of choose_theirs(): time of the named processes, which only recordings have. */
extern const struct rates_info rates_theirs;

/* Return: the column of that name, or -1. */
int rates_find(const char *name);
/* A number of a column; NAN gives NO_VALUE. */
struct value rates_value(enum rates_column column, double number);

/*
 * Reads the totals of the @wanted CPUs of MAX_PLACES. Those that the source lacks are
 * unknown. Return: false after an error of the source; the totals are empty then.
 */
bool totals_read(struct source *source, struct totals *totals, const bool *wanted);
void totals_free(struct totals *totals);

/* @busy is in percent of the time between the readings, or NAN. */
struct rates rates_of_cpu(const struct totals *before, const struct totals *after,
			  unsigned int cpu, double busy);
/*
 * The same of the @wanted CPUs; both arrays have an element for each of MAX_PLACES. The sum of
 * instructions is unknown if the cycles of a busy CPU are, or the instructions of CPUs with more
 * than RATES_MAX_UNCOUNTED of the cycles.
 */
struct rates rates_between(const struct totals *before, const struct totals *after,
			   const bool *wanted, const double *busy);

#endif
