/* SPDX-License-Identifier: GPL-2.0 */
/* The file status; custom, spe and moments, which only CPUs have; containers of the system. */
#ifndef _N3T_CPU_FILES_H
#define _N3T_CPU_FILES_H

#include "libn3t/contention.h"

struct attribute_group;

extern const struct attribute_group n3t_status_file;
extern const struct attribute_group n3t_system_files;
extern const struct attribute_group n3t_cpu_files;

int n3t_status_emit_reason(char *buf, int at, enum n3t_yield_reason reason);

#endif /* _N3T_CPU_FILES_H */
