/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* n3stat doctor: the machine to look at, and what is found there. */
#ifndef N3STAT_DOCTOR_H
#define N3STAT_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define DOCTOR_TEXT	65536

enum severity {
	FINDING_OK,
	FINDING_NOTE,		/* worth knowing */
	FINDING_WARNING,	/* counts less or worse than it could */
	FINDING_ERROR,		/* does not count at all */
};

/* Files by their usual paths, below the folder of --machine if there is one. */
struct machine {
	const char *root;	/* "" for this machine */
	const char *module;	/* the module's folder in sysfs */
	bool has_module;	/* that folder is there */
};

/* What is wrong, and the command that mends it (NULL for none). */
void __attribute__((__format__(printf, 3, 4)))
finding(enum severity severity, const char *command, const char *format, ...);

/* Return: the length, or a negative errno. A text is NUL-terminated. */
ssize_t machine_read(const struct machine *machine, const char *path, char *text, size_t size);
ssize_t module_read(const struct machine *machine, const char *path, char *text, size_t size);
/* Names in a folder, NULL-terminated and to be freed with machine_free_names(). */
char **machine_list(const struct machine *machine, const char *path);
void machine_free_names(char **names);
char *machine_path(const struct machine *machine, const char *path);

/* Each says what it finds; one that makes the next ones useless returns false. */
bool doctor_cpu(const struct machine *machine);
bool doctor_module(const struct machine *machine);
void doctor_pmu(const struct machine *machine);
void doctor_settings(const struct machine *machine);
void doctor_places(const struct machine *machine);
void doctor_others(const struct machine *machine);

#endif
