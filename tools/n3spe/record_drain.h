/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Draining of rings, and restarting SPE after the kernel stopped it. */
#ifndef N3SPE_RECORD_DRAIN_H
#define N3SPE_RECORD_DRAIN_H

#include "record_session.h"

/* Return: whether SPE had written anything. */
bool spe_drain(struct spe_session *session, struct spe_ring *ring);
/* Records a window from @from until now in which samples may be missing. */
void spe_lose(struct spe_session *session, struct spe_ring *ring, enum spe_lost_reason reason,
	      uint64_t from, uint64_t to);
/* Drains SPE, then disables and enables it. Return: whether there was anything. */
bool spe_restart(struct spe_session *session, struct spe_ring *ring);
/* Disables SPE and drains the ring. */
void spe_stop(struct spe_session *session, struct spe_ring *ring);

#endif
