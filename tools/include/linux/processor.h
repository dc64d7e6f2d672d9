/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* User-space subset of the kernel header of the same name. */
#ifndef _N3T_SHIM_LINUX_PROCESSOR_H
#define _N3T_SHIM_LINUX_PROCESSOR_H

#define cpu_relax()	do { } while (0)

#endif /* _N3T_SHIM_LINUX_PROCESSOR_H */
