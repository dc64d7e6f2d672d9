/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* State before the recording: processes, their mappings, the kernel. */
#ifndef N3SPE_RECORD_PROCS_H
#define N3SPE_RECORD_PROCS_H

#include "record_session.h"

/* As perf records with time 0; of all processes, or those of the session's tasks. */
void spe_put_processes(struct spe_session *session);
/* The kernel's functions, if visible, and the extents of the kernel and its modules. */
void spe_put_kernel(struct spe_session *session);

#endif
