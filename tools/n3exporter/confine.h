/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Denies this process what CAP_PERFMON permits beyond reading the module's files. */
#ifndef N3EXPORTER_CONFINE_H
#define N3EXPORTER_CONFINE_H

/*
 * From here on, this process, its later threads and programs that it executes cannot profile,
 * load BPF programs, or access the memory of other processes: EPERM. Return: 0 or a negative errno.
 */
int confine(void);

#endif
