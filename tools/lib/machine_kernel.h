/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* CPU models of a machine, its hypervisor, files of its kernel: configuration, log, modules. */
#ifndef LIB_MACHINE_KERNEL_H
#define LIB_MACHINE_KERNEL_H

#include <stdint.h>

#include "machine.h"

/* Implementer and part of MIDR_EL1, without variant and revision. */
#define MIDR_MODEL(midr)	((midr) & 0xff00fff0)

/*
 * Return: whether the core's implementation defined values (data sources, event 12) have the
 * meaning that Arm's manuals give them. @midr: its MIDR_EL1.
 */
bool core_is_known(uint64_t midr);
/* Return: the MIDR_EL1 of a core's name such as n3, or of a number with 0x; 0: neither. */
uint64_t core_midr(const char *name);

struct machine_cpus {
	unsigned int arm;	/* CPUs with a readable MIDR_EL1 */
	unsigned int n3;	/* Neoverse N3 among them */
	unsigned int sources;	/* CPUs with known SPE data sources */
};

struct machine_cpus machine_cpus(const struct machine *machine);

/* Return: the kernel's release, "" if unknown; the caller frees it. */
char *machine_release(const struct machine *machine);

/* Return: the kernel's configuration, "" if unreadable; the caller frees it. */
char *machine_kernel_config(const struct machine *machine);

/* The kernel log, of a copy /var/log/dmesg. Return: "" if unreadable; the caller frees it. */
char *machine_kernel_log(const struct machine *machine);

/*
 * Return: path of the module's file below a directory, compressed or not, or NULL; the caller frees
 * it.
 */
char *machine_find_module(const struct machine *machine, const char *directory, const char *file);

/* Return: the hypervisor, NULL if the machine is not virtual. */
const char *machine_virtual(const struct machine *machine);

#endif
