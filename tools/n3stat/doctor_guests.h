/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What doctor can tell of guests that run on this machine (KVM). */
#ifndef N3STAT_DOCTOR_GUESTS_H
#define N3STAT_DOCTOR_GUESTS_H

#include "machine.h"

/* Guests that run, and counters that the PMU keeps for them. */
void doctor_guests(const struct machine *machine);

#endif
