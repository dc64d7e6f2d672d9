/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Writing out what a ring holds, and starting SPE again where the kernel stopped it. */
#ifndef N3STAT_SPE_RECORD_DRAIN_H
#define N3STAT_SPE_RECORD_DRAIN_H

#include "spe_record_session.h"

/* Return: whether SPE had written anything. */
bool spe_drain(struct spe_session *session, struct spe_ring *ring);
/* A window in which samples may be missing starts at from and ends now. */
void spe_lose(struct spe_session *session, struct spe_ring *ring, enum spe_lost_reason reason,
	      uint64_t from, uint64_t to);
/* All that SPE still holds, then off and on again. Return: whether there was anything. */
bool spe_restart(struct spe_session *session, struct spe_ring *ring);
/* Off, with all that it still holds written out. */
void spe_stop(struct spe_session *session, struct spe_ring *ring);

#endif
