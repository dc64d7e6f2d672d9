/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Series of this process, with the names that all exporters have. */
#ifndef N3EXPORTER_PROCESS_H
#define N3EXPORTER_PROCESS_H

/* @start: Unix time at which the process started. Series that /proc lacks are left out. */
void process_append(char **text, double start);

#endif
