/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* SPE properties of a machine, from the kernel and the module; periods, in operations. */
#ifndef N3SPE_MACHINE_H
#define N3SPE_MACHINE_H

#include "lib/machine.h"

/* Frequent enough for a profile, at tens rather than hundreds of MB/s. */
#define SPE_PERIOD_DEFAULT	8192
/* Granularity of the driver: PMSIRR_EL1 has no lower bits. */
#define SPE_PERIOD_UNIT		256
#define SPE_PERIOD_MAX		0xffffff00u

#define SPE_MAX_DEVICES		16
#define SPE_MAX_REASONS		8
#define SPE_WORDS		256	/* longest line of words read */

/* A PMU of the driver: one for each kind of core. */
struct spe_device {
	char name[32];
	char cpus[SPE_WORDS];		/* as in 0-3,8 */
	char settings[SPE_WORDS];	/* names of an event's settings */
	unsigned long min_interval;	/* 0 if unknown */
	unsigned long counter_bits;
};

/* A reason for which the module calls CPUs unusable, and their number. */
struct spe_reason {
	char word[32];
	unsigned int cpus;
};

struct spe_machine {
	struct spe_device devices[SPE_MAX_DEVICES];
	unsigned int nr_devices;
	bool has_files;			/* the module has readable files cpuN/spe */
	int refused;			/* errno of one that is not readable, or 0 */
	char properties[1024];		/* text of the first usable CPU, or "" */
	unsigned int usable;		/* usable CPUs, according to the module */
	struct spe_reason reasons[SPE_MAX_REASONS];
	unsigned int nr_reasons;
};

/* Return: the number in a file of a PMU, 0 if absent. */
unsigned long spe_device_number(const struct machine *machine, const char *device,
				const char *file);
void spe_machine_read(const struct machine *machine, struct spe_machine *spe);

#endif
