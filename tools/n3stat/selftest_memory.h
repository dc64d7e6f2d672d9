/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* n3stat selftest: how much memory may be taken. */
#ifndef N3STAT_SELFTEST_MEMORY_H
#define N3STAT_SELFTEST_MEMORY_H

#include "machine.h"

/*
 * Return: bytes that the machine has left, or this process's cgroup or one above it, if
 * that is less; 0 if unknown. Cgroups of version 2, which limit all of a container.
 */
size_t selftest_free_memory(const struct machine *machine);

#endif
