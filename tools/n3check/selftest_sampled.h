/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* n3stat selftest: the CPUs sampled by n3_telemetry, from its files. */
#ifndef N3CHECK_SELFTEST_SAMPLED_H
#define N3CHECK_SELFTEST_SAMPLED_H

#include <stdbool.h>

/* Return: whether the module with directory root samples a CPU, or would with sampling enabled. */
bool selftest_is_sampled(const char *root, unsigned int cpu);

#endif
