/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What was there before the capture: processes, what they map, the kernel. */
#ifndef N3STAT_SPE_RECORD_PROCS_H
#define N3STAT_SPE_RECORD_PROCS_H

#include "spe_record_session.h"

/* As perf's records, with time 0; of all processes, or of those with the session's tasks. */
void spe_put_processes(struct spe_session *session);
/* The kernel's functions, where it tells, and where it and its modules lie. */
void spe_put_kernel(struct spe_session *session);

#endif
