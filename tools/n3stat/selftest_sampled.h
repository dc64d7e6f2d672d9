/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* n3stat selftest: which CPUs n3_telemetry samples, as far as its files tell. */
#ifndef N3STAT_SELFTEST_SAMPLED_H
#define N3STAT_SELFTEST_SAMPLED_H

#include <stdbool.h>

/*
 * Return: whether the module whose directory is root samples a CPU, or would if sampling
 * were not off altogether.
 */
bool selftest_is_sampled(const char *root, unsigned int cpu);

#endif
