/* SPDX-License-Identifier: GPL-2.0 */
/* Switching counter sets through perf, where it cannot be done in place. */
#ifndef _N3T_FALLBACK_H
#define _N3T_FALLBACK_H

#include <linux/types.h>

struct n3t_fallback;
struct n3t_plan;
struct n3t_pmu;
struct n3t_slice;

struct n3t_fallback *n3t_fallback_open(const struct n3t_pmu *pmu, unsigned int cpu,
				       const struct n3t_plan *plan);
void n3t_fallback_close(struct n3t_fallback *fallback);
void n3t_fallback_end(struct n3t_fallback *fallback, struct n3t_slice *slice);
void n3t_fallback_stop(struct n3t_fallback *fallback);
void n3t_fallback_start(struct n3t_fallback *fallback, unsigned int set);

#endif /* _N3T_FALLBACK_H */
