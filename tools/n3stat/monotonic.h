/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Seconds that go on whatever happens to the time of day. */
#ifndef N3STAT_MONOTONIC_H
#define N3STAT_MONOTONIC_H

double monotonic_now(void);
void sleep_until(double time);

#endif
