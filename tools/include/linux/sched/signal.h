/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* User-space subset of the kernel header of the same name. */
#ifndef _N3T_SHIM_LINUX_SCHED_SIGNAL_H
#define _N3T_SHIM_LINUX_SCHED_SIGNAL_H

#include <stdbool.h>
#include <stddef.h>

#define current				NULL
/* A fatal signal terminates the program without a check. */
#define fatal_signal_pending(task)	((void)(task), false)

#endif /* _N3T_SHIM_LINUX_SCHED_SIGNAL_H */
