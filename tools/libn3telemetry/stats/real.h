/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Conversions of floating-point numbers to integers. */
#ifndef LIBN3TELEMETRY_STATS_REAL_H
#define LIBN3TELEMETRY_STATS_REAL_H

#include <linux/limits.h>
#include <linux/types.h>
#include <math.h>

static inline double square(double a)
{
	return a * a;
}

/* To an integer between -S64_MAX and S64_MAX, towards 0. */
static inline s64 saturated(double a)
{
	if (!(fabs(a) < 0x1p63))
		return a < 0 ? -S64_MAX : S64_MAX;
	return a;
}

/* Rounded up, from 0 to S64_MAX. */
static inline u64 raised(double a)
{
	return a > 0 ? saturated(ceil(a)) : 0;
}

/* To nearest, a half down, from 0 to S64_MAX. */
static inline u64 rounded(double a)
{
	return raised(a - 0.5);
}

#endif /* LIBN3TELEMETRY_STATS_REAL_H */
