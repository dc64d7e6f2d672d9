/* SPDX-License-Identifier: GPL-2.0 */
/* Names of the N3 events in the PMUs' own events/ directories. */
#ifndef _N3T_ALIAS_H
#define _N3T_ALIAS_H

#include <linux/types.h>

struct n3t_pmu;

int n3t_alias_init(void);
void n3t_alias_exit(void);
int n3t_alias_add(struct n3t_pmu *pmu);
bool n3t_alias_has(const struct n3t_pmu *pmu, const char *name);

#endif /* _N3T_ALIAS_H */
