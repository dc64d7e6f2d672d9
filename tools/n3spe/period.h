/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Periods of SPE, in operations. */
#ifndef N3SPE_PERIOD_H
#define N3SPE_PERIOD_H

/* Frequent enough for a profile, at tens rather than hundreds of MB/s. */
#define SPE_PERIOD_DEFAULT	8192
/* Granularity of the driver: PMSIRR_EL1 has no lower bits. */
#define SPE_PERIOD_UNIT		256
#define SPE_PERIOD_MAX		0xffffff00u

#endif
