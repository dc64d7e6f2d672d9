/* SPDX-License-Identifier: GPL-2.0 */
/* The names of the N3 events in the PMU's own events/ folder. */
#ifndef _N3T_ALIAS_H
#define _N3T_ALIAS_H

int n3t_alias_init(void);
void n3t_alias_exit(void);

#endif /* _N3T_ALIAS_H */
