/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Totals of a metric. */
#ifndef LIBN3TELEMETRY_STATS_PARTS_H
#define LIBN3TELEMETRY_STATS_PARTS_H

#include "libn3t/n3t.h"

unsigned int n3t_metric_parts(enum n3t_metric metric);
int n3t_metric_complement(enum n3t_metric metric);

#endif
