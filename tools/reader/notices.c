// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/* Notices above values that are not counts of a Neoverse N3. */
#include "notices.h"
#include "telemetry.h"

size_t print_simulated(FILE *out)
{
	if (telemetry_is_simulated())
		fputs("simulated counts (n3_sim)\n", out);
	return telemetry_is_simulated();
}

void print_other_core(FILE *out)
{
	if (telemetry_other_core())
		fprintf(out, "%s: for rehearsal only\n", telemetry_other_core());
}
