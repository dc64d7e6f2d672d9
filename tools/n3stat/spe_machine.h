/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What the kernel and the module tell of a machine's SPE. */
#ifndef N3STAT_SPE_MACHINE_H
#define N3STAT_SPE_MACHINE_H

#include "machine.h"

#define SPE_MAX_DEVICES		16
#define SPE_MAX_REASONS		8
#define SPE_WORDS		256	/* longest line of words that is looked at */

/* A PMU of the driver: one for each kind of core. */
struct spe_device {
	char name[32];
	char cpus[SPE_WORDS];		/* as in 0-3,8 */
	char settings[SPE_WORDS];	/* names of what an event can be given */
	unsigned long min_interval;	/* 0 if unknown */
	unsigned long counter_bits;
};

/* Why the module calls CPUs unusable: its word, and how many they are. */
struct spe_reason {
	char word[32];
	unsigned int cpus;
};

struct spe_machine {
	struct spe_device devices[SPE_MAX_DEVICES];
	unsigned int nr_devices;
	bool told;			/* the module has files cpuN/spe that can be read */
	int refused;			/* the errno of one that may not be read, or 0 */
	char said[1024];		/* that of the first CPU that is usable, or "" */
	unsigned int usable;		/* CPUs that are, by the module */
	struct spe_reason reasons[SPE_MAX_REASONS];
	unsigned int nr_reasons;
};

void spe_machine_read(const struct machine *machine, struct spe_machine *spe);

/*
 * Whether "n3stat spe record" works where values come from: a copy of the module's files
 * says no more than that the CPUs are able to.
 */
bool spe_is_at_source(void);
/* The same for this machine. */
bool spe_is_here(void);

#endif
