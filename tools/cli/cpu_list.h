/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Sets of CPUs in the kernel's notation, 0-3,8. */
#ifndef CLI_CPU_LIST_H
#define CLI_CPU_LIST_H

#include <stdbool.h>
#include <stddef.h>

struct spe_cpus {
	unsigned int *v;	/* ascending */
	size_t nr;
};

/* Parses user input: exits if the list is malformed. */
void spe_cpus_take(struct spe_cpus *cpus, const char *list);
/* Return: false if the file is missing or malformed. */
bool spe_cpus_read(struct spe_cpus *cpus, const char *path);
bool spe_cpus_has(const struct spe_cpus *cpus, unsigned int cpu);
/* Return: the list; the caller frees it. */
char *spe_cpus_print(const struct spe_cpus *cpus);
void spe_cpus_free(struct spe_cpus *cpus);

/* The CPUs currently online. */
void spe_cpus_online(struct spe_cpus *cpus);

#endif
