/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* n3stat selftest: limit of the memory to use. */
#ifndef N3CHECK_SELFTEST_MEMORY_H
#define N3CHECK_SELFTEST_MEMORY_H

#include "cli/machine.h"

/*
 * Return: free bytes of the machine, or of this process's cgroup or one of its ancestors, whichever
 * is smallest; 0 if unknown. Supports cgroup version 2, which also limits containers.
 */
size_t selftest_free_memory(const struct machine *machine);

#endif
