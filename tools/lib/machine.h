/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The machine that doctor examines; all accesses to its files are here.
 *
 * Paths are absolute, as in "/proc/modules"; those of the module_ functions are relative to the
 * module's directory, as in "cpu3/status".
 */
#ifndef LIB_MACHINE_H
#define LIB_MACHINE_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* The module's directory. */
#define SOURCE_DEFAULT	"/sys/kernel/n3_telemetry"

#define PMU_DEVICES	"/sys/bus/event_source/devices"
/* The PMUs of the SPE driver: one for each kind of core. */
#define SPE_DEVICES	PMU_DEVICES
#define SPE_DEVICE	"arm_spe_"

/* Maximum text read from a file; exceeds all files of the module. */
#define MACHINE_MAX_TEXT	65536

struct machine {
	const char *root;	/* "" for the live machine, else the directory of the copy */
	const char *module;	/* the module's directory in sysfs */
	bool has_module;	/* @module exists */
};

/* The live machine, without the module's directory. */
extern const struct machine this_machine;

/* Return: the length, or a negative errno. A text is NUL-terminated, "" after an error. */
ssize_t machine_read(const struct machine *machine, const char *path, char *text, size_t size);
ssize_t module_read(const struct machine *machine, const char *path, char *text, size_t size);
/* Return: whether the first 4 KB of a file contain the text; always true for "". */
bool machine_contains(const struct machine *machine, const char *path, const char *what);
/* The last size bytes of a file. Return: false if it is shorter. */
bool machine_read_end(const struct machine *machine, const char *path, char *end, size_t size);
/* Target of a link. Return: false if it is not a link. */
bool machine_read_link(const struct machine *machine, const char *path, char *to, size_t size);
bool machine_may_read(const struct machine *machine, const char *path);

/* Names in a directory, NULL-terminated; free with free_names(). */
char **machine_list(const struct machine *machine, const char *path);
char **module_list(const struct machine *machine);

/* Options --root and --machine. */
struct machine_choice {
	const char *root;	/* the module's directory, or a copy of it */
	const char *copy;	/* directory of the copy, or NULL */
};

#define MACHINE_CHOICE_DEFAULT	{ .root = SOURCE_DEFAULT }

/* A child of a command's argp; its input is a struct machine_choice. */
extern const struct argp options_machine;

/* Exits if neither a machine nor a copy of the module's files is there. */
void machine_open(const struct machine_choice *choice, struct machine *machine);
/* Return: false for a copy of the module's files alone, which may be from any machine. */
bool machine_is_known(const struct machine *machine);
void machine_close(struct machine *machine);

#endif
