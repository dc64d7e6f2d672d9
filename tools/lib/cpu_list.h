/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Lists of CPUs or nodes in the kernel's notation, 0-3,8. */
#ifndef LIB_CPU_LIST_H
#define LIB_CPU_LIST_H

#include <stdbool.h>
#include <stddef.h>

#define MAX_CPUS	8192	/* the kernel's limit is lower */

/*
 * Sets the elements of @wanted (MAX_CPUS) that a list has, which may end with a newline. Return: 0,
 * -EINVAL if it is malformed, -ERANGE if a number is too large.
 */
int cpu_list_parse(const char *list, bool *wanted);
/* The same for user input: exits if the list is invalid. @title: "CPU" or "node". */
void cpu_list_take(const char *list, const char *title, bool *wanted);
/* Return: the list; the caller frees it. */
char *cpu_list_text(const bool *wanted);
/* Return: the number in a name such as "cpu12" with this prefix, -1 if it is no such name. */
int cpu_number_behind(const char *name, const char *prefix);
/* Return: whether one of the NULL-terminated names is that of a CPU, as in "cpu12". */
bool cpu_is_among(char **names);

struct cpus {
	unsigned int *v;	/* ascending */
	size_t nr;
};

void cpus_add(struct cpus *cpus, unsigned int cpu);
/* Parses user input: exits if the list is invalid. */
void cpus_take(struct cpus *cpus, const char *list);
/* Return: false if the file is missing or malformed. */
bool cpus_read(struct cpus *cpus, const char *path);
bool cpus_have(const struct cpus *cpus, unsigned int cpu);
void cpus_free(struct cpus *cpus);

/* The CPUs currently online. */
void cpus_online(struct cpus *cpus);

#endif
