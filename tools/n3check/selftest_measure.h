/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* n3stat selftest: counting while micro-kernels run. */
#ifndef N3CHECK_SELFTEST_MEASURE_H
#define N3CHECK_SELFTEST_MEASURE_H

#include "selftest_perf.h"
#include "selftest_report.h"

#define SELFTEST_SECONDS	60	/* limit for each CPU */

/* Counts all events and identities on the CPU that this process is bound to. */
void selftest_measure(struct selftest_cpu *cpu, const struct selftest_pmu *pmu);

#endif
