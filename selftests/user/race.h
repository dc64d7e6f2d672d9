/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Hook at accesses that may race with a writer: a test runs the writer there. */
#ifndef _N3T_RACE_H
#define _N3T_RACE_H

__attribute__((weak)) void (*shim_race)(void);

static inline void shim_meet(void)
{
	if (shim_race)
		shim_race();
}

/* The hook comes first: an access then meets what the writer left. */
#define data_race(expression)	(shim_meet(), (expression))

#endif /* _N3T_RACE_H */
