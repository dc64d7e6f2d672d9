/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What a machine's CPUs are, and the files of its kernel: configuration and modules. */
#ifndef N3STAT_MACHINE_KERNEL_H
#define N3STAT_MACHINE_KERNEL_H

#include "machine.h"

struct machine_cpus {
	unsigned int arm;	/* those that say what they are */
	unsigned int n3;	/* of these */
	unsigned int sources;	/* whose data sources of SPE have names */
};

struct machine_cpus machine_cpus(const struct machine *machine);

/* Return: the kernel's release, "" if unknown; to be freed. */
char *machine_release(const struct machine *machine);

/* Return: the configuration of the kernel, "" if it is nowhere to be read. */
const char *machine_kernel_config(const struct machine *machine);

/* Return: the kernel log, "" if it may not be read; of a copy its file /var/log/dmesg. */
const char *machine_kernel_log(const struct machine *machine);

/* Return: the path of a module's file, packed or not, in a directory; to be freed; or NULL. */
char *machine_find_module(const struct machine *machine, const char *directory, const char *file);

#endif
