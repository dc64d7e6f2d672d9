/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* User-space subset of the kernel header of the same name. */
#ifndef _N3T_SHIM_LINUX_TIME64_H
#define _N3T_SHIM_LINUX_TIME64_H

#define NSEC_PER_SEC	1000000000L
#define USEC_PER_SEC	1000000L
#define NSEC_PER_MSEC	1000000L

#endif /* _N3T_SHIM_LINUX_TIME64_H */
