// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Notices above values that are not counts of a Neoverse N3. */
#include "libn3telemetry/about.h"
#include "libn3telemetry/other_core.h"
#include "notices.h"

size_t print_simulated(FILE *out)
{
	if (simulated())
		fputs("simulated counts (n3_sim)\n", out);
	return simulated();
}

void print_other_core(FILE *out)
{
	if (other_core())
		fprintf(out, "%s: for rehearsal only\n", other_core());
}
