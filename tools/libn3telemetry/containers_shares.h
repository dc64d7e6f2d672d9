/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Metrics of Topdown_L1 from sums of the pieces of a cgroup. */
#ifndef LIBN3TELEMETRY_CONTAINERS_SHARES_H
#define LIBN3TELEMETRY_CONTAINERS_SHARES_H

#include "answer.h"
#include "containers_file.h"
#include "values.h"

#define CONTAINERS_PARTS	8	/* of the time, for the jackknife */
#define CONTAINERS_PIECES	400	/* fewest for a value */
#define CONTAINERS_POINTS	3	/* largest half width of a 95 % interval */
#define CONTAINERS_FEW		"few"	/* word otherwise */

/* The areas, and retiring. */
#define CONTAINERS_METRICS	(ANSWER_AREAS + 1)

/* In the order of Topdown_L1; words are those of the machine, or CONTAINERS_FEW. */
struct containers_values {
	int metrics[CONTAINERS_METRICS];
	struct value v[CONTAINERS_METRICS];
};

/* The values of the machine; also prepares the formulas for its cores. */
bool containers_machine(struct source *source, struct containers_values *machine);
/* Values with 95 % intervals from the sums of equal parts of the time, in their order. */
void containers_find(struct containers_values *values, const struct containers_values *machine,
		     const struct containers_sums parts[CONTAINERS_PARTS]);
/* The value of a metric as path_value() returns it; NULL below Topdown_L1. */
const struct value *containers_value(const void *values, int metric);
void containers_answer(struct answer *answer, const struct containers_values *values);

#endif
