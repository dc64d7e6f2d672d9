/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* doctor checks: guests running on this machine (KVM). */
#ifndef N3CHECK_DOCTOR_GUESTS_H
#define N3CHECK_DOCTOR_GUESTS_H

#include "cli/machine.h"

/* Running guests, and the counters that the PMU reserves for them. */
void doctor_guests(const struct machine *machine);

#endif
