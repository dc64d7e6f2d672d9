/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What the pure units take from the kernel's header of this name. */
#ifndef _N3T_SHIM_LINUX_SCHED_SIGNAL_H
#define _N3T_SHIM_LINUX_SCHED_SIGNAL_H

#include <stdbool.h>
#include <stddef.h>

#define current				NULL
/* A signal that is fatal ends a program by itself. */
#define fatal_signal_pending(task)	((void)(task), false)

#endif /* _N3T_SHIM_LINUX_SCHED_SIGNAL_H */
